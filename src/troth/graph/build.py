"""Build a canonical graph from a list of undirected edges: count, place, sort, merge; in parallel and in little memory.

Degrees are counted with atomics; their prefix sum gives the rows; each edge is placed in the rows of both its ends, in
whatever order the threads come; then each row is sorted in place and repeats of an edge are merged. Rows are sorted by
(neighbour, direction where it matters, bits of the weight), so what a row becomes does not depend on the order in which
it was filled, and sums are added up in one order: the graph is bit-identical for every number of threads.

Memory beyond the edges given and the graph made: 16 bytes a vertex; and repeats take their space until they are merged.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from troth.graph.canonical import integers, real_weights
from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.order import weight_keys
from troth.kernels import edges as kernels
from troth.kernels import team
from troth.kernels.edges import ERROR, MAX, SAME, SUM
from troth.kernels.sort import STACK
from troth.memory import require_memory
from troth.naming import unknown
from troth.progress import Reporter, stage

DUPLICATES = {"error": ERROR, "same": SAME, "sum": SUM, "max": MAX}
LOOPS = ("error", "drop")


def from_edges(
    u: ArrayLike,
    v: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    n_vertices: int | None = None,
    duplicates: str = "error",
    loops: str = "error",
    labels: Sequence[Any] | None = None,
    threads: int | None = None,
    progress: Reporter | None = None,
) -> Graph:
    """The graph of undirected edges (u[i], v[i]), each given once or in both directions.

    Args:
        u, v: vertex ids from 0, of any integer type.
        weights: one for each edge, or None for a pattern.
        n_vertices: more vertices than the largest id shows; None for 1 + the largest id.
        duplicates: what to do with repeats of an edge. "error": each edge at most once in each direction, with one
            weight. "same": any repeats, in any direction, of one weight. "sum", "max": any repeats, in any direction.
            A pattern stays a pattern.
        loops: "error" or "drop".
    Raises: ValueError naming the first bad edge and the call that mends it.
    """
    size = team.check_threads(threads)
    check_rules(duplicates, loops)
    edges, n = checked_edges(u, v, weights, n_vertices, loops)
    if labels is not None and len(labels) != n:
        raise ValueError(f"there are {len(labels)} labels for {n} vertices; give one for each")
    return Graph(*_csr(edges, n, DUPLICATES[duplicates], size, progress), labels)


def check_rules(duplicates: str, loops: str) -> None:
    """ValueError when there are no such ways with duplicates and loops."""
    if duplicates not in DUPLICATES:
        raise unknown("way with duplicates", duplicates, DUPLICATES)
    if loops not in LOOPS:
        raise unknown("way with loops", loops, LOOPS)


def checked_edges(
    u: ArrayLike, v: ArrayLike, weights: ArrayLike | None, n_vertices: int | None, loops: str
) -> tuple["Edges", int]:
    """The edges as arrays of native types, and the number of vertices; ValueError naming the first bad edge."""
    tails, heads = integers("u", u), integers("v", v)
    values = None if weights is None else real_weights("weights", weights, tails.size)
    n = _check_ends(tails, heads, n_vertices)
    if values is not None:
        _check_finite(tails, heads, values)
    if tails.dtype != heads.dtype:
        tails, heads = tails.astype(np.int64), heads.astype(np.int64)
    if loops == "error":
        _check_loops(tails, heads)
    return Edges(tails, heads, values), n


def simple_csr(
    u: NDArray[Any], v: NDArray[Any], n: int, *, threads: int, progress: Reporter | None
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """The pattern of edges known to be in range, of one integer type: repeats merged, loops dropped."""
    indptr, indices, _ = _csr(Edges(u, v, None), n, SAME, threads, progress)
    return indptr, indices


class Edges(NamedTuple):
    """Ends and weights of edges, each undirected."""

    u: NDArray[Any]
    v: NDArray[Any]
    weights: NDArray[Any] | None


def _check_ends(u: NDArray[Any], v: NDArray[Any], n_vertices: int | None) -> int:
    """The number of vertices; ValueError when the ends do not fit it."""
    if u.size != v.size:
        raise ValueError(f"u has {u.size} ends and v has {v.size}; each edge needs both")
    lowest, highest = (min(u.min(), v.min()), max(u.max(), v.max())) if u.size else (0, -1)
    if lowest < 0:
        e = int(np.argmax((u < 0) | (v < 0)))
        raise ValueError(f"edge number {e} is ({u[e]}, {v[e]}); vertices are numbered from 0")
    n = int(highest) + 1
    if n_vertices is not None:
        if isinstance(n_vertices, bool) or not isinstance(n_vertices, int | np.integer) or n_vertices < 0:
            raise ValueError(f"n_vertices is {n_vertices!r}; give a whole number of at least 0, or None")
        if n > n_vertices:
            e = int(np.argmax((u >= n_vertices) | (v >= n_vertices)))
            raise ValueError(
                f"edge number {e} is ({u[e]}, {v[e]}) but n_vertices is {n_vertices}; make it at least {n}"
            )
        n = int(n_vertices)
    return n


def _check_finite(u: NDArray[Any], v: NDArray[Any], weights: NDArray[Any]) -> None:
    # The extremes tell without an array of flags: a NaN anywhere makes both NaN.
    if weights.size == 0 or (np.isfinite(weights.min()) and np.isfinite(weights.max())):
        return
    e = int(np.argmin(np.isfinite(weights)))
    name = "NaN" if np.isnan(weights[e]) else "infinite"
    raise ValueError(f"weight of edge ({u[e]}, {v[e]}) is {name}; give it a finite weight or remove the edge")


def _check_loops(u: NDArray[Any], v: NDArray[Any]) -> None:
    for first in range(0, u.size, kernels.EDGES):
        part = slice(first, first + kernels.EDGES)
        loops = u[part] == v[part]
        if loops.any():
            e = first + int(np.argmax(loops))
            raise ValueError(f"edge number {e} is ({u[e]}, {u[e]}), a loop; call troth.drop_loops")


def _csr(
    edges: Edges, n: int, rule: int, threads: int, progress: Reporter | None
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any] | None]:
    """Canonical arrays of checked edges; loops are dropped."""
    indptr, indices, weights, clash = merge_rows(*_place(edges, n, rule, threads, progress), rule, threads, progress)
    if clash is not None:
        raise ValueError(_sentence(*clash, rule, edges))
    return indptr, indices, weights


def _place(
    edges: Edges, n: int, rule: int, threads: int, progress: Reporter | None
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any] | None]:
    """Rows that hold every edge at both its ends, in no order, repeats and all; keys as in kernels/edges.py."""
    size, given = edges.u.size, edges.weights
    index_type = np.dtype(np.int32 if n <= INT32_VERTICES else np.int64)
    entry_bytes = index_type.itemsize + (0 if given is None else given.itemsize)
    require_memory(16 * n + 2 * size * entry_bytes, f"a graph of {n} vertices and {size} edges")
    u, v, chunks = _read_only(edges.u), _read_only(edges.v), team.chunks_of(size, kernels.EDGES)
    cursor = np.zeros(n + 2, np.int64)
    report = stage(progress, "count degrees", chunks)
    team.run(kernels.count_degrees, u, v, chunks, cursor, threads=threads, progress=report)
    np.cumsum(cursor, out=cursor)  # now cursor[x + 1] is where row x begins; placing moves it to where it ends
    indices = np.empty(int(cursor[-1]), index_type)
    weights = None if given is None else np.empty(indices.size, given.dtype)
    bits = None if given is None else _read_only(weight_keys(given, size))
    sided, out = int(rule == ERROR), (cursor, _keys(indices), _bits(weights))
    report = stage(progress, "place edges", chunks)
    team.run(kernels.place_edges, u, v, bits, chunks, sided, *out, threads=threads, progress=report)
    return cursor[:-1], indices, weights


def merge_rows(
    rows: NDArray[np.int64],
    indices: NDArray[Any],
    weights: NDArray[Any] | None,
    rule: int,
    threads: int,
    progress: Reporter | None,
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any] | None, tuple[int, int] | None]:
    """Sort and merge all rows, in place: canonical arrays, and the first (row, neighbour) that cannot be one edge.

    The indices are keys as in kernels/edges.py before, and neighbours after.
    """
    chunks = team.chunks_of(indices.size + rows.size - 1, kernels.WORK)
    indptr, moves = np.zeros(rows.size, np.int64), np.zeros((chunks, 2), np.int64)
    clashes = np.full((threads, 8), -1, np.int64)  # a cache line for each thread
    zero, limit = _sum_type(weights)
    scratch = np.empty((threads, STACK), np.int64)
    arrays, out = (rows, scratch, _keys(indices), _bits(weights), weights), (indptr, moves, clashes)
    report = stage(progress, "sort rows", chunks)
    team.run(kernels.finish_rows, *arrays, rule, zero, limit, *out, threads=threads, progress=report)
    np.cumsum(indptr, out=indptr)
    clash = min(((int(row[0]), int(row[1])) for row in clashes if row[0] >= 0), default=None)
    return indptr, _close_up(indices, moves), None if weights is None else _close_up(weights, moves), clash


def _keys(indices: NDArray[Any]) -> NDArray[Any]:
    """The neighbours as sort keys. They take 31 bits and their direction one more, hence unsigned."""
    return indices.view(np.uint32) if indices.dtype == np.int32 else indices


def _bits(weights: NDArray[Any] | None) -> NDArray[Any] | None:
    return None if weights is None else weight_keys(weights, weights.size)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view: to Numba, arrays that one may and may not write to are two types, and each is compiled for."""
    view = array.view()
    view.flags.writeable = False
    return view


def _sum_type(weights: NDArray[Any] | None) -> tuple[Any, float]:
    """A zero of the type in which sums are made, and what they must stay below."""
    if weights is None:
        return np.int64(0), 0.0
    if weights.dtype.kind == "f":
        return np.float64(0), float(np.finfo(weights.dtype).max)
    # The kernel adds magnitudes up in floating point: exact for int32, while int64 needs a little room for rounding.
    return np.int64(0), float(np.iinfo(weights.dtype).max) * (1 if weights.itemsize == 4 else 1 - 1e-9)


def _close_up(array: NDArray[Any], moves: NDArray[np.int64]) -> NDArray[Any]:
    """Move what is left of each chunk down to the one before, and give the rest of the memory back."""
    into = 0
    for first, size in moves.tolist():
        if into != first:
            array[into : into + size] = array[first : first + size]
        into += size
    if into < array.size:
        array.resize(into, refcheck=False)  # no view of it is left
    return array


def _sentence(a: int, b: int, rule: int, edges: Edges) -> str:
    """Why the repeats of edge (a, b) cannot be one edge, and the cure."""
    u, v, weights = edges
    there = np.flatnonzero(((u == a) & (v == b)) | ((u == b) & (v == a)))
    if rule == SUM and weights is not None:
        return f"the weights of edge ({a}, {b}) add up to more than {weights.dtype} holds; give them as float64"
    forward = there[u[there] == a]
    again = forward if forward.size > 1 else there[u[there] == b]
    if rule == ERROR and again.size > 1:
        e, f = again[:2]
        return f"edge ({u[e]}, {v[e]}) is given twice, as numbers {e} and {f}; call troth.sum_duplicates"
    assert weights is not None
    e, f = there[0], there[np.argmax(weights[there] != weights[there[0]])]
    cure = "troth.symmetrize" if rule == ERROR else "troth.sum_duplicates"
    return f"edge ({u[e]}, {v[e]}) has weights {weights[e]} and {weights[f]}, as numbers {e} and {f}; call {cure}"
