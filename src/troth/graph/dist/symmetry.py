"""Checking rows that are spread over ranks: each rank its own, then all together that they are symmetric.

The fingerprint of graph/canonical.py is a sum over entries, so the sum over ranks is that of the whole matrix, and zero
if the matrix is symmetric. Only if not do entries travel, to find the first one without an equal partner.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import agree, guard, load_mpi
from troth.graph.canonical import canonical_rows
from troth.graph.dist.exchange import Exchange
from troth.graph.dist.rows import Rows

_Entries = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]


def checked_rows(comm: Any, rows: Rows, threads: int) -> Rows:
    """The rows with sorted int32 (or, if need be, int64) columns, checked to be those of a graph. Collective."""
    n, first = int(rows.starts[-1]), int(rows.starts[comm.rank])
    with guard(comm):
        arrays = rows.indptr, rows.indices, rows.weights
        indices, weights, fingerprint = canonical_rows(*arrays, first, n, threads, None)
    mpi = load_mpi()
    sums = np.array(fingerprint, np.uint64)
    comm.Allreduce(mpi.IN_PLACE, sums, op=mpi.SUM)
    checked = Rows(rows.starts, rows.indptr, indices, weights)
    if sums.any():
        _find_unpaired(comm, checked)
    return checked


def _find_unpaired(comm: Any, rows: Rows) -> None:
    """Raise the ValueError for the first entry without an equal partner, on every rank. Collective."""
    first = int(rows.starts[comm.rank])
    tails = np.repeat(np.arange(first, first + rows.indptr.size - 1), np.diff(rows.indptr))
    heads = rows.indices.astype(np.int64)
    values = np.ones(heads.size, np.int8) if rows.weights is None else rows.weights
    order = np.argsort(heads, kind="stable")
    owners = np.searchsorted(rows.starts, heads[order], side="right") - 1
    exchange = Exchange(comm, np.bincount(owners, minlength=comm.size).astype(np.int64))
    back, there, mirrored = (exchange.send(array[order]) for array in (tails, heads, values))
    # Entry (u, v) here is paired if (v, u) came, as back = v and there = u.
    place = _first_alone((tails, heads, values), (there, back, mirrored))
    everywhere = comm.allgather(place)
    found = min(each for each in everywhere if each is not None)
    agree(comm, ValueError(found[2]) if everywhere.index(found) == comm.rank else None)


def _first_alone(mine: _Entries, theirs: _Entries) -> tuple[int, int, str] | None:
    """The first of my entries, by row and column, that is not among theirs with the same value, and the sentence."""
    rows, columns, values = (np.concatenate(pair) for pair in zip(mine, theirs, strict=True))
    is_theirs = np.arange(rows.size) >= mine[0].size
    order = np.lexsort((is_theirs, columns, rows))
    rows, columns, values, is_theirs = rows[order], columns[order], values[order], is_theirs[order]
    # In each of these what follows an entry of mine is its partner, if it has one.
    met = np.zeros(rows.size, np.bool_)
    met[:-1] = (rows[1:] == rows[:-1]) & (columns[1:] == columns[:-1]) & is_theirs[1:]
    equal = np.zeros(rows.size, np.bool_)
    equal[:-1] = values[1:] == values[:-1]
    alone = np.flatnonzero(~is_theirs & ~(met & equal))
    if alone.size == 0:
        return None
    k = int(alone[0])
    u, v = int(rows[k]), int(columns[k])
    if met[k]:
        return u, v, f"entries ({u}, {v}) and ({v}, {u}) are {values[k]} and {values[k + 1]}; call troth.symmetrize"
    return u, v, f"row {u} holds column {v} but row {v} does not hold column {u}; call troth.symmetrize"
