"""Lines of two ids, or two ids and a weight: the body of edge lists and of Matrix Market files."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.formats.files import Text
from troth.graph.formats.numerals import INT, at_end, number_at
from troth.graph.formats.text import (
    FINE,
    FIRST_REASON,
    NOT_WHOLE,
    PIECE,
    ROWS,
    count,
    first_line,
    first_slots,
    is_comment,
    next_line,
    parse_weight,
    run_parser,
    skip_blanks,
)
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.memory import require_memory
from troth.progress import Reporter

_BAD_ID, _TOO_FEW, _TOO_MANY = range(FIRST_REASON, FIRST_REASON + 3)


def parse_columns(
    text: Text, start: int, end: int, columns: int, threads: int, progress: Reporter | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any] | None]:
    """The lines that begin in text[start:end], of 2 or 3 columns each: ids, ids, and weights or None."""
    first = first_slots(count(text, start, end, threads, progress)[:, ROWS])
    require_memory(8 * columns * int(first[-1]), f"reading {text.path}")
    u, v = np.empty(first[-1], np.int64), np.empty(first[-1], np.int64)
    each = f"each line must hold two vertex ids{' and a weight' if columns == 3 else ''}"
    reasons = {
        _BAD_ID: "{} is not a vertex id, a whole number from 0 to 2**63 - 1",
        _TOO_FEW: f"the line ends too early; {each}",
        _TOO_MANY: f"{{}} is one word too many; {each}",
    }
    weights = run_parser(
        parse_lines, text, first.size - 1, (start, end, columns, first), (u, v), u.size if columns == 3 else 0,
        reasons, threads, progress,
    )  # fmt: skip
    return u, v, weights if columns == 3 else None


@compiled
def parse_lines(
    control, thread, text, start, end, columns, first, floats,  # IN: the range; where rows of each piece go
    u, v, words, values, problems,  # OUT: words and values are the same memory
):  # fmt: skip
    piece = team.take(control, problems.shape[0])
    while piece >= 0:
        last = min(start + (piece + 1) * PIECE, end)
        i = first_line(text, start + piece * PIECE, last)
        slot, problem = first[piece], FINE
        while i < last and problem == FINE:
            i = skip_blanks(text, i)
            if at_end(text, i) or is_comment(text, i):
                i = next_line(text, i)
                continue
            i, problem = parse_line(text, i, columns, floats, slot, u, v, words, values)
            slot, i = slot + 1, i + (problem == FINE)
        problems[piece, 0], problems[piece, 1] = problem, i
        piece = team.take(control, problems.shape[0]) if problem != NOT_WHOLE else -1


@compiled
def parse_line(text, i, columns, floats, slot, u, v, words, values):
    """Parse the line whose first word is at i into one slot. Returns (its end, FINE) or (a word, what is wrong)."""
    for column in range(columns):
        i = skip_blanks(text, i)
        if at_end(text, i):
            return i, _TOO_FEW
        if column == 2:
            i, problem = parse_weight(text, i, floats, slot, words, values)
            if problem != FINE:
                return i, problem
            continue
        end, kind, whole, _ = number_at(text, i)
        if kind != INT or whole < 0:
            return i, _BAD_ID
        if column == 0:
            u[slot] = whole
        else:
            v[slot] = whole
        i = end
    i = skip_blanks(text, i)
    return i, FINE if at_end(text, i) else _TOO_MANY
