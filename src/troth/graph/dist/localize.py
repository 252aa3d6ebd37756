"""From rows of global neighbour ids to rows of local ids: own vertices first, then ghosts, both ascending.

Owners are consecutive, so a sorted row is ghosts below, own vertices, ghosts above, and is put in order by moving its
own vertices to the front. Ghosts are gathered in a hash table that is never larger than four words for each entry that
leads away, or for each vertex of other ranks; sorting what is in the table gives their numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.order import mix
from troth.kernels import atomics, team
from troth.kernels.jit import compiled

_CHUNK = 1 << 16
_INT32_IDS = 2**31 - 1


def localize(
    rank: int,
    starts: NDArray[np.int64],
    indptr: NDArray[np.int64],
    neighbours: NDArray[Any],
    weights: NDArray[Any] | None,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[Any] | None, NDArray[np.int64]]:
    """Local neighbour ids, the weights in their order, and the ghosts."""
    first, last, n = int(starts[rank]), int(starts[rank + 1]), int(starts[-1])
    away = count_away(neighbours, first, last)
    table = np.full(1 << max(1, 2 * min(away, n - (last - first))).bit_length(), -1, np.int64)
    local = np.empty(neighbours.size, np.int32)
    ordered = None if weights is None else np.empty_like(weights)
    chunks = team.chunks_of(neighbours.size + indptr.size - 1, _CHUNK)
    rows = [_read_only(array) for array in (indptr, neighbours, weights)]
    team.run(reorder_rows, *rows, first, last, chunks, table, local, ordered, threads=threads)
    slots = np.flatnonzero(table >= 0)
    slots = slots[np.argsort(table[slots])]
    ghosts = table[slots]
    if last - first + ghosts.size > _INT32_IDS:
        raise ValueError(
            f"rank {rank} has {last - first} vertices and {ghosts.size} ghosts, more than local ids count; use more ranks"
        )
    numbers = np.empty(table.size, np.int32)
    numbers[slots] = np.arange(last - first, last - first + ghosts.size)
    team.run(number_ghosts, numbers, team.chunks_of(local.size, _CHUNK), local, threads=threads)
    return local, ordered, ghosts


def count_away(neighbours: NDArray[Any], first: int, last: int) -> int:
    """The neighbours outside first ... last - 1."""
    blocks = range(0, neighbours.size, _CHUNK)
    parts = (neighbours[block : block + _CHUNK] for block in blocks)
    return sum(int(np.count_nonzero((part < first) | (part >= last))) for part in parts)


def _read_only(array: NDArray[Any] | None) -> NDArray[Any] | None:
    if array is None:
        return None
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view


@compiled
def slot_of(table, v):
    """Where the table has v, which is put there if it is not."""
    mask = np.int64(table.shape[0] - 1)
    slot = np.int64(mix(v) & np.uint64(mask))
    while True:
        held = atomics.load(table, slot)
        if held == -1:
            held = atomics.cas(table, slot, -1, v)
        if held == v or held == -1:
            return slot
        slot = (slot + 1) & mask


@compiled
def reorder_rows(
    control, thread, indptr, neighbours, weights, first, last, chunks,  # IN: the own vertices are first ... last - 1
    table,  # OUT: the ghosts, -1 where none is
    local, ordered,  # OUT: own neighbours, then -1 - slot for ghosts; the weights in this order
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for row in range(team.first_vertex(indptr, chunk * _CHUNK), team.first_vertex(indptr, (chunk + 1) * _CHUNK)):
            low, end = indptr[row], indptr[row + 1]
            while low < end and neighbours[low] < first:
                low += 1
            high, into = low, indptr[row]
            while high < end and neighbours[high] < last:
                local[into] = neighbours[high] - first
                high, into = high + 1, into + 1
            below = low - indptr[row]
            for k in range(below + end - high):
                e = indptr[row] + k if k < below else high + k - below
                local[into + k] = -1 - slot_of(table, np.int64(neighbours[e]))
            if ordered is not None:
                move_weights(weights, indptr[row], low, high, end, ordered)
        chunk = team.take(control, chunks)


@compiled
def move_weights(weights, start, low, high, end, ordered):
    """Copy the weights of a row, those from low to high first."""
    for k in range(high - low):
        ordered[start + k] = weights[low + k]
    for k in range(low - start):
        ordered[start + high - low + k] = weights[start + k]
    for e in range(high, end):
        ordered[e] = weights[e]


@compiled
def number_ghosts(
    control, thread, numbers, chunks,  # IN: the local id for each slot of the table
    local,  # IN: as left by reorder_rows. OUT: local ids
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for e in range(chunk * _CHUNK, min((chunk + 1) * _CHUNK, local.shape[0])):
            if local[e] < 0:
                local[e] = numbers[-1 - local[e]]
        chunk = team.take(control, chunks)
