"""as_graph on tuples of arrays, told apart by their lengths, and on arrays of a device."""

import re

import numpy as np
import pytest
import scipy.sparse as sp

from troth import Graph, as_graph

# The path 0 - 1 - 2 and an edge 3 - 4 apart.
U, V, W = np.array([0, 1, 3], np.int32), np.array([1, 2, 4], np.int32), np.array([2.0, 5.0, 1.5])
MATRIX = sp.csr_array((np.r_[W, W], (np.r_[U, V], np.r_[V, U])), shape=(5, 5))
EXPECTED = Graph.from_csr(MATRIX.indptr, MATRIX.indices, MATRIX.data)
PATTERN = Graph.from_csr(MATRIX.indptr, MATRIX.indices)


# --- tuples of arrays ------------------------------------------------------------------------------------------------


def test_edge_arrays():
    assert as_graph((U, V, W)) == EXPECTED
    assert as_graph((V, U, W)) == EXPECTED
    assert as_graph((np.r_[U, V], np.r_[V, U], np.r_[W, W])) == EXPECTED
    assert as_graph((U, V)) == PATTERN
    assert as_graph((U, V), weight=W) == EXPECTED
    assert as_graph((U.tolist(), V.tolist(), W.tolist())) == EXPECTED
    assert as_graph(([], [])).n_vertices == 0
    assert as_graph((np.empty(0, int), np.empty(0, int), [])).n_vertices == 0


@pytest.mark.parametrize("convert", [lambda a: a.astype(a.dtype.newbyteorder(">")), lambda a: np.repeat(a, 2)[::2]])
def test_arrays_of_other_layouts(convert):
    assert as_graph((convert(U), convert(V), convert(W))) == EXPECTED
    assert as_graph(tuple(map(convert, TRIPLET))) == as_graph(TRIPLET)


# (MATRIX itself cannot be told from edges as a triplet: it has one entry more than vertices.)
TRIPLET = np.array([0, 1, 2, 2]), np.array([1, 0]), np.array([2.0, 2.0])


def test_csr_triplets():
    indptr, indices, data = TRIPLET
    graph = as_graph((indptr, indices, data))
    assert (graph.n_vertices, graph.n_edges) == (3, 1)
    assert np.shares_memory(graph.weights, data)
    assert as_graph(([0], [], [])).n_vertices == 0
    assert as_graph((indptr, indices, data), weight=[3, 3]).weights.tolist() == [3, 3]


def test_memory_mapped_triplets_are_not_copied(tmp_path):
    parts = []
    for name, array in zip(["indptr", "indices", "data"], TRIPLET, strict=True):
        np.save(tmp_path / f"{name}.npy", array.astype(np.int32) if name == "indices" else array)
        parts.append(np.load(tmp_path / f"{name}.npy", mmap_mode="r"))
    graph = as_graph(tuple(parts))
    assert all(np.shares_memory(a, b) for a, b in zip(parts, (graph.indptr, graph.indices, graph.weights), strict=True))


@pytest.mark.parametrize(
    "parts",
    [
        ([0, 1, 3, 4], [1, 0, 2, 1]),
        ([0, 1, 3, 4], [1, 0, 2, 1], [2.0, 2.0, 5.0, 5.0]),
        ([2, 2, 5, 5], [1, 0, 2, 1], [0, 1, 3, 4]),
    ],
    ids=["pattern", "weights", "as SciPy orders them"],
)
def test_what_may_be_edges_or_a_matrix_is_refused(parts):
    with pytest.raises(
        ValueError, match=re.escape("read as edges, but these could be a CSR matrix too; call troth.Graph.from_csr")
    ):
        as_graph(parts)


@pytest.mark.parametrize(
    "parts",
    [
        ([0, 1, 2, 4], [1, 0, 1, 3]),
        ([0, 3, 2, 4], [1, 0, 1, 1]),
        ([0, 1, 3, 5], [1, 2, 2, 1]),
        ([1, 1, 3, 4], [0, 2, 2, 1]),
    ],
    ids=["column 3 of 3 vertices", "falls", "ends with 5 of 4 entries", "starts with 1"],
)
def test_what_can_only_be_edges_is_read_as_edges(parts):
    assert as_graph(parts).n_vertices == 1 + max(map(max, parts))


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (([0, 1], [1, 2, 3]), "arrays of lengths 2, 3 are neither edges (u, v) or (u, v, w), all of one length, nor"),
        (([0, 1], [1, 2], [1.0]), "arrays of lengths 2, 2, 1 are neither edges"),
        (([5, 1, 2], [1, 0], [2.0, 2.0]), "arrays of lengths 3, 2, 2 are neither edges"),
        (([0, 1, 3], [1, 0], [2.0, 2.0]), "arrays of lengths 3, 2, 2 are neither edges"),
        (([2.0, 2.0], [1, 0], [0, 1, 2]), "arrays of lengths 2, 2, 3 are neither edges"),
        (([], [1, 0], [2.0, 2.0]), "arrays of lengths 0, 2, 2 are neither edges"),
        (((0, 1), (1, 2)), "a tuple must hold two or three flat arrays: (u, v), (u, v, w) or (indptr, indices, data)"),
        (([1.0], ([0], [1])), "a tuple must hold two or three flat arrays"),
        ((U,), "a tuple must hold two or three flat arrays"),
        ((), "a tuple must hold two or three flat arrays"),
        ((U, V, W, W), "a tuple must hold two or three flat arrays"),
        ((np.eye(2), np.eye(2)), "a tuple must hold two or three flat arrays"),
        (([0.5], [1.0]), "u must be integers, not float64"),
        (([0, 1], [1, 1]), "edge number 1 is (1, 1), a loop; call troth.drop_loops"),
        (([0, 1], [1, 2], [1.0, np.nan]), "weight of edge (1, 2) is NaN"),
        (([0, 0], [1, 1]), "edge (0, 1) is given twice"),
    ],
)
def test_bad_tuples(parts, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        as_graph(parts)


# --- arrays on a device ----------------------------------------------------------------------------------------------


class DeviceArray:
    """An array that, as CuPy's, lets NumPy have its values through get() alone."""

    __cuda_array_interface__ = None

    def __init__(self, array):
        self._array = array
        self.dtype, self.size = array.dtype, array.size

    def get(self):
        return self._array

    def __array__(self, dtype=None, copy=None):
        raise TypeError("implicit conversion to a NumPy array is not allowed")


class DeviceMatrix:
    """A compressed matrix of which every part is on the device."""

    def __init__(self, matrix):
        self.shape, self.format = matrix.shape, matrix.format
        for name in ("row", "col", "data") if self.format == "coo" else ("indptr", "indices", "data"):
            setattr(self, name, DeviceArray(getattr(matrix, name)))


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_matrices_on_a_device(form):
    assert as_graph(DeviceMatrix(MATRIX.asformat(form))) == EXPECTED
    assert as_graph(DeviceMatrix(MATRIX.asformat(form)), weight=DeviceArray(np.full(6, 3))).weights.tolist() == [3] * 6


def test_edge_arrays_on_a_device():
    assert as_graph((DeviceArray(U), DeviceArray(V), DeviceArray(W))) == EXPECTED
    assert as_graph((U, V), weight=DeviceArray(W)) == EXPECTED


@pytest.mark.parametrize("method", ["copy_to_host", "cpu"])
def test_other_libraries_name_the_copy_otherwise(method):
    def on_device(array):
        kind = type("Tensor", (), {"__cuda_array_interface__": None, method: lambda self: array})
        return kind()

    assert as_graph((on_device(U), on_device(V), on_device(W))) == EXPECTED


def test_a_device_array_that_cannot_be_copied():
    with pytest.raises(ValueError, match="cannot copy a Tensor from its device; give an array in host memory"):
        as_graph((type("Tensor", (), {"__cuda_array_interface__": None})(), V))
