"""Kernels that turn a list of undirected edges into the sorted rows of a graph; graph/build.py runs them in order.

An entry is a key, the neighbour, with the bits of the weight as its payload. When the direction of an edge matters
(rule ERROR), the key is (neighbour << 1) + 1 in the row of the edge's head and (neighbour << 1) in that of its tail.
"""

import numpy as np

from troth.kernels import atomics, sort, team
from troth.kernels.jit import compiled

ERROR, SAME, SUM, MAX = range(4)

EDGES = 1 << 16  # edges of a chunk
WORK = 1 << 16  # entries and vertices of a chunk


@compiled
def count_degrees(
    control, thread, u, v, chunks,  # IN
    cursor,  # OUT: cursor[x + 2] = the degree of x, repeats counted
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for e in range(chunk * EDGES, min((chunk + 1) * EDGES, u.shape[0])):
            if u[e] != v[e]:
                atomics.add(cursor, u[e] + 2, 1)
                atomics.add(cursor, v[e] + 2, 1)
        chunk = team.take(control, chunks)


@compiled
def place_edges(
    control, thread, u, v, weights, chunks, sided,  # IN: weights as integers, or None; sided = 1 to tell directions
    cursor,  # IN: cursor[x + 1] = where row x begins. OUT: where it ends
    keys, bits,  # OUT: (neighbour << sided) + 1 if sided and x is the edge's head; its weight
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for e in range(chunk * EDGES, min((chunk + 1) * EDGES, u.shape[0])):
            tail, head = np.int64(u[e]), np.int64(v[e])
            if tail != head:
                out, back = atomics.add(cursor, tail + 1, 1), atomics.add(cursor, head + 1, 1)
                keys[out], keys[back] = head << sided, (tail << sided) + sided
                if bits is not None:
                    bits[out] = bits[back] = weights[e]
        chunk = team.take(control, chunks)


@compiled
def finish_rows(
    control, thread, rows, scratch,  # IN: scratch for sorting, a row for each thread
    keys, bits, weights,  # IN: as placed, bits = weights as integers. OUT: rows sorted and merged, packed in each chunk
    rule, zero, limit,  # IN
    indptr, moves,  # OUT: indptr[v + 1] = entries of row v; moves[chunk] = (where it begins, entries left in it)
    clashes,  # OUT: the first (vertex, neighbour) of each thread whose entries cannot be one edge
):  # fmt: skip
    chunk = team.take(control, moves.shape[0])
    while chunk >= 0:
        first, last = team.first_vertex(rows, chunk * WORK), team.first_vertex(rows, (chunk + 1) * WORK)
        into = rows[first]
        for v in range(first, last):
            sort.sort(keys, bits, rows[v], rows[v + 1], scratch[thread], control)
            start = into
            into, clash = merge_row(keys, weights, rows[v], rows[v + 1], into, rule, zero, limit)
            indptr[v + 1] = into - start
            if clash >= 0 and clashes[thread, 0] < 0:
                clashes[thread, 0], clashes[thread, 1] = v, clash
        moves[chunk, 0], moves[chunk, 1] = rows[first], into - rows[first]
        chunk = team.take(control, moves.shape[0])


@compiled
def merge_row(keys, weights, low, high, into, rule, zero, limit):
    """Merge equal neighbours of a sorted row, and write it from `into` on: (its end, first neighbour that clashes)."""
    sided, clash = int(rule == ERROR), np.int64(-1)
    while low < high:
        neighbour, end = np.int64(keys[low]) >> sided, low + 1
        while end < high and np.int64(keys[end]) >> sided == neighbour:
            end += 1
        twice = sided == 1 and (end - low > 2 or (end - low == 2 and keys[low] == keys[low + 1]))
        if weights is not None:
            value, fits = one_weight(weights, low, end, rule, zero, limit)
            weights[into] = value
            twice |= not fits
        if twice and clash < 0:
            clash = neighbour
        keys[into] = neighbour
        into += 1
        low = end
    return into, clash


@compiled
def one_weight(weights, low, high, rule, zero, limit):
    """The weight of the edge that entries low ... high - 1 make, and whether they can make one."""
    total, largest, magnitude, equal = zero, weights[low], 0.0, True
    for e in range(low, high):
        total += weights[e]
        largest = max(largest, weights[e])
        magnitude += abs(float(weights[e]))
        equal &= weights[e] == weights[low]
    if rule == SUM:
        return total, high - low == 1 or magnitude <= limit
    return zero + largest, rule == MAX or equal
