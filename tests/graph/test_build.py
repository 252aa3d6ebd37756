"""from_edges: against SciPy's sums and a dictionary, its refusals, and the same bits on any number of threads."""

import re

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from troth.graph import build
from troth.graph.build import from_edges, simple_csr
from troth.graph.canonical import canonical_csr
from troth.kernels import edges as kernels

SEED = 20261119
RULES = {"sum": sum, "max": max, "same": max}


def random_edges(n, m, dtype):
    """m edges without loops, with many repeats in both directions, and whole-numbered weights."""
    rng = np.random.default_rng(SEED)
    u, v = rng.integers(0, n, (2, 2 * m))
    u, v = u[u != v][:m], v[u != v][:m]
    return u, v, rng.integers(-9, 9, u.size).astype(dtype)


def from_dictionary(edges, rule):
    """(row, column) -> weight of the graph, by a plain dictionary."""
    found = {}
    for u, v, w in edges:
        found.setdefault((u, v), []).append(w)
        found.setdefault((v, u), []).append(w)
    return {place: RULES[rule](weights) for place, weights in found.items()}


def as_dictionary(graph):
    rows = np.repeat(np.arange(graph.n_vertices), graph.degrees)
    return dict(zip(zip(rows.tolist(), graph.indices.tolist(), strict=True), graph.weights.tolist(), strict=True))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize(("n", "m"), [(40, 3000), (5000, 3000), (2, 500), (300, 200_000)])
def test_sums_are_those_of_scipy(n, m, dtype):
    u, v, w = random_edges(n, m, dtype)
    both = np.concatenate([w, w]), (np.concatenate([u, v]), np.concatenate([v, u]))
    expected = sp.coo_array(both, shape=(n, n)).tocsr()
    expected.sum_duplicates()
    graph = from_edges(u, v, w, n_vertices=n, duplicates="sum", threads=2)
    np.testing.assert_array_equal(graph.indptr, expected.indptr)
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_array_equal(graph.weights, expected.data)
    assert graph.weights.dtype == dtype
    assert graph.indices.dtype == np.int32


VERTEX = st.integers(0, 6)
EDGES = st.lists(st.tuples(VERTEX, VERTEX, st.sampled_from([-1.5, 0.0, 0.25, 2.0])), max_size=40)


@settings(deadline=None)
@given(edges=EDGES, rule=st.sampled_from(["sum", "max"]), threads=st.integers(1, 3))
def test_any_list_of_edges(edges, rule, threads):
    u, v, w = np.array(edges, float).reshape(-1, 3).T
    graph = from_edges(u.astype(int), v.astype(int), w, n_vertices=7, duplicates=rule, loops="drop", threads=threads)
    canonical_csr(graph.indptr, graph.indices, graph.weights)
    assert as_dictionary(graph) == from_dictionary([edge for edge in edges if edge[0] != edge[1]], rule)


@settings(deadline=None)
@given(edges=EDGES)
def test_same_takes_equal_repeats_and_refuses_others(edges):
    edges = [edge for edge in edges if edge[0] != edge[1]]
    u, v, w = np.array(edges, float).reshape(-1, 3).T
    ends = u.astype(int), v.astype(int)
    wanted = from_dictionary(edges, "same")
    if wanted == {place: min(w for u, v, w in edges if place in ((u, v), (v, u))) for place in wanted}:
        assert as_dictionary(from_edges(*ends, w, duplicates="same")) == wanted
    else:
        with pytest.raises(ValueError, match=r"has weights .* and .*; call troth.sum_duplicates"):
            from_edges(*ends, w, duplicates="same")


@pytest.mark.parametrize("duplicates", build.DUPLICATES)
def test_a_pattern_stays_a_pattern(duplicates):
    graph = from_edges([2, 0], [1, 1], duplicates=duplicates)
    assert graph.weights is None
    assert graph.indptr.tolist() == [0, 1, 3, 4]
    assert graph.indices.tolist() == [1, 0, 2, 1]


def test_each_edge_may_come_in_both_directions():
    once = from_edges([0, 1, 3], [1, 2, 0], [0.5, 1.5, 2.5])
    assert from_edges([0, 1, 1, 2, 0, 3], [1, 0, 2, 1, 3, 0], [0.5, 0.5, 1.5, 1.5, 2.5, 2.5]) == once
    assert from_edges([0, 1, 0], [1, 2, 3], [0.5, 1.5, 2.5]) == once


def test_zeros_of_either_sign_are_equal():
    graph = from_edges([0, 1], [1, 0], [0.0, -0.0])
    assert not np.signbit(graph.weights).any()


@pytest.mark.parametrize(
    ("ends", "n_vertices", "n"), [(([], []), None, 0), (([], []), 4, 4), (([0], [1]), 5, 5), (([7], [3]), None, 8)]
)
def test_number_of_vertices(ends, n_vertices, n):
    graph = from_edges(*ends, n_vertices=n_vertices)
    assert (graph.n_vertices, graph.n_edges) == (n, len(ends[0]))


def test_loops_are_dropped_when_asked():
    graph = from_edges([0, 1, 1], [0, 1, 2], [np.float32(9), 8, 7], loops="drop")
    assert as_dictionary(graph) == {(1, 2): 7.0, (2, 1): 7.0}


def test_labels_are_kept():
    assert from_edges([0], [1], labels=["a", "b"]).labels == ["a", "b"]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_any_integer_type_of_ids(dtype):
    graph = from_edges(np.array([0, 5], dtype), np.array([5, 100], np.int64), [1, 2])
    assert (graph.n_vertices, graph.indices.tolist()) == (101, [5, 0, 100, 5])


@pytest.mark.parametrize(
    ("given_type", "kept"),
    [
        (np.float16, np.float32), (np.float32, np.float32), (np.float64, np.float64), (np.longdouble, np.float64),
        (bool, np.int32), (np.uint8, np.int32), (np.int32, np.int32), (np.uint32, np.int64), (np.uint64, np.int64),
        (">f8", np.float64), (">i4", np.int32),
    ],
)  # fmt: skip
def test_types_of_weights(given_type, kept):
    graph = from_edges([0, 1], [1, 2], np.array([1, 1], given_type))
    assert graph.weights.dtype == kept
    assert graph.weights.tolist() == [1, 1, 1, 1]


def test_strided_and_read_only_arrays():
    table = np.array([[0, 1, 3], [1, 2, 4]])
    table.flags.writeable = False
    graph = from_edges(table[:, 0], table[:, 1], table[:, 2])
    assert as_dictionary(graph) == {(0, 1): 3, (1, 0): 3, (1, 2): 4, (2, 1): 4}


def test_given_arrays_are_left_alone():
    u, v, w = random_edges(30, 500, np.float64)
    before = u.copy(), v.copy(), w.copy()
    from_edges(u, v, w, duplicates="sum")
    np.testing.assert_array_equal((u, v, w), before)
    assert u.flags.writeable


@pytest.mark.parametrize("duplicates", ["sum", "max"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_same_bits_for_any_threads_and_order(dtype, duplicates):
    u, v, _ = random_edges(50, 200_000, dtype)
    w = np.random.default_rng(SEED).random(u.size).astype(dtype)  # sums of these depend on their order
    first = from_edges(u, v, w, duplicates=duplicates, threads=1)
    for threads in (2, 3):
        assert from_edges(u, v, w, duplicates=duplicates, threads=threads) == first
    order = np.random.default_rng(SEED + 1).permutation(u.size)
    assert from_edges(v[order], u[order], w[order], duplicates=duplicates, threads=2) == first
    canonical_csr(first.indptr, first.indices, first.weights)


def test_a_hub_of_many_leaves():
    leaves = np.random.default_rng(SEED).permutation(np.arange(1, 300_000))
    graph = from_edges(np.zeros_like(leaves), leaves, leaves.astype(float), threads=2)
    np.testing.assert_array_equal(graph.indices[: leaves.size], np.arange(1, 300_000))
    np.testing.assert_array_equal(graph.weights[: leaves.size], np.arange(1.0, 300_000))


def test_one_edge_repeated_without_end():
    n = 300_000
    graph = from_edges(np.zeros(n, int), np.ones(n, int), np.full(n, 0.5), duplicates="sum", threads=2)
    assert graph.weights.tolist() == [n / 2, n / 2]


def test_the_first_clash_is_named_on_any_threads():
    u, v, w = random_edges(2000, 150_000, np.float64)
    texts = set()
    for threads in (1, 2, 3):
        with pytest.raises(ValueError, match="call troth") as caught:
            from_edges(u, v, w, threads=threads)
        texts.add(str(caught.value))
    assert len(texts) == 1


@pytest.fixture
def plain_python(monkeypatch):
    for name in ("count_degrees", "place_edges", "finish_rows", "merge_row", "one_weight"):
        compiled = getattr(kernels, name)
        monkeypatch.setattr(kernels, name, getattr(compiled, "py_func", compiled))


@pytest.mark.parametrize("duplicates", ["sum", "max"])
@pytest.mark.usefixtures("plain_python")
def test_kernels_as_plain_python(duplicates):
    u, v, w = random_edges(6, 60, np.float64)
    expected = from_dictionary(zip(u.tolist(), v.tolist(), w.tolist(), strict=True), duplicates)
    assert as_dictionary(from_edges(u, v, w, duplicates=duplicates, threads=2)) == expected


@pytest.mark.usefixtures("plain_python")
def test_pattern_kernels_as_plain_python():
    indptr, indices = simple_csr(np.array([0, 1, 1, 2]), np.array([1, 0, 1, 0]), 3, threads=1, progress=None)
    assert (indptr.tolist(), indices.tolist()) == ([0, 2, 3, 4], [1, 2, 0, 0])


@pytest.mark.parametrize("duplicates", ["sum", "max"])
def test_wide_indices_from_2_to_the_31_vertices(duplicates, monkeypatch):
    u, v, w = random_edges(60, 2000, np.float64)
    narrow = from_edges(u, v, w, duplicates=duplicates)
    monkeypatch.setattr(build, "INT32_VERTICES", 59)
    wide = from_edges(u, v, w, duplicates=duplicates)
    assert wide.indices.dtype == np.int64
    assert wide == narrow


REFUSED = {
    "ids below 0": (([0, 2], [1, -3]), {}, "edge number 1 is (2, -3); vertices are numbered from 0"),
    "ids beyond n": (([0, 4], [1, 1]), {"n_vertices": 4}, "edge number 1 is (4, 1) but n_vertices is 4; make it at"),
    "lengths of ends": (([0, 1], [1]), {}, "u has 2 ends and v has 1; each edge needs both"),
    "length of weights": (([0], [1], [1.0, 2.0]), {}, "there are 2 weights for 1 entries"),
    "float ids": (([0.5], [1.0]), {}, "u must be integers, not float64"),
    "words": ((["a"], [1]), {}, "u must be integers, not <U1"),
    "complex weights": (([0], [1], [1j]), {}, "weights must be integers or real floats, not complex128"),
    "ids beyond int64": (([2**63], [1]), {}, "u[0] is 9223372036854775808, too large for int64"),
    "weights beyond int64": (([0], [1], [2**63]), {}, "weights[0] is 9223372036854775808, too large for int64"),
    "NaN": (([0, 17], [1, 4], [1.0, np.nan]), {}, "weight of edge (17, 4) is NaN; give it a finite weight or remove"),
    "infinite": (([0, 17], [1, 4], [np.inf, np.nan]), {}, "weight of edge (0, 1) is infinite; give it a finite"),
    "loop": (([0, 3], [1, 3]), {}, "edge number 1 is (3, 3), a loop; call troth.drop_loops"),
    "twice": (([5, 3, 5], [6, 9, 6]), {}, "edge (5, 6) is given twice, as numbers 0 and 2; call troth.sum_duplicates"),
    "twice of three": (([6, 5, 6], [5, 6, 5], [1, 1, 1]), {}, "edge (6, 5) is given twice, as numbers 0 and 2; call"),
    "directions that differ": (
        ([5, 6], [6, 5], [1.5, 2.5]),
        {},
        "edge (5, 6) has weights 1.5 and 2.5, as numbers 0 and 1; call troth.symmetrize",
    ),
    "weights that differ": (
        ([5, 6, 5], [6, 5, 6], [1, 1, 4]),
        {"duplicates": "same"},
        "edge (5, 6) has weights 1 and 4, as numbers 0 and 2; call troth.sum_duplicates",
    ),
    "int32 sum": (
        ([0, 0], [1, 1], np.array([2**31 - 1, 1], np.int32)),
        {"duplicates": "sum"},
        "the weights of edge (0, 1) add up to more than int32 holds; give them as float64",
    ),
    "int64 sum": (
        ([0, 0], [1, 1], [2**62, 2**62]), {"duplicates": "sum"}, "add up to more than int64 holds; give them as float64"
    ),
    "float sum": (([0, 0], [1, 1], [1.5e308, 1.5e308]), {"duplicates": "sum"}, "add up to more than float64 holds"),
    "rule": (([0], [1]), {"duplicates": "summ"}, "unknown way with duplicates 'summ': did you mean 'sum'?"),
    "loops": (([0], [1]), {"loops": "dorp"}, "unknown way with loops 'dorp': did you mean 'drop'?"),
    "n_vertices": (([0], [1]), {"n_vertices": -1}, "n_vertices is -1; give a whole number of at least 0, or None"),
    "n_vertices true": (([0], [1]), {"n_vertices": True}, "n_vertices is True; give a whole number"),
    "labels": (([0], [1]), {"labels": ["a"]}, "there are 1 labels for 2 vertices; give one for each"),
    "threads": (([0], [1]), {"threads": 0}, "threads is 0; give a whole number of at least 1"),
    "memory": (([0], [10**15]), {}, "a graph of 1000000000000001 vertices and 1 edges needs about 16,000,000.0 GB but"),
    "flat": (([[0]], [[1]]), {}, "u must be one-dimensional"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_name_the_place_and_the_cure(case):
    given_edges, options, text = REFUSED[case]
    with pytest.raises(ValueError, match=re.escape(text)) as caught:
        from_edges(*given_edges, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("dtype", "weight"), [(np.int32, 2**30 - 1), (np.int64, 2**61), (np.float64, 8e307)])
def test_sums_that_just_fit(dtype, weight):
    graph = from_edges([0, 1], [1, 0], np.array([weight, weight], dtype), duplicates="sum")
    assert graph.weights.tolist() == [2 * weight, 2 * weight]


@pytest.mark.parametrize(("dtype", "weight"), [(np.int32, -(2**31)), (np.int64, 2**63 - 1), (np.float32, -3.4e38)])
def test_a_weight_alone_need_not_be_added(dtype, weight):
    graph = from_edges([0], [1], np.array([weight], dtype), duplicates="sum")
    np.testing.assert_array_equal(graph.weights, np.array([weight, weight], dtype))


def test_progress_is_told():
    told = []
    u, v, w = random_edges(1000, 400_000, np.float64)
    from_edges(u, v, w, duplicates="sum", threads=1, progress=told.append)
    assert {each.stage for each in told} <= {"count degrees", "place edges", "sort rows"}
    assert all(0 <= each.done <= each.total for each in told)
