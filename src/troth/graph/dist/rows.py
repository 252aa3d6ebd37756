"""Rows of a graph that is being spread over ranks: global neighbour ids, each rank a range of consecutive vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import guard, load_mpi
from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.dist.exchange import Exchange, before, total
from troth.graph.dist.part import Part, even_ranges, make_part
from troth.graph.rows import sort_rows
from troth.naming import unknown

BALANCES = ("vertices", "edges")
AS_IT_IS = "as it is"


@dataclass(frozen=True)
class Rows:
    """What one rank has: the rows of vertices starts[rank] ... starts[rank + 1] - 1."""

    starts: NDArray[np.int64]
    indptr: NDArray[np.int64]
    indices: NDArray[Any]
    weights: NDArray[Any] | None


def check_balance(balance: str) -> None:
    """ValueError when there is no such balance."""
    if balance not in BALANCES:
        raise unknown("balance", balance, BALANCES)


def redistribute(comm: Any, rows: Rows, starts: NDArray[np.int64]) -> Rows:
    """The same rows, divided at other places. Collective."""
    if np.array_equal(starts, rows.starts):
        return rows
    first, last = (int(each) for each in rows.starts[comm.rank : comm.rank + 2])
    cuts = np.clip(starts, first, last) - first
    degrees = Exchange(comm, np.diff(cuts)).send(np.diff(rows.indptr))
    entries = Exchange(comm, np.diff(rows.indptr[cuts]))
    indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(degrees)))
    weights = None if rows.weights is None else entries.send(rows.weights)
    return Rows(starts, indptr, entries.send(rows.indices), weights)


def balanced(comm: Any, rows: Rows, balance: str) -> Rows:
    """The rows divided anew, evenly by vertices or by entries, or AS_IT_IS. Collective."""
    if balance == AS_IT_IS:
        return rows
    if balance == "vertices":
        return redistribute(comm, rows, even_ranges(int(rows.starts[-1]), comm.size))
    return redistribute(comm, rows, edge_starts(comm, rows))


def edge_starts(comm: Any, rows: Rows) -> NDArray[np.int64]:
    """What part.edge_ranges makes of the offsets of all rows, of which each rank has its own. Collective."""
    mpi = load_mpi()
    here = int(rows.indptr[-1])
    (entries,) = total(comm, here)
    targets = np.arange(1, comm.size, dtype=np.int64) * entries // comm.size
    # A row begins before a target on the ranks before, on this one, or not.
    inner = np.searchsorted(rows.indptr[:-1] + before(comm, here), targets, side="left").astype(np.int64)
    comm.Allreduce(mpi.IN_PLACE, inner, op=mpi.SUM)
    return np.concatenate(([0], inner, rows.starts[-1:])).astype(np.int64)


def part_of(comm: Any, rows: Rows, *, balance: str, threads: int = 1) -> Part:
    """The part of this rank, after balancing. Collective."""
    rows = balanced(comm, rows, balance)
    with guard(comm):
        part = make_part(comm.rank, rows.starts, rows.indptr, rows.indices, rows.weights, threads=threads)
    return part


def rows_of(part: Part, threads: int = 1) -> Rows:
    """The rows of a part with global neighbour ids again, sorted by them."""
    dtype = np.int32 if part.n_global <= INT32_VERTICES else np.int64
    indices = part.names.astype(dtype)[part.indices]
    weights = None if part.weights is None else part.weights.copy()
    sort_rows(part.indptr, indices, weights, threads)
    return Rows(part.starts, part.indptr, indices, weights)


def all_on(root: int, size: int, n: int) -> NDArray[np.int64]:
    """The ranges where one of so many ranks owns all vertices."""
    return np.where(np.arange(size + 1) > root, n, 0).astype(np.int64)


def rows_of_root(comm: Any, graph: Graph | None, root: int) -> Rows:
    """The rows of a graph that only `root` has, still there. Collective."""
    types = None
    if graph is not None:
        types = graph.n_vertices, graph.indices.dtype, None if graph.weights is None else graph.weights.dtype
    n, index_type, weight_type = comm.bcast(types, root=root)
    starts = all_on(root, comm.size, n)
    if graph is not None:
        return Rows(starts, graph.indptr, graph.indices, graph.weights)
    weights = None if weight_type is None else np.empty(0, weight_type)
    return Rows(starts, np.zeros(1, np.int64), np.empty(0, index_type), weights)
