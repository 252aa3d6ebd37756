"""Part: what one rank holds of a graph that is spread over ranks. Plain arrays, no MPI.

Rank r owns the vertices starts[r] ... starts[r + 1] - 1 and all their edges. Local ids number the own vertices from 0 in
order, then the ghosts, the vertices of other ranks that an own vertex has an edge to, in order of their global ids. As
owners are consecutive ranges, the ghosts of one rank are consecutive too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph


@dataclass(frozen=True, eq=False)
class Part:
    """One rank's share of a graph.

    Attributes:
        rank: whose share this is.
        starts: int64, the first vertex of each rank, and the number of all vertices at the end.
        indptr: int64 offsets of the own vertices' rows.
        indices: int32 local ids of neighbours, ascending in each row (own vertices before ghosts).
        weights: one for each entry, or None for a pattern.
        ghosts: int64 global ids, ascending.
    """

    rank: int
    starts: NDArray[np.int64]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: NDArray[Any] | None
    ghosts: NDArray[np.int64]

    @property
    def first(self) -> int:
        """The first own vertex."""
        return int(self.starts[self.rank])

    @property
    def n_own(self) -> int:
        return int(self.starts[self.rank + 1]) - self.first

    @property
    def n_global(self) -> int:
        return int(self.starts[-1])

    @cached_property
    def names(self) -> NDArray[np.int64]:
        """The global id of each local id."""
        return np.concatenate((np.arange(self.first, self.first + self.n_own), self.ghosts))

    @cached_property
    def _owners(self) -> NDArray[np.int64]:
        # Empty ranks share a start; the last of the equal ones is the owner.
        return np.searchsorted(self.starts, self.ghosts, side="right") - 1

    @cached_property
    def neighbours(self) -> NDArray[np.int64]:
        """The ranks that own a ghost, ascending: this rank's neighbours in the process graph."""
        return np.unique(self._owners)

    @cached_property
    def ghost_starts(self) -> NDArray[np.int64]:
        """Where the ghosts of each neighbour begin, and the number of all ghosts at the end."""
        return np.append(np.searchsorted(self._owners, self.neighbours), self.ghosts.size)

    @cached_property
    def neighbour_of(self) -> NDArray[np.int32]:
        """For each ghost the number of its owner in `neighbours`."""
        return np.searchsorted(self.neighbours, self._owners).astype(np.int32)

    @cached_property
    def ghost_rows(self) -> NDArray[np.int64]:
        """The local id of each ghost on its owner."""
        return self.ghosts - self.starts[self._owners]

    @cached_property
    def cross_edges(self) -> NDArray[np.int64]:
        """The edges to each neighbour's vertices."""
        across = self.indices[self.indices >= self.n_own] - self.n_own
        return np.bincount(self.neighbour_of[across], minlength=self.neighbours.size).astype(np.int64)


def even_ranges(n_vertices: int, n_ranks: int) -> NDArray[np.int64]:
    """Ranges of as equal numbers of vertices as can be."""
    return np.arange(n_ranks + 1, dtype=np.int64) * n_vertices // n_ranks


def edge_ranges(indptr: NDArray[np.int64], n_ranks: int) -> NDArray[np.int64]:
    """Ranges of about equal numbers of stored entries."""
    targets = np.arange(1, n_ranks, dtype=np.int64) * int(indptr[-1]) // n_ranks
    inner = np.searchsorted(indptr, targets, side="left")
    return np.concatenate(([0], inner, [indptr.size - 1])).astype(np.int64)


def make_part(
    rank: int,
    starts: NDArray[np.int64],
    indptr: NDArray[np.int64],
    neighbours: NDArray[Any],
    weights: NDArray[Any] | None,
    *,
    threads: int = 1,
) -> Part:
    """The share of a rank from its rows with global neighbour ids, canonical but for its ghosts."""
    from troth.graph.dist.localize import localize

    indptr = indptr.astype(np.int64, copy=False) - indptr[0]
    local, ordered, ghosts = localize(rank, starts, indptr, neighbours, weights, threads)
    return Part(rank, starts, indptr, local, ordered, ghosts)


def split(graph: Graph, starts: NDArray[np.int64]) -> Iterator[Part]:
    """The shares of all ranks, one after the other."""
    for rank in range(starts.size - 1):
        low, high = graph.indptr[starts[rank]], graph.indptr[starts[rank + 1]]
        rows = graph.indptr[starts[rank] : starts[rank + 1] + 1]
        weights = None if graph.weights is None else graph.weights[low:high]
        yield make_part(rank, starts, rows, graph.indices[low:high], weights)
