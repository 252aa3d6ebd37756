"""The edge order: the mixer is a bijection, keys order like weights, and unknown tie rules are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from troth.graph.order import check_tie_break, mix, tie, ties, weight_keys

WORD = 2**64


def unmix(z):
    """The inverse of the mixer in plain integers: exists only if the mixer is a bijection."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, None)):
        x = z
        for _ in range(64 // shift + 1):
            x = z ^ (x >> shift)
        z = x if factor is None else x * pow(factor, -1, WORD) % WORD
    return (z - 0x9E3779B97F4A7C15) % WORD


@given(st.integers(0, WORD - 1))
def test_mix_is_a_bijection(x):
    assert unmix(int(mix(np.uint64(x)))) == x


@pytest.mark.parametrize("hashed", [True, False])
def test_ties_of_all_vertices_are_the_kernel_s_one_by_one(hashed):
    assert ties(50, hashed).tolist() == [int(tie(v, hashed)) for v in range(50)]


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=2, max_size=2), st.sampled_from(["f4", "f8"]))
def test_keys_of_floats_order_like_positive_weights(pair, dtype):
    weights = np.array(pair, dtype)
    keys = weight_keys(weights, 2)
    assert np.shares_memory(keys, weights)
    assert [k > 0 for k in keys] == [w > 0 for w in weights]
    if np.all(weights > 0):
        assert (keys[0] < keys[1]) == (weights[0] < weights[1])
        assert (keys[0] == keys[1]) == (weights[0] == weights[1])


def test_keys_of_integers_are_the_weights_and_no_weights_are_ones():
    weights = np.array([5, -2, 0])
    assert weight_keys(weights, 3) is weights
    assert weight_keys(None, 4).tolist() == [1, 1, 1, 1]
    assert weight_keys(None, 10**12).strides == (0,)


def test_tie_break_names():
    assert check_tie_break("hash") is True
    assert check_tie_break("id") is False
    with pytest.raises(ValueError, match="tie_break is 'ids'; it must be one of 'hash', 'id'"):
        check_tie_break("ids")
