"""The binary graphs of Vite, mel and sumac (.bin): vertices, entries, offsets, and records of neighbour and weight.

With 64 bits all integers are int64 and weights float64, with 32 bits int32 and float32. No size of a file suits both. A
pattern is written with weights 1.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.formats.contents import Rows
from troth.graph.formats.files import read_binary
from troth.graph.formats.output import check_weights, write_array, write_records
from troth.progress import Reporter

_WIDE = np.dtype([("tail", "<i8"), ("weight", "<f8")])
_NARROW = np.dtype([("tail", "<i4"), ("weight", "<f4")])


def read(path: Path, threads: int, progress: Reporter | None) -> Rows:
    with read_binary(path, progress) as file:
        integer, record = "<i4", _NARROW
        n, entries = file.header(integer, 2)
        if file.size != _size(n, entries, record):
            integer, record = "<i8", _WIDE
            file.rewind()
            n, entries = file.header(integer, 2)
        if n < 0 or entries < 0:
            raise ValueError(f"{path} is not a Vite graph: its header says {n} vertices, {entries} entries")
        file.check_size(_size(n, entries, record), f"its header says {n} vertices, {entries} entries, if of 64 bits")
        offsets = file.array(integer, n + 1)
        return Rows(offsets, *file.records(record, entries, n))


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
