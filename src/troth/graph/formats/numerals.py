"""Decimal numbers in bytes, parsed at native speed and rounded as Python rounds them.

A decimal m * 10**e with m < 2**53 and |e| <= 22 is one multiplication or division of exact doubles, hence correctly
rounded. With m < 2**63 the result is computed to about 95 bits; where both ends of its error interval round to the same
double, that is the right one. What is left is HARD, for float() to read: one number in 2**30 of ordinary ones, and
those of more than 19 digits or of large exponents.
"""

import numpy as np

from troth.kernels.jit import compiled

INT, FLOAT, HARD, BAD = range(4)

_NEWLINE, _TAB, _RETURN, _BLANK, _COMMA = 10, 9, 13, 32, 44
_PLUS, _MINUS, _POINT, _E, _SMALL_E = 43, 45, 46, 69, 101
_NOTHING, _ONE, _NINE, _TEN, _ZERO = np.uint64(0), np.uint64(1), np.uint64(9), np.uint64(10), np.uint64(48)
_LARGEST = np.uint64(2**63 - 1)
_LONGEST = 19  # digits: 10**19 < 2**64
_LARGEST_EXPONENT = 1 << 16
_EXACT = 1 << 53
_POWERS = np.array([float(f"1e{k}") for k in range(23)])
_LOW_BITS = (1 << 10) - 1
_SPLITTER = 134217729.0  # 2**27 + 1
_ERROR = 2.0**-80


@compiled
def is_blank(byte):
    """Whether a byte parts the words of a line: blank, tab, comma, carriage return."""
    return byte in (_BLANK, _TAB, _COMMA, _RETURN)


@compiled
def at_end(text, i):
    """Whether the line ends at i."""
    return i >= text.shape[0] or text[i] == _NEWLINE


@compiled
def number_at(text, i):
    """Read the number at position i: sign, digits, point, exponent, and then a blank or the end.

    Returns (end, kind, whole, value): an INT is in both, a FLOAT in value only, a HARD number in neither.
    """
    negative = text[i] == _MINUS
    i += negative or text[i] == _PLUS
    first = i
    i, number, length = digits_at(text, i, _NOTHING, 0)
    n_digits, shift, kind = i - first, 0, INT
    if i < text.shape[0] and text[i] == _POINT:
        first = i + 1
        # np.uint64 again: to plain Python, a compiled function returns an int.
        i, number, length = digits_at(text, first, np.uint64(number), length)
        shift, kind = first - i, FLOAT
        n_digits -= shift
    if i < text.shape[0] and (text[i] == _E or text[i] == _SMALL_E):
        i, exponent = exponent_at(text, i + 1)
        shift, kind = shift + exponent, FLOAT if exponent <= _LARGEST_EXPONENT else BAD
    whole, value = np.int64(np.uint64(number)), 0.0
    if n_digits == 0 or not (at_end(text, i) or is_blank(text[i])):
        kind = BAD
    elif length > _LONGEST or number > _LARGEST:
        lowest = kind == INT and length <= _LONGEST and negative and number == _LARGEST + _ONE
        kind, value = INT if lowest else HARD, np.float64(whole)
    elif kind == INT:
        whole = -whole if negative else whole
        value = np.float64(whole)
    elif kind == FLOAT:
        exact, value = scaled(whole, shift)
        value, kind = -value if negative else value, FLOAT if exact else HARD
    return i, kind, whole, value


@compiled
def digits_at(text, i, number, length):
    """Append the digits at i to a uint64 of a length without leading zeros. Returns (end, number, length)."""
    while i < text.shape[0]:
        digit = np.uint64(text[i]) - _ZERO  # wraps for what is less than "0"
        if digit > _NINE:
            break
        number = number * _TEN + digit
        length += length > 0 or digit > _NOTHING
        i += 1
    return i, number, length


@compiled
def exponent_at(text, i):
    """Returns (end, exponent), the exponent cut off at +-2**16; larger than that when there is none."""
    negative = i < text.shape[0] and text[i] == _MINUS
    first = i + (negative or (i < text.shape[0] and text[i] == _PLUS))
    end, number, length = digits_at(text, first, _NOTHING, 0)
    if end == first:
        return end, _LARGEST_EXPONENT + 1
    size = np.int64(number) if length < 6 else _LARGEST_EXPONENT
    return end, -size if negative else size


@compiled
def scaled(mantissa, exponent):
    """mantissa * 10**exponent for 0 <= mantissa < 2**63. Returns (surely rounded right, value)."""
    if mantissa == 0:
        return True, 0.0
    if exponent < -22 or exponent > 22:
        return False, 0.0
    power = _POWERS[abs(exponent)]
    if mantissa <= _EXACT:
        return True, mantissa / power if exponent < 0 else mantissa * power
    high, low = np.float64(mantissa & ~_LOW_BITS), np.float64(mantissa & _LOW_BITS)
    if exponent < 0:
        value = (high + low) / power
        product = value * power
        rest = ((high - product) - product_error(value, power, product) + low) / power
    else:
        value = high * power
        rest = product_error(high, power, value) + low * power
    error = value * _ERROR
    lowest, highest = value + (rest - error), value + (rest + error)
    return lowest == highest, lowest


@compiled
def product_error(a, b, product):
    """a * b - product, exactly (Dekker 1971)."""
    big = a * _SPLITTER
    a_high = big - (big - a)
    big = b * _SPLITTER
    b_high = big - (big - b)
    a_low, b_low = a - a_high, b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
