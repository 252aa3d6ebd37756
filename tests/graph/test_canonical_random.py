"""canonical_csr on random matrices, whole and with one entry corrupted, against brute force in plain Python."""

import re

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from troth.graph.canonical import canonical_csr

HUGE = 2**31 + 7
WEIGHTS = [0.0, -0.0, 1.0, 1.0, -2.5, 7.25, 1e300, 5e-324]


@st.composite
def symmetric_matrices(draw, min_edges=0):
    """A dict {(u, v): weight} with both directions of each edge, and the number of vertices."""
    n = draw(st.integers(2, 8))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] < pair[1])
    edges = draw(st.dictionaries(pairs, st.sampled_from(WEIGHTS), min_size=min_edges, max_size=12))
    return n, edges | {(v, u): weight for (u, v), weight in edges.items()}


def arrays_of(n, entries):
    """CSR arrays of a list of (u, v, weight), rows in the order of the list."""
    rows = [[(v, weight) for row, v, weight in entries if row == u] for u in range(n)]
    indptr = np.cumsum([0] + [len(row) for row in rows])
    indices = np.array([v for row in rows for v, _ in row], np.int64)
    return indptr, indices, np.array([weight for row in rows for _, weight in row])


@settings(deadline=None, max_examples=100)
@given(symmetric_matrices(), st.randoms(use_true_random=False), st.integers(1, 3))
def test_symmetric_matrices_become_what_scipy_makes_of_them(matrix, random, threads):
    n, values = matrix
    entries = [(u, v, weight) for (u, v), weight in values.items()]
    random.shuffle(entries)
    expected = sp.csr_array((arrays_of(n, entries)[2], *arrays_of(n, entries)[1::-1]), shape=(n, n))
    expected.sort_indices()
    result = canonical_csr(*arrays_of(n, entries), threads=threads)
    np.testing.assert_array_equal(result[0], expected.indptr)
    np.testing.assert_array_equal(result[1], expected.indices)
    np.testing.assert_array_equal(result[2], expected.data)


def first_fault(n, entries):
    """How the sentence begins that a list of (u, v, weight) deserves, found by looking at all pairs; or None."""
    ordered = sorted(entries, key=lambda entry: entry[:2])
    for place, (u, v, weight) in enumerate(ordered):
        if not 0 <= v < n:
            return f"row {u} holds column {v}, but"
        if u == v:
            return f"row {u} holds column {u}, a loop"
        if place and ordered[place - 1][:2] == (u, v):
            return f"row {u} holds column {v} twice"
        if not np.isfinite(weight):
            return f"weight of edge ({u}, {v}) is {'NaN' if np.isnan(weight) else 'infinite'}"
    there = {(u, v): weight for u, v, weight in ordered}
    for u, v, weight in ordered:
        if (v, u) not in there:
            return f"row {u} holds column {v} but row {v} does not hold column {u}"
        if weight != there[v, u]:
            return f"entries ({u}, {v}) and ({v}, {u}) are {np.float64(weight)} and {np.float64(there[v, u])}"
    return None


@settings(deadline=None, max_examples=200)
@given(symmetric_matrices(min_edges=1), st.data(), st.integers(1, 3))
def test_a_single_corrupted_entry_is_found(matrix, data, threads):
    n, values = matrix
    entries = [(u, v, weight) for (u, v), weight in sorted(values.items())]
    at = data.draw(st.integers(0, len(entries) - 1))
    u, v, weight = entries[at]
    kind = data.draw(st.sampled_from(["weight", "column", "remove", "repeat"]))
    if kind == "weight":
        entries[at] = u, v, data.draw(st.sampled_from([*WEIGHTS, np.nan, np.inf, -np.inf]))
    elif kind == "column":
        entries[at] = u, data.draw(st.sampled_from([-1, *range(n + 1), HUGE, 2**32 + v])), weight
    elif kind == "remove":
        del entries[at]
    else:
        entries.insert(at, entries[at])
    expected = first_fault(n, entries)
    if expected is None:
        canonical_csr(*arrays_of(n, entries), threads=threads)
    else:
        with pytest.raises(ValueError, match=f"^{re.escape(expected)}"):
            canonical_csr(*arrays_of(n, entries), threads=threads)
