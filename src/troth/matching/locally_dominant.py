"""Half-approximate maximum weight matching by locally dominant edges: pointers and queues [1, 2, 3].

Each vertex points to its heaviest free neighbour. Two vertices that point to each other are joined by an edge heavier
than all its neighbours, and are matched; whoever pointed to one of them points anew. Unlike [2], nobody searches the
neighbourhood of a matched vertex for those who must be told: they wait in a list at the vertex they point to, and
closing that list is what hands them, each exactly once, to the queue of the thread that made the match.
`aims` holds, side by side, the vertex that v points to (2 v) and the first of those who wait at v (2 v + 1); `link`
chains them. Nobody has a queue of fixed size, and a queue takes no memory of its own.

Race: u publishes its pointer, enters v's list by compare-and-swap, which is a full fence, and then reads v's pointer; v
does the same. So at least one of the two sees the match; both may, and then both write the same mates, but only one
gets each list. A vertex that finds the list closed knows that v is matched: with itself, and it is done, or with
another, and it searches again; v is marked before its list is closed, so the search does not find v once more.

[1] Preis. Linear time 1/2-approximation algorithm for maximum weighted matching in general graphs. STACS 1999.
[2] Manne, Bisseling. A parallel approximation algorithm for the weighted maximum matching problem. PPAM 2007.
[3] Halappanavar et al. Approximate weighted matching on emerging manycore and multithreaded architectures. IJHPCA 2012.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.kernels import atomics, team
from troth.kernels.jit import compiled, inlined
from troth.matching.offers import best_bid
from troth.matching.problem import Problem
from troth.matching.suitor import AHEAD, ask_for_row

# Marks in the place of offers: any key is above FREE and below TAKEN when both are compared with FREE_SHIFT.
FREE, TAKEN, FREE_SHIFT = -1, 1 << 62, 1
_NOBODY, _CLOSED = -1, -2
_COMING = 8  # vertices of the queue whose rows are asked for before they search
# Vertices of this degree point first: most match among themselves, and the others never wait for those. A fifth fewer
# searches on R-MAT, where a matched hub sends all who waited for it to search again; nothing where there are no hubs.
_HUB = 32


@inlined
def heaviest_free(indptr, indices, keys, marks, u, hashed):
    """The slot of u's heaviest free neighbour, or -1."""
    return best_bid(indptr, indices, keys, marks, u, FREE_SHIFT, 0, True, hashed)[0]


@inlined
def point(indptr, indices, keys, marks, aims, link, u, hashed):
    """Point u to its heaviest free neighbour. Returns it when it points back, else -1: u waits there, or is done."""
    while True:
        slot = heaviest_free(indptr, indices, keys, marks, u, hashed)
        if slot < 0:
            return np.int64(_NOBODY)
        v = np.int64(indices[np.uint64(slot)])
        aims[2 * u] = v
        first = atomics.load(aims, 2 * v + 1)
        while first != _CLOSED:
            link[u] = first
            seen = atomics.cas(aims, 2 * v + 1, first, u)
            if seen == first:
                return v if atomics.load(aims, 2 * v) == u else np.int64(_NOBODY)
            first = seen
        if atomics.load(marks, u) == TAKEN:
            return np.int64(_NOBODY)


@compiled
def close(indptr, aims, link, v, queue):
    """Close v's list and put those who wait in it before the queue. Returns the new first of the queue."""
    first = atomics.load(aims, 2 * v + 1)
    while first != _CLOSED:
        seen = atomics.cas(aims, 2 * v + 1, first, _CLOSED)
        if seen == first:
            break
        first = seen
    if first < 0:
        return queue
    last = first
    atomics.prefetch(indptr, last)
    while link[last] >= 0:
        last = link[last]
        atomics.prefetch(indptr, last)
    link[last] = queue
    return np.int64(first)


@compiled
def join(indptr, marks, mate, aims, link, u, v, queue):
    """Match u and v. Returns the first of the queue, to which all are added who waited for either."""
    mate[u] = v
    mate[v] = u
    atomics.store(marks, u, TAKEN)
    atomics.store(marks, v, TAKEN)
    return close(indptr, aims, link, u, close(indptr, aims, link, v, queue))


@compiled
def point_all(control, thread, indptr, indices, keys, marks, aims, link, rings, mate, hashed, hubs, chunk, n_chunks):
    """Point every hub, or every other vertex, and match. marks, aims, link, rings: work, mate: OUT."""
    n = indptr.shape[0] - 1
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for start in range(team.first_vertex(indptr, number * chunk), team.first_vertex(indptr, (number + 1) * chunk)):
            if (indptr[start + 1] - indptr[start] >= _HUB) != hubs:
                continue
            ask_for_row(indptr, indices, keys, min(start + AHEAD, n - 1))
            u, queue, head, tail = np.int64(start), np.int64(_NOBODY), 0, 0
            while True:
                if marks[u] != TAKEN:
                    v = point(indptr, indices, keys, marks, aims, link, u, hashed)
                    if v >= 0:
                        queue = join(indptr, marks, mate, aims, link, u, v, queue)
                while queue >= 0 and head - tail < _COMING:
                    rings[thread, head % _COMING] = queue
                    head += 1
                    queue = np.int64(link[queue])
                if head == tail or team.stopped(control):
                    break
                u = rings[thread, tail % _COMING]
                tail += 1
                if head - tail > _COMING // 2:
                    ask_for_row(indptr, indices, keys, rings[thread, (tail + _COMING // 2) % _COMING])


def locally_dominant(problem: Problem) -> NDArray[Any]:
    """The mates, by pointers and queues."""
    graph = problem.graph
    n, index = graph.n_vertices, graph.indices.dtype
    marks = np.full(n, FREE, np.int64)
    aims = np.full(2 * n, _NOBODY, index)
    link, mate = (np.full(n, _NOBODY, index) for _ in range(2))
    keys = problem.packing.keys
    rings = np.empty((problem.threads, _COMING), np.int64)
    work = marks, aims, link, rings, mate
    for hubs in (True, False):
        problem.run_rows("pointing", point_all, graph.indptr, graph.indices, keys, *work, problem.hashed, hubs)
    return mate
