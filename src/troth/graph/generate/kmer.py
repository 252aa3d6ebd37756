"""Many closed chains and thin grids, every degree 2 to 4: the structure of protein k-mer graphs.

Vertices are cut in cells of 1024. Each cell is filled with components, one after the other: chains of 16 to 255
vertices, three times of four, else grids 2, 3 or 4 vertices wide and 8 to 63 long, as a hash of (seed, cell,
component) says; what remains is a chain. Chains are closed, so that no degree is 1. A cell depends on no other and
can be made alone.
"""

import numpy as np

from troth.graph.csr import Graph
from troth.graph.generate.families import Request
from troth.graph.generate.hashing import SHAPES, stream
from troth.graph.generate.lattice import MOST, neighbours
from troth.graph.generate.weights import weigh
from troth.graph.generate.written import Rows, write_row, written_rows
from troth.graph.order import mix
from troth.kernels import team
from troth.kernels.jit import compiled

_CELL = 1 << 10
_SMALLEST = 8

_SIXTEEN, _CHAIN_LENGTHS, _GRID_LENGTHS = np.uint64(16), np.uint64(240), np.uint64(56)


def extent(request: Request) -> tuple[int, int]:
    """Vertices, and entries at most."""
    return 1 << request.number, 4 << request.number


def make(request: Request) -> Graph:
    return Graph(*rows(request, 0, 1 << request.number))


def rows(request: Request, first: int, last: int) -> Rows:
    """The rows of vertices first ... last - 1."""
    n = 1 << request.number
    scratch = np.empty((request.threads, MOST), np.int64)
    cells = team.chunks_of(last, _CELL) - first // _CELL if first < last else 0
    shape = (stream(request.seed, SHAPES), n, scratch)
    indptr, indices = written_rows(write_cells, shape, (first, last, n), cells, request)
    return indptr, indices, weigh(indptr, indices, request, first)


@compiled
def write_cells(
    control, thread, key, n, scratch, first, last, counting, cells,  # IN: scratch of MOST words for each thread
    indptr, indices,  # OUT: indptr[v + 1 - first] = degree of v when counting. IN, OUT: otherwise
):  # fmt: skip
    row = scratch[thread]
    taken = team.take(control, cells)
    while taken >= 0:
        cell = first // _CELL + taken
        start, end = cell * _CELL, min((cell + 1) * _CELL, n)
        drawn = mix(key ^ np.uint64(cell))
        while start < end:
            width, length = component(drawn)
            if width * length > end - start - _SMALLEST:
                width, length = 1, end - start
            for k in range(max(0, first - start), min(width * length, last - start)):
                near = chain_neighbours(k, length, row) if width == 1 else neighbours(k, width, length, 1, True, row)
                write_row(start + k - first, start, near, row, counting, indptr, indices)
            start += width * length
            drawn = mix(drawn)
        taken = team.take(control, cells)


@compiled
def component(drawn):
    """The width and length of a component; width 1 is a chain."""
    face = np.int64(drawn % _SIXTEEN)
    if face < 12:
        return 1, 16 + np.int64((drawn >> _SIXTEEN) % _CHAIN_LENGTHS)
    return max(2, face - 11), 8 + np.int64((drawn >> _SIXTEEN) % _GRID_LENGTHS)


@compiled
def chain_neighbours(k, length, row):
    """The two neighbours of vertex k of a closed chain, ascending."""
    before, after = (k + length - 1) % length, (k + 1) % length
    row[0], row[1] = min(before, after), max(before, after)
    return 2
