"""A generated graph, each rank making its part alone.

Families that write rows directly make the rows of a range of vertices; nothing is sent. Families drawn by edge numbers
draw a range of numbers on each rank, and only their ends are sent, to the owners. Weights are hashes of the ends. The
graph is the one of troth.generate, whatever the number of ranks.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from troth.comm.errors import guard
from troth.graph.build import Edges
from troth.graph.dist.entries import rows_of_edges
from troth.graph.dist.part import even_ranges
from troth.graph.dist.rows import Rows
from troth.graph.generate.families import FAMILIES
from troth.graph.generate.spec import parse
from troth.graph.generate.weights import weigh
from troth.kernels.edges import SAME
from troth.memory import require_memory


def rows_of_spec(spec: str, comm: Any, seed: int, threads: int) -> Rows:
    """Rows, even by vertices. Collective."""
    with guard(comm):
        request = parse(spec, seed=seed, threads=threads)
        family = import_module(f"troth.graph.generate.{FAMILIES[request.family].module}")
        n, entries = family.extent(request)
        require_memory((16 * n + 12 * entries) // comm.size, f"a part of {request}")
        starts = even_ranges(n, comm.size)
        first, last = starts[comm.rank : comm.rank + 2].tolist()
        if not hasattr(family, "draw_edges"):
            return Rows(starts, *family.rows(request, first, last))
        numbers = even_ranges(entries // 2, comm.size)[comm.rank : comm.rank + 2].tolist()
        u, v = family.draw_edges(request, *numbers)
    rows = rows_of_edges(comm, Edges(u, v, None), n, SAME, threads=threads, what=f"the edges of {request}")
    with guard(comm):
        weights = weigh(rows.indptr, rows.indices, request, first)
    return Rows(starts, rows.indptr, rows.indices, weights)


