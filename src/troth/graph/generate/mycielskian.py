"""The Mycielski graphs [1]: mycielskian:k equals networkx.mycielski_graph(k), vertex by vertex.

From a graph of n vertices the next one is made by adding a copy n + v of every vertex v, joined with the neighbours
of v, and a vertex 2 n joined with all copies. Row v is therefore written level by level: a vertex that was there
before doubles its row by the copies of its neighbours, a copy takes the row of its original and adds the new vertex.
Levels are taken upwards from the one where the row began, and all new entries are larger than those before, so rows
come out sorted.

[1] Mycielski. Sur le coloriage des graphes. Colloquium Mathematicum 3, 1955.
"""

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.generate.families import Request
from troth.graph.generate.weights import weighted
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.progress import stage

_CHUNK = 1 << 16  # entries and vertices


def extent(request: Request) -> tuple[int, int]:
    """Vertices and entries."""
    n, entries = _FIRST[min(request.number, 2) - 1]
    for _ in range(request.number - 2):
        n, entries = 2 * n + 1, 3 * entries + 2 * n
    return n, entries


_FIRST = ((1, 0), (2, 2))  # vertices and entries of the single vertex and the single edge


def make(request: Request) -> Graph:
    if request.number == 1:
        return weighted(np.zeros(2, np.int64), np.empty(0, np.int32), request)
    indptr = np.concatenate([[0], np.cumsum(_degrees(request.number))])
    indices = np.empty(int(indptr[-1]), np.int32 if indptr.size <= INT32_VERTICES else np.int64)
    chunks = team.chunks_of(indices.size + indptr.size - 1, _CHUNK)
    report = stage(request.progress, "fill rows", chunks)
    levels = request.number - 2
    team.run(fill_rows, levels, indptr, chunks, indices, threads=request.threads, progress=report)
    return weighted(indptr, indices, request)


def _degrees(number: int) -> NDArray[np.int64]:
    degrees = np.ones(2, np.int64)
    for _ in range(number - 2):
        degrees = np.concatenate([2 * degrees, degrees + 1, [degrees.size]])
    return degrees


@compiled
def fill_rows(
    control, thread, levels, indptr, chunks,  # IN
    indices,  # OUT
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for v in range(team.first_vertex(indptr, chunk * _CHUNK), team.first_vertex(indptr, (chunk + 1) * _CHUNK)):
            fill_row(v, levels, indices, indptr[v])
        chunk = team.take(control, chunks)


@compiled
def fill_row(v, levels, indices, start):
    """Write row v of the graph that so many steps make of the single edge {0, 1}. Returns its end."""
    level, n, copied = levels, 0, 0
    # Down to the level where v began, noting where it was a copy. Step `level` starts from n vertices.
    while level > 0:
        n = (3 << (level - 1)) - 1
        if v == 2 * n:
            break
        if v >= n:
            v -= n
            copied |= 1 << level
        level -= 1
    end = start + (n if level > 0 else 1)
    for e in range(start, end):
        indices[e] = n + e - start if level > 0 else 1 - v
    for step in range(level + 1, levels + 1):
        n = (3 << (step - 1)) - 1
        size = 1 if copied >> step & 1 else end - start
        for k in range(size):
            indices[end + k] = 2 * n if copied >> step & 1 else indices[start + k] + n
        end += size
    return end
