"""Writing numbers as text at native speed; floats as Python writes them, the shortest text that reads back."""

from __future__ import annotations

from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from troth.kernels import team
from troth.kernels.jit import compiled

_NEWLINE, _MINUS, _ZERO, _TEN = 10, 45, 48, np.uint64(10)
_LONGEST_INTEGER = 20


def write_numbers(
    file: IO[bytes],
    integers: NDArray[Any],
    weights: NDArray[Any] | None,
    separator: str = " ",
    line_ends: NDArray[np.int64] | None = None,
) -> None:
    """Write the rows of a two-dimensional array of integers, each followed by its weight, unless weights is None.

    Numbers are parted by the separator. After row k come line_ends[k] line ends, or a separator if that is 0; one line
    end when line_ends is None.
    """
    if line_ends is None:
        line_ends = np.ones(integers.shape[0], np.int64)
    words = np.empty((integers.shape[0], 0), np.uint8)
    if weights is not None and weights.dtype.kind == "f":
        # float32 as the float64 of the same value: its own shortest text would read back as another float64.
        written = np.array(list(map(repr, weights.astype(np.float64).tolist())), "S")
        words = written.view(np.uint8).reshape(weights.size, written.itemsize)
    elif weights is not None:
        integers = np.column_stack((integers, weights))
    cells = np.ascontiguousarray(integers, np.int64)
    out = np.empty(cells.size * (_LONGEST_INTEGER + 1) + words.size + cells.shape[0] + int(line_ends.sum()), np.uint8)
    control = team.run(print_rows, cells, words, ord(separator), line_ends, out)
    file.write(out[: control[team.COUNT]].tobytes())


@compiled
def print_rows(
    control, thread, cells, words, separator, line_ends,  # IN
    out,  # OUT
):  # fmt: skip
    i = 0
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            if column > 0:
                out[i] = separator
                i += 1
            i = print_integer(cells[row, column], i, out)
        if words.shape[1] > 0:
            out[i] = separator
            i += 1
            for k in range(words.shape[1]):
                if words[row, k] != 0:
                    out[i] = words[row, k]
                    i += 1
        for _ in range(line_ends[row]):
            out[i] = _NEWLINE
            i += 1
        if line_ends[row] == 0:
            out[i] = separator
            i += 1
    control[team.COUNT] = i


@compiled
def print_integer(number, i, out):
    """Print an int64 from position i on. Returns where it ends."""
    rest = np.uint64(number)
    if number < 0:
        out[i] = _MINUS
        i += 1
        rest = np.uint64(0) - rest
    begin = i
    while rest >= _TEN or i == begin:
        out[i] = _ZERO + rest % _TEN
        rest //= _TEN
        i += 1
    if rest > np.uint64(0):
        out[i] = _ZERO + rest
        i += 1
    for k in range((i - begin) // 2):
        out[begin + k], out[i - 1 - k] = out[i - 1 - k], out[begin + k]
    return i
