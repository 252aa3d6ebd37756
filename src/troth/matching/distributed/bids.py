"""The search for the best neighbour that would accept, and the numbering of vertices, in one rank's part of a graph.

As matching/offers.py, but neighbours are local ids and ties go by global ones, so an offer cannot be packed in a word:
the row in which a closer look would find the full weight is elsewhere. What a vertex holds, own or ghost, is its full
key in held_key (0: nothing) and the global id of who offered it in held_id.

Kernels here take tuples of arrays: part = (indptr, indices, keys, names, borders), where names are the global ids of
the local ones and borders the first vertex of each neighbouring rank; held = (held_key, held_id).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.dist.part import Part
from troth.graph.order import tie, weight_keys
from troth.kernels import atomics, team
from troth.kernels.jit import compiled, inlined
from troth.kernels.lanes import LANES, at_least, equal, largest, lowest, outbid
from troth.matching.suitor import ask_for_row as ask_for_entries

NOBODY = -1
_ALL = (1 << LANES) - 1
_BRIEF = 1 << 14  # work below which threads, or a thread that can be interrupted, cost more than they save


def part_arrays(part: Part) -> tuple[NDArray[Any], ...]:
    """What kernels take as `part`."""
    keys = weight_keys(part.weights, part.indices.size)
    return part.indptr, part.indices, keys, part.names, part.starts[part.neighbours]


def prepare_kernel(kernel: Any, *args: Any) -> None:
    """Compile the kernel for such arguments before it is needed, and others wait for it."""
    team.compile_for(kernel, (np.zeros(1, np.int64), 0, *args, 1, 1))


def no_mail(width: int) -> NDArray[np.int64]:
    """An inbox without records."""
    return np.empty((0, width), np.int64)


def no_outbox(width: int) -> tuple[NDArray[np.int64], ...]:
    """What Outbox.arrays looks like to a compiler."""
    return no_mail(width), np.zeros(1, np.int64), np.zeros(1, np.int64)


def run_chunks(kernel: Any, work: int, chunk: int, *args: Any, threads: int) -> None:
    """Run kernel(control, thread, *args, chunk, n_chunks) on a team, or directly when there is little to do."""
    n_chunks = team.chunks_of(work, chunk)
    if work <= _BRIEF:
        kernel(np.zeros(team.THREADS + 1, np.int64), 0, *args, chunk, n_chunks)
    else:
        team.run(kernel, *args, chunk, n_chunks, threads=min(threads, n_chunks))


@compiled
def neighbour_of(borders, v):
    """The number of the neighbouring rank that owns the vertex of this global id (one must)."""
    low, high = 0, borders.shape[0]
    while high - low > 1:
        middle = (low + high) >> 1
        if borders[middle] <= v:
            low = middle
        else:
            high = middle
    return low


@compiled
def ghost_by_name(part, v):
    """The local id of the ghost of global id v (it must be one)."""
    names = part[3]
    low, high = part[0].shape[0] - 1, names.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if names[middle] < v:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def slot_by_name(part, u, v):
    """Where row u, of a vertex here, holds the ghost of global id v (it must)."""
    indptr, indices, _, names, _ = part
    low, high = indptr[u], indptr[u + 1]
    n_own = indptr.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        # Local ids ascend in a row, and own vertices come first whatever their names are.
        if indices[middle] < n_own or names[indices[middle]] < v:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def first_ghost(indptr, indices, u):
    """The first slot of row u that holds a ghost, or the end of the row."""
    low, high = indptr[u], indptr[u + 1]
    n_own = indptr.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < n_own:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def outranks(name, rival, hashed):
    """Of two vertices who offer the same, is the first preferred? A rival that is nobody in particular comes last."""
    return rival < 0 or tie(name, hashed) > tie(rival, hashed)


@compiled
def first_by_tie(part, e, lanes, best, hashed):
    """Of the lanes at e and the slot best (-1: none), all of one weight, the slot that the tie rule puts first."""
    _, indices, _, names, _ = part
    while lanes:
        slot = e + lowest(lanes)
        if best < 0 or tie(names[indices[slot]], hashed) > tie(names[indices[best]], hashed):
            best = slot
        lanes &= lanes - 1
    return best


@compiled
def willing(indices, held_id, e, lanes, level, name, hashed):
    """The given lanes less those of `level` whose neighbour keeps the offer it holds, which is as heavy."""
    level &= lanes
    while level:
        lane = lowest(level)
        if not outranks(name, atomics.load(held_id, np.int64(indices[e + lane])), hashed):
            lanes &= ~(np.int64(1) << lane)
        level &= level - 1
    return lanes


@inlined
def best_bid(part, held, u, shift, hashed):
    """The slot of u's heaviest edge to a neighbour that would accept u now, or -1; and its key.

    Race: an offer may rise after it was read, and its key and id may be read from different offers. As the id is stored
    before the key and read after it, the id is never the older one; so a neighbour that would accept is not overlooked,
    and one that would not is asked again under its lock.
    """
    indptr, indices, keys, names, _ = part
    held_key, held_id = held
    best, key = np.int64(-1), np.int64(1)
    e, end = indptr[np.uint64(u)], indptr[np.uint64(u) + np.uint64(1)]
    while e < end:
        heavy = at_least(keys, e, end - e, key)
        if heavy:
            verdict = outbid(keys, indices, held_key, e, heavy, shift, 0)
            level = verdict >> LANES
            candidates = (verdict | level) & _ALL
            while candidates:
                top = largest(keys, e, candidates)
                if top < key:
                    break
                same = equal(keys, e, candidates, top)
                candidates &= ~same
                if level & same:
                    same = willing(indices, held_id, e, same, level, names[u], hashed)
                if same:
                    if top > key:
                        best = np.int64(-1)
                    key = top
                    if best < 0 and same & (same - 1) == 0:
                        best = e + lowest(same)
                    else:
                        best = first_by_tie(part, e, same, best, hashed)
                    break
        e += LANES
    return best, key


@inlined
def ask_for_row(part, u):
    """Prefetch the first entries of row u."""
    ask_for_entries(part[0], part[1], part[2], u)
