"""sort: every dtype and pattern against NumPy, alone and with a payload, and what it leaves alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from troth.kernels import sort as module
from troth.kernels import team
from troth.kernels.sort import STACK, is_sorted, sort

SEED = 20261119
LONG = 200_000

PATTERNS = {
    "random": lambda rng, n: rng.integers(0, 2**31, n),
    "few values": lambda rng, n: rng.integers(0, 5, n),
    "all equal": lambda rng, n: np.full(n, 7),
    "all equal but one": lambda rng, n: np.where(np.arange(n) == n // 3, 6, 7),
    "sorted": lambda rng, n: np.arange(n),
    "reversed": lambda rng, n: np.arange(n)[::-1],
    "up and down": lambda rng, n: np.minimum(np.arange(n), np.arange(n)[::-1]),
    "two sorted runs": lambda rng, n: np.arange(n) % max(1, n // 2),
    "extremes": lambda rng, n: rng.choice([0, 1, 2**31, 2**32 - 1], n),
}


def stack():
    return np.empty(STACK, np.int64)


def sorted_pairs(keys, payload):
    order = np.lexsort((payload, keys))
    return keys[order], payload[order]


@pytest.mark.parametrize("size", [0, 1, 2, 24, 25, 26, 100, 1000, LONG])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_equals_numpy(pattern, size):
    keys = PATTERNS[pattern](np.random.default_rng(SEED), size).astype(np.uint32)
    expected = np.sort(keys)
    sort(keys, None, 0, size, stack())
    np.testing.assert_array_equal(keys, expected)


@pytest.mark.parametrize("size", [2, 25, 1000, LONG])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_payload_goes_along_and_breaks_ties(pattern, size):
    rng = np.random.default_rng(SEED)
    keys, payload = PATTERNS[pattern](rng, size).astype(np.uint32), rng.integers(-9, 9, size)
    expected = sorted_pairs(keys, payload)
    sort(keys, payload, 0, size, stack())
    np.testing.assert_array_equal((keys, payload), expected)


@pytest.mark.parametrize("payload_type", [None, np.int32, np.int64])
@pytest.mark.parametrize("key_type", [np.uint32, np.int64])
def test_types(key_type, payload_type):
    rng = np.random.default_rng(SEED)
    keys = rng.integers(0, 50, 500).astype(key_type)
    payload = np.zeros(500, np.int32) if payload_type is None else rng.integers(-4, 4, 500).astype(payload_type)
    expected = sorted_pairs(keys, payload)
    sort(keys, None if payload_type is None else payload, 0, 500, stack())
    np.testing.assert_array_equal((keys, payload), expected)


@given(pairs=st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2)), max_size=80))
def test_small_rows(pairs):
    keys = np.array([key for key, _ in pairs], np.uint32)
    payload = np.array([extra for _, extra in pairs], np.int64)
    sort(keys, payload, 0, len(pairs), stack())
    assert list(zip(keys.tolist(), payload.tolist(), strict=True)) == sorted(pairs)


def test_only_the_slice_changes():
    rng = np.random.default_rng(SEED)
    keys, payload = rng.integers(0, 99, 300).astype(np.uint32), rng.integers(0, 99, 300)
    before = keys.copy(), payload.copy()
    sort(keys, payload, 100, 200, stack())
    np.testing.assert_array_equal((keys[100:200], payload[100:200]), sorted_pairs(*(x[100:200] for x in before)))
    for outside in (slice(100), slice(200, 300)):
        np.testing.assert_array_equal((keys[outside], payload[outside]), [x[outside] for x in before])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_more_slices_wait_than_halvings_of_the_whole(pattern):
    keys = PATTERNS[pattern](np.random.default_rng(SEED), LONG).astype(np.uint32)
    used = np.full(STACK, -1, np.int64)
    sort(keys, None, 0, LONG, used)
    assert (used[2 * (LONG // 24).bit_length() :] == -1).all()


@pytest.mark.parametrize("keys", [[], [3], [1, 1, 2], [0, 5, 9]])
def test_is_sorted(keys):
    assert is_sorted(np.array(keys, np.uint32), None, 0, len(keys))


@pytest.mark.parametrize(("keys", "payload"), [([2, 1], [0, 0]), ([1, 1], [1, 0]), ([0, 1, 0], [0, 0, 0])])
def test_is_not_sorted(keys, payload):
    assert not is_sorted(np.array(keys, np.uint32), np.array(payload), 0, len(keys))


def test_as_plain_python(monkeypatch):
    for name in ("_extra", "_put", "_before", "_insertion", "_partition", "_pivot_at", "is_sorted", "mix"):
        compiled = getattr(module, name)
        monkeypatch.setattr(module, name, getattr(compiled, "py_func", compiled))
    rng = np.random.default_rng(SEED)
    keys, payload = rng.integers(0, 20, 200).astype(np.uint32), rng.integers(0, 3, 200)
    expected = sorted_pairs(keys, payload)
    getattr(sort, "py_func", sort)(keys, payload, 0, 200, stack())
    np.testing.assert_array_equal((keys, payload), expected)


def test_a_long_sort_stops_when_the_team_is_told_to():
    keys = np.random.default_rng(SEED).integers(0, 2**31, 3 << 20).astype(np.uint32)
    control = np.zeros(32, np.int64)
    control[team.STOP] = 1
    before = keys.copy()
    sort(keys, None, 0, keys.size, stack(), control)
    np.testing.assert_array_equal(keys, before)
    control[team.STOP] = 0
    sort(keys, None, 0, keys.size, stack(), control)
    np.testing.assert_array_equal(keys, np.sort(before))


def test_called_from_a_kernel():
    @njit
    def kernel(keys, rows, scratch):
        for row in range(rows.shape[0] - 1):
            sort(keys, None, rows[row], rows[row + 1], scratch)

    keys = np.array([3, 1, 2, 9, 8, 0], np.uint32)
    kernel(keys, np.array([0, 3, 3, 6]), stack())
    assert keys.tolist() == [1, 2, 3, 0, 8, 9]
