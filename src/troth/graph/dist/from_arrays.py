"""Graphs whose edges or rows are in the hands of the caller, on each rank some."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from troth.comm.errors import guard, load_mpi
from troth.graph.build import DUPLICATES, Edges, check_rules, checked_edges
from troth.graph.canonical import integers, offsets, real_weights
from troth.graph.dist.entries import rows_of_edges
from troth.graph.dist.rows import Rows
from troth.graph.dist.symmetry import checked_rows


def rows_of_given_edges(
    comm: Any,
    u: ArrayLike,
    v: ArrayLike,
    weights: ArrayLike | None,
    n_vertices: int | None,
    duplicates: str,
    loops: str,
    threads: int,
) -> Rows:
    """Rows, even by vertices, of checked edges. Collective."""
    with guard(comm):
        check_rules(duplicates, loops)
        edges, n = checked_edges(u, v, weights, n_vertices, loops)
    n = largest(comm, n)
    values = one_type(comm, edges.weights, edges.u.size)
    ids = np.result_type(edges.u.dtype, np.int32 if n < 2**31 else np.int64)
    edges = Edges(edges.u.astype(ids, copy=False), edges.v.astype(ids, copy=False), values)
    return rows_of_edges(comm, edges, n, DUPLICATES[duplicates], threads=threads)


def rows_of_given_csr(
    comm: Any, indptr: ArrayLike, indices: ArrayLike, weights: ArrayLike | None, threads: int
) -> Rows:
    """The rows as they are, checked. Collective."""
    with guard(comm):
        columns = integers("indices", indices)
        rows = offsets(indptr, columns.size)
        values = None if weights is None else real_weights("weights", weights, columns.size)
    sizes = np.empty(comm.size, np.int64)
    comm.Allgather(np.array([rows.size - 1], np.int64), sizes)
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    return checked_rows(comm, Rows(starts, rows, columns, one_type(comm, values, columns.size)), threads)


def one_type(comm: Any, weights: NDArray[Any] | None, size: int) -> NDArray[Any] | None:
    """The weights, of a type that is the same on all ranks; ranks with nothing to weigh take that of the others.

    Collective. Raises ValueError when some ranks have weights and others none, or weights of another type.
    """
    mine = None if weights is None else weights.dtype.str
    types = comm.allgather((mine, size))
    given = [(rank, name) for rank, (name, count) in enumerate(types) if count]
    if not given:
        given = [(rank, name) for rank, (name, _) in enumerate(types)]
    first, wanted = given[0]
    with guard(comm):
        if size and mine != wanted:
            told = ["no weights" if name is None else f"weights of type {np.dtype(name)}" for name in (mine, wanted)]
            raise ValueError(f"there are {told[0]} here but {told[1]} on rank {first}; give all ranks the same")
    if wanted is None:
        return None
    return np.empty(0, wanted) if size == 0 else weights


def largest(comm: Any, number: int) -> int:
    """The largest of the numbers of all ranks. Collective."""
    mpi = load_mpi()
    result = np.array([number], np.int64)
    comm.Allreduce(mpi.IN_PLACE, result, op=mpi.MAX)
    return int(result[0])
