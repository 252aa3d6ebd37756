"""Uniform random graphs: both ends of every edge are drawn alike from all vertices."""

import numpy as np

from troth.graph.csr import Graph
from troth.graph.generate import drawn
from troth.graph.generate.families import Request


def extent(request: Request) -> tuple[int, int]:
    """Vertices, and entries at most."""
    return 1 << request.number, (2 << request.number) * int(request.options["edge_factor"])


def make(request: Request) -> Graph:
    n, entries = extent(request)
    return drawn.graph_of(draw_edges, n, entries // 2, request)


def draw_edges(request: Request, first: int, last: int) -> drawn.Ends:
    """The ends of edges first ... last - 1."""
    n = 1 << request.number
    return drawn.draw(drawn.draw_uniform, (np.uint64(n - 1), 0), n, first, last, request)
