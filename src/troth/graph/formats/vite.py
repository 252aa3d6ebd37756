"""The binary graphs of Vite, mel and sumac (.bin): vertices, entries, offsets, and records of neighbour and weight.

With 64 bits all integers are int64 and weights float64, with 32 bits int32 and float32. No size of a file suits both. A
pattern is written with weights 1.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.formats.contents import Rows
from troth.graph.formats.files import Binary, check_plain, read_binary
from troth.graph.formats.output import check_weights, write_array, write_records
from troth.progress import Reporter

_WIDE = np.dtype([("tail", "<i8"), ("weight", "<f8")])
_NARROW = np.dtype([("tail", "<i4"), ("weight", "<f4")])


def read(path: Path, threads: int, progress: Reporter | None) -> Rows:
    with read_binary(path, progress) as file:
        n, entries, integer, record = _header(path, file)
        offsets = file.array(integer, n + 1)
        return Rows(offsets, *file.records(record, entries, n))


def map_rows(path: Path) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The offsets, neighbours and weights as they stand in the file, mapped and not read."""
    check_plain(path)
    with open(path, "rb") as file:
        n, entries, integer, record = _header(path, Binary(path, file, None))
    place = 2 * np.dtype(integer).itemsize
    offsets = np.memmap(path, integer, "r", place, (n + 1,))
    if entries == 0:  # no system maps nothing
        return offsets, np.empty(0, integer), np.empty(0, record["weight"])
    records = np.memmap(path, record, "r", place + offsets.nbytes, (entries,))
    return offsets, records["tail"], records["weight"]


def _header(path: Path, file: Binary) -> tuple[int, int, str, np.dtype[np.void]]:
    """Vertices, entries, and the types of offsets and of records; the file is left at the offsets."""
    integer, record = "<i4", _NARROW
    n, entries = file.header(integer, 2)
    if file.size != _size(n, entries, record):
        integer, record = "<i8", _WIDE
        file.rewind()
        n, entries = file.header(integer, 2)
    if n < 0 or entries < 0:
        raise ValueError(f"{path} is not a Vite graph: its header says {n} vertices, {entries} entries")
    file.check_size(_size(n, entries, record), f"its header says {n} vertices, {entries} entries, if of 64 bits")
    return n, entries, integer, record


def _size(n: int, entries: int, record: np.dtype[np.void]) -> int:
    return record.itemsize // 2 * (n + 3) + record.itemsize * entries


def write(graph: Graph, path: Path) -> None:
    check_weights(graph, "float64", "the format vite")
    _write(graph, path, "<i8", _WIDE)


def write32(graph: Graph, path: Path) -> None:
    if max(graph.n_vertices, graph.indices.size) > INT32_VERTICES:
        raise ValueError(f"the format vite32 counts to {INT32_VERTICES}, too few for this graph; write format='vite'")
    check_weights(graph, "float32", "the format vite32")
    _write(graph, path, "<i4", _NARROW)


def _write(graph: Graph, path: Path, integer: str, record: np.dtype[np.void]) -> None:
    with open(path, "wb") as file:
        file.write(np.array([graph.n_vertices, graph.indices.size], integer).tobytes())
        write_array(file, graph.indptr, integer)
        write_records(file, graph, record)
