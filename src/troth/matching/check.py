"""The proof of a matching: by definition, with floating-point comparisons, sharing no code with the matchers.

Valid: mates are mutual, in range, and joined by an edge of positive weight. Maximal: no edge of positive weight joins
two free vertices. No edge blocks: none comes, in the strict order, before the matched edges of both its ends (a free
end has none). By that last property the matching is the locally dominant one, of which there is exactly one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from troth.graph.csr import Graph
from troth.graph.order import tie
from troth.kernels import team
from troth.kernels.jit import compiled

_CHUNK = 1 << 15
_NOT_MUTUAL, _NOT_AN_EDGE, _NOT_POSITIVE, _NOT_MAXIMAL, _BLOCKING = 1, 2, 3, 4, 5
_NO_FAULT = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Fault:
    """The first thing wrong with a matching: of vertex u and, where one is involved, v."""

    kind: int
    u: int
    v: int

    def sentence(self) -> str:
        u, v = self.u, self.v
        return {
            _NOT_MUTUAL: f"mates are not mutual: the mate of {u} is {v}, but the mate of {v} is another",
            _NOT_AN_EDGE: f"vertices {u} and {v} are matched but no edge joins them",
            _NOT_POSITIVE: f"the matched edge ({u}, {v}) has no positive weight",
            _NOT_MAXIMAL: f"the matching is not maximal: edge ({u}, {v}) joins two free vertices",
            _BLOCKING: f"edge ({u}, {v}) blocks: it is heavier than what both its ends have",
        }[self.kind]


@compiled
def check_mates(control, thread, indptr, indices, weights, weighted, mate, held, faults, chunk, n_chunks):
    """held[u] := the weight of u's matched edge, 0 if free (OUT). faults[thread]: OUT, vertex and kind of the first."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for u in range(team.first_vertex(indptr, number * chunk), team.first_vertex(indptr, (number + 1) * chunk)):
            v = mate[u]
            held[u] = 0
            if v < 0:
                continue
            kind = 0 if mate[v] == u else _NOT_MUTUAL
            if kind == 0:
                kind = _NOT_AN_EDGE
                low, high = indptr[u], indptr[u + 1]
                while low < high:
                    middle = low + (high - low) // 2
                    if indices[middle] == v:
                        held[u] = weights[middle] if weighted else 1
                        kind = 0 if held[u] > 0 else _NOT_POSITIVE
                        break
                    if indices[middle] < v:
                        low = middle + 1
                    else:
                        high = middle
            if kind > 0 and u < faults[thread, 0]:
                faults[thread, 0], faults[thread, 1], faults[thread, 2] = u, kind, v


@compiled
def wants(v, w, mate_of_u, held_by_u, hashed):
    """Does neighbour v over weight w come before what u has?"""
    if mate_of_u < 0 or w > held_by_u:
        return True
    return w == held_by_u and tie(v, hashed) > tie(mate_of_u, hashed)


@compiled
def check_edges(
    control, thread, indptr, indices, weights, weighted, mate, held, faults, dominant, hashed, chunk, n_chunks
):
    """Look for an edge of two free vertices and, if `dominant`, for one that blocks. faults: OUT, as in check_mates."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for u in range(team.first_vertex(indptr, number * chunk), team.first_vertex(indptr, (number + 1) * chunk)):
            for e in range(np.uint64(indptr[u]), np.uint64(indptr[u + 1])):
                v = indices[e]
                w = weights[e] if weighted else held.dtype.type(1)
                if w > 0 and v > u and (mate[u] < 0 or w >= held[u]) and (mate[v] < 0 or w >= held[v]):
                    kind = 0
                    if mate[u] < 0 and mate[v] < 0:
                        kind = _NOT_MAXIMAL
                    elif dominant and wants(v, w, mate[u], held[u], hashed) and wants(u, w, mate[v], held[v], hashed):
                        kind = _BLOCKING
                    if kind > 0 and u < faults[thread, 0]:
                        faults[thread, 0], faults[thread, 1], faults[thread, 2] = u, kind, v


def find_fault(
    graph: Graph, mate: ArrayLike, *, dominant: bool = True, hashed: bool = True, threads: int | None = None
) -> Fault | None:
    """The first fault of a matching, or None: then it is proven. ValueError when mate is no mate array of it."""
    mates: NDArray[Any] = np.ascontiguousarray(mate)
    if mates.shape != (graph.n_vertices,) or mates.dtype.kind not in "iu":
        raise ValueError(
            f"mate has shape {mates.shape} and type {mates.dtype}; it must hold one integer for each of "
            f"{graph.n_vertices} vertices"
        )
    outside = np.flatnonzero((mates < -1) | (mates >= graph.n_vertices))
    if outside.size:
        u = int(outside[0])
        raise ValueError(f"the mate of {u} is {int(mates[u])}; it must be -1 or below {graph.n_vertices}")
    n_threads = team.check_threads(threads)
    weighted = graph.weights is not None
    weights = graph.weights if graph.weights is not None else np.ones(1, np.int64)
    held = np.empty(graph.n_vertices, weights.dtype)
    mates = mates.astype(np.int64, copy=False)
    n_chunks = team.chunks_of(graph.n_vertices + graph.indices.size, _CHUNK)
    data = graph.indptr, graph.indices, weights, weighted, mates, held
    for kernel, rules in ((check_mates, ()), (check_edges, (dominant, hashed))):
        faults = np.full((n_threads, 3), _NO_FAULT, np.int64)
        team.run(kernel, *data, faults, *rules, _CHUNK, n_chunks, threads=n_threads)
        u, kind, v = (int(word) for word in faults[np.argmin(faults[:, 0])])
        if u != _NO_FAULT:
            return Fault(kind, u, v)
    return None
