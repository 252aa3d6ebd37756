"""Writing graph files block by block: an interrupt need not wait, and no second copy of the graph is made."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph

_BLOCK = 1 << 18  # entries


@contextmanager
def text_output(path: Path) -> Iterator[IO[bytes]]:
    """A new text file, packed as the suffix says."""
    with open(path, "wb") as file:
        suffix = path.suffix.lower()
        if suffix == ".gz":
            # Without name and time: the same graph gives the same bytes.
            with gzip.GzipFile("", "wb", 6, file, 0) as packed:
                yield cast("IO[bytes]", packed)
        elif suffix == ".bz2":
            with bz2.BZ2File(file, "wb") as packed:
                yield cast("IO[bytes]", packed)
        else:
            yield file


def row_blocks(graph: Graph) -> Iterator[tuple[int, int]]:
    """All rows in order, as ranges of about 2**18 entries."""
    first = 0
    while first < graph.n_vertices:
        last = int(np.searchsorted(graph.indptr, graph.indptr[first] + _BLOCK, side="right")) - 1
        last = min(max(last, first + 1), first + _BLOCK, graph.n_vertices)
        yield first, last
        first = last


def edge_blocks(graph: Graph) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]]:
    """All edges in row order, each once with u < v, as u, v and weights (None for a pattern)."""
    for first, last in row_blocks(graph):
        part = slice(graph.indptr[first], graph.indptr[last])
        u = np.repeat(np.arange(first, last, dtype=graph.indices.dtype), np.diff(graph.indptr[first : last + 1]))
        v = graph.indices[part]
        once = u < v
        yield u[once], v[once], None if graph.weights is None else graph.weights[part][once]


def write_array(file: IO[bytes], array: NDArray[Any], dtype: str) -> None:
    """The numbers as bytes of this type, which holds them all."""
    for first in range(0, array.size, _BLOCK):
        file.write(array[first : first + _BLOCK].astype(dtype).tobytes())


def write_records(file: IO[bytes], graph: Graph, dtype: np.dtype[Any]) -> None:
    """All entries as records of neighbour and weight; the weights of a pattern are 1."""
    neighbour, weight = dtype.names or ("", "")
    for first in range(0, graph.indices.size, _BLOCK):
        part = slice(first, first + _BLOCK)
        records = np.ones(graph.indices[part].size, dtype)
        records[neighbour] = graph.indices[part]
        if graph.weights is not None:
            records[weight] = graph.weights[part]
        file.write(records.tobytes())


def check_weights(graph: Graph, dtype: str, form: str) -> None:
    """ValueError unless all weights of the graph, if it has any, can be told as numbers of this type."""
    weights = graph.weights
    if weights is None or weights.dtype == dtype:
        return
    for first in range(0, weights.size, _BLOCK):
        part = weights[first : first + _BLOCK]
        with np.errstate(all="ignore"):
            lost = part.astype(dtype).astype(weights.dtype) != part
        if lost.any():
            value = part[int(np.argmax(lost))]
            raise ValueError(
                f"{form} holds weights as {dtype}, which cannot be {value}; convert them, or use another format"
            )
