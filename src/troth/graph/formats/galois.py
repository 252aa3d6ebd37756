"""Galois binary graphs (.gr), versions 1 and 2.

Four uint64: version, bytes of an edge's data, vertices, entries. Then uint64 offsets of the rows' ends, neighbours of 4
bytes in version 1 (padded to a multiple of 8 bytes) and 8 bytes in version 2, and the data of the entries.
Data of no bytes is a pattern, of 4 or 8 bytes a signed integer or a float: the file does not say which. The format
"galois" takes integers, and refuses data of which every number would also make a sensible float; "galois-int" and
"galois-float" take what their names say.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.formats.contents import Rows
from troth.graph.formats.files import read_binary
from troth.graph.formats.output import write_array
from troth.progress import Reporter

_HEADER = 32
_SENSIBLE = 64  # floats between 2**-64 and 2**64, and zeros beside them, are what weights look like


def read(path: Path, threads: int, progress: Reporter | None) -> Rows:
    rows = _read(path, progress, "i")
    if rows.weights is not None and _may_be_floats(rows.weights):
        raise ValueError(
            f"{path} may hold integers or floats as weights; say which by format='galois-int' or 'galois-float'"
        )
    return rows


def read_integers(path: Path, threads: int, progress: Reporter | None) -> Rows:
    return _read(path, progress, "i")


def read_floats(path: Path, threads: int, progress: Reporter | None) -> Rows:
    return _read(path, progress, "f")


def _read(path: Path, progress: Reporter | None, kind: str) -> Rows:
    with read_binary(path, progress) as file:
        version, data, n, entries = file.header("<u8", 4)
        if version not in (1, 2) or data not in (0, 4, 8):
            raise ValueError(
                f"{path} is not a Galois graph: version {version} with {data} bytes an edge; "
                "read are versions 1 and 2 with 0, 4 or 8 bytes (.gr is also the suffix of DIMACS text files)"
            )
        width = 4 * version
        padding = -width * entries % 8
        expected = _HEADER + 8 * n + width * entries + padding + data * entries
        file.check_size(expected, f"its header says {n} vertices, {entries} entries, {data} bytes of data each")
        offsets = np.zeros(n + 1, np.int64)
        offsets[1:] = file.array("<i8", n)
        indices = file.array(f"<u{width}", entries)
        file.array("u1", padding)
        weights = file.array(f"<{kind}{data}", entries) if data else None
        # Beyond 2**31 an int32 would be negative: such ids are out of range unless there are as many vertices.
        return Rows(offsets, indices.view("<i4") if width == 4 and n <= INT32_VERTICES else indices, weights)


def _may_be_floats(weights: NDArray[Any]) -> bool:
    """Whether all these integers are, bit by bit, sensible floats too. Zero is both, and says nothing."""
    size = np.abs(weights.view(f"<f{weights.itemsize}"))
    zeros = weights == 0
    return not zeros.all() and bool((zeros | ((size >= 2.0**-_SENSIBLE) & (size <= 2.0**_SENSIBLE))).all())


def write(graph: Graph, path: Path) -> None:
    if graph.weights is not None and graph.weights.dtype.kind == "f":
        raise ValueError("the format galois has integer weights, and these are floats; write format='galois-float'")
    _write(graph, path)


def write_floats(graph: Graph, path: Path) -> None:
    if graph.weights is not None and graph.weights.dtype.kind != "f":
        raise ValueError("the format galois-float has floats as weights, and these are integers; write format='galois'")
    _write(graph, path)


def _write(graph: Graph, path: Path) -> None:
    data = 0 if graph.weights is None else graph.weights.itemsize
    version = 1 if graph.n_vertices <= INT32_VERTICES else 2
    with open(path, "wb") as file:
        file.write(np.array([version, data, graph.n_vertices, graph.indices.size], "<u8").tobytes())
        write_array(file, graph.indptr[1:], "<u8")
        # No padding: every edge is there twice, so the number of entries is even.
        write_array(file, graph.indices, f"<u{4 * version}")
        if graph.weights is not None:
            write_array(file, graph.weights, graph.weights.dtype.newbyteorder("<").str)
