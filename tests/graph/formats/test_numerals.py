"""The number parser against Python's own: the same double to the last bit, or an honest HARD or BAD."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from troth.graph.formats import numerals
from troth.graph.formats.numerals import BAD, FLOAT, HARD, INT, number_at

KERNELS = [pytest.param(number_at, id="compiled"), pytest.param(number_at.py_func, id="python")]


def parsed(kernel, word, after=b"\n"):
    text = np.frombuffer(word + after, np.uint8)
    end, kind, whole, value = kernel(text, 0)
    return int(end), int(kind), int(whole), float(value)


def same(a, b):
    return a == b and math.copysign(1, a) == math.copysign(1, b)


decimals = st.from_regex(rb"[+-]?([0-9]{1,22}(\.[0-9]{0,22})?|\.[0-9]{1,22})([eE][+-]?[0-9]{1,4})?", fullmatch=True)


@pytest.mark.parametrize("kernel", KERNELS)
@settings(max_examples=400, deadline=None)
@given(word=decimals)
@example(word=b"18446744073709551616")  # 2**64: wraps to 0
@example(word=b"0.000000000000000000000000000001")
@example(word=b"9007199254740993")
@example(word=b"9007199254740993.0")
@example(word=b"-0.0")
@example(word=b"1e-999")
@example(word=b"0000000000000000000000012")
@example(word=b"4503599627370497.5")  # halfway between two doubles
def test_agrees_with_float(kernel, word):
    end, kind, whole, value = parsed(kernel, word)
    assert end == len(word)
    assert kind in (INT, FLOAT, HARD)
    if kind == INT:
        assert whole == int(word)
        assert value == float(int(word))
    if kind == FLOAT:
        assert same(value, float(word))


@pytest.mark.parametrize("kernel", KERNELS)
@settings(max_examples=300, deadline=None)
@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_reads_what_repr_writes(kernel, value):
    _, kind, _, found = parsed(kernel, repr(value).encode())
    assert kind in (FLOAT, HARD)
    assert kind == HARD or same(found, value)


def test_ordinary_numbers_are_never_hard():
    rng = np.random.default_rng(20261119)
    values = np.concatenate([rng.random(20_000), rng.random(20_000) * 10.0 ** rng.integers(-3, 15, 20_000)])
    hard = 0
    for value in values.tolist():
        _, kind, _, found = parsed(number_at, repr(value).encode())
        hard += kind == HARD
        assert kind == HARD or found == value
    assert hard <= len(values) // 1000  # those of more than 22 places after the point


@pytest.mark.parametrize("kernel", KERNELS)
@settings(max_examples=200, deadline=None)
@given(number=st.integers(-(2**63), 2**63 - 1))
@example(number=-(2**63))
@example(number=2**63 - 1)
@example(number=10**18)
def test_reads_every_int64(kernel, number):
    assert parsed(kernel, str(number).encode())[1:3] == (INT, number)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("word", ["9223372036854775808", "-9223372036854775809", "1" + "0" * 40])
def test_larger_integers_are_left_to_python(kernel, word):
    assert parsed(kernel, word.encode())[1] == HARD


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "word",
    ["", "-", "+", ".", "e5", "1e", "1e+", "1x", "0x1F", "1_0", "1.2.3", "--1", "1-2", "nan", "inf", "1e5.5", "\u0663"],
)
def test_refuses(kernel, word):
    assert parsed(kernel, word.encode())[1] == BAD


@pytest.mark.parametrize("after", [b"", b" ", b"\t", b",", b"\r\n", b"\n"])
def test_ends_at_blanks(after):
    end, kind, _, value = parsed(number_at, b"12.5", after)
    assert (end, kind, value) == (4, FLOAT, 12.5)


@settings(max_examples=300, deadline=None)
@given(st.integers(2**53, 2**63 - 1), st.integers(-22, 22))
def test_wide_mantissas_round_as_python_does(mantissa, exponent):
    exact, value = numerals.scaled(mantissa, exponent)
    assert not exact or value == float(f"{mantissa}e{exponent}")


def test_wide_mantissas_beside_a_midpoint_are_left_to_python():
    middle = 2**54 + 2  # between the doubles 2**54 and 2**54 + 4
    assert not numerals.scaled(middle, 0)[0]
    assert numerals.scaled(middle + 1, 0) == (True, float(2**54 + 4))
