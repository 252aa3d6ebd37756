"""Mycielski graphs: exactly those of NetworkX."""

import networkx as nx
import numpy as np
import pytest

import troth


@pytest.mark.parametrize("index", range(1, 10))
def test_equals_networkx(index):
    graph = troth.generate(f"mycielskian:{index}", threads=2)
    expected = nx.to_scipy_sparse_array(nx.mycielski_graph(index), nodelist=range(graph.n_vertices), format="csr")
    expected.sort_indices()
    np.testing.assert_array_equal(graph.indptr, expected.indptr)
    np.testing.assert_array_equal(graph.indices, expected.indices)


def test_size_of_the_well_known_one():
    # The SuiteSparse collection lists mycielskian13 with 6,143 rows and 1,227,742 entries.
    graph = troth.generate("mycielskian:13:weights=unit")
    assert (graph.n_vertices, graph.indices.size) == (6143, 1_227_742)
