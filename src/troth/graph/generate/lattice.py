"""Grids in two and three dimensions, and the path, which is a grid in one: rows written directly, in order.

Vertex x + nx * (y + ny * z) is the point (x, y, z). A star stencil (5 or 7 point) joins it with the next points along
the axes, a box stencil (9 or 27 point) also with those along the diagonals.
"""

import numpy as np

from troth.graph.csr import Graph
from troth.graph.generate.families import Request
from troth.graph.generate.weights import weigh
from troth.graph.generate.written import Rows, write_row, written_rows
from troth.kernels import team
from troth.kernels.jit import compiled

MOST = 26
"""Neighbours of a point, at most."""

_CHUNK = 1 << 12  # vertices


def extent(request: Request) -> tuple[int, int]:
    """Vertices, and entries at most."""
    n = int(np.prod(_shape(request), dtype=object))
    return n, n * (int(request.options.get("stencil", 3)) - 1)


def make(request: Request) -> Graph:
    return Graph(*rows(request, 0, extent(request)[0]))


def rows(request: Request, first: int, last: int) -> Rows:
    """The rows of vertices first ... last - 1."""
    star = request.options.get("stencil", "3") in ("3", "5", "7")
    span, chunks = (first, last, extent(request)[0]), team.chunks_of(last - first, _CHUNK)
    scratch = np.empty((request.threads, MOST), np.int64)
    indptr, indices = written_rows(write_lattice, (*_shape(request), star, scratch), span, chunks, request)
    return indptr, indices, weigh(indptr, indices, request, first)


def _shape(request: Request) -> tuple[int, int, int]:
    side = request.number
    if request.family == "path":
        return 1 << side, 1, 1
    return side, side, (side if request.family == "grid3d" else 1)


@compiled
def write_lattice(
    control, thread, nx, ny, nz, star, scratch, first, last, counting, chunks,  # IN: scratch: MOST words for a thread
    indptr, indices,  # OUT: indptr[v + 1 - first] = degree of v when counting. IN, OUT: otherwise
):  # fmt: skip
    row = scratch[thread]
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for v in range(first + chunk * _CHUNK, min(first + (chunk + 1) * _CHUNK, last)):
            write_row(v - first, 0, neighbours(v, nx, ny, nz, star, row), row, counting, indptr, indices)
        chunk = team.take(control, chunks)


@compiled
def neighbours(v, nx, ny, nz, star, row):
    """Write the neighbours of v in ascending order into row. Returns how many."""
    x, y, z = v % nx, v // nx % ny, v // (nx * ny)
    degree = 0
    for c in range(max(z - 1, 0), min(z + 2, nz)):
        for b in range(max(y - 1, 0), min(y + 2, ny)):
            for a in range(max(x - 1, 0), min(x + 2, nx)):
                steps = abs(a - x) + abs(b - y) + abs(c - z)
                if steps == 1 or (steps > 1 and not star):
                    row[degree] = a + nx * (b + ny * c)
                    degree += 1
    return degree
