"""Matrix Market coordinate files (.mtx): symmetric or general, real, integer or pattern.

Parsed by the package's own tokenizer, not by SciPy's mmread: that one takes "3x5" for 3, reads over further words of a
line, allocates whatever the header says, and cannot be interrupted. The tests hold the two against each other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph
from troth.graph.formats.columns import parse_columns
from troth.graph.formats.contents import Contents, Edges, Entries, check_vertices
from troth.graph.formats.digits import write_numbers
from troth.graph.formats.files import Text, read_text
from troth.graph.formats.output import edge_blocks, text_output
from troth.graph.formats.text import row_place
from troth.progress import Reporter

_FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern")


def read(path: Path, threads: int, progress: Reporter | None) -> Contents:
    text = read_text(path, progress)
    head = read_head(text)
    rows, cols, weights = read_entries(text, head, head.start, text.array.size, threads, progress)
    check_count(path, head, rows.size)
    if head.is_symmetric:
        return Edges(rows, cols, weights, head.n, duplicates="error", place=lambda k: row_place(text, head.start, k))
    return Entries(rows, cols, weights, head.n)


class Head(NamedTuple):
    """What stands before the entries, and where these begin."""

    start: int
    n: int
    entries: int
    field: str
    is_symmetric: bool


def read_head(text: Text) -> Head:
    """The banner and the sizes."""
    field, symmetric = _banner(text)
    start, n, entries = _sizes(text)
    return Head(start, n, entries, field, symmetric)


def read_entries(
    text: Text, head: Head, start: int, end: int, threads: int, progress: Reporter | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any] | None]:
    """The entries of the lines that begin in text[start:end], counted from 0."""
    columns = 2 if head.field == "pattern" else 3
    rows, cols, weights = parse_columns(text, start, end, columns, threads, progress)
    for ends in (rows, cols):
        _check_ids(text, start, ends, head.n)
        ends -= 1
    if weights is not None and head.field in ("real", "double"):
        weights = weights.astype(np.float64, copy=False)
    return rows, cols, weights


def check_count(path: Path, head: Head, found: int) -> None:
    """ValueError when there are not as many entries as the header says."""
    if found != head.entries:
        raise ValueError(
            f"{path} has {found} entries but {head.entries} in its header; it is truncated, or the header wrong"
        )


def _banner(text: Text) -> tuple[str, bool]:
    """The field, and whether the matrix is symmetric."""
    words = next(text.lines())[1].decode("ascii", "replace").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise text.error(
            0, "a Matrix Market file begins with %%MatrixMarket matrix coordinate real symmetric, or the like"
        )
    layout, field, symmetry = words[2:]
    if layout != "coordinate":
        raise text.error(0, f"the layout is {layout!r}; only coordinate is read, the one of sparse matrices")
    if field not in _FIELDS:
        raise text.error(0, f"the field is {field!r}; weights are real, integer or pattern")
    if symmetry not in ("symmetric", "general"):
        raise text.error(
            0, f"the symmetry is {symmetry!r}; a graph is symmetric, or general with equal values both ways"
        )
    return field, symmetry == "symmetric"


def _sizes(text: Text) -> tuple[int, int, int]:
    """Where the entries begin, the number of vertices, and the number of entries."""
    for position, line in text.lines():
        words = line.split()
        if not words or words[0].startswith(b"%"):
            continue
        if len(words) != 3 or not all(word.isdigit() and len(word) <= 18 for word in words):
            break
        n, columns, entries = (int(word) for word in words)
        if n != columns:
            raise text.error(position, f"the matrix is {n} x {columns}; a graph needs as many columns as rows")
        check_vertices(text.path, n, text.array.size)
        return text.after(position), n, entries
    raise text.error(position, "the first line after the comments must be the numbers of rows, columns and entries")


def _check_ids(text: Text, start: int, ids: NDArray[np.int64], n: int) -> None:
    if ids.size and (ids.min() < 1 or ids.max() > n):
        k = int(np.argmax((ids < 1) | (ids > n)))
        raise ValueError(
            f"{text.path}, {row_place(text, start, k)}: {ids[k]} is outside the matrix, which has 1 to {n}"
        )


def write(graph: Graph, path: Path) -> None:
    kind = "pattern" if graph.weights is None else "real" if graph.weights.dtype.kind == "f" else "integer"
    with text_output(path) as file:
        file.write(f"%%MatrixMarket matrix coordinate {kind} symmetric\n".encode())
        file.write(f"{graph.n_vertices} {graph.n_vertices} {graph.n_edges}\n".encode())
        for u, v, weights in edge_blocks(graph):
            # The format stores what is below the diagonal.
            write_numbers(file, np.column_stack((v, u)).astype(np.int64) + 1, weights)
