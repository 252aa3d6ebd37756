"""Every registered format with every kind of weights: what is written is read back, or refused in a sentence."""

import networkx as nx
import numpy as np
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st

import troth
from troth.graph.build import from_edges
from troth.graph.formats import COMPRESSED, FORMATS

SEED = 20261119
KINDS = [None, "int32", "int64", "float32", "float64"]
CASES = [(form.name, suffix) for form in FORMATS.values() for suffix in form.suffixes or ("",)]
REFUSED = {  # name and suffix -> kinds that the format cannot hold
    ("edges", ".el"): {"int32", "int64", "float32", "float64"},
    ("gap", ".sg"): {"int32", "int64", "float32", "float64"},
    ("gap", ".wsg"): {"int64", "float32", "float64"},
    ("galois", ".gr"): {"float32", "float64"},
    ("galois-int", ""): {"float32", "float64"},
    ("galois-float", ""): {"int32", "int64"},
    ("vite", ".bin"): {"int64"},
    ("vite32", ""): {"int32", "int64", "float64"},
}
DTYPE_KEPT = {"gap", "galois", "galois-int", "galois-float", "npz", "parquet", "troth"}


def sample(kind, n=60, m=200):
    """A random graph whose last vertices are isolated, with weights that need every digit of their type."""
    rng = np.random.default_rng(SEED)
    u, v = rng.integers(0, n - 3, (2, m))
    u, v = u[u < v], v[u < v]
    if kind is None:
        weights = None
    elif kind.startswith("f"):
        weights = (rng.standard_normal(u.size) * 10.0 ** rng.integers(-20, 20, u.size)).astype(kind)
    else:
        weights = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, u.size, kind, endpoint=True)
    return from_edges(u, v, weights, n_vertices=n, duplicates="max")


def ones(graph):
    return np.ones(graph.indices.size) if graph.weights is None else graph.weights


def assert_same(found, graph):
    """Equal, but that an edge list without its comment knows no vertices after the last edge."""
    n = found.n_vertices
    np.testing.assert_array_equal(found.indptr, graph.indptr[: n + 1])
    assert (graph.indptr[n:] == graph.indptr[-1]).all()
    np.testing.assert_array_equal(found.indices, graph.indices)
    np.testing.assert_array_equal(ones(found), ones(graph))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "suffix"), CASES)
def test_round_trip(name, suffix, kind, tmp_path):
    graph, path = sample(kind), tmp_path / f"graph{suffix}"
    if kind in REFUSED.get((name, suffix), ()):
        with pytest.raises(ValueError, match="weights"):
            troth.write(graph, path, format=name)
        assert list(tmp_path.iterdir()) == []
        return
    troth.write(graph, path, format=name)
    found = troth.read(path, format=name)
    assert_same(found, graph)
    if name in DTYPE_KEPT and kind is not None:
        assert found.weights.dtype == kind
    if suffix:
        assert troth.read(path) == found
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("packed", COMPRESSED)
@pytest.mark.parametrize("suffix", [s for form in FORMATS.values() if form.is_text for s in form.suffixes])
def test_compressed_text(suffix, packed, tmp_path):
    graph = sample(None)
    path = tmp_path / f"a.b{suffix}{packed}"
    troth.write(graph, path)
    troth.write(graph, tmp_path / f"plain{suffix}")
    assert path.read_bytes()[:2] == {".gz": b"\x1f\x8b", ".bz2": b"BZ"}[packed]
    assert troth.read(path) == troth.read(tmp_path / f"plain{suffix}")
    # Packed or not shows in the file, whatever it is called.
    assert troth.read(path.rename(tmp_path / f"renamed{suffix}")) == troth.read(tmp_path / f"plain{suffix}")


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("kind", [None, "float64"])
@pytest.mark.parametrize("name", FORMATS)
def test_no_edges(name, kind, n, tmp_path):
    graph = from_edges([], [], None if kind is None else np.empty(0), n_vertices=n)
    troth.write(graph, tmp_path / "graph", format="galois-float" if kind and name.startswith("galois") else name)
    found = troth.read(tmp_path / "graph", format="galois-float" if kind and name.startswith("galois") else name)
    assert (found.n_vertices, found.n_edges) == (n, 0)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_matrix_market_is_that_of_scipy(kind, tmp_path):
    graph = sample(kind)
    troth.write(graph, tmp_path / "ours.mtx")
    np.testing.assert_array_equal(scipy.io.mmread(tmp_path / "ours.mtx").toarray(), graph.to_scipy().toarray())
    for symmetry in ("symmetric", "general"):
        scipy.io.mmwrite(tmp_path / "theirs.mtx", graph.to_scipy().astype(np.float64), symmetry=symmetry)
        theirs = scipy.io.mmread(tmp_path / "theirs.mtx").toarray()
        np.testing.assert_array_equal(troth.read(tmp_path / "theirs.mtx").to_scipy().toarray(), theirs)


def test_edge_lists_are_those_of_networkx(tmp_path):
    graph = sample("float64")
    troth.write(graph, tmp_path / "ours.txt")
    ours = nx.read_weighted_edgelist(tmp_path / "ours.txt", nodetype=int)
    expected = {(u, v): w for u, v, w in zip(*(array.tolist() for array in graph.edges()), strict=True)}
    assert {(min(e), max(e)): w for *e, w in ours.edges(data="weight")} == expected
    nx.write_weighted_edgelist(ours, tmp_path / "theirs.txt")
    assert_same(troth.read(tmp_path / "theirs.txt"), graph)


TEXTS = st.sampled_from([form.name for form in FORMATS.values() if form.is_text])


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8),
    name=TEXTS,
)
def test_text_keeps_every_float(values, name, tmp_path_factory):
    path = tmp_path_factory.mktemp("float") / "graph"
    u = np.arange(len(values))
    graph = from_edges(u, u + 1, np.array(values))
    troth.write(graph, path, format=name)
    np.testing.assert_array_equal(troth.read(path, format=name).weights, graph.weights)


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8),
    name=TEXTS,
)
def test_text_keeps_every_integer(values, name, tmp_path_factory):
    path = tmp_path_factory.mktemp("integer") / "graph"
    u = np.arange(len(values))
    graph = from_edges(u, u + 1, np.array(values, np.int64))
    troth.write(graph, path, format=name)
    assert troth.read(path, format=name) == graph


@pytest.mark.parametrize("name", ["edges", "metis", "npz", "vite"])
def test_graphs_of_several_blocks(name, tmp_path, monkeypatch):
    monkeypatch.setattr("troth.graph.formats.output._BLOCK", 7)
    graph = sample("float64", n=200, m=150)
    troth.write(graph, tmp_path / "graph", format=name)
    assert troth.read(tmp_path / "graph", format=name) == graph


@pytest.mark.parametrize(
    ("labels", "kept"),
    [
        ([30, 10, 20], {"edges", "parquet", "npz", "troth"}),
        (np.array([5, 1, 2**62]), {"edges", "parquet", "npz", "troth"}),
        ([-5, 7, 9], {"npz", "troth"}),
        ([7, 7, 9], {"npz", "troth"}),
        (["a", "b\n\u00fc", "\ud800"], {"npz", "troth"}),
        ([("a", 1), ("b", 2), None], set()),
        ([2**70, 1, 2], set()),
        ([True, False, 2], set()),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "galois-float"])
def test_labels(name, labels, kept, tmp_path):
    graph = from_edges([0, 1], [1, 2], np.array([3, 4]), labels=labels)
    graph = troth.Graph(graph.indptr, graph.indices, graph.weights.astype(np.int32), graph.labels)
    troth.write(graph, tmp_path / "graph", format=name)
    found = troth.read(tmp_path / "graph", format=name)
    if name not in kept:
        assert found.labels is None
        assert_same(found, graph)
        return
    u, v, w = found.edges()
    edges = {frozenset((found.labels[a], found.labels[b])): c for a, b, c in zip(u, v, w, strict=True)}
    assert edges == {frozenset(labels[0:2]): 3, frozenset(labels[1:3]): 4}
    assert list(found.labels) == (list(labels) if name in ("npz", "troth") else sorted(labels))
