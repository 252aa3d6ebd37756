"""Mend what a Graph may not have: entries in one direction only, unequal directions, repeated entries, loops.

Each function takes anything `as_graph` takes, and much that it refuses: unsymmetric matrices, directed graphs,
multigraphs. It returns a new scipy.sparse.csr_array and leaves the input alone, so calls can be chained, in any order
and with one result:

    troth.as_graph(troth.symmetrize(troth.drop_loops(A), "sum"))

A matrix means here what it means in SciPy: the value of (u, v) is the sum of all stored entries (u, v), and a stored
zero is an entry. Edge arrays (u, v, w) are the matrix with w[i] at (u[i], v[i]), and nothing at (v[i], u[i]) unless
that is given too; an undirected graph object is a matrix with both. A pattern has ones. Weights keep their type, labels
are lost.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.canonical import NOT_FINITE, check_ids, fault_sentence, integers, real_weights
from troth.graph.convert.raw import Rows, arrays_of, csr_of, rows_of_entries
from troth.graph.rows import scipy_indptr, sort_rows
from troth.kernels.team import default_threads
from troth.naming import unknown

if TYPE_CHECKING:
    import scipy.sparse as sp

_HOW = {"max": np.maximum, "sum": np.add, "error": np.maximum}


def symmetrize(obj: Any, how: str = "max", *, weight: Any = "weight") -> "sp.csr_array":
    """The symmetric matrix of obj: every entry (u, v) gets a partner (v, u) of the same value.

    Args:
        how: what becomes of the values A[u, v] and A[v, u] where both are stored. "max": the larger one; "sum": their
            sum, as in A + A.T, also on the diagonal; "error": they must be equal. Where one is stored, "max", "sum"
            and "error" all take that one for both.
        weight: as in `as_graph`.
    Raises: ValueError naming the first place where a value is NaN, where "error" meets unequal values, or where an
        integer sum does not fit its type.
    """
    if how not in _HOW:
        raise unknown("way to symmetrize", how, _HOW)
    matrix = sum_duplicates(obj, weight=weight)
    nan = np.isnan(matrix.data)
    if nan.any():
        at = int(np.argmax(nan))
        raise ValueError(fault_sentence(NOT_FINITE, at, matrix.indptr, matrix.indices, matrix.data))
    both = _interleaved(matrix, matrix.T.tocsr())
    merged = _merged(*both, _HOW[how])
    if how == "error":
        unequal = merged.data != _merged(*both, np.minimum).data
        if unequal.any():
            u, v = _place(merged, int(np.argmax(unequal)))
            raise ValueError(
                f"entries ({u}, {v}) and ({v}, {u}) are {matrix[u, v]} and {matrix[v, u]}; "
                "choose how='max' or how='sum'"
            )
    return merged


def sum_duplicates(obj: Any, *, weight: Any = "weight") -> "sp.csr_array":
    """The matrix of obj with every (u, v) stored at most once, with the sum of what was stored; rows sorted.

    Args:
        weight: as in `as_graph`.
    Raises: ValueError naming the first place where an integer sum does not fit its type.
    """
    matrix = _matrix(obj, weight)
    indices, data = matrix.indices.copy(), matrix.data.copy()
    sort_rows(matrix.indptr, indices, data, default_threads())
    return _merged(matrix.indptr, indices, data, np.add)


def drop_loops(obj: Any, *, weight: Any = "weight") -> "sp.csr_array":
    """The matrix of obj without its diagonal.

    Args:
        weight: as in `as_graph`.
    """
    import scipy.sparse as sp

    matrix = _matrix(obj, weight)
    n = matrix.shape[0]
    rows = np.repeat(np.arange(n, dtype=matrix.indices.dtype), np.diff(matrix.indptr))
    keep = matrix.indices != rows
    indptr = matrix.indptr - np.searchsorted(np.flatnonzero(~keep), matrix.indptr)
    indices = matrix.indices[keep]
    return sp.csr_array((matrix.data[keep], indices, scipy_indptr(indptr, indices)), shape=(n, n))


def _matrix(obj: Any, weight: Any) -> "sp.csr_array":
    """The entries of obj as they are, in rows; arrays may be the caller's own."""
    given = arrays_of(obj, weight)
    if isinstance(given, Rows):
        return csr_of(given)
    u, v = integers("u", given.u), integers("v", given.v)
    n = given.n_vertices
    if n is None:
        n = 1 + int(max(u.max(initial=-1), v.max(initial=-1)))
    check_ids("u", u, n)
    check_ids("v", v, n)
    weights = np.ones(u.size, np.int32) if given.weights is None else real_weights("weights", given.weights, u.size)
    if given.undirected:
        back = u != v
        u, v, weights = np.r_[u, v[back]], np.r_[v, u[back]], np.r_[weights, weights[back]]
    return csr_of(rows_of_entries(u, v, weights, n))


def _interleaved(a: "sp.csr_array", b: "sp.csr_array") -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]:
    """indptr, indices, data of the rows of both, each row sorted and a column that both have twice in it."""
    indptr = a.indptr.astype(np.int64) + b.indptr
    indices = np.empty(a.nnz + b.nnz, np.result_type(a.indices, b.indices))
    data = np.empty(a.nnz + b.nnz, a.dtype)
    for matrix, shift in ((a, b.indptr[:-1]), (b, a.indptr[1:])):
        slots = np.arange(matrix.nnz) + np.repeat(shift, np.diff(matrix.indptr))
        indices[slots], data[slots] = matrix.indices, matrix.data
    sort_rows(indptr, indices, data, default_threads())
    return indptr, indices, data


def _merged(indptr: NDArray[Any], indices: NDArray[Any], data: NDArray[Any], merge: np.ufunc) -> "sp.csr_array":
    """The matrix of sorted rows in which entries of one column have become one."""
    import scipy.sparse as sp

    first = np.ones(indices.size, np.bool_)
    first[1:] = indices[1:] != indices[:-1]
    first[indptr[:-1][np.diff(indptr) > 0]] = True
    starts = np.flatnonzero(first)
    rows = scipy_indptr(np.searchsorted(starts, indptr), indices)
    with np.errstate(over="ignore", invalid="ignore"):  # infinite and NaN sums are reported when they become a Graph
        values = merge.reduceat(data, starts, dtype=data.dtype) if starts.size else data
    merged = sp.csr_array((values, indices[starts], rows), shape=(rows.size - 1, rows.size - 1))
    if merge is np.add and data.dtype.kind == "i" and starts.size:
        # Wrapping round shifts a sum by 2**bits, far more than the roundings of the sum in floating point.
        wrapped = np.abs(np.add.reduceat(data, starts, dtype=np.float64) - values) >= 2.0 ** (8 * data.itemsize - 1)
        if wrapped.any():
            u, v = _place(merged, int(np.argmax(wrapped)))
            raise ValueError(f"the entries ({u}, {v}) add up to more than {data.dtype} holds; give them as float64")
    return merged


def _place(matrix: "sp.csr_array", entry: int) -> tuple[int, int]:
    """Row and column of a stored entry."""
    return int(np.searchsorted(matrix.indptr, entry, side="right")) - 1, int(matrix.indices[entry])
