"""R-MAT graphs [1] with the parameters of the Graph500 benchmark.

The adjacency matrix is cut in quarters again and again; at each level an edge picks one of them, with probabilities
a, b, c and the rest, by 32 bits of a hash of (seed, edge number, level). Vertices are relabelled by a bijection of
the numbers below 2**scale that needs no table. Loops are dropped and repeats merged, so there are fewer edges than
drawn.

[1] Chakrabarti, Zhan, Faloutsos. R-MAT: A Recursive Model for Graph Mining. SDM 2004.
"""

import numpy as np

from troth.graph.csr import Graph
from troth.graph.generate import drawn
from troth.graph.generate.families import Request
from troth.graph.generate.hashing import rounds, scramble
from troth.graph.order import mix
from troth.kernels import team
from troth.kernels.jit import compiled

_HALF, _LOW_HALF = np.uint64(32), np.uint64(2**32 - 1)


def extent(request: Request) -> tuple[int, int]:
    """Vertices, and entries at most."""
    a, b, c = _shares(request)
    if a + b + c > 1 + 1e-9:
        raise ValueError(f"a + b + c of rmat is {a + b + c:g}; together they must be at most 1")
    return 1 << request.number, (2 << request.number) * int(request.options["edge_factor"])


def make(request: Request) -> Graph:
    n, entries = extent(request)
    return drawn.graph_of(draw_edges, n, entries // 2, request)


def draw_edges(request: Request, first: int, last: int) -> drawn.Ends:
    """The ends of edges first ... last - 1."""
    a, b, c = _shares(request)
    cuts = np.array([a * 2**32, (a + b) * 2**32, (a + b + c) * 2**32], np.uint64)
    labels = rounds(request.seed, request.number, request.options["relabel"] == "yes")
    return drawn.draw(draw_quarters, (cuts, request.number, labels), 1 << request.number, first, last, request)


def _shares(request: Request) -> tuple[float, float, float]:
    return float(request.options["a"]), float(request.options["b"]), float(request.options["c"])


@compiled
def draw_quarters(
    control, thread, key, cuts, scale, labels, first, chunks,  # IN: cuts = where quarters end, of 2**32
    u, v,  # OUT
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for i in range(chunk * drawn.CHUNK, min((chunk + 1) * drawn.CHUNK, u.shape[0])):
            base = mix(key ^ np.uint64(first + i))
            tail, head, bits = np.int64(0), np.int64(0), np.uint64(0)
            for level in range(scale):
                # One hash serves two levels.
                bits = mix(base + np.uint64(level)) if level % 2 == 0 else bits >> _HALF
                x = bits & _LOW_HALF
                in_a, in_ab, in_abc = np.int64(x < cuts[0]), np.int64(x < cuts[1]), np.int64(x < cuts[2])
                tail, head = 2 * tail + (1 - in_ab), 2 * head + (1 - (in_a ^ in_ab ^ in_abc))
            u[i], v[i] = np.int64(scramble(tail, labels)), np.int64(scramble(head, labels))
        chunk = team.take(control, chunks)
