"""Graphs made of another graph's rows: permuted, and induced by some of its vertices.

Both are one operation: row i of the result is row vertices[i] of the graph, with every neighbour renumbered by its
position in `vertices` and dropped where it has none. Rows are counted, filled and sorted in parallel.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from troth.graph.canonical import check_ids, integers
from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.order import weight_keys
from troth.graph.rows import sort_rows
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.progress import Reporter, stage

_CHUNK = 1 << 16


def permute(graph: Graph, perm: ArrayLike, *, threads: int | None = None, progress: Reporter | None = None) -> Graph:
    """The same graph with vertex perm[i] of the given one as its vertex i (SciPy's convention: A[perm][:, perm])."""
    size = team.check_threads(threads)
    order = integers("perm", perm)
    if order.size != graph.n_vertices:
        raise ValueError(
            f"perm has {order.size} entries for {graph.n_vertices} vertices; it must name each vertex once"
        )
    position = _positions("perm", order, graph.n_vertices)
    labels = None if graph.labels is None else _taken(graph.labels, order)
    return _induced(graph, order, position, labels, size, progress)


def subgraph(
    graph: Graph, vertices: ArrayLike, *, threads: int | None = None, progress: Reporter | None = None
) -> Graph:
    """The graph induced by these vertices, numbered in the order given.

    Args:
        vertices: ids, each at most once, or a mask of one boolean for each vertex.
    Returns: a Graph whose labels are the labels of these vertices, or their ids in `graph` when it has none.
    """
    size = team.check_threads(threads)
    chosen = np.asarray(vertices)
    if chosen.dtype == np.bool_:
        if chosen.shape != (graph.n_vertices,):
            raise ValueError(f"the mask has shape {chosen.shape}; it must hold one boolean for each vertex")
        chosen = np.flatnonzero(chosen)
    chosen = integers("vertices", chosen)
    position = _positions("vertices", chosen, graph.n_vertices)
    labels = chosen.copy() if graph.labels is None else _taken(graph.labels, chosen)
    return _induced(graph, chosen, position, labels, size, progress)


def _positions(name: str, chosen: NDArray[Any], n: int) -> NDArray[Any]:
    """Where each vertex of the graph stands in `chosen`, -1 where it does not; ValueError for ids that are no vertex
    or stand there twice."""
    check_ids(name, chosen, n)
    position: NDArray[Any] = np.full(n, -1, np.int32 if chosen.size <= INT32_VERTICES else np.int64)
    position[chosen] = np.arange(chosen.size, dtype=position.dtype)
    if np.count_nonzero(position >= 0) != chosen.size:
        _, first = np.unique(chosen, return_index=True)
        again = np.ones(chosen.size, np.bool_)
        again[first] = False
        at = int(np.argmax(again))
        before = int(np.argmax(chosen == chosen[at]))
        raise ValueError(f"{name}[{at}] is {chosen[at]}, and so is {name}[{before}]; name each vertex once")
    return position


def _taken(labels: Any, order: NDArray[Any]) -> Sequence[Any]:
    return labels[order] if isinstance(labels, np.ndarray) else [labels[i] for i in order.tolist()]


def _induced(
    graph: Graph,
    vertices: NDArray[Any],
    position: NDArray[Any],
    labels: Any,
    threads: int,
    progress: Reporter | None,
) -> Graph:
    weighted = graph.weights is not None
    keys = weight_keys(graph.weights, graph.indices.size) if weighted else np.empty(0, np.int32)
    work = np.zeros(vertices.size + 1, np.int64)
    np.cumsum(graph.degrees[vertices], out=work[1:])
    chunks = team.chunks_of(int(work[-1]) + vertices.size, _CHUNK)
    given = (graph.indptr, graph.indices, keys, vertices.astype(np.int64), position, work, chunks)

    indptr = work
    if vertices.size < graph.n_vertices:
        indptr = np.zeros(vertices.size + 1, np.int64)
        none = np.empty(0, position.dtype), np.empty(0, keys.dtype)
        report = stage(progress, "count the rows", chunks)
        team.run(gather_rows, *given, False, indptr, *none, threads=threads, progress=report)
        np.cumsum(indptr, out=indptr)

    indices = np.empty(indptr[-1], position.dtype)
    values = np.empty(indptr[-1] if weighted else 0, keys.dtype)
    report = stage(progress, "fill the rows", chunks)
    team.run(gather_rows, *given, True, indptr, indices, values, threads=threads, progress=report)
    weights = None if graph.weights is None else values.view(graph.weights.dtype)
    sort_rows(indptr, indices, weights, threads, progress)
    return Graph(indptr, indices, weights, labels)


@compiled
def gather_rows(
    control, thread, indptr, indices, keys, vertices, position, work, chunks, fill,  # IN: work = offsets of given rows
    new_indptr,  # OUT: the length of row i at i + 1 unless fill, else IN
    new_indices, new_keys,  # OUT when fill
):  # fmt: skip
    weighted = keys.shape[0] > 0
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for i in range(team.first_vertex(work, chunk * _CHUNK), team.first_vertex(work, (chunk + 1) * _CHUNK)):
            u, kept, start = vertices[i], 0, new_indptr[i]
            for e in range(indptr[u], indptr[u + 1]):
                v = position[indices[e]]
                if v >= 0:
                    if fill:
                        new_indices[start + kept] = v
                        if weighted:
                            new_keys[start + kept] = keys[e]
                    kept += 1
            if not fill:
                new_indptr[i + 1] = kept
        chunk = team.take(control, chunks)
    return 0
