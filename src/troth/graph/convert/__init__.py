"""From what users hold to a Graph, and back to networkx. (Graph.to_scipy is the way back to SciPy.)"""

from functools import partial
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from troth.graph.build import from_edges
from troth.graph.convert.networks import check_named, check_simple
from troth.graph.convert.networks import to_networkx as to_networkx
from troth.graph.convert.raw import Rows, arrays_of, csr_of, load, network_kind
from troth.graph.csr import Graph
from troth.progress import Reporter


def as_graph(
    obj: Any,
    *,
    weight: str | ArrayLike | None = "weight",
    threads: int | None = None,
    progress: Reporter | None = None,
) -> Graph:
    """The graph of almost any object, checked.

    Args:
        obj: one of
            a Graph, which is returned as it is;
            a square symmetric SciPy sparse array or matrix, or a CSR matrix on a device (CuPy): every stored entry is
            an edge, also a stored zero (which never matches);
            a tuple of arrays, edges (u, v) or (u, v, w), each edge once or in both directions;
            a tuple of arrays, a CSR matrix (indptr, indices, data): told from edges by its lengths, and refused where
            they do not tell;
            a networkx or igraph graph, undirected and simple;
            the path of a file, or a generator such as "rmat:20".
        weight: the edge attribute of a networkx or igraph graph that holds the weights (where it is missing the
            weight is 1); None to leave all weights out; or an array of weights, one for each stored entry of a matrix
            or each edge of edge arrays, to take in place of those there.
    Returns: a Graph whose vertices are numbered as the rows, the ids or the order of the nodes; `labels` names them.
    Raises: ValueError naming the first bad place and the call that mends it.
    """
    if isinstance(obj, str | PathLike):
        obj = load(obj, threads=threads, progress=progress)
    if isinstance(obj, Graph) and isinstance(weight, str):
        return obj
    if network_kind(obj):
        check_simple(obj)
    given = arrays_of(obj, weight)
    if isinstance(given, Rows):
        return _from_rows(given, threads, progress)
    check_named(given)
    ends = given.u, given.v, given.weights
    return from_edges(*ends, n_vertices=given.n_vertices, labels=given.labels, threads=threads, progress=progress)


def _from_rows(rows: Rows, threads: int | None, progress: Reporter | None) -> Graph:
    make = partial(Graph.from_csr, labels=rows.labels, threads=threads, progress=progress)
    try:
        return make(rows.indptr, rows.indices, rows.weights)
    except ValueError:
        if not rows.by_column:
            raise
    # Columns were read as rows, which is the same for a graph but not for a fault: find its true row and column.
    matrix = csr_of(rows)
    return make(matrix.indptr, matrix.indices, matrix.data)
