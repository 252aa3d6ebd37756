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
from troth.graph.generate.weights import weigh
from troth.graph.generate.written import Rows
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
    return Graph(*rows(request, 0, extent(request)[0]))


def rows(request: Request, first: int, last: int) -> Rows:
    """The rows of vertices first ... last - 1; the degrees of all are made on the way."""
    degrees = _degrees(request.number)
    indptr = np.concatenate([[0], np.cumsum(degrees[first:last])])
    indices = np.empty(int(indptr[-1]), np.int32 if degrees.size <= INT32_VERTICES else np.int64)
    chunks = team.chunks_of(indices.size + indptr.size - 1, _CHUNK) if indices.size else 0
    report = stage(request.progress, "fill rows", chunks)
    levels = request.number - 2
    team.run(fill_rows, levels, first, indptr, chunks, indices, threads=request.threads, progress=report)
    return indptr, indices, weigh(indptr, indices, request, first)


def _degrees(number: int) -> NDArray[np.int64]:
    if number == 1:
        return np.zeros(1, np.int64)
    degrees = np.ones(2, np.int64)
    for _ in range(number - 2):
        degrees = np.concatenate([2 * degrees, degrees + 1, [degrees.size]])
    return degrees


@compiled
def fill_rows(
    control, thread, levels, first, indptr, chunks,  # IN: row 0 is vertex `first`
    indices,  # OUT
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for v in range(team.first_vertex(indptr, chunk * _CHUNK), team.first_vertex(indptr, (chunk + 1) * _CHUNK)):
            fill_row(first + v, levels, indices, indptr[v])
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
