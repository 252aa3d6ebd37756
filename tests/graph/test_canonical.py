"""canonical_csr: what it accepts, without a copy, and what it refuses, with the first bad place."""

import re

import numpy as np
import pytest
import scipy.sparse as sp

from troth.graph import canonical
from troth.graph.canonical import canonical_csr
from troth.kernels import team

SEED = 20261119
HUGE = 2**31 + 7


def csr(rows, dtype=np.float64):
    """indptr, indices, weights of rows written as lists of (column, weight)."""
    entries = [entry for row in rows for entry in row]
    indptr = np.cumsum([0] + [len(row) for row in rows])
    indices = np.array([column for column, _ in entries], np.int64)
    return indptr, indices, np.array([weight for _, weight in entries], dtype)


PATH = [[(1, 2.0)], [(0, 2.0), (2, 5.0)], [(1, 5.0)]]


def path_with(row, place, entry):
    """The path 0 - 1 - 2 with one entry replaced."""
    rows = [list(entries) for entries in PATH]
    rows[row][place] = entry
    return csr(rows)


# --- what is refused -------------------------------------------------------------------------------------------------

BAD_ROWS = {
    "NaN": (path_with(1, 1, (2, np.nan)), "weight of edge (1, 2) is NaN; give it a finite weight or remove the edge"),
    "infinite": (path_with(1, 0, (0, np.inf)), "weight of edge (1, 0) is infinite; give it a finite weight or remove"),
    "minus infinite": (path_with(0, 0, (1, -np.inf)), "weight of edge (0, 1) is infinite; give it a finite weight"),
    "loop": (path_with(1, 1, (1, 5.0)), "row 1 holds column 1, a loop; call troth.drop_loops"),
    "loop, unsorted": (path_with(1, 0, (1, 5.0)), "row 1 holds column 1, a loop; call troth.drop_loops"),
    "twice": (path_with(1, 1, (0, 5.0)), "row 1 holds column 0 twice; call troth.sum_duplicates"),
    "twice, apart": (
        csr([[(1, 2.0), (2, 3.0), (1, 2.0)], [(0, 2.0)], [(0, 3.0)]]),
        "row 0 holds column 1 twice; call troth.sum_duplicates",
    ),
    "too large": (path_with(2, 0, (3, 5.0)), "row 2 holds column 3, but the 3 vertices are numbered from 0"),
    "negative": (path_with(1, 0, (-1, 2.0)), "row 1 holds column -1, but the 3 vertices are numbered from 0"),
    "negative, not first": (path_with(1, 1, (-7, 2.0)), "row 1 holds column -7, but the 3 vertices are numbered"),
    "beyond int32": (path_with(0, 0, (HUGE, 2.0)), f"row 0 holds column {HUGE}, but the 3 vertices are numbered"),
    "wraps to a good column": (path_with(0, 0, (2**32 + 1, 2.0)), f"row 0 holds column {2**32 + 1}, but"),
    "one way": (
        csr([[(1, 2.0)], [(0, 2.0), (2, 5.0)], []]),
        "row 1 holds column 2 but row 2 does not hold column 1; call troth.symmetrize",
    ),
    "one way, below": (
        csr([[(1, 2.0)], [(0, 2.0)], [(1, 5.0)]]),
        "row 2 holds column 1 but row 1 does not hold column 2; call troth.symmetrize",
    ),
    "unequal": (path_with(2, 0, (1, 4.0)), "entries (1, 2) and (2, 1) are 5.0 and 4.0; call troth.symmetrize"),
    "opposite": (path_with(2, 0, (1, -5.0)), "entries (1, 2) and (2, 1) are 5.0 and -5.0; call troth.symmetrize"),
    "one ulp apart": (
        path_with(2, 0, (1, np.nextafter(5.0, 6))),
        "entries (1, 2) and (2, 1) are 5.0 and 5.000000000000001; call troth.symmetrize",
    ),
}


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("arrays", "sentence"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_bad_rows_are_named(arrays, sentence, threads):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        canonical_csr(*arrays, threads=threads)


def ring(n):
    """indptr, indices, weights of a cycle of n vertices: more than one chunk for the sizes used here."""
    vertices = np.arange(n)
    indices = np.sort(np.stack([(vertices - 1) % n, (vertices + 1) % n], axis=1), axis=1)
    return 2 * np.arange(n + 1), indices.ravel(), np.ones(2 * n, np.float32)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    ("faults", "sentence"),
    [
        ([499_000, 130_001, 130_000], "weight of edge (65000, 64999) is NaN"),
        ([600_001, 599_999], "weight of edge (299999, 299998) is NaN"),
    ],
)
def test_the_first_of_many_faults_in_many_chunks(faults, sentence, threads):
    indptr, indices, weights = ring(300_000)
    weights[[entry for entry in faults if entry < weights.size]] = np.nan
    with pytest.raises(ValueError, match=re.escape(sentence)):
        canonical_csr(indptr, indices, weights, threads=threads)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_first_of_many_unequal_entries_in_many_chunks(threads):
    indptr, indices, weights = ring(300_000)
    weights[[499_001, 300_001]] = 3
    with pytest.raises(ValueError, match=re.escape("entries (150000, 150001) and (150001, 150000) are 3.0 and 1.0")):
        canonical_csr(indptr, indices, weights, threads=threads)


def test_the_smallest_finding_of_all_threads_counts():
    def kernel(control, thread, indptr, indices, keys, bits, chunks, findings):
        findings[thread, :2] = canonical.LOOP, [7, 3, 5][thread]

    indptr, indices, weights = csr(PATH)
    assert canonical._scan(kernel, indptr, indices, weights, 3, None)[:2] == (canonical.LOOP, 3)


def test_no_chunk_is_begun_after_a_fault():
    indptr, indices, weights = ring(300_000)
    findings, control = np.zeros((1, 8), np.uint64), np.zeros(32, np.int64)
    keys, bits = canonical._readable(np.where(weights, np.nan, weights), 0, indptr.size - 1)
    assert canonical.check_rows(control, 0, indptr, indices, keys, bits, 7, findings) == canonical.NOT_FINITE
    assert team.take(control, 7) == -1


# --- what is accepted ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("weights", [None, []])
def test_no_edges(n, weights):
    indptr, indices, values = canonical_csr(np.zeros(n + 1, np.int64), [], weights)
    assert indptr.size == n + 1
    assert indices.dtype == np.int32
    assert (values is None) == (weights is None)


@pytest.mark.parametrize("weight", [0.0, -3.0, 5e-324])
def test_zero_and_negative_weights_are_weights(weight):
    rows = [[(2, weight)], [], [(0, weight)]]
    np.testing.assert_array_equal(canonical_csr(*csr(rows))[2], [weight, weight])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_zero_equals_minus_zero(dtype):
    values = canonical_csr([0, 1, 2], [1, 0], np.array([0.0, -0.0], dtype))[2]
    np.testing.assert_array_equal(np.signbit(values), [False, True])


def test_equal_zeros_are_passed_over_in_the_search():
    rows = [[(1, 0.0), (2, -0.0)], [(0, -0.0), (2, 3.0)], [(0, 0.0), (1, 4.0)]]
    with pytest.raises(ValueError, match=re.escape("entries (1, 2) and (2, 1) are 3.0 and 4.0")):
        canonical_csr(*csr(rows))


@pytest.mark.parametrize("dtype", [np.float32, np.int64, None])
def test_unsorted_rows_are_sorted_in_a_copy(dtype):
    rng = np.random.default_rng(SEED)
    half = np.triu((rng.random((200, 200)) < 0.1) * rng.random((200, 200)), 1)
    matrix = sp.csr_array(half + half.T)
    weights = None if dtype is None else np.round(matrix.data * 1e3).astype(dtype)
    shuffle = np.concatenate(
        [rng.permutation(np.arange(*matrix.indptr[row : row + 2])) for row in range(matrix.shape[0])]
    )
    given = matrix.indices[shuffle], None if weights is None else weights[shuffle]
    before = given[0].copy()
    _, columns, values = canonical_csr(matrix.indptr, *given, threads=2)
    np.testing.assert_array_equal(columns, matrix.indices)
    np.testing.assert_array_equal(given[0], before)
    if weights is not None:
        np.testing.assert_array_equal(values, weights)


def test_rows_of_many_chunks_are_sorted():
    indptr, indices, weights = ring(300_000)
    backwards = indices.reshape(-1, 2)[:, ::-1].ravel()
    np.testing.assert_array_equal(canonical_csr(indptr, backwards, weights, threads=3)[1], indices)


def test_a_symmetric_matrix_is_not_searched(monkeypatch):
    monkeypatch.setattr(canonical, "find_unpaired", None)
    assert canonical_csr(*ring(1_000))[1].size == 2_000
    assert canonical_csr([0, 1, 2], [1, 0], [0.0, -0.0])[1].size == 2


# --- the kernels as plain Python -------------------------------------------------------------------------------------


@pytest.fixture
def plain_kernels(monkeypatch):
    for name in ("check_rows", "find_unpaired", "fault_of", "fault_found", "find_entry"):
        monkeypatch.setattr(canonical, name, getattr(canonical, name).py_func)


@pytest.mark.usefixtures("plain_kernels")
@pytest.mark.parametrize(("arrays", "sentence"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_plain_kernels_find_the_same(arrays, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        canonical_csr(*arrays, threads=2)


@pytest.mark.usefixtures("plain_kernels")
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_plain_kernels_accept_the_same(dtype):
    np.testing.assert_array_equal(canonical_csr(*csr(PATH, dtype))[2], [2, 2, 5, 5])


@pytest.mark.parametrize(("dtype", "pattern"), [(np.float64, False), (np.int32, False), (np.int32, True)])
def test_plain_and_compiled_kernels_agree_on_the_fingerprint(dtype, pattern):
    rng = np.random.default_rng(SEED)
    matrix = sp.csr_array((rng.random((30, 30)) < 0.3) * rng.random((30, 30)) * (1 - np.eye(30)))
    weights = None if pattern else np.round(1e3 * (matrix.data - 0.5)).astype(dtype)
    arrays = matrix.indptr.astype(np.int64), matrix.indices, weights
    compiled = canonical._scan(canonical.check_rows, *arrays, 2, None)
    assert compiled[2] != (0, 0)
    assert canonical._scan(canonical.check_rows.py_func, *arrays, 1, None) == compiled
