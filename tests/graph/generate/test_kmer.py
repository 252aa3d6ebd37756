"""k-mer graphs: closed chains and thin grids, cell by cell."""

import networkx as nx
import numpy as np
import pytest

import troth


@pytest.mark.parametrize("number", range(2, 15))
def test_degrees(number):
    graph = troth.generate(f"kmer:{number}")
    assert graph.n_vertices == 1 << number
    assert graph.degrees.min() >= 2
    assert graph.degrees.max() <= 4


def test_components_are_closed_chains_and_thin_grids():
    graph = nx.Graph(troth.generate("kmer:14").to_networkx())
    kinds = {"chain": 0, 2: 0, 3: 0, 4: 0}
    for vertices in nx.connected_components(graph):
        first, last, size = min(vertices), max(vertices), len(vertices)
        assert last - first == size - 1
        part = graph.subgraph(vertices)
        if all(degree == 2 for _, degree in part.degree):
            kinds["chain"] += 1
            assert part.has_edge(first, last)
            continue
        width = next(w for w in (2, 3, 4) if part.has_edge(first, first + w))
        kinds[width] += 1
        expected = nx.convert_node_labels_to_integers(nx.grid_2d_graph(size // width, width), first)
        assert nx.utils.edges_equal(part.edges, expected.edges)
    assert all(kinds.values())
    assert kinds["chain"] > 2 * (kinds[2] + kinds[3] + kinds[4])
    assert graph.number_of_edges() < 1.25 * len(graph)


def test_a_cell_is_the_same_in_a_larger_graph():
    small, large = troth.generate("kmer:11"), troth.generate("kmer:13")
    assert large.subgraph(np.arange(1 << 11)) == small
