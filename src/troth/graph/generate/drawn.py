"""Families made from edge numbers: edge e is a hash of (seed, e), so any range of edges can be made alone."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.build import simple_csr
from troth.graph.csr import INT32_VERTICES, Graph
from troth.graph.generate.families import FAMILIES, Request
from troth.graph.generate.hashing import EDGES, stream
from troth.graph.generate.spec import parse
from troth.graph.generate.weights import weigh
from troth.graph.order import mix
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.progress import stage

Ends = tuple[NDArray[Any], NDArray[Any]]

CHUNK = 1 << 14  # edges


def edges_of(spec: str, first: int, last: int, *, seed: int = 1, threads: int = 1) -> Ends:
    """The ends of edges first ... last - 1 of a drawn family, made without the others; loops and repeats included."""
    request = parse(spec, seed=seed, threads=threads)
    family = import_module(f"troth.graph.generate.{FAMILIES[request.family].module}")
    ends: Ends = family.draw_edges(request, first, last)
    return ends


def draw(kernel: Any, constants: tuple[Any, ...], n: int, first: int, last: int, request: Request) -> Ends:
    """The ends that a kernel draws; it is run as kernel(control, thread, key, *constants, first, chunks, u, v)."""
    dtype = np.int32 if n <= INT32_VERTICES else np.int64
    u, v = np.empty(last - first, dtype), np.empty(last - first, dtype)
    chunks = team.chunks_of(u.size, CHUNK)
    report = stage(request.progress, "draw edges", chunks)
    key = stream(request.seed, EDGES)
    team.run(kernel, key, *constants, first, chunks, u, v, threads=request.threads, progress=report)
    return u, v


def graph_of(draw_edges: Callable[[Request, int, int], Ends], n: int, edges: int, request: Request) -> Graph:
    """The graph of the first so many edges on n vertices, loops dropped and repeats merged."""
    # The ends are handed over, not kept: they are gone before the weights need room.
    ends = draw_edges(request, 0, edges)
    indptr, indices = simple_csr(*ends, n, threads=request.threads, progress=request.progress)
    del ends
    return Graph(indptr, indices, weigh(indptr, indices, request))


@compiled
def draw_uniform(
    control, thread, key, mask, offset, first, chunks,  # IN: u from 0, v from `offset` on, mask + 1 vertices each
    u, v,  # OUT
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for i in range(chunk * CHUNK, min((chunk + 1) * CHUNK, u.shape[0])):
            drawn = mix(key ^ np.uint64(first + i))
            u[i], v[i] = np.int64(drawn & mask), offset + np.int64(mix(drawn) & mask)
        chunk = team.take(control, chunks)
