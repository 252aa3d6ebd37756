"""troth info: what it counts, against NetworkX and NumPy."""

import json

import networkx as nx
import numpy as np
import pytest

import troth
from troth.cli.info import count_components, describe

SEED = 20261119


@pytest.mark.parametrize(
    "spec", ["rmat:8", "urand:9:edge_factor=1", "path:8", "kmer:8", "grid2d:9", "urand:0", "sbp:8:weights=integer"]
)
def test_facts(spec):
    graph = troth.generate(spec, seed=SEED)
    network = nx.from_scipy_sparse_array(graph.to_scipy())
    facts = describe(graph)
    degrees = [degree for _, degree in network.degree]
    assert (facts["vertices"], facts["edges"]) == (network.number_of_nodes(), network.number_of_edges())
    assert facts["degree"] == {"min": min(degrees), "mean": pytest.approx(np.mean(degrees)), "max": max(degrees)}
    assert facts["isolated"] == nx.number_of_isolates(network)
    assert facts["components"] == nx.number_connected_components(network)
    weights = [weight for *_, weight in network.edges(data="weight")]
    assert facts["weights"]["distinct"] == len(set(weights))
    if weights:
        assert (facts["weights"]["min"], facts["weights"]["max"]) == (min(weights), max(weights))


def test_components_in_many_blocks(monkeypatch):
    graph = troth.generate("urand:9:edge_factor=1", seed=SEED)
    expected = nx.number_connected_components(nx.from_scipy_sparse_array(graph.to_scipy()))
    monkeypatch.setattr("troth.cli.info._BLOCK", 7)
    assert count_components(graph) == expected


def test_no_vertices_and_no_weights(run, tmp_path):
    graph = troth.Graph(np.zeros(1, np.int64), np.zeros(0, np.int32))
    facts = describe(graph)
    assert (facts["vertices"], facts["components"], facts["weights"]) == (0, 0, None)
    assert facts["degree"] == {"min": None, "mean": None, "max": None}
    troth.write(graph, tmp_path / "none.npz")
    result = run("info", "none.npz")
    assert result.code == 0, result.err
    assert "every edge counts 1" in result.out


def test_weights_that_never_match_are_counted(run, tmp_path):
    (tmp_path / "a.txt").write_text("0 1 -2.5\n1 2 0\n2 3 1\n")
    said = json.loads(run("info", "a.txt", "--json").out)
    assert said["weights"] == {"dtype": "float64", "min": -2.5, "max": 1.0, "distinct": 3, "not_positive": 2}
    assert "2 edges weigh 0 or less and never match" in run("info", "a.txt").out


def test_the_table_says_the_same(run):
    out = run("info", "rmat:8").out
    facts = describe(troth.generate("rmat:8"))
    assert f"{facts['edges']:,}" in out
    assert f"{facts['components']:,}" in out
    assert "rmat:8 (seed 1)" in out
