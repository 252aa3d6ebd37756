"""From edges that are anywhere to rows on their owners: count, place, exchange, place again, sort, merge.

Every edge travels as two entries, one to the owner of each end: the number of the row on the owner, the neighbour as a
key as in kernels/edges.py, and the bits of the weight. Rows are sorted by all of these, so that they do not depend on
who had an edge. While edges are on their way a rank needs room for its own entries twice, those of its rows included.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import guard
from troth.graph.build import Edges, merge_rows
from troth.graph.csr import INT32_VERTICES
from troth.graph.dist.exchange import Exchange
from troth.graph.dist.part import even_ranges
from troth.graph.dist.rows import Rows
from troth.graph.order import weight_keys
from troth.kernels import atomics, team
from troth.kernels.edges import ERROR, SAME
from troth.kernels.jit import compiled
from troth.memory import require_memory

_CHUNK = 1 << 16


def rows_of_edges(
    comm: Any, edges: Edges, n: int, rule: int, *, both: bool = True, threads: int = 1, what: str = "the edges"
) -> Rows:
    """Rows, even by vertices, of edges known to be in range and finite; loops are dropped. Collective.

    Args:
        edges: any of them, on any rank; all ranks have weights of one type, or none.
        rule: what to do with repeats, as in kernels/edges.py.
        both: each edge goes in the rows of both its ends; False: in that of its first, as an entry of a matrix.
    """
    starts = even_ranges(n, comm.size)
    tails, keys, bits = _exchanged(comm, edges, starts, int(rule == ERROR), both, threads, what)
    weight_type = None if edges.weights is None else edges.weights.dtype
    del edges
    with guard(comm):
        first = int(starts[comm.rank])
        rows = np.zeros(int(starts[comm.rank + 1]) - first + 1, np.int64)
        np.cumsum(np.bincount(tails, minlength=rows.size - 1), out=rows[1:])
        indices = np.empty(keys.size, np.int32 if n <= INT32_VERTICES else np.int64)
        weights = None if weight_type is None else np.empty(keys.size, weight_type)
        out = indices.view(keys.dtype), None if weights is None else weight_keys(weights, keys.size)
        chunks = team.chunks_of(tails.size, _CHUNK)
        team.run(place_rows, tails, keys, bits, chunks, rows[:-1].copy(), *out, threads=threads)
        del tails, keys, bits, out
        indptr, indices, weights, clash = merge_rows(rows, indices, weights, rule, threads, None)
        if clash is not None:
            raise ValueError(_sentence(first + clash[0], clash[1], rule))
    return Rows(starts, indptr, indices, weights)


def _exchanged(
    comm: Any, edges: Edges, starts: NDArray[np.int64], sided: int, both: bool, threads: int, what: str
) -> tuple[NDArray[np.int32], NDArray[Any], NDArray[Any] | None]:
    """The entries of this rank's rows: number of the row, key, bits of the weight."""
    size, n = edges.u.size, int(starts[-1])
    key_type: Any = np.uint32 if n <= INT32_VERTICES else np.int64
    bits = None if edges.weights is None else weight_keys(edges.weights, size)
    chunks, counts = team.chunks_of(size, _CHUNK), np.zeros(comm.size, np.int64)
    with guard(comm):
        entry_bytes = 4 + np.dtype(key_type).itemsize + (0 if bits is None else bits.itemsize)
        require_memory(4 * size * entry_bytes, f"spreading {what} over {comm.size} ranks")
        team.run(count_owners, edges.u, edges.v, both, starts, chunks, counts, threads=threads)
        cursor = np.cumsum(counts) - counts
        tails, keys = np.empty(int(counts.sum()), np.int32), np.empty(int(counts.sum()), key_type)
        carried = None if bits is None else np.empty(keys.size, bits.dtype)
        given = (edges.u, edges.v, bits, both, sided, starts, chunks)
        team.run(place_owners, *given, cursor, tails, keys, carried, threads=threads)
    exchange = Exchange(comm, counts)
    tails, keys = exchange.send(tails), exchange.send(keys)
    return tails, keys, None if carried is None else exchange.send(carried)


def _sentence(u: int, v: int, rule: int) -> str:
    """Why the repeats of edge (u, v) cannot be one edge, and the cure."""
    if rule == SAME:
        return f"edge ({u}, {v}) is given with different weights; call troth.sum_duplicates"
    if rule == ERROR:
        return f"edge ({u}, {v}) is given twice, or with different weights; give it once in each direction"
    return f"the weights of edge ({u}, {v}) add up to more than their type holds; give them as float64"


@compiled
def owner_of(starts, v):
    """The rank of v, where ranges are even."""
    ranks = starts.shape[0] - 1
    rank = min(np.int64(float(v) * ranks / float(starts[ranks])), ranks - 1)
    while starts[rank] > v:
        rank -= 1
    while starts[rank + 1] <= v:
        rank += 1
    return rank


@compiled
def count_owners(
    control, thread, u, v, both, starts, chunks,  # IN
    counts,  # OUT: entries for each rank
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for e in range(chunk * _CHUNK, min((chunk + 1) * _CHUNK, u.shape[0])):
            if u[e] != v[e]:
                atomics.add(counts, owner_of(starts, np.int64(u[e])), 1)
                if both:
                    atomics.add(counts, owner_of(starts, np.int64(v[e])), 1)
        chunk = team.take(control, chunks)


@compiled
def place_owners(
    control, thread, u, v, weights, both, sided, starts, chunks,  # IN: as for kernels/edges.place_edges
    cursor,  # IN: where the entries of each rank begin. OUT: where they end
    tails, keys, bits,  # OUT: number of the row on its rank, (neighbour << sided) + 1 if u is the neighbour; weight
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for e in range(chunk * _CHUNK, min((chunk + 1) * _CHUNK, u.shape[0])):
            tail, head = np.int64(u[e]), np.int64(v[e])
            for side in range(1 + both if tail != head else 0):
                rank = owner_of(starts, tail)
                i = atomics.add(cursor, rank, 1)
                tails[i], keys[i] = tail - starts[rank], (head << sided) + side * sided
                if bits is not None:
                    bits[i] = weights[e]
                tail, head = head, tail
        chunk = team.take(control, chunks)


@compiled
def place_rows(
    control, thread, tails, keys, weights, chunks,  # IN
    cursor,  # IN: where each row begins. OUT: where it ends
    indices, bits,  # OUT: keys and weights by rows
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for e in range(chunk * _CHUNK, min((chunk + 1) * _CHUNK, tails.shape[0])):
            i = atomics.add(cursor, tails[e], 1)
            indices[i] = keys[e]
            if bits is not None:
                bits[i] = weights[e]
        chunk = team.take(control, chunks)
