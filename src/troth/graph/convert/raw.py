"""What users hold, as plain arrays and not yet checked: the rows of a matrix, or a list of edges.

`arrays_of` is the one place that tells kinds of input apart; `as_graph` checks what it returns, the repairs mend it.
Nothing here changes the caller's object, and arrays go on without a copy wherever their layout allows it.

A tuple is read by this rule: two arrays of one length are edges (u, v), three of one length are edges (u, v, w); three
arrays of which only the last two have one length are a CSR matrix (indptr, indices, data). Where the lengths say edges
but one of the arrays could be the indptr of a matrix, nothing is guessed: that is an error.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.canonical import check_ids, integers, offsets, real_weights
from troth.graph.csr import Graph
from troth.graph.rows import scipy_indptr
from troth.memory import require_memory
from troth.progress import Reporter

if TYPE_CHECKING:
    import scipy.sparse as sp

_TAKEN = (
    "give a Graph, a SciPy sparse array, a tuple of arrays (u, v), (u, v, w) or (indptr, indices, data), a networkx or "
    "igraph graph, a CuPy CSR matrix, a path, or a generator such as 'rmat:20'"
)


@dataclass(frozen=True, slots=True)
class Rows:
    """A square matrix in compressed rows, or in compressed columns when by_column."""

    indptr: Any
    indices: Any
    weights: Any
    labels: Sequence[Any] | None = None
    by_column: bool = False


@dataclass(frozen=True, slots=True)
class Edges:
    """A list of edges. From an undirected graph object each stands for both directions; from arrays it is as given."""

    u: Any
    v: Any
    weights: Any
    n_vertices: int | None = None
    labels: Sequence[Any] | None = None
    undirected: bool = False


def arrays_of(obj: Any, weight: Any, *, threads: int | None = None, progress: Reporter | None = None) -> Rows | Edges:
    """The arrays of anything troth takes; ValueError with one sentence for anything else.

    Args:
        weight: the attribute of networkx and igraph graphs that holds the weights, None to leave weights out, or an
            array with one for each stored entry or edge of the other kinds.
    """
    if isinstance(obj, str | PathLike):
        obj = load(obj, threads=threads, progress=progress)
    if isinstance(obj, Graph):
        return Rows(obj.indptr, obj.indices, _chosen(weight, obj.weights), obj.labels)
    if network_kind(obj):
        from troth.graph.convert.networks import edges_of

        return edges_of(obj, weight)
    if isinstance(obj, tuple):
        return _from_tuple(obj, weight)
    if isinstance(obj, np.ndarray):
        raise ValueError("a dense array is not a graph: give scipy.sparse.csr_array(A), or edges as a tuple (u, v)")
    return _from_matrix(obj, weight)


def load(source: str | PathLike[str], *, threads: int | None, progress: Reporter | None) -> Graph:
    """The graph of a generator spec or of a file."""
    from troth.graph.formats import read
    from troth.graph.generate import generate, is_spec

    if isinstance(source, str) and is_spec(source):
        return generate(source, threads=threads, progress=progress)
    return read(source, threads=threads, progress=progress)


def network_kind(obj: Any) -> str | None:
    """ "networkx" or "igraph" for a graph of theirs. Neither is imported: whoever holds one has done that."""
    for name in ("networkx", "igraph"):
        kind = getattr(sys.modules.get(name), "Graph", None)
        if kind is not None and isinstance(obj, kind):
            return name
    return None


def rows_of_entries(u: NDArray[Any], v: NDArray[Any], weights: NDArray[Any] | None, n: int) -> Rows:
    """Compressed rows of entries in any order: not sorted within a row, and repeated entries kept apart."""
    import scipy.sparse as sp

    require_memory(16 * n, f"a matrix of {n} rows")
    data = np.ones(u.size, np.int8) if weights is None else weights
    entries = sp.coo_array((data, (u, v)), shape=(n, n))
    entries.has_canonical_format = True  # or tocsr would add up what is repeated
    rows = entries.tocsr()
    return Rows(rows.indptr, rows.indices, None if weights is None else rows.data)


def csr_of(rows: Rows) -> "sp.csr_array":
    """The matrix in rows, ones for a pattern; what is unsorted, repeated, a loop or not finite stays."""
    import scipy.sparse as sp

    indices = integers("indices", rows.indices)
    indptr = offsets(rows.indptr, indices.size)
    n = indptr.size - 1
    check_ids("indices", indices, n)  # SciPy would read and write there
    data = (
        np.ones(indices.size, np.int32) if rows.weights is None else real_weights("weights", rows.weights, indices.size)
    )
    layout = sp.csc_array if rows.by_column else sp.csr_array
    return layout((data, indices, scipy_indptr(indptr, indices)), shape=(n, n)).tocsr()


def _chosen(weight: Any, stored: Any) -> Any:
    """The weights to use: the stored ones for the default name, none for None, else the caller's array."""
    if isinstance(weight, str):
        if weight != "weight":
            raise ValueError(f"weight is {weight!r}, but only networkx and igraph graphs have weights with names")
        return stored
    return _on_host(weight)


def _from_tuple(parts: tuple[Any, ...], weight: Any) -> Rows | Edges:
    # Tuples within are pairs, or SciPy's (data, (row, column)): neither is three arrays in a row.
    arrays = [] if any(isinstance(part, tuple) for part in parts) else [np.asarray(_on_host(part)) for part in parts]
    if len(arrays) not in (2, 3) or any(array.ndim != 1 for array in arrays):
        raise ValueError("a tuple must hold two or three flat arrays: (u, v), (u, v, w) or (indptr, indices, data)")
    sizes = [array.size for array in arrays]
    if len(set(sizes)) == 1:
        if any(_may_be_indptr(array, arrays[1]) for array in arrays[::2]):
            raise ValueError(
                "a tuple of arrays of one length is read as edges, but these could be a CSR matrix too; "
                "call troth.Graph.from_csr for a matrix, troth.graph.build.from_edges for edges"
            )
        return Edges(arrays[0], arrays[1], _chosen(weight, arrays[2] if len(arrays) == 3 else None))
    if len(arrays) == 3 and sizes[1] == sizes[2] and sizes[0] and arrays[0][0] == 0 and arrays[0][-1] == sizes[1]:
        return Rows(arrays[0], arrays[1], _chosen(weight, arrays[2]))
    raise ValueError(
        f"arrays of lengths {', '.join(map(str, sizes))} are neither edges (u, v) or (u, v, w), all of one length, nor "
        "a CSR matrix (indptr, indices, data), where indptr ends with the length of the others"
    )


def _may_be_indptr(array: NDArray[Any], indices: NDArray[Any]) -> bool:
    """Whether this array of edges could be the offsets of a matrix with these columns."""
    size = indices.size
    if size == 0:
        return False
    if array.dtype.kind not in "iu" or indices.dtype.kind not in "iu" or array[0] != 0 or array[-1] != size:
        return False
    return bool((array[1:] >= array[:-1]).all() and indices.min() >= 0 and indices.max() < size - 1)


def _from_matrix(obj: Any, weight: Any) -> Rows:
    """SciPy sparse arrays and matrices, and whatever else has their attributes, on the host or on a device."""
    shape: tuple[int, ...] = getattr(obj, "shape", ())
    form = getattr(obj, "format", "csr")
    if form not in ("csr", "csc", "coo") and hasattr(obj, "tocsr"):
        if weight is not None and not isinstance(weight, str):
            raise ValueError(f"weights cannot be given for a matrix in format {form}; call its tocsr() first")
        obj, form = obj.tocsr(), "csr"
    names = ("row", "col", "data") if form == "coo" else ("indptr", "indices", "data")
    if len(shape) != 2 or not all(hasattr(obj, name) for name in names):
        raise ValueError(f"no graph can be made of a value of type {type(obj).__name__}; {_TAKEN}")
    if shape[0] != shape[1]:
        raise ValueError(
            f"the matrix has {shape[0]} rows and {shape[1]} columns, but a graph needs as many rows as columns; "
            "of a bipartite graph give scipy.sparse.block_array([[None, A], [A.T, None]])"
        )
    first, second, data = (_on_host(getattr(obj, name)) for name in names)
    weights = _chosen(weight, data)
    if form == "coo":
        u, v = integers("row", first), integers("col", second)
        return rows_of_entries(u, v, None if weights is None else real_weights("weights", weights, u.size), shape[0])
    if len(first) and 0 <= first[-1] < len(second):  # SciPy's arrays may be longer than what they hold
        second = second[: first[-1]]
        weights = weights[: first[-1]] if weights is data else weights
    return Rows(first, second, weights, by_column=form == "csc")


def _on_host(array: Any) -> Any:
    """The array in the memory of this process: arrays of CuPy, Numba and PyTorch are copied from their device."""
    if not hasattr(array, "__cuda_array_interface__"):
        return array
    for name in ("get", "copy_to_host", "cpu"):
        if hasattr(array, name):
            return getattr(array, name)()
    raise ValueError(f"cannot copy a {type(array).__name__} from its device; give an array in host memory")
