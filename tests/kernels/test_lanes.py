"""Lanes: the vector code and its plain body agree on every kind of key, mask and tail of an array."""

import numpy as np
import pytest
from numba import njit

from troth.kernels import lanes
from troth.kernels.lanes import LANES

SEED = 20261119
ALL = (1 << LANES) - 1


@njit
def compiled_at_least(keys, e, count, floor):
    return lanes.at_least(keys, e, count, floor)


@njit
def compiled_largest(keys, e, mask):
    return lanes.largest(keys, e, mask)


@njit
def compiled_equal(keys, e, mask, key):
    return lanes.equal(keys, e, mask, key)


@njit
def compiled_outbid(keys, indices, offers, e, mask, shift, bits):
    return lanes.outbid(keys, indices, offers, e, mask, shift, bits)


@njit
def compiled_lowest(mask):
    return lanes.lowest(mask)


def make_keys(kind, rng, size):
    if kind == "ones":
        return np.broadcast_to(np.int32(1), (size,))
    if kind == "ties":
        return rng.integers(-1, 3, size)
    keys = rng.random(size).astype("f4" if kind == "float32" else "f8")
    return keys.view("i4" if kind == "float32" else "i8")


@pytest.fixture(params=["float64", "float32", "ties", "ones"])
def block(request):
    """Keys, and for every start near the end of the array the count of entries left and a random mask of them."""
    rng = np.random.default_rng(SEED)
    size = 3 * LANES + 5
    keys = make_keys(request.param, rng, size)
    cases = []
    for e in range(size):
        count = size - e
        for _ in range(4):
            mask = int(rng.integers(0, ALL + 1)) & ((1 << min(count, LANES)) - 1)
            cases.append((e, count, mask))
    return keys, cases, rng


def test_at_least(block):
    keys, cases, rng = block
    for e, count, _ in cases:
        floor = int(rng.choice(keys))
        expected = sum(1 << j for j in range(min(count, LANES)) if keys[e + j] >= floor)
        assert compiled_at_least(keys, e, count, floor) == lanes.at_least(keys, e, count, floor) == expected


def test_largest_and_equal(block):
    keys, cases, _ = block
    for e, _, mask in cases:
        if mask:
            chosen = [j for j in range(LANES) if mask >> j & 1]
            top = max(int(keys[e + j]) for j in chosen)
            assert compiled_largest(keys, e, mask) == lanes.largest(keys, e, mask) == top
            expected = sum(1 << j for j in chosen if keys[e + j] == top)
            assert compiled_equal(keys, e, mask, top) == lanes.equal(keys, e, mask, top) == expected


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize(("shift", "bits"), [(0, 0), (9, 9), (1, 0), (21, 20)])
def test_outbid(block, index, shift, bits):
    keys, cases, rng = block
    offers = (rng.choice(keys, 100).astype(np.int64) >> shift) << bits
    offers[::7] = 0
    indices = rng.integers(0, 100, keys.size).astype(index)
    for e, _, mask in cases:
        above = level = 0
        for j in range(LANES):
            if mask >> j & 1:
                bid, held = int(keys[e + j]) >> shift, int(offers[indices[e + j]]) >> bits
                above |= (bid > held) << j
                level |= (bid == held) << j
        got = compiled_outbid(keys, indices, offers, e, mask, shift, bits)
        assert got == lanes.outbid(keys, indices, offers, e, mask, shift, bits) == above | level << LANES


@pytest.mark.parametrize("mask", [1, 2, 12, 1 << (LANES - 1), ALL])
def test_lowest(mask):
    assert compiled_lowest(mask) == lanes.lowest(mask) == f"{mask:b}"[::-1].index("1")


def test_lanes_beyond_the_mask_are_not_read():
    """The last entries of an array whose next page may not exist: only masked lanes may be touched."""
    keys = np.arange(LANES, dtype=np.int64)
    assert compiled_at_least(keys, LANES - 1, 1, 0) == 1
    assert compiled_largest(keys, LANES - 1, 1) == LANES - 1
