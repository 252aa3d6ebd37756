"""A graph in a file, read by all ranks, each a share of it.

Directories of troth and Vite binaries are mapped, and a rank touches its own rows only. Texts are cut in ranges of
bytes; a line belongs to the range that its first byte is in. The edges of a list, or entries of a matrix, go to the
owners of their ends; rows of a METIS file only move to where the even division wants them. What has no such reader, and
packed text, is read by rank 0 and spread. Every check of troth.read is made here too, on the rank that has the place.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import guard
from troth.graph.build import DUPLICATES, checked_edges
from troth.graph.csr import Graph
from troth.graph.dist.compact import compacted
from troth.graph.dist.entries import rows_of_edges
from troth.graph.dist.exchange import before, total
from troth.graph.dist.from_arrays import largest
from troth.graph.dist.part import even_ranges
from troth.graph.dist.rows import Rows, rows_of_root
from troth.graph.dist.symmetry import checked_rows
from troth.graph.formats import directory, edges, format_to_read, metis, mtx, read, vite
from troth.graph.formats.columns import parse_columns
from troth.graph.formats.files import Text, is_packed, read_text
from troth.graph.formats.text import LINES, count, row_place
from troth.memory import require_memory

Ends = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any] | None]


def rows_of_file(name: str, comm: Any, format: str | None, threads: int) -> Rows:
    """Rows, in some division, of the checked graph in a file. Collective."""
    path = Path(name)
    with guard(comm):
        form = format_to_read(path, format)
        reader = _READERS.get(form.name)
        if reader is None or (form.is_text and is_packed(path)):
            reader = _by_one
    try:
        rows = reader(path, comm, threads) if reader is not _by_one else _by_one(path, comm, threads, format)
    except ValueError as error:
        if os.fspath(path) not in str(error):
            numbering = " (vertices counted from 0 here, from 1 in the file)" if form.first_vertex else ""
            error.args = (f"{path}: {error}{numbering}",)
        raise
    return rows


def _by_one(path: Path, comm: Any, threads: int, format: str | None = None) -> Rows:
    graph: Graph | None = None
    with guard(comm):
        if comm.rank == 0:
            graph = read(path, format=format, threads=threads)
    return rows_of_root(comm, graph, 0)


def _slice(comm: Any, indptr: NDArray[Any], indices: NDArray[Any], weights: NDArray[Any] | None) -> Rows:
    """The own rows of mapped arrays, read."""
    starts = even_ranges(indptr.size - 1, comm.size)
    first, last = starts[comm.rank : comm.rank + 2].tolist()
    offsets = np.array(indptr[first : last + 1], np.int64)
    bounds = np.concatenate(([0], offsets, [indices.size]))
    falls = bounds[1:] < bounds[:-1]
    if falls.any() or (first == 0 and offsets[0] != 0) or (last == indptr.size - 1 and offsets[-1] != indices.size):
        row = first + max(int(np.argmax(falls)) - 1, 0)
        raise ValueError(f"the offsets of rows do not rise from 0 to {indices.size}, first at row {row}")
    low, high = int(offsets[0]), int(offsets[-1])
    entry_bytes = indices.itemsize + (0 if weights is None else weights.itemsize)
    require_memory(2 * (high - low) * entry_bytes, f"rows {first} to {last - 1}")
    values = None if weights is None else np.array(weights[low:high])
    return Rows(starts, offsets - low, np.array(indices[low:high]), values)


def _directory(path: Path, comm: Any, threads: int) -> Rows:
    with guard(comm):
        rows = _slice(comm, *directory.map_rows(path))
    return rows


def _vite(path: Path, comm: Any, threads: int) -> Rows:
    with guard(comm):
        rows = _slice(comm, *vite.map_rows(path))
    return checked_rows(comm, rows, threads)


def _range(comm: Any, text: Text, start: int) -> tuple[int, int]:
    """This rank's bytes of a text from `start` on."""
    cuts = even_ranges(text.array.size - start, comm.size)[comm.rank : comm.rank + 2] + start
    return int(cuts[0]), int(cuts[1])


def _mtx(path: Path, comm: Any, threads: int) -> Rows:
    with guard(comm):
        text = read_text(path, None)
        head = mtx.read_head(text)
        first, end = _range(comm, text, head.start)
        u, v, weights = mtx.read_entries(text, head, first, end, threads, None)
    found = total(comm, u.size)[0]
    with guard(comm):
        mtx.check_count(path, head, found)
        _check_loops(text, first, u, v)
        given, _ = checked_edges(u, v, weights, head.n, "drop")
    given = given._replace(weights=_one_kind(comm, weights))
    del u, v, weights
    symmetric = head.is_symmetric
    rows = rows_of_edges(comm, given, head.n, DUPLICATES["error"], both=symmetric, threads=threads, what=str(path))
    return rows if symmetric else checked_rows(comm, rows, threads)


def _edges(path: Path, comm: Any, threads: int) -> Rows:
    with guard(comm):
        text = read_text(path, None)
        head = edges.read_head(text)
        first, end = _range(comm, text, head.start)
        u, v, weights = parse_columns(text, first, end, head.columns, threads, None)
    found = total(comm, u.size)[0]
    with guard(comm):
        edges.check_count(path, head, found)
        _check_loops(text, first, u, v)
    n = head.n
    if n is None:
        u, v, n = compacted(comm, u, v, always=head.edges is not None)
    with guard(comm):
        given, _ = checked_edges(u, v, weights, n, "drop")
    given = given._replace(weights=_one_kind(comm, weights))
    del u, v, weights
    return rows_of_edges(comm, given, n, DUPLICATES["same"], threads=threads, what=str(path))


def _metis(path: Path, comm: Any, threads: int) -> Rows:
    with guard(comm):
        text = read_text(path, None)
        head = metis.read_head(text)
        span = _range(comm, text, head.start)
        counts = count(text, *span, threads, None)
    lines = int(counts[:, LINES].sum())
    earlier, found = before(comm, lines), total(comm, lines)[0]
    with guard(comm):
        metis.check_lines(path, head, found)
        indptr, indices, weights = metis.read_rows(text, head, span, counts, earlier, threads, None)
    found = total(comm, indices.size)[0]
    with guard(comm):
        metis.check_count(path, head, found)
    starts = np.append(np.minimum(comm.allgather(earlier), head.n), head.n).astype(np.int64)
    return checked_rows(comm, Rows(starts, indptr, indices, _one_kind(comm, weights)), threads)


_READERS: dict[str, Callable[[Path, Any, int], Rows]] = {
    "troth": _directory,
    "vite": _vite,
    "vite32": _vite,
    "mtx": _mtx,
    "edges": _edges,
    "metis": _metis,
}


def _check_loops(text: Text, start: int, u: NDArray[Any], v: NDArray[Any]) -> None:
    loops = u == v
    if loops.any():
        place = row_place(text, start, int(np.argmax(loops)))
        raise ValueError(f"{text.path}: {place} is an edge from a vertex to itself; call troth.drop_loops")


def _one_kind(comm: Any, weights: NDArray[Any] | None) -> NDArray[Any] | None:
    """Weights that are floating point where any rank's are, as if one had read them all. Collective."""
    if weights is None:
        return None
    floats = largest(comm, int(weights.dtype.kind == "f"))
    return weights.astype(np.float64, copy=False) if floats else weights
