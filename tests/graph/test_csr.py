"""Graph: immutable arrays, the views it gives, equality."""

import numpy as np
import pytest
import scipy.sparse as sp

from troth import Graph

INDPTR, INDICES = np.array([0, 1, 3, 4, 4]), np.array([1, 0, 2, 1], np.int32)
WEIGHTS = np.array([2.0, 2.0, 5.0, 5.0])


@pytest.fixture
def graph():
    return Graph.from_csr(INDPTR, INDICES, WEIGHTS)


def test_counts(graph):
    assert (graph.n_vertices, graph.n_edges) == (4, 2)
    assert graph.degrees.tolist() == [1, 2, 1, 0]
    assert graph.nbytes == INDPTR.nbytes + INDICES.nbytes + WEIGHTS.nbytes
    assert repr(graph) == "Graph(4 vertices, 2 edges, float64 weights)"


def test_edges_lists_each_edge_once_in_row_order(graph):
    u, v, weights = graph.edges()
    assert (u.tolist(), v.tolist(), weights.tolist()) == ([0, 1], [1, 2], [2.0, 5.0])
    assert Graph(INDPTR, INDICES).edges()[2] is None


@pytest.mark.parametrize("name", ["indptr", "indices", "weights"])
def test_arrays_cannot_be_written(graph, name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(graph, name)[0] = 1
    with pytest.raises(AttributeError):
        setattr(graph, name, None)


def test_the_arrays_of_the_caller_are_shared_and_stay_writable(graph):
    for name, given in [("indptr", INDPTR), ("indices", INDICES), ("weights", WEIGHTS)]:
        assert np.shares_memory(getattr(graph, name), given)
        assert given.flags.writeable


def test_to_scipy_shares_memory_and_is_the_matrix(graph):
    matrix = graph.to_scipy()
    assert isinstance(matrix, sp.csr_array)
    assert np.shares_memory(matrix.data, graph.weights)
    assert np.shares_memory(matrix.indices, graph.indices)
    assert matrix.has_canonical_format
    assert matrix.toarray().tolist() == [[0, 2, 0, 0], [2, 0, 5, 0], [0, 5, 0, 0], [0, 0, 0, 0]]


def test_to_scipy_of_a_pattern_has_ones():
    matrix = Graph(INDPTR, INDICES).to_scipy()
    assert matrix.dtype == np.int8
    assert matrix.toarray().tolist() == [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]


def test_equal_graphs(graph):
    assert graph == Graph(INDPTR.copy(), INDICES.copy(), WEIGHTS.copy(), labels="abcd")
    assert graph == Graph(INDPTR, INDICES, WEIGHTS.astype(np.float32))


@pytest.mark.parametrize(
    "other",
    [
        Graph(INDPTR, INDICES),
        Graph(INDPTR, INDICES, WEIGHTS + 1),
        Graph(np.array([0, 1, 3, 4]), INDICES, WEIGHTS),
        Graph(INDPTR, np.array([1, 0, 3, 1], np.int32), WEIGHTS),
        "a graph",
    ],
    ids=["pattern", "weights", "vertices", "columns", "no graph"],
)
def test_unequal_graphs(graph, other):
    assert graph != other


def test_a_graph_is_no_key(graph):
    with pytest.raises(TypeError, match="unhashable"):
        hash(graph)


def test_labels_are_kept():
    assert Graph.from_csr(INDPTR, INDICES, labels=["a", "b", "c", "d"]).labels == ["a", "b", "c", "d"]


def test_from_csr_wants_one_label_for_each_vertex():
    with pytest.raises(ValueError, match="3 labels for 2 vertices"):
        Graph.from_csr([0, 1, 2], [1, 0], labels=["a", "b", "c"])
