"""What a graph file holds, before it is a Graph: rows of a matrix, entries of a matrix, or a list of edges.

The three differ in what an entry (u, v) means. In a matrix an edge is the two entries (u, v) and (v, u), and one
without the other is a fault. In a list either is the edge, and repeats of it are one edge if their weights are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from troth.graph.convert import raw
from troth.graph.csr import Graph
from troth.progress import Reporter

if TYPE_CHECKING:
    import scipy.sparse as sp

_BYTES_A_VERTEX, _SPARE_VERTICES = 64, 1 << 24
_SPARSE, _SPARE_IDS = 4, 1000


class Contents(Protocol):
    """What every reader returns."""

    @property
    def weights(self) -> NDArray[Any] | None:
        """One for each entry or edge, or None for a pattern."""

    @property
    def labels(self) -> Sequence[Any] | None:
        """One for each vertex, or None."""

    def to_graph(self, threads: int | None, progress: Reporter | None) -> Graph:
        """The graph, checked; ValueError names the first fault and the cure."""

    def to_scipy(self) -> sp.coo_array | sp.csr_array:
        """The matrix as it stands in the file."""


@dataclass(frozen=True)
class Rows:
    """Rows of a matrix in CSR; `checked` where only a Graph can have been written so."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    weights: NDArray[Any] | None = None
    labels: Sequence[Any] | None = None
    checked: bool = False

    def to_graph(self, threads: int | None, progress: Reporter | None) -> Graph:
        if self.checked:
            return Graph(self.indptr, self.indices, self.weights, self.labels)
        return Graph.from_csr(
            self.indptr, self.indices, self.weights, labels=self.labels, threads=threads, progress=progress
        )

    def to_scipy(self) -> sp.csr_array:
        return raw.csr_of(raw.Rows(self.indptr, self.indices, self.weights))


@dataclass(frozen=True)
class Entries:
    """Entries of a square matrix in any order."""

    rows: NDArray[Any]
    columns: NDArray[Any]
    weights: NDArray[Any] | None
    n_vertices: int
    labels: None = None

    def to_graph(self, threads: int | None, progress: Reporter | None) -> Graph:
        rows = raw.rows_of_entries(self.rows, self.columns, self.weights, self.n_vertices)
        return Graph.from_csr(rows.indptr, rows.indices, rows.weights, threads=threads, progress=progress)

    def to_scipy(self) -> sp.coo_array:
        return _coo(self.rows, self.columns, self.weights, self.n_vertices)


@dataclass(frozen=True)
class Edges:
    """A list of edges, each in one direction or both.

    Attributes:
        duplicates: as for from_edges.
        place: tells where in the file edge number k is, such as "line 12".
    """

    u: NDArray[Any]
    v: NDArray[Any]
    weights: NDArray[Any] | None
    n_vertices: int
    labels: Sequence[Any] | None = None
    duplicates: str = "same"
    place: Callable[[int], str] = "edge number {}".format

    def to_graph(self, threads: int | None, progress: Reporter | None) -> Graph:
        from troth.graph.build import from_edges

        loops = self.u == self.v
        if loops.any():
            k = int(np.argmax(loops))
            raise ValueError(f"{self.place(k)} is an edge from a vertex to itself; call troth.drop_loops")
        del loops
        return from_edges(
            self.u, self.v, self.weights, n_vertices=self.n_vertices, duplicates=self.duplicates, labels=self.labels,
            threads=threads, progress=progress,
        )  # fmt: skip

    def to_scipy(self) -> sp.coo_array:
        return _coo(self.u, self.v, self.weights, self.n_vertices)


def compact(
    u: NDArray[np.int64], v: NDArray[np.int64], always: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64], int, Sequence[int] | None]:
    """Renumber ids with large gaps, in ascending order. Returns u, v, the number of vertices and their ids.

    Ids stay as they are, and the last result is None, when the largest is at most 4 times the number of different ids,
    plus 1000, unless `always`.
    """
    largest = int(max(u.max(), v.max())) if u.size else -1
    if not has_gaps(largest, 2 * u.size):
        seen = np.zeros(largest + 1, np.bool_)
        seen[u] = True
        seen[v] = True
        if not always and not has_gaps(largest, int(np.count_nonzero(seen))):
            return u, v, largest + 1, None
        ids = np.flatnonzero(seen)
    else:
        ids = np.union1d(u, v)
    return np.searchsorted(ids, u), np.searchsorted(ids, v), ids.size, cast("Sequence[int]", ids)


def has_gaps(largest: int, different: int) -> bool:
    """Whether so many ids are few for their largest."""
    return largest > _SPARSE * different + _SPARE_IDS


def check_vertices(path: Path, n: int, file_bytes: int) -> None:
    """ValueError for a number of vertices without edges that no file of this size can seriously mean."""
    if n > _BYTES_A_VERTEX * file_bytes + _SPARE_VERTICES:
        raise ValueError(f"{path}: {n} vertices are too many for a file of {file_bytes} bytes")


def _coo(u: NDArray[Any], v: NDArray[Any], weights: NDArray[Any] | None, n: int) -> sp.coo_array:
    import scipy.sparse as sp

    data = np.ones(u.size, np.int32) if weights is None else weights  # int32, since repeats may be summed
    return sp.coo_array((data, (u, v)), shape=(n, n))
