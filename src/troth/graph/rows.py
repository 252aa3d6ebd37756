"""Sort the rows of a matrix by column, in place, on a team of threads."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.kernels import team
from troth.progress import Reporter, stage

_CHUNK = 1 << 17  # entries and vertices


def sort_rows(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    weights: NDArray[Any] | None,
    threads: int,
    reporter: Reporter | None = None,
) -> None:
    """Sort every row by column, in place; entries of equal columns may change places."""
    chunks = team.chunks_of(indices.size + indptr.size - 1, _CHUNK)
    progress = stage(reporter, "sort the rows", chunks)
    team.run(_sort_chunks, indptr, indices, weights, chunks, threads=threads, progress=progress)


def _sort_chunks(
    control: NDArray[np.int64], thread: int, indptr: NDArray[Any], indices: Any, weights: Any, chunks: int
) -> None:
    """Run by a team like a kernel, though it is Python: SciPy sorts the rows of a chunk without the GIL."""
    import scipy.sparse as sp

    while (chunk := team.take(control, chunks)) >= 0:
        first, last = (int(team.first_vertex(indptr, work * _CHUNK)) for work in (chunk, chunk + 1))
        part = slice(indptr[first], indptr[last])
        data = np.zeros(part.stop - part.start, np.int8) if weights is None else weights[part]
        offsets = scipy_indptr(indptr[first : last + 1] - part.start, indices)
        rows = sp.csr_array((data, indices[part], offsets), shape=(last - first, indptr.size))
        rows.sort_indices()
        indices[part] = rows.indices
        if weights is not None:
            weights[part] = rows.data


def scipy_indptr(indptr: NDArray[Any], indices: NDArray[Any]) -> NDArray[Any]:
    """indptr in the type of the indices if it fits: SciPy has one type for both, and else makes the indices int64."""
    return indptr.astype(indices.dtype, copy=False) if indptr[-1] <= np.iinfo(indices.dtype).max else indptr
