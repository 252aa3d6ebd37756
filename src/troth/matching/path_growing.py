"""Half-approximate maximum weight matching by path growing (Drake and Hougardy 2003).

From each vertex left, a path grows along the heaviest edge to a vertex not yet used; the best matching of the path,
found by dynamic programming, joins the result (their improvement PGA'). What can still be matched then is: the result
is maximal. Serial. Its matching is as good as the locally dominant one in theory, but not the same, and an edge may
block.

Drake, Hougardy. A simple approximation algorithm for the weighted matching problem. IPL 85, 2003.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.kernels import team
from troth.kernels.jit import compiled
from troth.matching.locally_dominant import FREE, TAKEN, heaviest_free
from troth.matching.problem import Problem

_BREATH = 1 << 12


@compiled
def match_path(path, gain, length, mate):  # path, gain: IN (gain: work), mate: OUT
    """Match the path path[0..length] so that the sum of gains is largest; gain[i] is the weight of its edge i, from 1.

    gain becomes the best sum of the first i edges: either edge i is left out, or it is added to the best of i - 2.
    """
    for i in range(1, length + 1):
        with_edge = gain[i] + (gain[i - 2] if i >= 2 else 0.0)
        gain[i] = max(gain[i - 1], with_edge)
    i = length
    while i >= 1:
        if gain[i] > gain[i - 1]:
            mate[path[i]] = path[i - 1]
            mate[path[i - 1]] = path[i]
            i -= 2
        else:
            i -= 1


@compiled
def grow_paths(control, thread, indptr, indices, keys, values, marks, path, gain, mate, hashed):
    """Grow and match paths from every vertex. values: IN (weights), marks, path, gain: work, mate: OUT."""
    steps = 0
    for start in range(indptr.shape[0] - 1):
        if marks[start] == TAKEN:
            continue
        u, length = np.int64(start), 0
        gain[0] = 0.0
        path[0] = u
        while True:
            marks[u] = TAKEN
            slot = heaviest_free(indptr, indices, keys, marks, u, hashed)
            steps += 1
            if steps % _BREATH == 0 and team.stopped(control):
                return
            if slot < 0:
                break
            u = np.int64(indices[slot])
            length += 1
            path[length] = u
            gain[length] = values[slot]
        match_path(path, gain, length, mate)


@compiled
def match_rest(control, thread, indptr, indices, keys, marks, mate, hashed):
    """Match each free vertex with its heaviest free neighbour. marks: IN and work, mate: IN and OUT."""
    for u in range(indptr.shape[0] - 1):
        if u % _BREATH == 0 and team.stopped(control):
            return
        if mate[u] < 0:
            slot = heaviest_free(indptr, indices, keys, marks, np.int64(u), hashed)
            if slot >= 0:
                v = np.int64(indices[slot])
                mate[u] = v
                mate[v] = u
                marks[u] = TAKEN
                marks[v] = TAKEN


def path_growing(problem: Problem) -> NDArray[Any]:
    """The mates, by growing paths."""
    graph, keys = problem.graph, problem.packing.keys
    n, index = graph.n_vertices, graph.indices.dtype
    marks = np.full(n, FREE, np.int64)
    mate = np.full(n, -1, index)
    path, gain = np.empty(n + 1, index), np.empty(n + 1, np.float64)
    values = keys if graph.weights is None else graph.weights
    rows = graph.indptr, graph.indices, keys
    problem.run("growing paths", grow_paths, *rows, values, marks, path, gain, mate, problem.hashed, n_chunks=1)
    marks = np.where(mate >= 0, TAKEN, FREE)
    problem.run("matching the rest", match_rest, *rows, marks, mate, problem.hashed, n_chunks=1)
    return mate
