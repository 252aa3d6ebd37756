"""permute and subgraph against SciPy's own indexing."""

import re

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from troth import Graph
from troth.graph import transform
from troth.graph.transform import permute, subgraph

SEED = 77041913


def random_graph(n, density, dtype=np.float64, labels=None):
    rng = np.random.default_rng(SEED)
    u, v = np.sort(rng.integers(0, n, (2, int(density * n**2))), axis=0)
    u, v = u[u < v], v[u < v]
    matrix = sp.coo_array((rng.integers(1, 100, u.size), (u, v)), shape=(n, n)).tocsr()
    matrix = (matrix + matrix.T).tocsr()
    weights = None if dtype is None else matrix.data.astype(dtype)
    return Graph.from_csr(matrix.indptr, matrix.indices, weights, labels=labels)


def by_scipy(graph, order):
    matrix = graph.to_scipy()[order][:, order].tocsr()
    matrix.sort_indices()
    return Graph.from_csr(matrix.indptr, matrix.indices, None if graph.weights is None else matrix.data)


DTYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, None])


@DTYPES
@pytest.mark.parametrize("threads", [1, 3])
def test_permute_is_what_scipy_does(dtype, threads):
    graph = random_graph(120, 0.2, dtype)
    perm = np.random.default_rng(SEED).permutation(120)
    result = permute(graph, perm, threads=threads)
    assert result == by_scipy(graph, perm)
    assert result.indices.dtype == np.int32
    assert (result.weights is None) if dtype is None else (result.weights.dtype == dtype)
    assert graph.permute(perm.tolist()) == result


@DTYPES
@pytest.mark.parametrize("threads", [1, 3])
def test_subgraph_is_what_scipy_does(dtype, threads):
    graph = random_graph(120, 0.2, dtype)
    chosen = np.random.default_rng(SEED).permutation(120)[:50]
    result = subgraph(graph, chosen, threads=threads)
    assert result == by_scipy(graph, chosen)
    assert (result.weights is None) if dtype is None else (result.weights.dtype == dtype)
    assert graph.subgraph(chosen.tolist()) == result


def test_graphs_of_many_chunks():
    graph = random_graph(20_000, 0.001)
    perm = np.random.default_rng(SEED).permutation(20_000)
    assert permute(graph, perm, threads=2) == by_scipy(graph, perm)
    assert subgraph(graph, perm[:15_000], threads=2) == by_scipy(graph, perm[:15_000])


@settings(deadline=None, max_examples=30)
@given(st.permutations(range(9)))
def test_a_permutation_and_its_inverse_change_nothing(perm):
    graph = random_graph(9, 0.4, labels=list("abcdefghi"))
    back = permute(permute(graph, perm), np.argsort(perm))
    assert back == graph
    assert back.labels == graph.labels


def test_permute_carries_labels():
    assert permute(random_graph(3, 1.0, labels=["a", "b", "c"]), [2, 0, 1]).labels == ["c", "a", "b"]
    assert permute(random_graph(3, 1.0, labels=np.array(["a", "b", "c"])), [2, 0, 1]).labels.tolist() == ["c", "a", "b"]
    assert permute(random_graph(3, 1.0), [2, 0, 1]).labels is None


def test_a_mask_chooses_the_same_as_ids():
    graph = random_graph(20, 0.5)
    mask = np.random.default_rng(SEED).random(20) < 0.5
    assert subgraph(graph, mask) == subgraph(graph, np.flatnonzero(mask))


def test_the_labels_of_a_subgraph_are_those_of_its_vertices():
    vertices = np.array([4, 1])
    ids = subgraph(random_graph(6, 0.5), vertices).labels
    vertices[:] = 0
    assert ids.tolist() == [4, 1]
    assert list(subgraph(random_graph(6, 0.5), [4, 1]).labels) == [4, 1]
    assert subgraph(random_graph(3, 0.5, labels=["a", "b", "c"]), [2, 0]).labels == ["c", "a"]


@pytest.mark.parametrize("chosen", [[], np.zeros(5, bool), np.empty(0, np.int64)])
def test_no_vertices(chosen):
    assert subgraph(random_graph(5, 0.5), chosen).n_vertices == 0


def test_the_empty_graph():
    assert permute(Graph.from_csr([0], []), []).n_vertices == 0


@pytest.mark.parametrize(
    ("perm", "sentence"),
    [
        ([0, 1, 2], "perm has 3 entries for 4 vertices; it must name each vertex once"),
        ([0, 1, 4, 2], "perm[2] is 4, but the 4 vertices are numbered from 0"),
        ([0, -1, 4, 2], "perm[1] is -1, but the 4 vertices are numbered from 0"),
        ([0, 3, 2, 3], "perm[3] is 3, and so is perm[1]; name each vertex once"),
        ([3, 0, 0, 3], "perm[2] is 0, and so is perm[1]; name each vertex once"),
        ([0.0, 1.0, 2.0, 3.0], "perm must be integers, not float64"),
        ([[0, 1, 2, 3]], "perm must be one-dimensional, not 2-dimensional"),
    ],
)
def test_what_is_no_permutation_is_named(perm, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        permute(random_graph(4, 0.5), perm)


@pytest.mark.parametrize(
    ("vertices", "sentence"),
    [
        ([0, 4], "vertices[1] is 4, but the 4 vertices are numbered from 0"),
        ([-1], "vertices[0] is -1, but the 4 vertices are numbered from 0"),
        ([2**40, 0], "vertices[0] is 1099511627776, but the 4 vertices are numbered from 0"),
        ([1, 2, 1], "vertices[2] is 1, and so is vertices[0]; name each vertex once"),
        ([True, False], "the mask has shape (2,); it must hold one boolean for each vertex"),
        (["a"], "vertices must be integers, not <U1"),
    ],
)
def test_bad_vertices_are_named(vertices, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        subgraph(random_graph(4, 0.5), vertices)


@pytest.mark.parametrize("dtype", [np.float32, None])
def test_the_plain_kernel_does_the_same(monkeypatch, dtype):
    graph = random_graph(12, 0.4, dtype)
    monkeypatch.setattr(transform, "gather_rows", transform.gather_rows.py_func)
    assert subgraph(graph, [7, 2, 11, 3]) == by_scipy(graph, [7, 2, 11, 3])
    assert permute(graph, np.arange(12)[::-1]) == by_scipy(graph, np.arange(12)[::-1])
