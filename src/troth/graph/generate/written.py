"""Families whose rows are known without a list of edges: a kernel writes them straight into the graph, in order.

The module of such a family has `rows(request, first, last)`, which makes the rows of any range of vertices alone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import INT32_VERTICES
from troth.graph.generate.families import Request
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.progress import stage

Rows = tuple[NDArray[np.int64], NDArray[Any], NDArray[Any] | None]
"""indptr from 0, global neighbours, and weights or None for a pattern."""


def written_rows(
    kernel: Any, shape: tuple[Any, ...], span: tuple[int, int, int], chunks: int, request: Request
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """The rows that a kernel writes when it is run twice: to count them into indptr, then to fill them.

    It is run as kernel(control, thread, *shape, first, last, counting, chunks, indptr, indices), with counting True
    and then False. span is (first, last, n): rows first ... last - 1 of a graph of n vertices.
    """
    first, last, n = span
    indptr = np.zeros(last - first + 1, np.int64)
    indices = np.empty(0, np.int32 if n <= INT32_VERTICES else np.int64)
    for counting, name in ((True, "count rows"), (False, "write rows")):
        report = stage(request.progress, name, chunks)
        args = (*shape, first, last, counting, chunks)
        team.run(kernel, *args, indptr, indices, threads=request.threads, progress=report)
        if counting:
            np.cumsum(indptr, out=indptr)
            indices = np.empty(int(indptr[-1]), indices.dtype)
    return indptr, indices


@compiled
def write_row(v, origin, degree, row, counting, indptr, indices):
    """Note the degree of row number v, or copy its neighbours, which are numbered from `origin`."""
    if counting:
        indptr[v + 1] = degree
    else:
        for k in range(degree):
            indices[indptr[v] + k] = origin + row[k]
