"""A picture of a matching: which weights it took, and where in the graph it lies.

Left, the weights of the matched edges against those of all edges; where all weights are equal, how much of each degree
class is matched. Right, a drawing of the graph when it is small; otherwise the degree classes, or the matched entries
of the adjacency matrix. The drawing places each component by pivot MDS (Brandes, Pich 2007) and lets springs even it
out (Fruchterman, Reingold 1991); components are packed in columns. The same graph always gives the same picture.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from troth.graph.csr import Graph
    from troth.matching.result import Matching

SUFFIXES = (".png", ".pdf", ".svg")
DRAWN_VERTICES = 2000
_DRAWN_EDGES = 40_000
_MARKS = 20_000
_PIVOTS = 40
_SPRING_ROUNDS = 60
_MATCHED, _OTHER, _INK = "#c8553d", "#a9b4c2", "#2f3e4e"


def plot_matching(graph: Graph, matching: Matching, path: str | os.PathLike[str]) -> None:
    """Draw the matching to a .png, .pdf or .svg file.

    Raises: ImportError without matplotlib, ValueError for another suffix.
    """
    from troth.graph.formats.atomic import atomic_path

    figure_class = require_matplotlib()
    target = check_suffix(path)
    figure = figure_class(figsize=(11, 5.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    weighed = graph.weights is not None and graph.weights.size > 0 and graph.weights.min() != graph.weights.max()
    if weighed:
        _weights(left, graph, matching)
    else:
        _degree_classes(left, graph, matching)
    if graph.n_vertices <= DRAWN_VERTICES and graph.n_edges <= _DRAWN_EDGES:
        _drawing(right, graph, matching)
    elif weighed:
        _degree_classes(right, graph, matching)
    else:
        _entries(right, graph, matching)
    figure.suptitle(_title(graph, matching), color=_INK)
    with atomic_path(target) as unfinished:
        figure.savefig(unfinished, format=target.suffix[1:].lower(), dpi=150)


def require_matplotlib() -> Any:
    """matplotlib's Figure class: drawing without pyplot leaves no global state and needs no display."""
    try:
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise ImportError("plots need matplotlib: pip install 'troth[plot]'") from missing
    return Figure


def check_suffix(path: str | os.PathLike[str]) -> Path:
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{target}: a plot is written as {', '.join(SUFFIXES)}; use one of these suffixes")
    return target


def _title(graph: Graph, matching: Matching) -> str:
    share = 2 * matching.cardinality / graph.n_vertices if graph.n_vertices else 0.0
    return (
        f"{matching.cardinality:,} of {graph.n_edges:,} edges matched, {share:.1%} of the vertices, "
        f"weight {matching.weight:,.6g} ({matching.algorithm})"
    )


def _pairs(matching: Matching) -> tuple[NDArray[Any], NDArray[Any]]:
    mate = np.asarray(matching.mate)
    u = np.flatnonzero(mate > np.arange(mate.size))
    return u, mate[u]


def _weights(axes: Any, graph: Graph, matching: Matching) -> None:
    """Share of edges in each weight class, all edges against matched ones."""
    every = np.asarray(graph.weights, dtype=np.float64)
    taken = every[matching.edge_ids]
    low, high = float(every.min()), float(every.max())
    tenth = float(np.quantile(every[:: 1 + every.size // 100_000], 0.1))
    logarithmic = low > 0 and high / tenth > 100
    if graph.weights.dtype.kind in "iu" and high - low < 40:  # type: ignore[union-attr]
        edges = np.arange(low, high + 2) - 0.5
    elif logarithmic:
        edges = np.geomspace(low, high, 41)
    else:
        edges = np.linspace(low, high, 41)
    for weights, colour, name, filled in (
        (every, _OTHER, "all edges", True),
        (taken, _MATCHED, "matched edges", False),
    ):
        counts, _ = np.histogram(weights, edges)
        axes.stairs(100 * counts / max(weights.size, 1), edges, color=colour, label=name, fill=filled, linewidth=2)
    if logarithmic:
        axes.set_xscale("log")
    _dress(axes, "Weights of the edges", "weight of an edge", "edges in the class (%)")
    axes.legend(frameon=False)


def _degree_classes(axes: Any, graph: Graph, matching: Matching) -> None:
    """Share of vertices matched, by powers of two of the degree."""
    degrees = graph.degrees
    linked = degrees > 0
    classes = np.log2(degrees[linked]).astype(np.int64)
    sizes = np.bincount(classes)
    matched = np.bincount(classes, weights=np.asarray(matching.mate)[linked] >= 0, minlength=sizes.size)
    places = np.flatnonzero(sizes)
    axes.bar(places, np.full(places.size, 100.0), color=_OTHER, alpha=0.35, width=0.8)
    axes.bar(places, 100 * matched[places] / sizes[places], color=_MATCHED, width=0.8)
    margin = 0.6 + max(0, 4 - places.size) / 2
    axes.set_xlim(places.min(initial=0) - margin, places.max(initial=0) + margin)
    names = [f"{2**k}" if k == 0 else f"{2**k}-{2 ** (k + 1) - 1}" for k in places.tolist()]
    slanted = len(names) > 6
    axes.set_xticks(places, names, rotation=40 if slanted else 0, ha="right" if slanted else "center")
    for place in places.tolist():
        axes.text(place, 101, _short(int(sizes[place])), ha="center", va="bottom", fontsize=7, color=_INK)
    axes.set_ylim(0, 109)
    if not places.size:
        axes.text(0, 50, "no edges", ha="center", color=_INK)
    _dress(axes, "Matched vertices by degree (vertices in the class above the bars)", "degree", "matched (%)")


def _short(count: int) -> str:
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= size:
            return f"{count / size:.{1 if count < 10 * size else 0}f} {letter}"
    return str(count)


def _entries(axes: Any, graph: Graph, matching: Matching) -> None:
    """The matched entries of the adjacency matrix; a regular sample when they are many."""
    u, v = _pairs(matching)
    step = max(1, -(-u.size // _MARKS))
    u, v = u[::step], v[::step]
    axes.scatter(np.r_[v, u], np.r_[u, v], s=2, color=_MATCHED, linewidths=0)
    axes.set(xlim=(0, graph.n_vertices), ylim=(graph.n_vertices, 0), aspect="equal")
    sampled = f" (one of {step} drawn)" if step > 1 else ""
    _dress(axes, f"Matched entries of the adjacency matrix{sampled}", "vertex", "vertex")


def _drawing(axes: Any, graph: Graph, matching: Matching) -> None:
    """The graph with its matched edges in colour."""
    from matplotlib.collections import LineCollection

    place = _layout(graph)
    u, v, _ = graph.edges()
    faint = float(np.clip(3000 / max(u.size, 1), 0.1, 0.9))
    axes.add_collection(LineCollection(list(place[np.c_[u, v]]), colors=_OTHER, linewidths=0.8, alpha=faint, zorder=1))
    a, b = _pairs(matching)
    axes.add_collection(LineCollection(list(place[np.c_[a, b]]), colors=_MATCHED, linewidths=2, zorder=2))
    size = float(np.clip(5000 / max(graph.n_vertices, 1), 4, 40))
    free = np.asarray(matching.mate) < 0
    for group, name, fill in ((~free, "matched vertex", _INK), (free, "free vertex", "white")):
        if group.any():
            axes.scatter(*place[group].T, s=size, color=fill, edgecolors=_INK, linewidths=0.6, zorder=3, label=name)
            axes.legend(
                frameon=False, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, markerscale=(30 / size) ** 0.5
            )
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.04)
    axes.axis("off")
    axes.set_title("The graph and its matched edges", fontsize=10, color=_INK)


def _dress(axes: Any, title: str, x: str, y: str) -> None:
    axes.set_title(title, fontsize=10, color=_INK)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.spines[["top", "right"]].set_visible(False)


def _layout(graph: Graph) -> NDArray[np.float64]:
    """A place in the plane for each vertex: components by falling size, in columns of squares."""
    from scipy.sparse.csgraph import connected_components

    n = graph.n_vertices
    place = np.zeros((n, 2))
    if n == 0:
        return place
    pattern = type(graph)(graph.indptr, graph.indices).to_scipy()  # the weights are no distances
    count, component = connected_components(pattern, directed=False)
    sizes = np.bincount(component, minlength=count)
    members = np.split(np.argsort(component, kind="stable"), np.cumsum(sizes)[:-1])
    sides = np.sqrt(sizes)
    height = max(float(sides.max()), 0.85 * n**0.5)
    x = y = column = 0.0
    for k in np.argsort(-sizes, kind="stable"):
        if y + sides[k] > height + 1e-9:
            x, y, column = x + column, 0.0, 0.0
        inner = sides[k] * (0.55 if sizes[k] < 10 else 0.92)
        place[members[k]] = (
            np.array([x, -y - sides[k]]) + (sides[k] - inner) / 2 + inner * _component(pattern, members[k])
        )
        y, column = y + sides[k], max(column, sides[k])
    return place


def _component(pattern: Any, members: NDArray[Any]) -> NDArray[np.float64]:
    """The layout of one component in the unit square."""
    if members.size == 1:
        return np.full((1, 2), 0.5)
    adjacency = pattern[members][:, members].tocoo()
    place = _springs(_pivot_mds(adjacency.tocsr()), adjacency.row, adjacency.col)
    place -= place.min(axis=0)
    extent = place.max(axis=0)
    place /= extent.max() or 1.0
    return np.asarray(place + (1 - place.max(axis=0)) / 2)


def _pivot_mds(adjacency: Any) -> NDArray[np.float64]:
    """The first two axes of the hop distances to a few vertices far from each other."""
    from scipy.sparse.csgraph import dijkstra

    n = adjacency.shape[0]
    nearest = np.full(n, np.inf)
    columns: list[NDArray[np.float64]] = []
    for _ in range(min(_PIVOTS, n)):
        pivot = int(np.argmax(nearest)) if columns else 0
        hops: NDArray[np.float64] = dijkstra(adjacency, indices=pivot, unweighted=True)  # type: ignore[call-overload]
        nearest = np.minimum(nearest, hops)
        columns.append(hops)
    squares = np.column_stack(columns) ** 2
    centred = -0.5 * (squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean())
    _, axes = np.linalg.eigh(centred.T @ centred)
    place = centred @ axes[:, -2:] if n > 2 else np.array([[0.0, 0.0], [0.7, 1.0]])
    spiral = np.arange(n) * 2.399963  # the golden angle keeps apart vertices that have equal distances
    scale = 0.02 * (np.ptp(place, axis=0).max() or 1.0)
    return np.asarray(place + scale * np.column_stack([np.cos(spiral), np.sin(spiral)]))


def _springs(place: NDArray[np.float64], u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.float64]:
    """Edges pull, vertices push; the step shrinks round by round."""
    n = place.shape[0]
    place = (place - place.mean(axis=0)) / (np.ptp(place, axis=0).max() or 1.0)
    rest = 1 / np.sqrt(n)
    near = (6 * rest) ** 2
    degrees = np.bincount(u, minlength=n)
    ease = 2 / (rest * np.sqrt(degrees[u] * degrees[v]))[:, None]  # else the many edges of a cluster draw it to a point
    for turn in range(_SPRING_ROUNDS):
        norms = np.einsum("ij,ij->i", place, place)
        squared = norms[:, None] + norms - 2 * (place @ place.T)
        # Only near vertices push: the shape at large stays that of the distances.
        push = np.where(squared < near, rest**2 / np.maximum(squared, 1e-6), 0)
        force = place * push.sum(axis=1, keepdims=True) - push @ place
        along = place[v] - place[u]
        pull = along * (np.linalg.norm(along, axis=1, keepdims=True) * ease)
        np.add.at(force, u, pull)
        length = np.linalg.norm(force, axis=1, keepdims=True) + 1e-12
        place = place + force / length * np.minimum(length, 0.06 * (1 - turn / _SPRING_ROUNDS))
    return place
