"""networkx and igraph graphs to edge lists, and back to networkx.

Vertices are numbered in the order in which the graph lists them. Their names become labels, unless these are the
numbers 0 ... n-1 in this order anyway.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.convert.raw import Edges, network_kind
from troth.graph.csr import Graph


def edges_of(obj: Any, weight: Any) -> Edges:
    """Every edge of the graph once, loops, repeats and directions as they are there."""
    if weight is not None and not isinstance(weight, str):
        raise ValueError("give weight=, the name of the attribute that holds the weights of the graph, or None")
    return _edges_of_networkx(obj, weight) if network_kind(obj) == "networkx" else _edges_of_igraph(obj, weight)


def check_simple(obj: Any) -> None:
    """ValueError when the graph is directed or can hold an edge twice."""
    theirs = network_kind(obj) == "networkx"
    if obj.is_directed():
        make = "obj.to_undirected()" if theirs else "obj.as_undirected()"
        raise ValueError(f"the {type(obj).__name__} is directed; give {make} or call troth.symmetrize")
    if obj.is_multigraph() if theirs else obj.has_multiple():
        raise ValueError(f"the {type(obj).__name__} may hold an edge more than once; call troth.sum_duplicates")


def check_named(edges: Edges) -> None:
    """ValueError with the caller's names for a loop or a weight that is not finite."""
    names, weights = edges.labels, edges.weights
    if names is None:
        return  # the numbers that from_edges reports are the names
    loops = edges.u == edges.v
    if loops.any():
        raise ValueError(f"vertex {names[edges.u[np.argmax(loops)]]!r} has a loop; call troth.drop_loops")
    finite = True if weights is None else np.isfinite(weights)
    if not np.all(finite):
        e = int(np.argmin(finite))
        what = "NaN" if np.isnan(weights[e]) else "infinite"
        pair = f"({names[edges.u[e]]!r}, {names[edges.v[e]]!r})"
        raise ValueError(f"weight of edge {pair} is {what}; give it a finite weight or remove the edge")


def to_networkx(graph: Graph) -> Any:
    """A networkx.Graph with the labels as its nodes and the weights as the attribute "weight" of its edges."""
    try:
        import networkx as nx
    except ImportError:
        raise ImportError("networkx is not installed: pip install 'troth[networkx]'") from None
    labels: Any = range(graph.n_vertices) if graph.labels is None else graph.labels
    # Python's own numbers as nodes and weights, as networkx users expect them.
    names = labels.tolist() if isinstance(labels, np.ndarray) else labels
    result: Any = nx.Graph()
    result.add_nodes_from(names)
    if len(result) != graph.n_vertices:
        raise ValueError(f"{graph.n_vertices} vertices have only {len(result)} different labels; make them different")
    u, v, weights = graph.edges()
    ends = ([names[i] for i in end.tolist()] for end in (u, v))
    if weights is None:
        result.add_edges_from(zip(*ends, strict=True))
    else:
        result.add_weighted_edges_from(zip(*ends, weights.tolist(), strict=True))
    return result


def _edges_of_networkx(graph: Any, weight: str | None) -> Edges:
    nodes = list(graph)
    index = {node: i for i, node in enumerate(nodes)}
    ends = np.array([(index[a], index[b]) for a, b in graph.edges()], np.int64).reshape(-1, 2)
    values = [] if weight is None else [value for _, _, value in graph.edges(data=weight)]
    labels = None if nodes == list(range(len(nodes))) else nodes
    u, v = ends.T
    return Edges(u, v, _numbers(values, ends, nodes), len(nodes), labels, not graph.is_directed())


def _edges_of_igraph(graph: Any, weight: str | None) -> Edges:
    n = graph.vcount()
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    values = graph.es[weight] if weight in graph.es.attributes() else []
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else None
    u, v = ends.T
    return Edges(u, v, _numbers(values, ends, labels or range(n)), n, labels, not graph.is_directed())


def _numbers(values: list[Any], ends: NDArray[np.int64], names: Sequence[Any]) -> NDArray[Any] | None:
    """The weights of all edges; where one is missing it is 1, as in networkx; None when every one is missing."""
    if all(value is None for value in values):
        return None
    filled = [1 if value is None else value for value in values]
    weights = np.array(filled)
    if weights.dtype.kind in "biuf":
        return weights
    for e, value in enumerate(filled):
        if np.asarray(value).dtype.kind not in "biuf":
            pair = ", ".join(repr(names[end]) for end in ends[e])
            raise ValueError(f"weight of edge ({pair}) is {value!r}; give a real number of at most 64 bits")
    return np.array(filled, np.float64)  # integers too far apart for one integer type
