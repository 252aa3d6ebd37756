"""as_graph on SciPy matrices, graphs, files and specs; round trips; one sentence for what cannot be taken."""

import doctest
import re
import sys
from pathlib import Path

import igraph
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from troth import Graph, as_graph
from troth.graph.convert.raw import network_kind

SEED = 91140583

# The path 0 - 1 - 2 and an edge 3 - 4 apart.
U, V, W = np.array([0, 1, 3], np.int32), np.array([1, 2, 4], np.int32), np.array([2.0, 5.0, 1.5])
MATRIX = sp.csr_array((np.r_[W, W], (np.r_[U, V], np.r_[V, U])), shape=(5, 5))
EXPECTED = Graph.from_csr(MATRIX.indptr, MATRIX.indices, MATRIX.data)
PATTERN = Graph.from_csr(MATRIX.indptr, MATRIX.indices)
SPARSE_FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]


# --- SciPy -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", SPARSE_FORMATS)
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix], ids=["array", "matrix"])
def test_scipy_formats(form, kind):
    assert as_graph(kind(MATRIX).asformat(form)) == EXPECTED


def test_scipy_round_trip():
    rng = np.random.default_rng(SEED)
    half = np.triu((rng.random((60, 60)) < 0.1) * rng.random((60, 60)), 1)
    matrix = sp.csr_array(half + half.T)
    back = as_graph(matrix).to_scipy()
    assert (back != matrix).nnz == 0
    assert as_graph(back) == as_graph(matrix)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_compressed_matrices_are_not_copied(form):
    matrix = form(MATRIX)
    graph = as_graph(matrix)
    assert np.shares_memory(graph.indices, matrix.indices)
    assert np.shares_memory(graph.weights, matrix.data)


def test_long_indices():
    matrix = MATRIX.copy()
    matrix.indptr, matrix.indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    graph = as_graph(matrix)
    assert graph == EXPECTED
    assert graph.indices.dtype == np.int32


def test_arrays_longer_than_what_the_matrix_holds():
    matrix = MATRIX.copy()
    matrix.indices = np.append(matrix.indices, [77, 78]).astype(np.int32)
    matrix.data = np.append(matrix.data, [np.nan, 1.0])
    assert as_graph(matrix) == EXPECTED


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_the_matrix_of_the_caller_is_left_alone(form):
    shuffled = sp.csr_array((np.array([5.0, 2.0, 2.0, 5.0]), np.array([2, 1, 0, 0]), np.array([0, 2, 3, 4])))
    matrix = shuffled.asformat(form) if form != "csr" else shuffled
    names = ("row", "col", "data") if form == "coo" else ("indptr", "indices", "data")
    before = [getattr(matrix, name).copy() for name in names]
    as_graph(matrix)
    for name, array in zip(names, before, strict=True):
        np.testing.assert_array_equal(getattr(matrix, name), array)
        assert getattr(matrix, name).flags.writeable


def test_stored_zeros_are_edges():
    matrix = sp.coo_array(([0.0, 0.0], ([0, 2], [2, 0])), shape=(3, 3))
    assert as_graph(matrix).n_edges == 1


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_repeated_entries_are_not_added_up(form):
    parts = np.ones(5), np.array([1, 1, 0, 2, 1]), np.array([0, 2, 4, 5])
    matrix = {"csr": sp.csr_array, "csc": sp.csc_array}.get(form, sp.csr_array)(parts, shape=(3, 3))
    place = "row 1 holds column 0" if form == "csc" else "row 0 holds column 1"
    with pytest.raises(ValueError, match=f"{place} twice; call troth.sum_duplicates"):
        as_graph(matrix.tocoo() if form == "coo" else matrix)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil"])
def test_rows_and_columns_of_a_fault_are_not_mixed_up(form):
    one_way = sp.csr_array(([1.0, 1.0, 1.0], ([0, 1, 2], [1, 0, 0])), shape=(3, 3))
    with pytest.raises(
        ValueError, match=re.escape("row 2 holds column 0 but row 0 does not hold column 2; call troth.symmetrize")
    ):
        as_graph(one_way.asformat(form))


@pytest.mark.parametrize("given", [np.array([1.0, 1, 2, 2, 3, 3]), [1, 1, 2, 2, 3, 3]])
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_weights_in_place_of_those_stored(form, given):
    matrix = sp.csr_array(sp.block_diag([[[0, 1], [1, 0]]] * 3))
    assert as_graph(matrix.asformat(form), weight=given).edges()[2].tolist() == [1, 2, 3]


def test_without_weights():
    assert as_graph(MATRIX, weight=None) == PATTERN
    assert as_graph(MATRIX.tocoo(), weight=None) == PATTERN
    assert as_graph((U, V, W), weight=None) == PATTERN
    assert as_graph(EXPECTED, weight=None) == PATTERN
    assert as_graph(nx.Graph([(0, 1, {"weight": 3})]), weight=None).weights is None
    assert as_graph(igraph.Graph([(0, 1)], edge_attrs={"weight": [3]}), weight=None).weights is None


# --- files, generators and the rest ----------------------------------------------------------------------------------


def test_a_graph_is_returned_as_it_is():
    assert as_graph(EXPECTED) is EXPECTED
    assert as_graph(EXPECTED, weight=2 * EXPECTED.weights).edges()[2].tolist() == [4.0, 10.0, 3.0]
    named = Graph.from_csr([0, 1, 2], [1, 0], [3.0, 3.0], labels=["a", "b"])
    assert as_graph(named, weight=None).labels == ["a", "b"]


def test_generator_specs():
    assert as_graph("path:4").n_vertices == 16
    assert as_graph("path:4", weight=None).weights is None


@pytest.mark.parametrize("convert", [str, Path])
def test_paths(tmp_path, convert, monkeypatch):
    import troth.graph.formats

    monkeypatch.setattr(troth.graph.formats, "read", lambda path, **_: EXPECTED if path == convert("g.mtx") else None)
    assert as_graph(convert("g.mtx")) is EXPECTED
    assert as_graph(convert("g.mtx"), weight=None) == PATTERN


@pytest.mark.parametrize(
    ("obj", "sentence"),
    [
        (np.eye(3), "a dense array is not a graph: give scipy.sparse.csr_array(A), or edges as a tuple (u, v)"),
        (np.matrix(np.eye(3)), "a dense array is not a graph"),
        ([(0, 1), (1, 2)], "no graph can be made of a value of type list; give a Graph, a SciPy sparse array, a tuple"),
        (None, "no graph can be made of a value of type NoneType"),
        (5, "no graph can be made of a value of type int"),
        (sp.csr_array((3, 4)), "the matrix has 3 rows and 4 columns, but a graph needs as many rows as columns; of a"),
        (sp.coo_array(([1.0], ([0],)), shape=(3,)), "no graph can be made of a value of type coo_array"),
        (sp.coo_array(([1.0], ([0], [1])), shape=(10**15, 10**15)), "a matrix of 1000000000000000 rows needs about"),
        (sp.csr_array(np.array([[0, 1j], [1j, 0]])), "weights must be integers or real floats, not complex128"),
        (sp.coo_array(np.array([[0, 1j], [1j, 0]])), "weights must be integers or real floats, not complex128"),
    ],
)
def test_what_is_no_graph(obj, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        as_graph(obj)


@pytest.mark.parametrize(
    ("obj", "weight", "sentence"),
    [
        (MATRIX, "cost", "weight is 'cost', but only networkx and igraph graphs have weights with names"),
        (MATRIX, [1.0], "there are 1 weights for 6 entries; give one for each"),
        (MATRIX.tocoo(), [1.0], "there are 1 weights for 6 entries; give one for each"),
        (MATRIX.tolil(), np.ones(6), "weights cannot be given for a matrix in format lil; call its tocsr() first"),
        ((U, V), [1.0, 2.0], "there are 2 weights for 3 entries; give one for each"),
    ],
)
def test_bad_weights(obj, weight, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        as_graph(obj, weight=weight)


def test_networks_are_known_without_importing_their_libraries(monkeypatch):
    monkeypatch.delitem(sys.modules, "networkx")
    monkeypatch.delitem(sys.modules, "igraph")
    assert network_kind(nx.Graph()) is None
    assert "networkx" not in sys.modules


def test_a_bad_number_of_threads():
    with pytest.raises(ValueError, match="threads is 0; give a whole number of at least 1"):
        as_graph(MATRIX, threads=0)


def test_the_examples_of_the_page_run():
    page = Path(__file__).parents[2] / "docs" / "graphs.md"
    results = doctest.testfile(str(page), module_relative=False)
    assert results.failed == 0
    assert results.attempted > 10
