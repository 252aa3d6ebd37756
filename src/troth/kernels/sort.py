"""Sorting a slice of an array in place inside a kernel: rows of a graph, with or without a payload carried along.

Quicksort in Lomuto's form, whose inner loop has no branch that depends on the data: on rows of random neighbours that
is several times faster than one that guesses. Long runs of equal keys are set aside in one pass, and pivots are drawn
by hashing, so any input (sorted, reversed, all equal, hub rows of millions) takes O(d log d) expected steps. Keys
with a payload are ordered by (key, payload): the result then depends on the pairs alone, not on their first order.
"""

import numpy as np

from troth.graph.order import mix
from troth.kernels import team
from troth.kernels.jit import compiled

STACK = 128
"""Words of int64 scratch that `sort` needs; one array serves all calls of a thread."""

_SHORT = 24
_LONG = 1 << 20
_LOPSIDED = 3  # a side below 1/8 of the slice hints at many equal keys
_TOP_BITS = np.uint64(33)


@compiled
def _extra(payload, i):
    if payload is None:
        return 0
    return payload[i]


@compiled
def _put(keys, payload, i, key, extra):
    keys[i] = key
    if payload is not None:
        payload[i] = extra


@compiled
def _before(key, extra, other, other_extra):
    """Whether the first pair goes before the second; no branch."""
    return (key < other) | ((key == other) & (extra < other_extra))


@compiled
def _insertion(keys, payload, low, high):
    for i in range(low + 1, high):
        key, extra = keys[i], _extra(payload, i)
        j = i
        while j > low and _before(key, extra, keys[j - 1], _extra(payload, j - 1)):
            _put(keys, payload, j, keys[j - 1], _extra(payload, j - 1))
            j -= 1
        _put(keys, payload, j, key, extra)


@compiled
def _partition(keys, payload, low, high, pivot, pivot_extra, with_equal):
    """Move what goes before the pivot (or equals it, with_equal) to the front; returns where the rest begins."""
    middle = low
    for i in range(low, high):
        key, extra = keys[i], _extra(payload, i)
        _put(keys, payload, i, keys[middle], _extra(payload, middle))
        _put(keys, payload, middle, key, extra)
        if with_equal:
            middle += not _before(pivot, pivot_extra, key, extra)
        else:
            middle += _before(key, extra, pivot, pivot_extra)
    return middle


@compiled
def _pivot_at(keys, payload, low, high):
    """The position of the median of three entries drawn by hashing the slice's ends."""
    size = np.uint64(high - low)
    drawn = mix(low ^ (high << 20))
    a = low + np.int64((drawn >> _TOP_BITS) % size)
    b = low + np.int64(mix(drawn) % size)
    c = low + (high - low) // 2
    if _before(keys[b], _extra(payload, b), keys[a], _extra(payload, a)):
        a, b = b, a
    if _before(keys[c], _extra(payload, c), keys[a], _extra(payload, a)):
        return a
    return c if _before(keys[c], _extra(payload, c), keys[b], _extra(payload, b)) else b


@compiled
def is_sorted(keys, payload, low, high):
    """Whether keys[low:high] is in (key, payload) order; payload may be None."""
    for i in range(low + 1, high):
        if _before(keys[i], _extra(payload, i), keys[i - 1], _extra(payload, i - 1)):
            return False
    return True


@compiled
def sort(keys, payload, low, high, stack, control=None):
    """Sort keys[low:high] in place, and payload[low:high] with it unless payload is None.

    stack is scratch: an int64 array of STACK words. The larger side waits there, so 64 pairs always suffice.
    Given the control words of its team, a long sort is left half done when the team is told to stop.
    """
    if is_sorted(keys, payload, low, high):
        return
    top = 0
    while True:
        while high - low > _SHORT:
            if control is not None and high - low > _LONG and team.stopped(control):
                return
            at = _pivot_at(keys, payload, low, high)
            pivot, extra = keys[at], _extra(payload, at)
            middle = _partition(keys, payload, low, high, pivot, extra, False)
            right = middle
            if middle - low <= (high - low) >> _LOPSIDED:
                right = _partition(keys, payload, middle, high, pivot, extra, True)
            if middle - low > high - right:
                stack[top], stack[top + 1] = low, middle
                low = right
            else:
                stack[top], stack[top + 1] = right, high
                high = middle
            top += 2
        _insertion(keys, payload, low, high)
        if top == 0:
            return
        top -= 2
        low, high = stack[top], stack[top + 1]
