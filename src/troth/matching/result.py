"""Matching: who is matched with whom, and what a user does with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.canonical import find_entry
from troth.graph.convert import as_graph
from troth.graph.csr import Graph
from troth.kernels import team
from troth.kernels.jit import compiled

_CHUNK = 1 << 12


@dataclass(frozen=True)
class Stats:
    """How a matching was computed: the back-end, its threads, the tie rule, and seconds by stage."""

    backend: str
    threads: int
    tie_break: str
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Matching:
    """A matching of a graph.

    Attributes:
        mate: for each vertex the vertex it is matched with, -1 if none. Vertices are positions; the graph's labels name
        them.
        algorithm: the name of the algorithm.
        stats: how it was computed.
        graph: the graph it belongs to.
    """

    mate: NDArray[Any]
    algorithm: str
    stats: Stats
    graph: Graph = field(repr=False)

    @cached_property
    def cardinality(self) -> int:
        """The number of matched edges."""
        return int(np.count_nonzero(self.mate >= 0)) // 2

    @cached_property
    def weight(self) -> float | int:
        """The sum of the matched edges' weights: exact for integers, in one fixed order (repeatable) for floats."""
        weights = self.graph.weights
        if weights is None:
            return self.cardinality
        matched = weights[self.edge_ids]
        if weights.dtype.kind == "f":
            return float(matched.sum(dtype=np.float64))
        matched = matched.astype(np.int64, copy=False)
        # The halves' sums fit int64 below 2**31 edges; Python's integers, which have no end, join them.
        high, low = matched >> 32, matched & 0xFFFFFFFF
        return (int(high.sum(dtype=np.int64)) << 32) + int(low.sum(dtype=np.int64))

    @cached_property
    def edge_ids(self) -> NDArray[np.int64]:
        """For each row of edges() its position in graph.indices: the stored entry (u, v) with u < v."""
        u, v = self.edges().T
        slots = np.empty(u.size, np.int64)
        rows = self.graph.indptr, self.graph.indices
        n_chunks = team.chunks_of(u.size, _CHUNK)
        ends = np.ascontiguousarray(u), np.ascontiguousarray(v)
        team.run(find_slots, *rows, *ends, slots, n_chunks, threads=min(self.stats.threads, max(1, n_chunks)))
        return slots

    def edges(self) -> NDArray[Any]:
        """The matched edges, one a row, (u, v) with u < v, ascending."""
        vertices = np.flatnonzero(self.mate > np.arange(self.mate.size))
        return np.column_stack((vertices.astype(self.mate.dtype), self.mate[vertices]))

    def to_set(self, labels: Sequence[Any] | None = None) -> set[tuple[Any, Any]]:
        """The matched edges as NetworkX has them: a set of pairs of labels (the graph's own by default)."""
        names = self.graph.labels if labels is None else labels
        pairs = self.edges().tolist()
        if names is None:
            return {(u, v) for u, v in pairs}
        return {(names[u], names[v]) for u, v in pairs}

    def verify(self, graph: Any = None, *, threads: int | None = None) -> None:
        """Prove that this is the matching promised, of its own graph or the one given; ValueError with the first fault.

        Valid, maximal, and, but for "path-growing", that no edge blocks, which only one matching of a graph fulfils.
        """
        from troth.matching.check import find_fault
        from troth.matching.registry import ALGORITHMS

        dominant = ALGORITHMS[self.algorithm].dominant
        hashed = self.stats.tie_break == "hash"
        tested = self.graph if graph is None else as_graph(graph)
        fault = find_fault(tested, self.mate, dominant=dominant, hashed=hashed, threads=threads)
        if fault is not None:
            raise ValueError(fault.sentence())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.mate, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return self.cardinality

    def __repr__(self) -> str:
        return f"Matching({self.cardinality} edges, weight {self.weight:.6g}, {self.algorithm})"


@compiled
def find_slots(control, thread, indptr, indices, u, v, slots, n_chunks):  # slots: OUT
    """slots[i] := where row u[i] holds v[i]."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for i in range(number * _CHUNK, min((number + 1) * _CHUNK, u.shape[0])):
            slots[i] = find_entry(indptr, indices, np.int64(u[i]), v[i])
