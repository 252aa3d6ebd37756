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
from troth.graph.generate.weights import weighted
from troth.graph.generate.written import written_rows
from troth.graph.order import mix
from troth.kernels import sort, team
from troth.kernels.jit import compiled
from troth.progress import stage

_UNIT, _TOP_53 = 2.0**-53, np.uint64(11)


def extent(request: Request) -> tuple[int, int]:
    """Vertices, and entries about."""
    n = 1 << request.number
    return n, int(n * min(n - 1, request.options["degree"]))


def make(request: Request) -> Graph:
    n, reach = 1 << request.number, radius(request)
    strips = n_strips(reach)
    x, y = points(request)
    indptr, indices = written_rows(
        join_near, (x, y, reach, np.empty((request.threads, 3), np.int64)), n, strips, request
    )
    if request.options["weights"] != "distance":
        return weighted(indptr, indices, request)
    weights = np.empty(indices.size, request.options["dtype"])
    report = stage(request.progress, "measure edges", strips)
    team.run(measure_edges, x, y, indptr, indices, strips, weights, threads=request.threads, progress=report)
    return Graph(indptr, indices, weights)


def points(request: Request) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The coordinates of all vertices."""
    x, y = np.empty(1 << request.number), np.empty(1 << request.number)
    strips = n_strips(radius(request))
    report = stage(request.progress, "place points", strips)
    scratch = np.empty((request.threads, sort.STACK), np.int64)
    key = stream(request.seed, POINTS)
    team.run(place_points, key, scratch, strips, x, y, threads=request.threads, progress=report)
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
    control, thread, key, scratch, strips,  # IN: scratch for sorting, a row for each thread
    x, y,  # OUT
):  # fmt: skip
    n = x.shape[0]
    strip = team.take(control, strips)
    while strip >= 0:
        first, last = strip_start(strip, strips, n), strip_start(strip + 1, strips, n)
        for v in range(first, last):
            drawn = mix(key ^ np.uint64(v))
            x[v] = (strip + _UNIT * float(drawn >> _TOP_53)) / strips
            y[v] = _UNIT * float(mix(drawn) >> _TOP_53)
        # x and y are independent, so sorting y alone gives random points sorted by y.
        sort.sort(y, None, first, last, scratch[thread], control)
        strip = team.take(control, strips)


@compiled
def join_near(
    control, thread, x, y, reach, scratch, counting, strips,  # IN: scratch of three words for each thread
    indptr, indices,  # OUT: indptr[v + 1] = degree of v when counting. IN, OUT: otherwise
):  # fmt: skip
    n = x.shape[0]
    bottom = scratch[thread]
    strip = team.take(control, strips)
    while strip >= 0:
        for side in range(3):
            bottom[side] = strip_start(max(strip + side - 1, 0), strips, n)
        for v in range(strip_start(strip, strips, n), strip_start(strip + 1, strips, n)):
            if team.stopped(control):  # a strip of a dense graph takes long
                return
            degree = 0
            for side in range(min(strips + 1 - strip, 3)):
                end = strip_start(strip + side, strips, n)
                while bottom[side] < end and y[bottom[side]] <= y[v] - reach:
                    bottom[side] += 1
                t = bottom[side]
                while t < end and y[t] < y[v] + reach:
                    if t != v and (x[t] - x[v]) ** 2 + (y[t] - y[v]) ** 2 < reach * reach:
                        if not counting:
                            indices[indptr[v] + degree] = t
                        degree += 1
                    t += 1
            if counting:
                indptr[v + 1] = degree
        strip = team.take(control, strips)


@compiled
def measure_edges(
    control, thread, x, y, indptr, indices, strips,  # IN
    weights,  # OUT
):  # fmt: skip
    n = x.shape[0]
    strip = team.take(control, strips)
    while strip >= 0:
        for v in range(strip_start(strip, strips, n), strip_start(strip + 1, strips, n)):
            for e in range(indptr[v], indptr[v + 1]):
                t = indices[e]
                weights[e] = np.sqrt((x[t] - x[v]) ** 2 + (y[t] - y[v]) ** 2)
        strip = team.take(control, strips)
