"""LocallyDominant: half-approximate weighted matching in distributed memory, Algorithms 3 to 6 of [1].

Each vertex points to its heaviest candidate, a neighbour not known to be taken; two that point to each other are
matched. Those who point to an own vertex wait in its list, as in matching/locally_dominant.py. aims[2 v] is where v
points, for a ghost the vertex here that it last asked for, and aims[2 v + 1] is the first in the list of v. What is
said over a cross edge, from x here to y there:
    REQUEST   x points to y. If y points to x both ranks match them; otherwise y's rank remembers it.
    REJECT    x is matched to another: sent to all neighbours that are still candidates.
    INVALID   x has no candidate left. It is sent, at once, over the edges that are left: those of weight <= 0.
    END       nothing more will come from this rank, and so many records came before.
A vertex sends REQUEST to one neighbour at a time, and never speaks again on that edge: y answers with its own REQUEST,
which is a match, or REJECT. So at most one record for a cross edge and direction, and one END for a neighbour.

Edges are given up without looking for them in a row: a mark on y, which is found among the sorted ghosts by bisection,
takes it from all candidates at once, and a settled vertex (matched, or without candidates) needs no mark. nghosts of
[1] is counted by own vertices: all cross edges of a vertex are given up when it is settled, for then they need nothing
more. When none is left, END goes to all neighbours; a rank that got all that its neighbours' ENDs count is done.

Late records: answers may cross what they answer, or overtake earlier records. A REQUEST to a settled vertex is ignored;
one to a free vertex is the last that its sender has made, which moves on only when that vertex is settled. A REJECT may
overtake the REQUEST by which the same y takes another vertex here. So it marks y for those who search from now on (they
have not asked y, so y is not theirs); who points to y already waits for an answer of its own.

Race: u publishes its pointer, enters v's list by compare-and-swap, a full fence, and then reads v's pointer; so does v,
or the thread that handles v's REQUEST. At least one of the two sees the match; both may, and then both write the same,
but only the one that closes a vertex's list speaks for it. If v is a ghost, the thread that handles its REJECT may mark
it between u's search and u's pointer: u reads the mark again, and compare-and-swap on the pointer decides which of the
two threads lets u search anew. If instead u was matched with v meanwhile, only the REQUEST remains to be sent.

[1] Ghosh et al. Exploring MPI Communication Models for Graph Applications Using Graph Matching as a Case Study.
    IPDPS 2019.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.program import Outbox, push
from troth.graph.dist.part import Part
from troth.kernels import atomics, team
from troth.kernels.jit import compiled, inlined
from troth.matching.distributed.bids import (
    NOBODY,
    ask_for_row,
    best_bid,
    first_ghost,
    ghost_by_name,
    neighbour_of,
    no_mail,
    no_outbox,
    part_arrays,
    prepare_kernel,
    run_chunks,
)
from troth.matching.locally_dominant import FREE, FREE_SHIFT, TAKEN
from troth.matching.suitor import AHEAD

REQUEST, REJECT, INVALID, END = 0, 1, 2, 3
_BITS = 2
_CLOSED = -2
_SILENT = 1 << 40  # more than a neighbour can send: its END has not come
_CHUNK = 512


class LocallyDominant:
    """The locally dominant program of one rank."""

    width = 2
    records_per_cross_edge = 2
    local_end = True

    def __init__(self, part: Part, hashed: bool = True, threads: int = 1) -> None:
        self.part, self.hashed, self.threads = part, hashed, threads
        n_own, n_local = part.n_own, part.n_own + part.ghosts.size
        self._arrays = part_arrays(part)
        marks = np.full(n_local, FREE, np.int64)
        aims = np.full(2 * n_local, NOBODY, np.int32)
        link, mate = (np.full(n_own, NOBODY, np.int32) for _ in range(2))
        self._nghosts = np.array([part.cross_edges.sum()], np.int64)
        self._state = marks, aims, link, mate, self._nghosts
        self._owed = np.full(part.neighbours.size, _SILENT, np.int64)
        self._sent = np.zeros(part.neighbours.size, np.int64)
        self._ended = False

    def prepare(self) -> None:
        """Compile what will be needed."""
        post = no_outbox(self.width)
        prepare_kernel(point_all, *self._pointing(post))
        prepare_kernel(handle, *self._handling(no_mail(self.width), post))

    def start(self, out: Outbox) -> None:
        """FINDMATE for every own vertex, and what follows from it here."""
        before = out.filled.copy()
        run_chunks(point_all, self.part.n_own, _CHUNK, *self._pointing(out.arrays), threads=self.threads)
        self._account(before, out)

    def receive(self, inbox: NDArray[np.int64], out: Outbox) -> None:
        """PROCESSINCOMINGDATA, and what follows from it here."""
        before = out.filled.copy()
        # The more records are known before anyone searches anew, the fewer searches are in vain.
        share = max(_CHUNK, -(-len(inbox) // self.threads))
        run_chunks(handle, len(inbox), share, *self._handling(inbox, out.arrays), threads=self.threads)
        self._account(before, out)

    def active(self) -> int:
        """Cross edges not given up, and neighbours that have not ended."""
        return int(self._nghosts[0]) + int(np.count_nonzero(self._owed))

    def mates(self) -> NDArray[np.int64]:
        """Global ids of the own vertices' mates, -1 for none."""
        mate = self._state[3]
        return np.where(mate >= 0, self.part.names[mate], NOBODY) if mate.size else mate.astype(np.int64)

    def _pointing(self, post: tuple[NDArray[np.int64], ...]) -> tuple[Any, ...]:
        return self._arrays, self._state, self.part.n_own, post, self.hashed

    def _handling(self, inbox: NDArray[np.int64], post: tuple[NDArray[np.int64], ...]) -> tuple[Any, ...]:
        return inbox, self._owed, self._arrays, self._state, post, self.hashed

    def _account(self, before: NDArray[np.int64], out: Outbox) -> None:
        """Count what was pushed; when no edge is left, say END to every neighbour."""
        self._sent += out.filled - before
        if self._nghosts[0] == 0 and not self._ended and self._sent.size:
            self._ended = True
            rows = out.starts[:-1] + out.filled
            out.records[rows, 0] = self._sent << _BITS | END
            out.records[rows, 1] = self.part.first
            out.filled += 1


@compiled
def speak(part, post, context, x, y):  # post: OUT
    """Push a record of this context from x here to the ghost y."""
    _, _, _, names, borders = part
    records, starts, filled = post
    k = neighbour_of(borders, names[y])
    row = push(records, starts, filled, k)
    records[row, 0] = (names[y] - borders[k]) << _BITS | context
    records[row, 1] = names[x]


@compiled
def settle(part, state, post, x, context):  # state, post: OUT
    """Give up the cross edges of x, and say so to those ghosts that are still candidates."""
    indptr, indices, _, _, _ = part
    marks, _, _, _, nghosts = state
    first, end = first_ghost(indptr, indices, x), indptr[x + 1]
    atomics.add(nghosts, 0, first - end)
    for e in range(first, end):
        y = np.int64(indices[e])
        if atomics.load(marks, y) != TAKEN:
            speak(part, post, context, x, y)


@inlined
def point(part, state, post, u, hashed):
    """FINDMATE: point u to its heaviest candidate. Returns it when it points back, else -1: u waits, or is done."""
    marks, aims, link, _, _ = state
    while True:
        slot, _ = best_bid(part, (marks, marks), u, FREE_SHIFT, hashed)
        if slot < 0:
            atomics.store(marks, u, TAKEN)
            settle(part, state, post, u, INVALID)
            return np.int64(NOBODY)
        v = np.int64(part[1][np.uint64(slot)])
        atomics.store(aims, 2 * u, v)
        if v >= part[0].shape[0] - 1:
            if atomics.load(marks, v) != TAKEN or atomics.load(marks, u) == TAKEN:
                speak(part, post, REQUEST, u, v)
                return v if atomics.load(aims, 2 * v) == u else np.int64(NOBODY)
            if atomics.cas(aims, 2 * u, v, NOBODY) != v:
                return np.int64(NOBODY)
        else:
            first = atomics.load(aims, 2 * v + 1)
            while first != _CLOSED:
                link[u] = first
                seen = atomics.cas(aims, 2 * v + 1, first, u)
                if seen == first:
                    return v if atomics.load(aims, 2 * v) == u else np.int64(NOBODY)
                first = seen
            if atomics.load(marks, u) == TAKEN:
                return np.int64(NOBODY)


@compiled
def close(aims, v):  # aims: IN and OUT
    """Close v's list. Returns the first who waits in it, -1 if nobody does, or _CLOSED: another thread did it."""
    first = atomics.load(aims, 2 * v + 1)
    while first != _CLOSED:
        seen = atomics.cas(aims, 2 * v + 1, first, _CLOSED)
        if seen == first:
            break
        first = seen
    return first


@compiled
def chain(link, first, queue):  # link: IN and OUT
    """Put the list that begins with first (it may be empty) before the queue. Returns the new first of the queue."""
    if first < 0:
        return queue
    last = first
    while link[last] >= 0:
        last = link[last]
    link[last] = queue
    return np.int64(first)


@compiled
def take_out(part, state, post, v, queue):
    """The own vertex v is matched: wake who waits for it, and tell its ghosts. Returns the queue with those woken."""
    _, aims, link, _, _ = state
    first = close(aims, v)
    if first != _CLOSED:
        settle(part, state, post, v, REJECT)
    return chain(link, first, queue)


@compiled
def join(part, state, post, u, v, queue):
    """Match u here with v. Returns the queue with those who waited for either."""
    marks, _, _, mate, _ = state
    mate[u] = v
    atomics.store(marks, u, TAKEN)
    atomics.store(marks, v, TAKEN)
    if v < part[0].shape[0] - 1:
        mate[v] = u
        queue = take_out(part, state, post, v, queue)
    return take_out(part, state, post, u, queue)


@inlined
def serve(control, part, state, post, queue, hashed):
    """PROCESSNEIGHBORS: let those in the queue point anew, and those who are woken by it."""
    marks, _, link, _, _ = state
    while queue >= 0 and not team.stopped(control):
        u = queue
        queue = np.int64(link[u])
        if atomics.load(marks, u) != TAKEN:
            v = point(part, state, post, u, hashed)
            if v >= 0:
                queue = join(part, state, post, u, v, queue)


@compiled
def point_all(control, thread, part, state, n_own, post, hashed, chunk, n_chunks):  # state, post: OUT
    """Point every own vertex, and match."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for u in range(number * chunk, min((number + 1) * chunk, n_own)):
            ask_for_row(part, min(u + AHEAD, n_own - 1))
            serve(control, part, state, post, np.int64(u), hashed)


@compiled
def handle(control, thread, inbox, owed, part, state, post, hashed, chunk, n_chunks):  # owed, state, post: OUT
    """Handle the records of a chunk; then serve those who were woken."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        queue, last, y, k, run = np.int64(NOBODY), np.int64(NOBODY), np.int64(0), 0, 0
        for i in range(number * chunk, min((number + 1) * chunk, inbox.shape[0])):
            x, context, name = inbox[i, 0] >> _BITS, inbox[i, 0] & END, inbox[i, 1]
            if context == END:
                atomics.add(owed, neighbour_of(part[4], name), x - _SILENT)
                continue
            # What a matched vertex says comes in one run, as a rule: its neighbours are looked up once.
            if name != last:
                if run:
                    atomics.add(owed, k, -run)
                last, run = name, 0
                k, y = neighbour_of(part[4], name), ghost_by_name(part, name)
            run += 1
            queue = hear(part, state, post, context, x, y, queue)
        if run:
            atomics.add(owed, k, -run)
        serve(control, part, state, post, queue, hashed)


@inlined
def hear(part, state, post, context, x, y, queue):
    """A record from the ghost y to x. Returns the queue with those who are to point anew."""
    marks, aims, link, _, _ = state
    if atomics.load(marks, x) == TAKEN:
        return queue
    if context == REQUEST:
        atomics.store(aims, 2 * y, x)
        return join(part, state, post, x, y, queue) if atomics.load(aims, 2 * x) == y else queue
    if atomics.load(marks, y) != TAKEN:
        atomics.store(marks, y, TAKEN)
    if atomics.load(aims, 2 * x) == y and atomics.cas(aims, 2 * x, y, NOBODY) == y:
        link[x] = queue
        return x
    return queue
