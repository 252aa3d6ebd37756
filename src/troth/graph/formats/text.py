"""Text files of numbers, parsed in parallel.

Text is cut into pieces of equal bytes. A line belongs to the piece, or range, that its first byte is in, so any
division of a file gives the same numbers: threads take pieces, and ranks can take ranges. A first pass counts the lines
and numbers of each piece, so that the second can put them where they belong.

A number that is HARD (numerals.py) is marked in the output by where it stands, and float() reads it afterwards.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.formats.files import Text
from troth.graph.formats.numerals import BAD, HARD, INT, at_end, is_blank, number_at
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.progress import Reporter, stage

PIECE = 1 << 20  # bytes: 3 ms of parsing

HARD_MARK = -(1 << 50)  # a NaN that no number is; its low 50 bits say where the word begins

LINES, ROWS, NUMBERS = range(3)

FINE, BAD_WEIGHT, NOT_WHOLE, FIRST_REASON = range(4)

_NEWLINE, _HASH, _PERCENT = 10, 35, 37
_WORD = re.compile(rb"[^\s,]+")


@compiled
def skip_blanks(text, i):
    """The first position from i on that holds no blank."""
    while i < text.shape[0] and is_blank(text[i]):
        i += 1
    return i


@compiled
def is_comment(text, i):
    """Whether a line whose first word is at i says nothing."""
    return i < text.shape[0] and (text[i] == _HASH or text[i] == _PERCENT)


@compiled
def next_line(text, i):
    """Where the line after the one of position i begins."""
    while i < text.shape[0] and text[i] != _NEWLINE:
        i += 1
    return i + 1


@compiled
def first_line(text, i, end):
    """The first line that begins in [i, end), or end."""
    while 0 < i < end and text[i - 1] != _NEWLINE:
        i += 1
    return i


@compiled
def survey(
    control, thread, text, start, end,  # IN: the range
    counts,  # OUT: lines that are no comments, rows (lines with numbers), and numbers, of each piece
):  # fmt: skip
    piece = team.take(control, counts.shape[0])
    while piece >= 0:
        last = min(start + (piece + 1) * PIECE, end)
        i = first_line(text, start + piece * PIECE, last)
        lines, rows, numbers = 0, 0, 0
        while i < last:
            i = skip_blanks(text, i)
            if is_comment(text, i):
                i = next_line(text, i)
                continue
            before = numbers
            while not at_end(text, i):
                numbers += 1
                while not at_end(text, i) and not is_blank(text[i]):
                    i += 1
                i = skip_blanks(text, i)
            lines, rows, i = lines + 1, rows + (numbers > before), i + 1
        counts[piece, LINES], counts[piece, ROWS], counts[piece, NUMBERS] = lines, rows, numbers
        piece = team.take(control, counts.shape[0])


def count(text: Text, start: int, end: int, threads: int, progress: Reporter | None) -> NDArray[np.int64]:
    """The lines, rows and numbers of each piece of a range."""
    counts = np.zeros((team.chunks_of(end - start, PIECE), 3), np.int64)
    report = stage(progress, f"scan {text.path.name}", counts.shape[0])
    team.run(survey, text.array, start, end, counts, threads=threads, progress=report)
    return counts


def first_slots(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the part of each piece begins in arrays that hold all, and the total."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))


@compiled
def parse_weight(text, i, floats, slot, words, values):
    """Parse the weight at i into one slot, if there is such a slot. Returns (its end, FINE) or (i, what is wrong)."""
    end, kind, whole, value = number_at(text, i)
    if kind == BAD:
        return i, BAD_WEIGHT
    if not floats and kind != INT:
        return i, NOT_WHOLE
    if 0 <= slot < words.shape[0]:
        if not floats:
            words[slot] = whole
        elif kind == HARD:
            words[slot] = HARD_MARK + i
        else:
            values[slot] = value
    return end, FINE


def run_parser(
    kernel: Any,
    text: Text,
    pieces: int,
    inputs: tuple[Any, ...],
    outputs: tuple[NDArray[Any], ...],
    weights: int,
    reasons: dict[int, str],
    threads: int,
    progress: Reporter | None,
) -> NDArray[Any]:
    """Run kernel(text, *inputs, floats, *outputs, words, values, problems) and return the weights it parsed.

    They are int64 if all are whole numbers that fit; if not, the kernel runs again and they are float64.
    Raises: ValueError for the first line that a kernel found wrong; reasons has the sentences.
    """
    words = np.empty(weights, np.int64)
    values = words.view(np.float64)
    report = stage(progress, f"parse {text.path.name}", pieces)
    for floats in (False, True):
        problems = np.zeros((pieces, 2), np.int64)
        team.run(
            kernel, text.array, *inputs, floats, *outputs, words, values, problems, threads=threads, progress=report
        )
        if not (problems[:, 0] == NOT_WHOLE).any():
            break
    wrong = np.flatnonzero(problems[:, 0])
    if wrong.size:
        reason, position = problems[wrong[0]].tolist()
        raise text.error(position, "{} is not a finite decimal number" if reason == BAD_WEIGHT else reasons[reason])
    if not floats:
        return words
    _finish_hard(text, words, values)
    return values


def _finish_hard(text: Text, words: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    """Replace the marks that kernels left in place of HARD numbers."""
    for first in range(0, words.size, PIECE):
        part = words[first : first + PIECE]
        for k in np.flatnonzero((part >= HARD_MARK) & (part < 0)):
            word = _WORD.match(text.raw, int(part[k]) - HARD_MARK)
            assert word
            values[first + k] = float(word.group())


def row_place(text: Text, start: int, k: int) -> str:
    """The place, such as "line 12", of row number k from 0 of the text from a line start on."""
    rows: Any = first_slots(count(text, start, text.array.size, 1, None)[:, ROWS])
    piece = int(np.searchsorted(rows, k, side="right")) - 1
    at = int(first_line(text.array, start + piece * PIECE, text.array.size))
    found = rows[piece]
    for position, line in text.lines(at):
        if (word := line.replace(b",", b" ").strip()) and not word.startswith((b"#", b"%")):
            if found == k:
                return f"line {text.line(position)}"
            found += 1
    return f"row {k}"
