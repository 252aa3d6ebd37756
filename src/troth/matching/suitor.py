"""Half-approximate maximum weight matching by the Suitor algorithm [1], eager form.

Each vertex proposes to the heaviest neighbour that holds no better offer; whoever is displaced proposes anew.
Invariant: the offer a vertex holds only ever rises, hence termination. At the end suitors are mutual: the mate of v is
the id in v's offer (the heaviest edge of all is proposed from both ends; remove both ends and repeat).
Ties: the strict order of graph/order.py, so the result is unique, whatever the threads do and in whatever order.

A displaced vertex waits in a short ring of its thread before it searches again, so that its row, asked for at once, has
come from memory by then; the rows of the next few vertices are asked for in the same way.
Cost: O(m * max degree) at worst, about 1.3 m in practice; one 8-byte word for each vertex.

[1] Manne, Halappanavar. New Effective Multithreaded Matching Algorithms. IPDPS 2014.
"""

import numpy as np
from numpy.typing import NDArray

from troth.kernels import atomics, team
from troth.kernels.jit import compiled, inlined
from troth.matching.offers import accepts, best_bid
from troth.matching.problem import Problem

RING = 64  # a power of two
WAIT = 16  # displaced vertices in the ring before the oldest searches again
AHEAD = 24  # vertices between asking for a row and reading it
_LINE = 8  # keys in a cache line
_UNSIGNED = np.uint64


@inlined
def propose(indptr, indices, keys, offers, u, shift, bits, exact, hashed):  # offers: IN and OUT
    """Let u propose where it can. Returns the vertex displaced, or -1.

    Race: the offer may rise between the search and the swap; then v is asked again, and if it now declines, u searches
    anew. A stale offer is only ever too low, so no neighbour that would accept is overlooked.
    """
    mask = (np.int64(1) << bits) - 1
    while True:
        slot, key = best_bid(indptr, indices, keys, offers, u, shift, bits, exact, hashed)
        if slot < 0:
            return np.int64(-1)
        v = np.int64(indices[_UNSIGNED(slot)])
        word = ((key >> shift) << bits) | np.int64(u + 1)
        held = atomics.load(offers, v)
        while accepts(indptr, indices, keys, held, v, u, key, shift, bits, exact, hashed):
            seen = atomics.cas(offers, v, held, word)
            if seen == held:
                return (held & mask) - 1
            held = seen


@inlined
def ask_for_row(indptr, indices, keys, u):
    """Prefetch the first entries of row u."""
    e = indptr[u]
    atomics.prefetch(keys, e)
    atomics.prefetch(keys, e + _LINE)
    atomics.prefetch(indices, e)


@compiled
def propose_all(control, thread, indptr, indices, keys, offers, rings, shift, bits, exact, hashed, chunk, n_chunks):
    """Every vertex proposes until none can. offers: IN and OUT, rings: work, one row for each thread."""
    n = indptr.shape[0] - 1
    head, tail, start, last, more = 0, 0, 0, 0, True
    while True:
        if head - tail >= WAIT or (head > tail and not more):
            u = rings[thread, tail % RING]
            tail += 1
        elif start < last:
            u = np.int64(start)
            start += 1
            ask_for_row(indptr, indices, keys, min(start + AHEAD, n - 1))
        elif more:
            number = team.take(control, n_chunks)
            more = number >= 0
            if more:
                start, last = team.first_vertex(indptr, number * chunk), team.first_vertex(indptr, (number + 1) * chunk)
            continue
        else:
            return
        u = propose(indptr, indices, keys, offers, u, shift, bits, exact, hashed)
        if u >= 0:
            rings[thread, head % RING] = u
            head += 1
            atomics.prefetch(indptr, u)
        if head - tail >= WAIT // 2:
            ask_for_row(indptr, indices, keys, rings[thread, (head - WAIT // 2) % RING])
        if not more and team.stopped(control):
            return


def suitor(problem: Problem) -> NDArray[np.int64]:
    """The mates, by eager proposals."""
    graph, pack = problem.graph, problem.packing
    offers = np.zeros(graph.n_vertices, np.int64)
    rings = np.empty((problem.threads, RING), np.int64)
    rules = pack.shift, pack.bits, pack.exact, problem.hashed
    problem.run_rows("proposing", propose_all, graph.indptr, graph.indices, pack.keys, offers, rings, *rules)
    return problem.mates(offers)
