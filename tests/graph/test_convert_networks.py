"""as_graph on networkx and igraph graphs, to_networkx, and the names of vertices."""

import re
import sys

import igraph
import networkx as nx
import numpy as np
import pytest

from troth import Graph, as_graph

SEED = 91140583


@pytest.fixture
def network():
    graph = nx.Graph()
    graph.add_weighted_edges_from([("b", "a", 2.5), ("a", "c", -1.0), ("d", "c", 0.0)])
    graph.add_node("alone")
    return graph


def test_networkx_round_trip_with_names(network):
    graph = as_graph(network)
    assert graph.labels == ["b", "a", "c", "d", "alone"]
    assert nx.utils.graphs_equal(graph.to_networkx(), network)


def test_networkx_round_trip_of_a_pattern_with_names_of_all_kinds():
    network = nx.Graph([((0, 1), "x"), ("x", 2.5), (2.5, frozenset({3}))])
    graph = as_graph(network)
    assert graph.weights is None
    assert nx.utils.graphs_equal(graph.to_networkx(), network)


def test_networkx_round_trip_of_a_random_graph():
    network = nx.gnm_random_graph(50, 200, seed=SEED)
    for i, (_, _, attributes) in enumerate(network.edges(data=True)):
        attributes["weight"] = i**2
    graph = as_graph(network)
    assert graph.labels is None
    assert graph.weights.dtype == np.int64
    back = graph.to_networkx()
    assert nx.utils.graphs_equal(back, network)
    assert {type(weight) for _, _, weight in back.edges(data="weight")} == {int}
    assert {type(node) for node in back} == {int}
    assert as_graph(back) == graph


def test_numbers_in_another_order_are_names():
    graph = as_graph(nx.Graph([(2, 0), (0, 1)]))
    assert graph.labels == [2, 0, 1]
    assert graph.edges()[0].tolist() == [0, 1]


def test_numpy_labels_become_nodes():
    graph = Graph.from_csr([0, 1, 2], [1, 0], labels=np.array(["a", "b"]))
    assert list(graph.to_networkx().edges) == [("a", "b")]
    assert {type(node) for node in graph.to_networkx()} == {str}


def test_missing_weights_are_one(network):
    del network.edges["a", "c"]["weight"]
    assert as_graph(network).edges()[2].tolist() == [2.5, 1.0, 0.0]
    assert as_graph(network, weight="cost").weights is None


def test_other_attributes_can_be_the_weight(network):
    nx.set_edge_attributes(network, 7, "cost")
    assert as_graph(network, weight="cost").edges()[2].tolist() == [7, 7, 7]


@pytest.mark.parametrize("empty", [nx.Graph(), nx.empty_graph(3), igraph.Graph(0), igraph.Graph(3)])
def test_networks_without_edges(empty):
    graph = as_graph(empty)
    assert graph.n_vertices in (0, 3)
    assert graph.n_edges == 0


def test_igraph():
    network = igraph.Graph([(0, 2), (2, 1)], edge_attrs={"weight": [2.0, 5.0], "cost": [1, None]})
    graph = as_graph(network)
    assert (graph.labels, graph.edges()[2].tolist()) == (None, [2.0, 5.0])
    assert graph.to_scipy().toarray().tolist() == [[0, 0, 2], [0, 0, 5], [2, 5, 0]]
    assert as_graph(network, weight="cost").edges()[2].tolist() == [1, 1]
    assert as_graph(network, weight="absent").weights is None
    network.vs["name"] = ["x", "y", "z"]
    assert as_graph(network).labels == ["x", "y", "z"]


def test_networkx_and_igraph_agree(network):
    other = igraph.Graph.from_networkx(network)
    other.vs["name"] = other.vs["_nx_name"]
    assert as_graph(other) == as_graph(network)
    assert as_graph(other).labels == as_graph(network).labels


@pytest.mark.parametrize(
    ("obj", "sentence"),
    [
        (nx.DiGraph([(0, 1)]), "the DiGraph is directed; give obj.to_undirected() or call troth.symmetrize"),
        (nx.MultiGraph([(0, 1)]), "the MultiGraph may hold an edge more than once; call troth.sum_duplicates"),
        (nx.MultiDiGraph([(0, 1)]), "the MultiDiGraph is directed"),
        (igraph.Graph([(0, 1)], directed=True), "the Graph is directed; give obj.as_undirected() or call"),
        (igraph.Graph([(0, 1), (1, 0)]), "the Graph may hold an edge more than once; call troth.sum_duplicates"),
        (nx.Graph([("a", "b"), ("b", "b")]), "vertex 'b' has a loop; call troth.drop_loops"),
        (nx.Graph([(0, 1), (1, 1)]), "edge number 1 is (1, 1), a loop; call troth.drop_loops"),
        (nx.Graph([("a", "b", {"weight": np.nan})]), "weight of edge ('a', 'b') is NaN"),
        (nx.Graph([("a", "b", {"weight": -np.inf})]), "weight of edge ('a', 'b') is infinite"),
        (nx.Graph([(0, 1, {"weight": np.inf})]), "weight of edge (0, 1) is infinite"),
        (nx.Graph([("a", "b", {"weight": "x"}), ("b", "c")]), "weight of edge ('a', 'b') is 'x'; give a real number"),
        (nx.Graph([("a", "b", {"weight": 2**70})]), f"weight of edge ('a', 'b') is {2**70}; give a real number of at"),
        (nx.Graph([(0, 1, {"weight": 2**63})]), "too large for int64"),
        (igraph.Graph([(0, 1)], edge_attrs={"weight": ["x"]}), "weight of edge (0, 1) is 'x'; give a real number"),
    ],
)
def test_bad_networks(obj, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        as_graph(obj)


def test_weights_of_networks_have_a_name(network):
    with pytest.raises(ValueError, match="give weight=, the name of the attribute"):
        as_graph(network, weight=[1.0, 2.0, 3.0])


def test_labels_that_are_not_different_make_no_networkx_graph():
    with pytest.raises(ValueError, match="3 vertices have only 2 different labels"):
        Graph.from_csr([0, 0, 0, 0], [], labels=["a", "b", "a"]).to_networkx()


def test_without_networkx(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=re.escape("networkx is not installed: pip install 'troth[networkx]'")):
        Graph.from_csr([0, 1, 2], [1, 0]).to_networkx()
    assert as_graph(([0], [1])).n_edges == 1
