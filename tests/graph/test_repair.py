"""symmetrize, sum_duplicates and drop_loops against dictionaries of entries."""

import itertools
import re

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from troth import Graph, as_graph, drop_loops, sum_duplicates, symmetrize

SEED = 50330297


def coo(entries, n=4, dtype=np.float64):
    """A COO array of (u, v, weight) in the order given, repeats kept apart."""
    u, v, weights = (list(column) for column in zip(*entries, strict=True)) if entries else ([], [], [])
    return sp.coo_array((np.array(weights, dtype), (np.array(u, int), np.array(v, int))), shape=(n, n))


def stored(matrix):
    """{(u, v): weight} of a CSR array; fails on repeats."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    entries = {
        (u, v): weight
        for u, v, weight in zip(rows.tolist(), matrix.indices.tolist(), matrix.data.tolist(), strict=True)
    }
    assert len(entries) == matrix.nnz
    return entries


def summed(entries):
    sums = {}
    for u, v, weight in entries:
        sums[u, v] = sums.get((u, v), 0) + weight
    return sums


def symmetrized(entries, how):
    values = summed(entries)
    return {
        pair: how([values[p] for p in (pair, pair[::-1]) if p in values])
        for u, v in values
        for pair in ((u, v), (v, u))
    }


ENTRIES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-3, 3)), max_size=14)
DTYPES = st.sampled_from([np.float32, np.float64, np.int32, np.int64])


@settings(deadline=None, max_examples=80)
@given(ENTRIES, DTYPES, st.sampled_from([("max", max), ("sum", sum)]))
def test_symmetrize_is_the_definition(entries, dtype, how):
    name, merge = how
    result = symmetrize(coo(entries, dtype=dtype), name)
    assert result.dtype == dtype
    expected = symmetrized(entries, merge)
    if name == "sum":  # a loop is its own reverse
        expected |= {(u, v): 2 * weight for (u, v), weight in summed(entries).items() if u == v}
    assert stored(result) == expected


@settings(deadline=None, max_examples=80)
@given(ENTRIES, DTYPES)
def test_sum_duplicates_and_drop_loops_are_the_definitions(entries, dtype):
    result = sum_duplicates(coo(entries, dtype=dtype))
    assert result.dtype == dtype
    assert result.has_canonical_format
    assert stored(result) == summed(entries)
    kept = drop_loops(coo(entries, dtype=dtype))
    assert kept.dtype == dtype
    assert kept.nnz == sum(u != v for u, v, _ in entries)
    assert stored(sum_duplicates(kept)) == {(u, v): weight for (u, v), weight in summed(entries).items() if u != v}


@settings(deadline=None, max_examples=40)
@given(ENTRIES, st.sampled_from(["max", "sum"]))
def test_every_order_of_repairs_gives_one_graph(entries, how):
    repairs = [drop_loops, sum_duplicates, lambda obj: symmetrize(obj, how)]
    results = []
    for order in itertools.permutations(repairs):
        matrix = coo(entries)
        for repair in order:
            matrix = repair(matrix)
        results.append(as_graph(matrix))
    assert all(graph == results[0] for graph in results)


def test_a_stored_negative_beats_an_absent_zero():
    assert stored(symmetrize(coo([(0, 1, -3.0), (1, 2, 0.0)]))) == {
        (0, 1): -3.0, (1, 0): -3.0, (1, 2): 0.0, (2, 1): 0.0,
    }  # fmt: skip


def test_sums_of_zero_stay_entries():
    assert stored(symmetrize(coo([(0, 1, 2), (1, 0, -2)], dtype=np.int32), "sum")) == {(0, 1): 0, (1, 0): 0}


def test_error_fills_in_what_is_missing_and_names_what_differs():
    matrix = coo([(0, 1, 2.0), (2, 1, 3.0), (1, 2, 3.0)])
    assert stored(symmetrize(matrix, "error")) == {(0, 1): 2.0, (1, 0): 2.0, (1, 2): 3.0, (2, 1): 3.0}
    with pytest.raises(ValueError, match=re.escape("entries (1, 2) and (2, 1) are 3.0 and 4.0; choose how='max' or")):
        symmetrize(coo([(3, 0, 2.0), (2, 1, 4.0), (1, 2, 3.0), (2, 3, 1.0), (3, 2, 0.0)]), "error")


@pytest.mark.parametrize("how", ["max", "sum", "error"])
def test_nan_is_named(how):
    with pytest.raises(ValueError, match=re.escape("weight of edge (2, 1) is NaN")):
        symmetrize(coo([(0, 1, 2.0), (2, 1, np.nan), (3, 1, np.nan)]), how)


def test_a_wrong_way_is_named():
    with pytest.raises(ValueError, match="unknown way to symmetrize 'maximum': did you mean 'max'"):
        symmetrize(coo([]), "maximum")


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("sign", [1, -1])
def test_integer_sums_do_not_wrap(dtype, sign):
    half = sign * (np.iinfo(dtype).max // 2 + 2)
    matrix = coo([(0, 1, 1), (1, 2, half), (2, 1, half)], dtype=dtype)
    with pytest.raises(ValueError, match=re.escape(f"entries (1, 2) add up to more than {np.dtype(dtype)} holds")):
        symmetrize(matrix, "sum")
    assert stored(symmetrize(matrix, "max"))[1, 2] == half
    largest = coo([(0, 1, np.iinfo(dtype).max - 1), (0, 1, 1)], dtype=dtype)
    assert stored(sum_duplicates(largest)) == {(0, 1): np.iinfo(dtype).max}


@pytest.mark.parametrize("repair", [symmetrize, sum_duplicates, drop_loops])
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_the_input_is_left_alone(repair, form):
    matrix = coo([(0, 2, 1.0), (0, 1, 2.0), (0, 1, 3.0), (3, 3, 4.0), (1, 0, 7.0)])
    if form != "coo":
        parts = (np.array([2.0, 1.0, 5.0]), np.array([3, 0, 0]), np.array([0, 2, 2, 3, 3]))
        matrix = (sp.csr_array if form == "csr" else sp.csc_array)(parts, shape=(4, 4))
    names = ("row", "col", "data") if form == "coo" else ("indptr", "indices", "data")
    before = [getattr(matrix, name).copy() for name in names]
    result = repair(matrix)
    for name, array in zip(names, before, strict=True):
        np.testing.assert_array_equal(getattr(matrix, name), array)
        assert not np.shares_memory(getattr(matrix, name), result.data)


@pytest.mark.parametrize("repair", [symmetrize, sum_duplicates, drop_loops])
def test_rows_and_columns_are_not_mixed_up(repair):
    matrix = coo([(0, 1, 2.0), (3, 1, 5.0)])
    expected = repair(matrix.tocsr()).toarray().tolist()
    assert repair(matrix.tocsc()).toarray().tolist() == expected
    assert repair(([0, 3], [1, 1], [2.0, 5.0])).toarray().tolist() == expected


@pytest.mark.parametrize("repair", [symmetrize, sum_duplicates, drop_loops])
@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_the_type_of_the_indices_is_kept(repair, index_type):
    matrix = coo([(0, 1, 2.0), (3, 1, 5.0), (3, 3, 1.0)]).tocsr()
    matrix.indices, matrix.indptr = matrix.indices.astype(index_type), matrix.indptr.astype(index_type)
    assert repair(matrix).indices.dtype == index_type


@pytest.mark.parametrize("repair", [symmetrize, sum_duplicates, drop_loops])
def test_nothing_to_mend(repair):
    assert repair(sp.csr_array((0, 0))).shape == (0, 0)
    assert repair(sp.csr_array((3, 3))).nnz == 0
    graph = Graph.from_csr([0, 1, 2], [1, 0])
    assert stored(repair(graph)) == {(0, 1): 1, (1, 0): 1}


def test_graphs_of_networkx_that_are_not_simple():
    directed = nx.DiGraph()
    directed.add_weighted_edges_from([("a", "b", 2.0), ("b", "a", 5.0), ("b", "c", 1.0)])
    assert as_graph(symmetrize(directed, "sum")).edges()[2].tolist() == [7.0, 1.0]
    multiple = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)])
    assert stored(sum_duplicates(multiple)) == {(0, 1): 2, (1, 0): 2, (1, 2): 1, (2, 1): 1, (2, 2): 1}
    assert as_graph(drop_loops(sum_duplicates(multiple))).edges()[2].tolist() == [2, 1]
    costs = nx.DiGraph()
    costs.add_edge(0, 1, cost=4)
    assert stored(symmetrize(costs, weight="cost")) == {(0, 1): 4, (1, 0): 4}


@pytest.mark.parametrize(
    ("obj", "sentence"),
    [
        (([0, -2], [1, 1]), "u[1] is -2, but the 2 vertices are numbered from 0"),
        (([0, 1], [1, -1]), "v[1] is -1, but the 2 vertices are numbered from 0"),
        (([0, 1], [1, 2**60]), "a matrix of 1152921504606846977 rows needs about"),
        (([0, 1, 2], [1, 5], [1.0, 1.0]), "indices[1] is 5, but the 2 vertices are numbered from 0"),
        (sp.csr_array((2, 3)), "the matrix has 2 rows and 3 columns"),
        (coo([(0, 1, 1j)], dtype=complex), "weights must be integers or real floats, not complex128"),
    ],
)
@pytest.mark.parametrize("repair", [symmetrize, sum_duplicates, drop_loops])
def test_what_cannot_be_mended_is_named(repair, obj, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        repair(obj)


def test_a_csc_matrix_with_wild_indices_does_not_reach_scipy():
    matrix = sp.csc_array((np.ones(2), np.array([1, 0]), np.array([0, 1, 2])), shape=(2, 2))
    matrix.indices[1] = 1_000_000_000
    with pytest.raises(ValueError, match=re.escape("indices[1] is 1000000000, but the 2 vertices")):
        symmetrize(matrix)
    with pytest.raises(ValueError, match=re.escape("indices[1] is 1000000000, but the 2 vertices")):
        as_graph(matrix)


def test_a_large_matrix_is_mended_as_scipy_would():
    rng = np.random.default_rng(SEED)
    n, m = 20_000, 400_000
    matrix = sp.coo_array((rng.random(m), (rng.integers(0, n, m), rng.integers(0, n, m))), shape=(n, n))
    expected = matrix.tocsr() + matrix.tocsr().T
    result = symmetrize(matrix, "sum")
    assert result.nnz == expected.nnz
    assert abs(result - expected).max() < 1e-12
