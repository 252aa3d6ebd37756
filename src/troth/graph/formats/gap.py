"""Serialized graphs of the GAP benchmark suite: .sg without weights, .wsg with weights of 32-bit integers.

One byte "directed", then int64 entries, int64 vertices, int64 offsets (vertices + 1), and int32 neighbours, in .wsg
pairs of int32 neighbour and int32 weight. A directed graph has the same for in-neighbours after that, which is read
over. Whether there are weights shows in the size of the file.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.formats.contents import Rows
from troth.graph.formats.files import read_binary
from troth.graph.formats.output import check_weights, write_array, write_records
from troth.progress import Reporter

_PAIR = np.dtype([("neighbour", "<i4"), ("weight", "<i4")])
_HEADER = 17


def read(path: Path, threads: int, progress: Reporter | None) -> Rows:
    with read_binary(path, progress) as file:
        (directed,) = file.header("u1", 1)
        entries, n = file.header("<i8", 2)
        if directed > 1 or not 0 <= n <= INT32_VERTICES or entries < 0:
            raise ValueError(
                f"{path} is not a serialized GAP graph: its header has {entries} entries, {n} vertices, flag {directed}"
            )
        sides = 2 if directed else 1
        sizes = {size: _HEADER + sides * (8 * (n + 1) + size * entries) for size in (4, 8)}
        weighted = file.size == sizes[8] and (entries > 0 or path.suffix.lower() == ".wsg")
        said = f"its header says {entries} entries, {n} vertices{', directed' if directed else ''}"
        file.check_size(sizes[8] if weighted or path.suffix.lower() == ".wsg" else sizes[4], said)
        offsets = file.array("<i8", n + 1)
        if not weighted:
            return Rows(offsets, file.array("<i4", entries))
        return Rows(offsets, *file.records(_PAIR, entries, n))


def write(graph: Graph, path: Path) -> None:
    if graph.n_vertices > INT32_VERTICES:
        raise ValueError(f"serialized GAP graphs have at most {INT32_VERTICES} vertices, not {graph.n_vertices}")
    weighted = path.suffix.lower() == ".wsg" or graph.weights is not None
    if weighted and path.suffix.lower() == ".sg":
        raise ValueError("a serialized GAP graph .sg holds no weights; write .wsg, or the graph without weights")
    check_weights(graph, "int32", "a serialized GAP graph")
    with open(path, "wb") as file:
        file.write(b"\0" + np.array([graph.indices.size, graph.n_vertices], "<i8").tobytes())
        write_array(file, graph.indptr, "<i8")
        if weighted:
            write_records(file, graph, _PAIR)
        else:
            write_array(file, graph.indices, "<i4")
