"""Families whose rows are known without a list of edges: a kernel writes them straight into the graph, in order."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import INT32_VERTICES
from troth.graph.generate.families import Request
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.progress import stage


def written_rows(
    kernel: Any, shape: tuple[Any, ...], n: int, chunks: int, request: Request
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """The rows that a kernel writes when it is run twice: to count them into indptr, then to fill them.

    It is run as kernel(control, thread, *shape, counting, chunks, indptr, indices), with counting True and then False.
    """
    indptr = np.zeros(n + 1, np.int64)
    indices = np.empty(0, np.int32 if n <= INT32_VERTICES else np.int64)
    for counting, name in ((True, "count rows"), (False, "write rows")):
        report = stage(request.progress, name, chunks)
        team.run(kernel, *shape, counting, chunks, indptr, indices, threads=request.threads, progress=report)
        if counting:
            np.cumsum(indptr, out=indptr)
            indices = np.empty(int(indptr[-1]), indices.dtype)
    return indptr, indices


@compiled
def write_row(v, origin, degree, row, counting, indptr, indices):
    """Note the degree of v, or copy its neighbours, which are numbered from `origin`."""
    if counting:
        indptr[v + 1] = degree
    else:
        for k in range(degree):
            indices[indptr[v] + k] = origin + row[k]
