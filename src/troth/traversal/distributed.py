"""Breadth-first search over ranks, as a program whose records may come in any order.

A vertex holds the best (level, parent) it was offered; lower is better, first by level, then by parent. Whoever comes
to a lower level offers the next one to its neighbours, ghosts too. An offer that came before a better one is corrected,
so levels are right in the end whatever was late. Every neighbour of the level before has then offered this level, so
the parent is the smallest of them. Within a call vertices are taken in the order of their levels, each at most once.

Sending. What this rank last offered a ghost is kept, and only better offers go out, at the end of a call: a record for
each ghost at most, in each call (`bound_is_per_call`). Over the whole run there is no such bound: a ghost is offered as
many levels as it improves by. In rounds without delay these corrections are rare on graphs of small diameter.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from troth.comm.program import Outbox, push
from troth.graph.dist.part import Part
from troth.kernels import sort, team
from troth.kernels.jit import compiled

_NONE = 1 << 62
_LOOK_EVERY = 1 << 10
_VERTEX, _LEVEL, _PARENT = range(3)


class Bfs:
    """One rank's side of a search from a source, a global id. A record is (receiver's own vertex, level, parent)."""

    width = 3
    records_per_cross_edge = 1
    bound_is_per_call = True
    local_end = False

    def __init__(self, part: Part, source: int) -> None:
        if not 0 <= source < part.n_global:
            raise ValueError(f"source is {source}, but the {part.n_global} vertices are numbered from 0")
        self._part, self._source = part, source
        n_local = part.names.size
        self._level, self._parent = np.full(n_local, _NONE, np.int64), np.full(n_local, _NONE, np.int64)
        self._waits = np.zeros(n_local, np.bool_)
        self._seeds = np.empty((2, part.n_own), np.int64)
        self._queue, self._dirty = np.empty(part.n_own, np.int64), np.empty(part.ghosts.size, np.int64)
        self._scratch = np.empty(sort.STACK, np.int64)
        self._graph = part.indptr, part.indices, part.names
        self._routes = part.neighbour_of, part.ghost_rows

    def start(self, out: Outbox) -> None:
        own = self._source - self._part.first
        if 0 <= own < self._part.n_own:
            self.receive(np.array([[own, 0, self._source]], np.int64), out)

    def receive(self, inbox: NDArray[np.int64], out: Outbox) -> None:
        # Offers that are no better, most of them in the end, are not worth a thread.
        seeds = take_offers(inbox, self._level, self._parent, self._waits, self._seeds)
        if seeds:
            state = self._level, self._parent, self._waits, self._seeds, seeds, self._queue, self._dirty
            team.run(go_on, *self._graph, *self._routes, *state, self._scratch, *out.arrays)

    def active(self) -> int:
        return 0

    def levels(self) -> NDArray[np.int64]:
        """Steps from the source to each own vertex; -1 where no path leads."""
        own = self._level[: self._part.n_own]
        return np.where(own == _NONE, -1, own)

    def parents(self) -> NDArray[np.int64]:
        """The smallest neighbour of the level before; the source is its own parent, -1 where no path leads."""
        own = self._parent[: self._part.n_own]
        return np.where(own == _NONE, -1, own)


@compiled
def take_offers(
    inbox,  # IN
    level, parent,  # IN and OUT
    waits,  # IN: all False for own vertices. OUT: True for seeds
    seeds,  # OUT: own vertices at a lower level than before, and these levels
):  # fmt: skip
    """Note all offers; returns the number of seeds."""
    count = 0
    for i in range(inbox.shape[0]):
        v, offered = inbox[i, _VERTEX], inbox[i, _LEVEL]
        if offered < level[v]:
            level[v], parent[v] = offered, inbox[i, _PARENT]
            if not waits[v]:
                waits[v] = True
                seeds[0, count] = v
                count += 1
        elif offered == level[v] and inbox[i, _PARENT] < parent[v]:
            parent[v] = inbox[i, _PARENT]
    for i in range(count):
        seeds[1, i] = level[seeds[0, i]]
    return count


@compiled
def go_on(
    control, thread, indptr, indices, names, neighbour_of, ghost_rows,  # IN: the graph, and where ghosts live
    level, parent, waits, seeds, n_seeds, queue, dirty, scratch,  # IN and OUT
    records, starts, filled,  # OUT
):  # fmt: skip
    """Search on from the seeds, then send what ghosts are offered."""
    sort.sort(seeds[1], seeds[0], 0, n_seeds, scratch, control)
    head, tail, seed, n_dirty, n_own = 0, 0, 0, 0, indptr.shape[0] - 1
    while (seed < n_seeds or head < tail) and ((head + seed) % _LOOK_EVERY != 0 or not team.stopped(control)):
        # Both lists rise in level, so no vertex is put in the queue twice.
        if seed < n_seeds and (head == tail or seeds[1, seed] <= level[queue[head]]):
            u, current = seeds[0, seed], seeds[1, seed]
            seed += 1
            waits[u] = False
            if level[u] < current:
                continue  # it came to the queue at a lower level
        else:
            u = queue[head]
            head += 1
        tail, n_dirty = offer(indptr, indices, names, u, n_own, level, parent, waits, queue, tail, dirty, n_dirty)
    for i in range(n_dirty):
        ghost = dirty[i]
        waits[n_own + ghost] = False
        row = push(records, starts, filled, neighbour_of[ghost])
        records[row, _VERTEX] = ghost_rows[ghost]
        records[row, _LEVEL], records[row, _PARENT] = level[n_own + ghost], parent[n_own + ghost]


@compiled
def offer(indptr, indices, names, u, n_own, level, parent, waits, queue, tail, dirty, n_dirty):
    """Offer the next level to the neighbours of u. Returns where the queue and the list of dirty ghosts now end."""
    offered, name = level[u] + 1, names[u]
    for e in range(indptr[u], indptr[u + 1]):
        v = indices[e]
        if offered < level[v] or (offered == level[v] and name < parent[v]):
            lower = offered < level[v]
            level[v], parent[v] = offered, name
            if v < n_own:
                if lower:
                    queue[tail] = v
                    tail += 1
            elif not waits[v]:
                waits[v] = True
                dirty[n_dirty] = v - n_own
                n_dirty += 1
    return tail, n_dirty
