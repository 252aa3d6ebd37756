"""What a vertex has been offered, packed in one word, and the search for the best neighbour that would accept.

A proposal from u over an edge with key k (graph/order.py) is the int64 word  (k >> shift) << bits | (u + 1);  0 is
"none". One load tells the weight and the suitor together, one compare-and-swap replaces both, so no lock is needed.
`bits` is just wide enough for the ids, and the weight takes the rest: 42 bits of a float64 key for a million vertices.
Where that loses bits, two words with equal tops are settled by looking the full weight up in the sorted row
(`outranks`), which happens about once in a million comparisons of random weights. If all keys have zeros in the lost
bits (integers stored as floats, say) nothing is lost, and equal tops are true ties, settled by the tie rule alone.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.canonical import find_entry
from troth.graph.csr import Graph
from troth.graph.order import tie, weight_keys
from troth.kernels.jit import compiled, inlined
from troth.kernels.lanes import LANES, at_least, equal, largest, lowest, outbid

_WORD_BITS = 63
_SAMPLE = 1024
_ALL = (1 << LANES) - 1


@dataclass(frozen=True)
class Packing:
    """How proposals are packed for one graph: see the module's first lines."""

    keys: NDArray[Any]
    shift: int
    bits: int
    exact: bool


def packing_of(graph: Graph) -> Packing:
    """The widest packing that leaves room for the graph's vertex ids."""
    keys = weight_keys(graph.weights, graph.indices.size)
    bits = graph.n_vertices.bit_length()
    room = _WORD_BITS - bits
    width = 8 * keys.dtype.itemsize - 1
    if width <= room:
        return Packing(keys, 0, bits, True)
    if keys.size and graph.weights is not None and graph.weights.dtype.kind == "f":
        # Random weights show at once that bits are lost; only then is reading them all worth it.
        sample = int(np.bitwise_or.reduce(np.abs(keys[:_SAMPLE])))
        if sample & ((1 << (width - room)) - 1):
            return Packing(keys, width - room, bits, False)
    used = graph.used_key_bits
    shift = max(0, used.bit_length() - room)
    return Packing(keys, shift, bits, used & ((1 << shift) - 1) == 0)


@compiled
def outranks(indptr, indices, keys, held, v, u, key, bits, exact, hashed):
    """Would v rather have u, over an edge of this key, than the offer held, whose top is the same?"""
    if held == 0:
        return True
    rival = (held & ((np.int64(1) << bits) - 1)) - 1
    if not exact:
        rival_key = np.int64(keys[find_entry(indptr, indices, v, rival)])
        if key != rival_key:
            return key > rival_key
    return tie(u, hashed) > tie(rival, hashed)


@compiled
def accepts(indptr, indices, keys, held, v, u, key, shift, bits, exact, hashed):
    """Would v rather have u, over an edge of this key, than the offer held?"""
    top, held_top = key >> shift, held >> bits
    if top != held_top:
        return top > held_top
    return outranks(indptr, indices, keys, held, v, u, key, bits, exact, hashed)


@compiled
def first_by_tie(indices, e, lanes, best, hashed):
    """Of the lanes at e and the slot best (-1: none), all of one weight, the slot that the tie rule puts first."""
    while lanes:
        slot = e + lowest(lanes)
        if best < 0 or tie(indices[slot], hashed) > tie(indices[best], hashed):
            best = slot
        lanes &= lanes - 1
    return best


@compiled
def willing(indptr, indices, keys, offers, e, lanes, level, u, key, bits, exact, hashed):
    """The given lanes, all of this key, less those of `level` whose neighbour keeps the offer it holds."""
    level &= lanes
    while level:
        lane = lowest(level)
        v = np.int64(indices[e + lane])
        if not outranks(indptr, indices, keys, offers[v], v, u, key, bits, exact, hashed):
            lanes &= ~(np.int64(1) << lane)
        level &= level - 1
    return lanes


@inlined
def best_bid(indptr, indices, keys, offers, u, shift, bits, exact, hashed):
    """The slot of u's heaviest edge to a neighbour that would accept u now, or -1; and its key.

    Blocks of LANES entries are passed over when none is as heavy as the best so far; the others look at all their
    neighbours' offers at once. Race: an offer may rise after it was read, so the caller checks again when it proposes.
    """
    best, key = np.int64(-1), np.int64(1)
    e, end = indptr[np.uint64(u)], indptr[np.uint64(u) + np.uint64(1)]
    while e < end:
        heavy = at_least(keys, e, end - e, key)
        if heavy:
            verdict = outbid(keys, indices, offers, e, heavy, shift, bits)
            level = verdict >> LANES
            candidates = (verdict | level) & _ALL
            while candidates:
                top = largest(keys, e, candidates)
                if top < key:
                    break
                same = equal(keys, e, candidates, top)
                candidates &= ~same
                if level & same:
                    same = willing(indptr, indices, keys, offers, e, same, level, u, top, bits, exact, hashed)
                if same:
                    if top > key:
                        best = np.int64(-1)
                    key = top
                    if best < 0 and same & (same - 1) == 0:
                        best = e + lowest(same)
                    else:
                        best = first_by_tie(indices, e, same, best, hashed)
                    break
        e += LANES
    return best, key
