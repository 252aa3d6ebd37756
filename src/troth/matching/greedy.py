"""Half-approximate maximum weight matching by the greedy algorithm (Avis 1983): the heaviest edge first.

All edges are sorted by the strict order of graph/order.py; an edge is matched when both its ends are free. Sorting
makes it slow and serial, and its plainness makes it the yardstick: every other matcher must return the same mates.
Cost: O(m) with a radix sort, 40 bytes an edge.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.order import ties
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.kernels.radix import radix_sort
from troth.matching.problem import Problem

_BREATH = 1 << 18


@compiled
def take_edges(control, thread, order, tail, head, mate):  # order, tail, head: IN, mate: OUT
    """Match the edges in descending order: the last of an ascending `order` first."""
    for first in range(0, order.shape[0], _BREATH):
        if team.stopped(control):
            return
        for i in range(first, min(first + _BREATH, order.shape[0])):
            e = order[order.shape[0] - 1 - i]
            u, v = tail[e], head[e]
            if mate[u] < 0 and mate[v] < 0:
                mate[u] = v
                mate[v] = u


def _sort(problem: Problem, keys: NDArray[np.uint64], ids: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
    spare_keys, spare_ids = np.empty_like(keys), np.empty_like(ids)
    flips = np.zeros(1, np.int64)
    counts = np.empty(1 << 11, np.int64)
    problem.run("sorting edges", radix_sort, keys, ids, spare_keys, spare_ids, counts, flips, n_chunks=1)
    return (spare_keys, spare_ids) if flips[0] else (keys, ids)


def greedy(problem: Problem) -> NDArray[Any]:
    """The mates, by sorting all edges."""
    graph = problem.graph
    tail, head, weights = graph.edges()
    mate = np.full(graph.n_vertices, -1, graph.indices.dtype)
    if weights is not None:
        heavy = weights > 0
        tail, head, weights = tail[heavy], head[heavy], weights[heavy]
    keys = edge_keys(weights, tail.size)
    order = np.arange(tail.size, dtype=np.int64)
    sorted_keys, sorted_order = _sort(problem, keys.copy(), order)
    if np.any(sorted_keys[1:] == sorted_keys[:-1]):
        rank = np.empty(graph.n_vertices, np.uint64)
        rank[np.argsort(ties(graph.n_vertices, problem.hashed))] = np.arange(graph.n_vertices, dtype=np.uint64)
        low, high = np.minimum(rank[tail], rank[head]), np.maximum(rank[tail], rank[head])
        # Stable sorts by the least significant part first: lower rank, higher rank, weight.
        _, sorted_order = _sort(problem, low, np.arange(tail.size, dtype=np.int64))
        _, sorted_order = _sort(problem, high[sorted_order], sorted_order)
        _, sorted_order = _sort(problem, keys[sorted_order], sorted_order)
    problem.run("matching", take_edges, sorted_order, tail, head, mate, n_chunks=1)
    return mate


def edge_keys(weights: NDArray[Any] | None, n_edges: int) -> NDArray[np.uint64]:
    """Positive weights as unsigned integers of the same order."""
    if weights is None:
        return np.ones(n_edges, np.uint64)
    if weights.dtype.kind == "f":
        weights = weights.view(np.dtype(f"i{weights.dtype.itemsize}"))
    return weights.astype(np.uint64)
