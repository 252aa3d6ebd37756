"""Degree-corrected stochastic block model, after the stochastic block partition graphs of Graph Challenge [1].

Parameters, of n vertices:
    blocks      n**0.35, of sizes drawn from a Dirichlet distribution: alike for sizes=low (concentration 10), uneven
                for sizes=high (concentration 3)
    overlap     edges within blocks over edges between them: 2.5 for overlap=high, 5 for overlap=low
    degrees     expected degrees follow a power law of exponent 2.5 within a factor of 100, the same in each block
    edges       edge_factor n are drawn (24, as the paper's graph of 1 million vertices); loops and repeats are dropped

Edge e is a hash of (seed, e): it picks a block by its size, stays in it or leaves for another, and picks both ends by
their expected degrees. Exponent 2.5 was chosen because the sum of degrees then has a closed inverse, a cubic, so no
table of vertices is needed.

[1] Kao et al. Streaming Graph Challenge: Stochastic Block Partition. HPEC 2017.
"""

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph
from troth.graph.generate import drawn
from troth.graph.generate.families import Request
from troth.graph.generate.hashing import SHAPES, hashes, rounds, scramble, stream
from troth.graph.order import mix
from troth.kernels import team
from troth.kernels.jit import compiled

_WITHIN_OVER_BETWEEN = {"high": 2.5, "low": 5.0}
_CONCENTRATION = {"low": 10, "high": 3}
_SPREAD = 100.0  # largest over smallest expected degree
_UNIT, _TOP_53 = 2.0**-53, np.uint64(11)


def extent(request: Request) -> tuple[int, int]:
    """Vertices, and entries at most."""
    return 1 << request.number, (2 << request.number) * int(request.options["edge_factor"])


def make(request: Request) -> Graph:
    n, entries = extent(request)
    return drawn.graph_of(draw_edges, n, entries // 2, request)


def draw_edges(request: Request, first: int, last: int) -> drawn.Ends:
    """The ends of edges first ... last - 1."""
    ratio = _WITHIN_OVER_BETWEEN[request.options["overlap"]]
    labels = rounds(request.seed, request.number, request.options["relabel"] == "yes")
    constants = (block_starts(request), ratio / (1 + ratio), labels)
    return drawn.draw(draw_in_blocks, constants, 1 << request.number, first, last, request)


def block_starts(request: Request) -> NDArray[np.int64]:
    """Where each block begins, before relabelling, and n at the end. No block is empty."""
    n = 1 << request.number
    blocks, shape = max(1, int(n**0.35)), _CONCENTRATION[request.options["sizes"]]
    bits = hashes(stream(request.seed, SHAPES), blocks * shape)
    # A gamma variable of whole shape is a sum of exponential ones, and gammas over their sum are a Dirichlet.
    gammas = -np.log((bits >> _TOP_53).astype(np.float64) * _UNIT + _UNIT).reshape(blocks, shape).sum(axis=1)
    ends = np.cumsum(gammas / gammas.sum())[:-1]
    spare = (ends * (n - blocks)).astype(np.int64)
    return np.concatenate([[0], spare + np.arange(1, blocks), [n]]).astype(np.int64)


@compiled
def draw_in_blocks(
    control, thread, key, starts, within, labels, first, chunks,  # IN
    u, v,  # OUT
):  # fmt: skip
    n = starts[-1]
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for i in range(chunk * drawn.CHUNK, min((chunk + 1) * drawn.CHUNK, u.shape[0])):
            bits = mix(key ^ np.uint64(first + i))
            block = block_of(starts, np.int64(mix(bits) & np.uint64(n - 1)))
            start, size = starts[block], starts[block + 1] - starts[block]
            u[i] = np.int64(scramble(start + by_degree(size, mix(bits + np.uint64(1))), labels))
            if size < n and _UNIT * float(bits >> _TOP_53) >= within:
                # A vertex outside the block points to the other block.
                there = np.int64(mix(bits + np.uint64(2)) % np.uint64(n - size))
                block = block_of(starts, there if there < start else there + size)
                start, size = starts[block], starts[block + 1] - starts[block]
            v[i] = np.int64(scramble(start + by_degree(size, mix(bits + np.uint64(3))), labels))
        chunk = team.take(control, chunks)


@compiled
def block_of(starts, v):
    """The block that holds v."""
    low, high = 0, starts.shape[0] - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if starts[middle] <= v:
            low = middle
        else:
            high = middle
    return low


@compiled
def by_degree(size, bits):
    """A vertex of a block of this size, each with a chance in proportion to its expected degree."""
    # The expected degree at rank t of [0, 1) is (1 - c t)**(-2/3), with c = 1 - spread**(-3/2); t inverts its integral.
    y = 1.0 - _UNIT * float(bits >> _TOP_53) * (1.0 - _SPREAD**-0.5)
    t = (1.0 - y * y * y) / (1.0 - _SPREAD**-1.5)
    return min(np.int64(t * size), size - 1)
