"""Random geometric graphs: points of the unit square, joined when nearer than a radius that gives the mean degree.

The square is cut in vertical strips, each at least a radius wide. A strip holds a run of consecutive vertices, as
even in number as can be, sorted by y; a vertex has neighbours in its own strip and the two beside it only. So a block
of consecutive vertices at least two strips long touches just the blocks before and after it, as in the generator of
paper [1], and any strip can be made alone: coordinates are hashes of (seed, vertex). Rows are found with three
windows that move up the strips together, and come out sorted.

[1] Ghosh, Halappanavar, Kalyanaraman, Khan, Gebremedhin. Exploring MPI Communication Models for Graph Applications
Using Graph Matching as a Case Study. IPDPS 2019.
"""

from math import pi

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph
from troth.graph.generate.families import Request
from troth.graph.generate.hashing import POINTS, stream
from troth.graph.generate.weights import weigh
from troth.graph.generate.written import Rows, written_rows
from troth.graph.order import mix
from troth.kernels import sort, team
from troth.kernels.jit import compiled
from troth.progress import stage

_CHUNK = 1 << 12  # vertices
_UNIT, _TOP_53 = 2.0**-53, np.uint64(11)


def extent(request: Request) -> tuple[int, int]:
    """Vertices, and entries about."""
    n = 1 << request.number
    return n, int(n * min(n - 1, request.options["degree"]))


def make(request: Request) -> Graph:
    return Graph(*rows(request, 0, 1 << request.number))


def rows(request: Request, first: int, last: int) -> Rows:
    """The rows of vertices first ... last - 1; only points of their strips and the two beside are made."""
    n, reach = 1 << request.number, radius(request)
    strips = n_strips(reach)
    # Strip s begins at s n // strips: v is in the last one that begins at v or before.
    low, high = (((v + 1) * strips - 1) // n for v in (first, max(first, last - 1)))
    x, y = points(request, max(low - 1, 0), min(high + 2, strips))
    place = (n, strips, low, max(low - 1, 0) * n // strips)
    shape = (x, y, reach, np.empty((request.threads, 3), np.int64), *place)
    chunks = high + 1 - low if first < last else 0
    indptr, indices = written_rows(join_near, shape, (first, last, n), chunks, request)
    if request.options["weights"] != "distance":
        return indptr, indices, weigh(indptr, indices, request, first)
    weights = np.empty(indices.size, request.options["dtype"])
    report = stage(request.progress, "measure edges", chunks)
    args = (x, y, place[-1], first, indptr, indices, team.chunks_of(last - first, _CHUNK))
    team.run(measure_edges, *args, weights, threads=request.threads, progress=report)
    return indptr, indices, weights


def points(request: Request, low: int = 0, high: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The coordinates of the vertices of strips low ... high - 1, of all by default."""
    n, strips = 1 << request.number, n_strips(radius(request))
    high = strips if high is None else high
    size = high * n // strips - low * n // strips
    x, y = np.empty(size), np.empty(size)
    report = stage(request.progress, "place points", high - low)
    scratch = np.empty((request.threads, sort.STACK), np.int64)
    args = (stream(request.seed, POINTS), scratch, n, strips, low, high - low)
    team.run(place_points, *args, x, y, threads=request.threads, progress=report)
    return x, y


def radius(request: Request) -> float:
    """The radius that gives the mean degree, by bisection; at most 1, which joins nearly all."""
    n, degree = 1 << request.number, float(request.options["degree"])
    low, high = 0.0, 1.0
    for _ in range(60):
        r = (low + high) / 2
        # The mean area of a disk of radius r <= 1 inside the square, when its centre is drawn from the square.
        inside = pi * r**2 - 8 / 3 * r**3 + r**4 / 2
        low, high = (r, high) if (n - 1) * inside < degree else (low, r)
    return high


def n_strips(reach: float) -> int:
    """As many strips as are at least `reach` wide, with a hair's breadth to spare."""
    return max(1, int((1 - 1e-9) / reach))


@compiled
def strip_start(strip, strips, n):
    """The first vertex of a strip."""
    return strip * n // strips


@compiled
def place_points(
    control, thread, key, scratch, n, strips, low, chunks,  # IN: scratch for sorting, a row for each thread
    x, y,  # OUT: from the first vertex of strip `low` on
):  # fmt: skip
    base = strip_start(low, strips, n)
    taken = team.take(control, chunks)
    while taken >= 0:
        strip = low + taken
        first, last = strip_start(strip, strips, n), strip_start(strip + 1, strips, n)
        for v in range(first, last):
            drawn = mix(key ^ np.uint64(v))
            x[v - base] = (strip + _UNIT * float(drawn >> _TOP_53)) / strips
            y[v - base] = _UNIT * float(mix(drawn) >> _TOP_53)
        # x and y are independent, so sorting y alone gives random points sorted by y.
        sort.sort(y, None, first - base, last - base, scratch[thread], control)
        taken = team.take(control, chunks)


@compiled
def join_near(
    control, thread, x, y, reach, scratch, n, strips, low, base,  # IN: points from vertex `base` on; three words of
    first, last, counting, chunks,  # scratch for each thread; chunks = strips from `low` on
    indptr, indices,  # OUT: indptr[v + 1 - first] = degree of v when counting. IN, OUT: otherwise
):  # fmt: skip
    bottom = scratch[thread]
    taken = team.take(control, chunks)
    while taken >= 0:
        strip = low + taken
        for side in range(3):
            bottom[side] = strip_start(max(strip + side - 1, 0), strips, n) - base
        start, stop = max(strip_start(strip, strips, n), first), min(strip_start(strip + 1, strips, n), last)
        for v in range(start - base, stop - base):
            if team.stopped(control):  # a strip of a dense graph takes long
                return
            row, degree = v + base - first, 0
            for side in range(min(strips + 1 - strip, 3)):
                end = strip_start(strip + side, strips, n) - base
                while bottom[side] < end and y[bottom[side]] <= y[v] - reach:
                    bottom[side] += 1
                t = bottom[side]
                while t < end and y[t] < y[v] + reach:
                    if t != v and (x[t] - x[v]) ** 2 + (y[t] - y[v]) ** 2 < reach * reach:
                        if not counting:
                            indices[indptr[row] + degree] = t + base
                        degree += 1
                    t += 1
            if counting:
                indptr[row + 1] = degree
        taken = team.take(control, chunks)


@compiled
def measure_edges(
    control, thread, x, y, base, first, indptr, indices, chunks,  # IN: points from vertex `base`, rows from `first` on
    weights,  # OUT
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for row in range(chunk * _CHUNK, min((chunk + 1) * _CHUNK, indptr.shape[0] - 1)):
            v = row + first - base
            for e in range(indptr[row], indptr[row + 1]):
                t = indices[e] - base
                weights[e] = np.sqrt((x[t] - x[v]) ** 2 + (y[t] - y[v]) ** 2)
        chunk = team.take(control, chunks)
