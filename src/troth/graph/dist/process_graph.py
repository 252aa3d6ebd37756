"""The process graph: who has to talk to whom, and how much, as in tables III to VI of paper [1].

Every rank is a vertex, and joined with the ranks that own a ghost of its. E' of a rank is its edges with those that lead
to ghosts: each edge within the rank counts once, each edge across on both its ranks. Needs no MPI: the figures of any
number of ranks come from the graph alone.

[1] Ghosh, Halappanavar, Kalyanaraman, Khan, Gebremedhin. Exploring MPI Communication Models for Graph Applications
Using Graph Matching as a Case Study. IPDPS 2019.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph
from troth.graph.dist.part import Part, edge_ranges, even_ranges
from troth.graph.dist.rows import check_balance

_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class ProcessGraph:
    """Figures of each rank.

    Attributes:
        degrees: its neighbours in the process graph.
        within: its edges between own vertices.
        across: its edges to ghosts.
    """

    degrees: NDArray[np.int64]
    within: NDArray[np.int64]
    across: NDArray[np.int64]

    @property
    def n_ranks(self) -> int:
        return int(self.degrees.size)

    @property
    def n_edges(self) -> int:
        """|Ep|: pairs of ranks that talk to each other."""
        return int(self.degrees.sum()) // 2

    @property
    def augmented(self) -> NDArray[np.int64]:
        """|E'| of each rank."""
        return self.within + self.across

    def figures(self) -> dict[str, Any]:
        """The figures of the tables; sigma is the standard deviation over ranks."""
        return {
            "ranks": self.n_ranks,
            "edges": self.n_edges,
            "degree": _spread(self.degrees),
            "augmented_edges": {"total": int(self.augmented.sum()), **_spread(self.augmented)},
            "cross_edges": int(self.across.sum()) // 2,
        }


def _spread(values: NDArray[np.int64]) -> dict[str, Any]:
    return {"max": int(values.max()), "mean": float(values.mean()), "sigma": float(values.std())}


def process_graph(
    graph: Graph | Iterable[Part], n_ranks: int | None = None, *, balance: str = "vertices"
) -> ProcessGraph:
    """The process graph of a graph over so many ranks, or of parts.

    Args:
        graph: a Graph, or the parts of all ranks in order, for which n_ranks and balance are not asked.
        balance: ranges of about equal numbers of "vertices" or of "edges".
    """
    if not isinstance(graph, Graph):
        return _of_rows([_of_part(part) for part in graph])
    check_balance(balance)
    if isinstance(n_ranks, bool) or not isinstance(n_ranks, int | np.integer) or n_ranks < 1:
        raise ValueError(f"n_ranks is {n_ranks!r}; give a whole number of at least 1")
    even = balance == "vertices"
    starts = even_ranges(graph.n_vertices, int(n_ranks)) if even else edge_ranges(graph.indptr, int(n_ranks))
    return _of_rows([_of_range(graph, starts, rank) for rank in range(int(n_ranks))])


def _of_rows(rows: list[tuple[int, int, int]]) -> ProcessGraph:
    if not rows:
        raise ValueError("there are no parts; give those of all ranks")
    degrees, within, across = np.array(rows, np.int64).T
    return ProcessGraph(degrees, within, across)


def _of_part(part: Part) -> tuple[int, int, int]:
    across = int(part.cross_edges.sum())
    return part.neighbours.size, (part.indices.size - across) // 2, across


def _of_range(graph: Graph, starts: NDArray[np.int64], rank: int) -> tuple[int, int, int]:
    """Neighbours, edges within and edges across of one rank."""
    low, high = (int(graph.indptr[starts[rank + side]]) for side in (0, 1))
    entries = np.zeros(starts.size - 1, np.int64)
    for first in range(low, high, _BLOCK):
        owners = np.searchsorted(starts, graph.indices[first : min(first + _BLOCK, high)], side="right") - 1
        entries += np.bincount(owners, minlength=entries.size)
    within = int(entries[rank])
    entries[rank] = 0
    return int(np.count_nonzero(entries)), within // 2, high - low - within
