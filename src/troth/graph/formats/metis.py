"""METIS adjacency lists (.graph): a header, then a line of neighbours for each vertex, numbered from 1.

Header: vertices, edges, and optionally fmt, three digits that say whether there are vertex sizes, vertex weights and
edge weights, and ncon, the number of weights of a vertex. Sizes and weights of vertices are read over. METIS itself
knows only positive integers as edge weights; here any finite number is read and written. Lines beginning with % are
comments; an empty line is a vertex without neighbours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.formats.contents import Rows
from troth.graph.formats.digits import write_numbers
from troth.graph.formats.files import Text, read_text
from troth.graph.formats.numerals import BAD, INT, at_end, number_at
from troth.graph.formats.output import row_blocks, text_output
from troth.graph.formats.text import (
    BAD_WEIGHT,
    FINE,
    FIRST_REASON,
    LINES,
    NOT_WHOLE,
    NUMBERS,
    PIECE,
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

_BAD_VERTEX, _TOO_SHORT, _NO_WEIGHT, _EXTRA = range(FIRST_REASON, FIRST_REASON + 4)
_FORMATS = ("", "1", "10", "11", "100", "101", "110", "111")  # without leading zeros
_LOOK_EVERY = 1 << 20  # entries of a long line between two looks at the stop flag


def read(path: Path, threads: int, progress: Reporter | None) -> Rows:
    text = read_text(path, progress)
    head = read_head(text)
    counts = count(text, head.start, text.array.size, threads, progress)
    check_lines(path, head, int(counts[:, LINES].sum()))
    rows = read_rows(text, head, (head.start, text.array.size), counts, 0, threads, progress)
    check_count(path, head, rows[1].size)
    return Rows(*rows)


class Head(NamedTuple):
    """Where the lines begin, vertices, edges, numbers before the neighbours, and whether edges have weights."""

    start: int
    n: int
    edges: int
    skipped: int
    is_weighted: bool


def read_rows(
    text: Text,
    head: Head,
    span: tuple[int, int],
    counts: NDArray[np.int64],
    before: int,
    threads: int,
    progress: Reporter | None,
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any] | None]:
    """The rows of the lines that begin in the bytes of the span, with `counts` of them, after `before` lines."""
    n, skipped = head.n, head.skipped
    lines = before + first_slots(counts[:, LINES])
    # Only lines of vertices, not the empty ones at the end, have something before their neighbours.
    vertices = np.minimum(lines, n) - min(before, n)
    first = (first_slots(counts[:, NUMBERS]) - vertices * skipped) // (2 if head.is_weighted else 1)
    entries = max(int(first[-1]), 0)
    require_memory(8 * int(vertices[-1]) + (12 if head.is_weighted else 4) * entries, f"reading {text.path}")
    indptr = np.zeros(int(vertices[-1]) + 1, np.int64)
    indices = np.empty(entries, np.int32 if n <= INT32_VERTICES else np.int64)
    weights = run_parser(
        parse_rows, text, counts.shape[0], (*span, n, skipped, head.is_weighted, lines, first), (indptr, indices),
        entries if head.is_weighted else 0, _reasons(n, skipped), threads, progress,
    )  # fmt: skip
    return indptr, indices, weights if head.is_weighted else None


def check_lines(path: Path, head: Head, found: int) -> None:
    """ValueError when there are fewer lines than vertices."""
    if found < head.n:
        raise ValueError(
            f"{path} has lines for {found} vertices but {head.n} in its header; it is truncated, or the header wrong"
        )


def check_count(path: Path, head: Head, found: int) -> None:
    """ValueError when there are not two entries for each edge that the header says."""
    if found != 2 * head.edges:
        raise ValueError(
            f"{path} has {found} entries but {head.edges} edges in its header, which makes {2 * head.edges}; "
            "it is truncated, or the header wrong"
        )


def read_head(text: Text) -> Head:
    """What the header says."""
    for position, line in text.lines():
        words = line.split()
        if words and words[0].startswith(b"%"):
            continue
        if not 2 <= len(words) <= 4 or not all(word.isdigit() and len(word) <= 18 for word in words):
            break
        fmt = words[2].decode().lstrip("0") if len(words) > 2 else ""
        if fmt not in _FORMATS:
            raise text.error(position, f"fmt is {words[2].decode()!r}; it must be three digits 0 or 1, as in 011")
        sizes, vertex_weights, edge_weights = (digit == "1" for digit in fmt.zfill(3))
        constraints = int(words[3]) if len(words) > 3 else 1
        skipped = sizes + vertex_weights * constraints
        return Head(text.after(position), int(words[0]), int(words[1]), skipped, edge_weights)
    raise text.error(position, "the header must be the numbers of vertices and edges, and perhaps fmt and ncon")


def _reasons(n: int, skipped: int) -> dict[int, str]:
    return {
        _BAD_VERTEX: f"{{}} is not a vertex; neighbours are whole numbers from 1 to {n}",
        _TOO_SHORT: f"the line ends too early; {skipped} numbers stand before the neighbours, by the header",
        _NO_WEIGHT: "the last neighbour has no weight, but the header promises weights of edges",
        _EXTRA: f"{{}} stands after the lines of all {n} vertices",
    }


@compiled
def parse_rows(
    control, thread, text, start, end, n, skipped, weighted, lines, first, floats,  # IN: lines, entries before a piece
    indptr, indices, words, values, problems,  # OUT: words and values are the same memory
):  # fmt: skip
    piece = team.take(control, problems.shape[0])
    while piece >= 0:
        last = min(start + (piece + 1) * PIECE, end)
        i = first_line(text, start + piece * PIECE, last)
        row, slot, problem = lines[piece], first[piece], FINE
        while i < last and problem == FINE:
            i = skip_blanks(text, i)
            if is_comment(text, i):
                i = next_line(text, i)
                continue
            i, slot, problem = parse_row(
                control, text, i, n, skipped if row < n else 0, weighted, floats, row, slot, indices, words, values
            )
            row, i = row + 1, i + (problem == FINE)
            if row <= n:
                indptr[row - lines[0]] = slot
        problems[piece, 0], problems[piece, 1] = problem, i
        piece = team.take(control, problems.shape[0]) if problem != NOT_WHOLE else -1


@compiled
def parse_row(control, text, i, n, skipped, weighted, floats, row, slot, indices, words, values):
    """Parse the line of a vertex. Returns (its end, the slot after its own, FINE) or (a word, slot, what is wrong)."""
    for _ in range(skipped):
        if at_end(text, i):
            return i, slot, _TOO_SHORT
        end, kind, _, _ = number_at(text, i)
        if kind == BAD:
            return i, slot, BAD_WEIGHT
        i = skip_blanks(text, end)
    while not at_end(text, i) and (slot % _LOOK_EVERY != 0 or not team.stopped(control)):
        end, kind, whole, _ = number_at(text, i)
        if row >= n:
            return i, slot, _EXTRA
        if kind != INT or whole < 1 or whole > n:
            return i, slot, _BAD_VERTEX
        # A line too short, found further on, puts all after it at wrong slots, perhaps at none.
        if 0 <= slot < indices.shape[0]:
            indices[slot] = whole - 1
        i = skip_blanks(text, end)
        if weighted:
            if at_end(text, i):
                return i, slot, _NO_WEIGHT
            i, problem = parse_weight(text, i, floats, slot, words, values)
            if problem != FINE:
                return i, slot, problem
            i = skip_blanks(text, i)
        slot += 1
    return i, slot, FINE


def write(graph: Graph, path: Path) -> None:
    with text_output(path) as file:
        file.write(f"{graph.n_vertices} {graph.n_edges}{'' if graph.weights is None else ' 001'}\n".encode())
        for first, last in row_blocks(graph):
            part = slice(graph.indptr[first], graph.indptr[last])
            # How many lines end after each entry; before the first entry as well.
            ends = graph.indptr[first + 1 : last + 1] - graph.indptr[first]
            line_ends = np.bincount(ends, minlength=graph.indices[part].size + 1)
            file.write(b"\n" * int(line_ends[0]))
            neighbours: NDArray[np.int64] = graph.indices[part].astype(np.int64).reshape(-1, 1) + 1
            weights = None if graph.weights is None else graph.weights[part]
            write_numbers(file, neighbours, weights, line_ends=line_ends[1:])
