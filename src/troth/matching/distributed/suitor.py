"""Suitor: half-approximate weighted matching in distributed memory, by proposals [1].

Each vertex proposes to the heaviest neighbour that holds no better offer; whoever is displaced proposes anew. A rank
does so among its own vertices and ghosts until nothing is left to do here, and only then tells the owner of each ghost
that took a new suitor: PROPOSE (v there, u, key). The owner accepts or declines like any vertex; silence is consent.
Whoever loses a vertex to a suitor of another rank is told by REJECT (u there, v, the key that beats it). One who loses
to a suitor of its own rank is not: there it was displaced already.

What a ghost holds here is a lower bound of what it holds at its owner: an offer from here that has been or will be
sent, or one that beat such. Offers only rise, so whom the bound deters the owner would refuse; hopeless proposals are
not sent. A REJECT whose beating key ties with u's own leaves u as the bound.

Invariant: a vertex aims at one neighbour, aim[u]; unless a record about it is on its way, that neighbour holds its
offer, and those it would prefer hold better ones. Once no record is on its way this is the stable state of [1], which
is unique by the strict edge order; suitors are then mutual, and the mate of v is held_id[v].
Late records: if a rival from here displaced u while u was being refused at the owner, u aims elsewhere when the REJECT
comes (never again at that ghost, whose bound is above u), and the REJECT is ignored.
Termination: over each edge a vertex proposes at most once, and is refused at most once. So there are at most two
records for a cross edge and direction: a proposal, and the answer to the other side's.
Race: offers are changed under a lock, one for each vertex, taken only when there are several threads; see best_bid for
those who look without. Records are all handled before anyone proposes again, so a ghost's bound has one writer then.

[1] Manne, Halappanavar. New Effective Multithreaded Matching Algorithms. IPDPS 2014.
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
    neighbour_of,
    no_mail,
    no_outbox,
    outranks,
    part_arrays,
    prepare_kernel,
    run_chunks,
)
from troth.matching.suitor import AHEAD, RING, WAIT

PROPOSE, REJECT = 0, 1
Arrays = tuple[NDArray[np.int64], ...]
_QUEUED, _TOUCHED, _COUNTS = 0, 8, 16  # positions in `counts`, a cache line each
_CHUNK = 512


class Suitor:
    """The Suitor program of one rank."""

    width = 3
    records_per_cross_edge = 2
    local_end = False

    def __init__(self, part: Part, hashed: bool = True, threads: int = 1) -> None:
        self.part, self.hashed, self.threads = part, hashed, threads
        n_own, n_ghosts = part.n_own, part.ghosts.size
        self._arrays = part_arrays(part)
        self._held = np.zeros(n_own + n_ghosts, np.int64), np.full(n_own + n_ghosts, NOBODY)
        locks = np.zeros(n_own + n_ghosts if threads > 1 else 0, np.int8)
        self._state = self._arrays, self._held, locks, np.full(n_own, NOBODY, np.int32)
        self._queue = np.arange(n_own, dtype=np.int32)
        self._fresh = np.empty(n_ghosts, np.int32), np.zeros(n_ghosts, np.int8), part.neighbour_of
        self._rings = np.empty((threads, RING), np.int64)
        self._counts = np.zeros(_COUNTS, np.int64)

    def prepare(self) -> None:
        """Compile what will be needed."""
        post = no_outbox(self.width)
        prepare_kernel(handle, *self._handling(no_mail(self.width), post))
        prepare_kernel(propose_queued, *self._proposing(0, post))
        prepare_kernel(send_offers, *self._sending(0, post))

    def start(self, out: Outbox) -> None:
        """Everyone proposes."""
        self._counts[_QUEUED] = self.part.n_own
        self._settle(out)

    def receive(self, inbox: NDArray[np.int64], out: Outbox) -> None:
        """Handle proposals and refusals; then the displaced propose."""
        run_chunks(handle, len(inbox), _CHUNK, *self._handling(inbox, out.arrays), threads=self.threads)
        self._settle(out)

    def active(self) -> int:
        """Nothing: a proposal that stands is not answered."""
        return 0

    def mates(self) -> NDArray[np.int64]:
        """Global ids of the own vertices' mates, -1 for none."""
        return self._held[1][: self.part.n_own]

    def _settle(self, out: Outbox) -> None:
        """Let the queued propose until none is displaced, then send what the ghosts were offered."""
        queued = int(self._counts[_QUEUED])
        if queued:
            self._counts[_QUEUED] = 0
            run_chunks(propose_queued, queued, _CHUNK, *self._proposing(queued, out.arrays), threads=self.threads)
        touched = int(self._counts[_TOUCHED])
        if touched:
            self._counts[_TOUCHED] = 0
            run_chunks(send_offers, touched, _CHUNK, *self._sending(touched, out.arrays), threads=self.threads)

    def _handling(self, inbox: NDArray[np.int64], post: Arrays) -> tuple[Any, ...]:
        return inbox, *self._state, self._queue, self._counts, post, self.hashed

    def _proposing(self, queued: int, post: Arrays) -> tuple[Any, ...]:
        return *self._state, self._queue, queued, self._rings, self._fresh, self._counts, post, self.hashed

    def _sending(self, touched: int, post: Arrays) -> tuple[Any, ...]:
        return self._arrays, self._held, self._fresh, touched, post


@inlined
def offer(held, locks, aim, v, name, key, aimed, hashed):  # held, aim: IN and OUT
    """Offer v the vertex `name` over an edge of this key; the own vertex aimed (-1: a remote one) then aims at v.

    Returns whether v accepts, and the offer that was there: its id and key.
    """
    held_key, held_id = held
    shared = locks.shape[0] > 0
    while shared and atomics.cas(locks, v, 0, 1) != 0:
        pass
    old_key, old = held_key[v], held_id[v]
    accepted = key > old_key or (key == old_key and outranks(name, old, hashed))
    if accepted:
        if aimed >= 0:
            aim[aimed] = v
        if shared:
            atomics.store(held_id, v, name)
            atomics.store(held_key, v, key)
        else:  # two fences less, a tenth of the time
            held_id[v], held_key[v] = name, key
    if shared:
        atomics.store(locks, v, 0)
    return accepted, old, old_key


@compiled
def turn_down(borders, post, k, loser, name, key):
    """Tell the remote vertex `loser`, of neighbour k, that the vertex `name` here holds an offer of this key."""
    records, starts, filled = post
    row = push(records, starts, filled, k)
    records[row, 0] = (loser - borders[k]) << 1 | REJECT
    records[row, 1] = name
    records[row, 2] = key


@inlined
def propose(part, held, locks, aim, fresh, counts, post, u, hashed):
    """Let u propose where it can. Returns the own vertex displaced, or -1."""
    indptr, indices, _, names, borders = part
    touched, marks, _ = fresh
    n_own = indptr.shape[0] - 1
    while True:
        slot, key = best_bid(part, held, u, 0, hashed)
        if slot < 0:
            aim[u] = NOBODY
            return np.int64(NOBODY)
        v = np.int64(indices[np.uint64(slot)])
        accepted, old, _ = offer(held, locks, aim, v, names[u], key, u, hashed)
        if not accepted:
            continue
        if v >= n_own and marks[v - n_own] == 0 and atomics.cas(marks, v - n_own, 0, 1) == 0:
            touched[atomics.add(counts, _TOUCHED, 1)] = v
        if old < 0:
            return np.int64(NOBODY)
        loser = old - names[0]
        if loser < 0 or loser >= n_own:
            turn_down(borders, post, neighbour_of(borders, old), old, names[v], key)
            return np.int64(NOBODY)
        # One that a REJECT took from the ghost v, and left there as its bound, is not displaced: it aims elsewhere.
        return loser if v < n_own or aim[loser] == v else np.int64(NOBODY)


@compiled
def propose_queued(
    control, thread, part, held, locks, aim, queue, size, rings, fresh, counts, post, hashed, chunk, n_chunks
):
    """Those in the queue propose, and whoever is displaced, until none is. All but part and queue: OUT.

    The displaced wait in a ring while their rows are fetched, as in matching/suitor.py.
    """
    head, tail, i, last, more = 0, 0, 0, 0, True
    while True:
        if head - tail >= WAIT or (head > tail and not more):
            u = rings[thread, tail % RING]
            tail += 1
        elif i < last:
            u = np.int64(queue[i])
            i += 1
            ask_for_row(part, queue[min(i + AHEAD, last - 1)])
        elif more:
            number = team.take(control, n_chunks)
            more = number >= 0
            if more:
                i, last = number * chunk, min((number + 1) * chunk, size)
            continue
        else:
            return
        u = propose(part, held, locks, aim, fresh, counts, post, u, hashed)
        if u >= 0:
            rings[thread, head % RING] = u
            head += 1
            atomics.prefetch(part[0], u)
        if head - tail >= WAIT // 2:
            ask_for_row(part, rings[thread, (head - WAIT // 2) % RING])
        if not more and team.stopped(control):
            return


@compiled
def send_offers(control, thread, part, held, fresh, size, post, chunk, n_chunks):  # fresh: IN and OUT, post: OUT
    """Tell the owners of the ghosts that took a new suitor."""
    indptr, _, _, names, borders = part
    touched, marks, neighbours = fresh
    records, starts, filled = post
    n_own = indptr.shape[0] - 1
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for i in range(number * chunk, min((number + 1) * chunk, size)):
            v = np.int64(touched[i])
            marks[v - n_own] = 0
            k = neighbours[v - n_own]
            row = push(records, starts, filled, k)
            records[row, 0] = (names[v] - borders[k]) << 1 | PROPOSE
            records[row, 1] = held[1][v]
            records[row, 2] = held[0][v]


@compiled
def handle(control, thread, inbox, part, held, locks, aim, queue, counts, post, hashed, chunk, n_chunks):
    """Handle the records; those who have to propose again are queued. held, aim, queue, counts, post: OUT."""
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for i in range(number * chunk, min((number + 1) * chunk, inbox.shape[0])):
            v, name, key = inbox[i, 0] >> 1, inbox[i, 1], inbox[i, 2]
            if inbox[i, 0] & 1 == REJECT:
                loser = refused(part, held, aim, v, name, key)
            else:
                loser = proposed(part, held, locks, aim, post, v, name, key, hashed)
            if loser >= 0:
                aim[loser] = NOBODY
                queue[atomics.add(counts, _QUEUED, 1)] = loser


@compiled
def refused(part, held, aim, u, name, key):  # held: OUT
    """The ghost of this name told u that it holds an offer of this key. Returns u if it has to propose again."""
    v = np.int64(aim[u])
    if v < part[0].shape[0] - 1 or part[3][v] != name:
        return np.int64(NOBODY)
    held_key, held_id = held
    if key > held_key[v]:
        held_id[v] = NOBODY
        held_key[v] = key
    return u


@compiled
def proposed(part, held, locks, aim, post, v, name, key, hashed):
    """The remote vertex of this name proposed to v. Returns the own vertex displaced, or -1."""
    indptr, _, _, names, borders = part
    accepted, rival, rival_key = offer(held, locks, aim, v, name, key, NOBODY, hashed)
    if rival < 0:
        return np.int64(NOBODY)
    own = 0 <= rival - names[0] < indptr.shape[0] - 1
    if accepted and own:
        return rival - names[0]
    k = neighbour_of(borders, name)
    if not own and neighbour_of(borders, rival) == k:
        return np.int64(NOBODY)
    if accepted:
        turn_down(borders, post, neighbour_of(borders, rival), rival, names[v], key)
    else:
        turn_down(borders, post, k, name, names[v], rival_key)
    return np.int64(NOBODY)
