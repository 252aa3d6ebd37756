"""DistMatching: one rank's slice of a matching, and what is known of the whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from troth.comm.report import Report
from troth.graph.canonical import find_entry
from troth.graph.dist.part import Part
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.matching.distributed.bids import part_arrays, run_chunks, slot_by_name
from troth.matching.result import Stats

if TYPE_CHECKING:
    from troth.graph.dist.distgraph import DistGraph

_CHUNK = 1 << 12


@dataclass(frozen=True, eq=False)
class DistMatching:
    """A matching of a graph that is spread over ranks.

    Attributes:
        mate: for each own vertex the global id of the vertex it is matched with, -1 if none.
        weight: of the whole matching, the same on all ranks: exact for integers; for floats a sum in the order of
            ranks, which another number of ranks may round otherwise.
        cardinality: matched edges of the whole graph.
        algorithm: the name of the algorithm.
        stats: how it was computed here.
        report: what the messages of this rank took.
        graph: the graph it belongs to.
        all_mates: the mates of all vertices, on rank 0 and if that was asked for.
    """

    mate: NDArray[np.int64]
    weight: float | int
    cardinality: int
    algorithm: str
    stats: Stats
    report: Report
    graph: DistGraph = field(repr=False)
    all_mates: NDArray[np.int64] | None = field(default=None, repr=False)

    def gather(self, root: int = 0) -> NDArray[np.int64] | None:
        """The mates of all vertices on rank `root`, None elsewhere. Collective."""
        return gather_mates(self.graph, self.mate, root)

    def __len__(self) -> int:
        return self.cardinality

    def __repr__(self) -> str:
        return f"DistMatching({self.cardinality} edges, weight {self.weight:.6g}, {self.algorithm})"


def gather_mates(graph: DistGraph, mate: NDArray[np.int64], root: int = 0) -> NDArray[np.int64] | None:
    """All slices, joined on rank `root`. Collective."""
    if graph.rank != root:
        graph.comm.Gatherv(mate, None, root=root)
        return None
    starts = graph.part.starts
    mates = np.empty(graph.n_vertices, np.int64)
    graph.comm.Gatherv(mate, (mates, (np.diff(starts), starts[:-1])), root=root)
    return mates


def own_share(part: Part, mate: NDArray[np.int64], threads: int = 1) -> tuple[float | int, int]:
    """Weight and number of the matched edges whose smaller end is one of this part's vertices."""
    slots = np.empty(part.n_own, np.int64)
    run_chunks(matched_slots, part.n_own, _CHUNK, part_arrays(part), mate, slots, threads=threads)
    slots = slots[slots >= 0]
    if part.weights is None:
        return slots.size, slots.size
    matched = part.weights[slots]
    if matched.dtype.kind == "f":
        return float(matched.sum(dtype=np.float64)), slots.size
    return sum(matched.tolist()), slots.size


@compiled
def matched_slots(control, thread, part, mate, slots, chunk, n_chunks):  # slots: OUT
    """slots[u] := where row u holds its mate, or -1 where that is none or the smaller of the two."""
    indptr, indices, _, names, _ = part
    n_own = indptr.shape[0] - 1
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for u in range(number * chunk, min((number + 1) * chunk, n_own)):
            v = mate[u] - names[0]
            if v <= u:
                slots[u] = -1
            elif v < n_own:
                slots[u] = find_entry(indptr, indices, np.int64(u), v)
            else:
                slots[u] = slot_by_name(part, u, mate[u])
