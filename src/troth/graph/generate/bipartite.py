"""Bipartite graphs of n rows, vertices 0 ... n - 1, and n columns, vertices n ... 2 n - 1.

random: both ends of every edge are drawn alike. layered: rows and columns lie in layers of edge_factor each, and a row
draws its edges from the columns of its own layer and the next. Such a band leaves few free rows, far from free columns,
with a great many paths of equal length between: a depth-first search that does not mark dead ends, as in SciPy's
Hopcroft-Karp (scipy issue 26147), takes exponential time on it, from some thousand rows on.
"""

import numpy as np

from troth.graph.csr import Graph
from troth.graph.generate import drawn
from troth.graph.generate.families import Request
from troth.graph.order import mix
from troth.kernels import team
from troth.kernels.jit import compiled


def extent(request: Request) -> tuple[int, int]:
    """Vertices, and entries at most."""
    return 2 << request.number, (2 << request.number) * int(request.options["edge_factor"])


def make(request: Request) -> Graph:
    n, entries = extent(request)
    return drawn.graph_of(draw_edges, n, entries // 2, request)


def draw_edges(request: Request, first: int, last: int) -> drawn.Ends:
    """The ends of edges first ... last - 1."""
    n = 1 << request.number
    if request.options["kind"] == "random":
        return drawn.draw(drawn.draw_uniform, (np.uint64(n - 1), n), 2 * n, first, last, request)
    return drawn.draw(draw_layered, (n, int(request.options["edge_factor"])), 2 * n, first, last, request)


@compiled
def draw_layered(
    control, thread, key, n, width, first, chunks,  # IN: width = rows of a layer = edges of a row
    u, v,  # OUT
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for i in range(chunk * drawn.CHUNK, min((chunk + 1) * drawn.CHUNK, u.shape[0])):
            row = (first + i) // width
            layer = row // width * width
            columns = min(2 * width, n - layer)
            picked = mix(key ^ np.uint64(first + i)) % np.uint64(columns)
            u[i], v[i] = row, n + layer + np.int64(picked)
        chunk = team.take(control, chunks)
