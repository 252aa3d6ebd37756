"""troth info: what is in a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from troth.cli import options, output
from troth.cli.source import source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from troth.graph.csr import Graph

_COUNTED_WEIGHTS = 20_000_000
_BLOCK = 1 << 22


def info(
    graph: options.GraphName,
    threads: options.Threads = None,
    seed: options.Seed = None,
    as_json: options.Json = False,
    format: options.Format = None,
    symmetrize: options.Symmetrize = None,
    sum_duplicates: options.SumDuplicates = False,
    drop_loops: options.DropLoops = False,
    ranks: Annotated[
        int | None,
        typer.Option(
            metavar="P", min=1, help="Tell of the graph over so many ranks too.", rich_help_panel=options.RANKS
        ),
    ] = None,
    balance: options.Balance = "vertices",
) -> None:
    """Say what is in a graph: size, degrees, weights, components."""
    from troth.graph.dist.process_graph import process_graph
    from troth.graph.dist.rows import check_balance
    from troth.progress import terminal_bar

    check_balance(balance)
    wanted = source(
        graph, seed=seed, format=format, symmetrize=symmetrize, sum_duplicates=sum_duplicates, drop_loops=drop_loops
    )
    with terminal_bar() as bar:
        loaded = wanted.load(threads, bar)
    facts = {"graph": wanted.name, "seed": wanted.seed, **describe(loaded)}
    if ranks is not None:
        facts["process_graph"] = {**process_graph(loaded, ranks, balance=balance).figures(), "balance": balance}
    if as_json:
        output.say_json(facts)
    else:
        output.say_table(_rows(wanted.title(), facts))


def describe(graph: Graph) -> dict[str, Any]:
    """Plain numbers about a graph; None for what an empty one does not have, or what would take too long."""
    n, degrees = graph.n_vertices, graph.degrees
    return {
        "vertices": n,
        "edges": graph.n_edges,
        "degree": {
            "min": int(degrees.min()) if n else None,
            "mean": graph.indices.size / n if n else None,
            "max": int(degrees.max()) if n else None,
        },
        "isolated": int((degrees == 0).sum()),
        "components": count_components(graph),
        "weights": _weights(graph),
        "labels": graph.labels is not None,
        "bytes": graph.nbytes,
    }


def _weights(graph: Graph) -> dict[str, Any] | None:
    import numpy as np

    weights = graph.weights
    if weights is None:
        return None
    facts: dict[str, Any] = {"dtype": str(weights.dtype), "min": None, "max": None, "distinct": None, "not_positive": 0}
    if weights.size:
        facts["min"], facts["max"] = weights.min().item(), weights.max().item()
        facts["not_positive"] = int(np.count_nonzero(weights <= 0)) // 2
    if weights.size <= _COUNTED_WEIGHTS:
        facts["distinct"] = int(np.unique(weights).size)
    return facts


def count_components(graph: Graph) -> int:
    """Connected components, isolated vertices among them.

    Every tree of vertices is hooked to the smallest root next to it and flattened, until nothing changes. NumPy in
    blocks of rows: SciPy's search is one call that Ctrl-C could not end.
    """
    import numpy as np

    root = np.arange(graph.n_vertices, dtype=graph.indices.dtype)
    while True:
        smallest = _smallest_beside(graph, root)
        changed = np.flatnonzero(smallest < root)
        if not changed.size:
            return int(np.count_nonzero(root == np.arange(root.size)))
        np.minimum.at(root, root[changed], smallest[changed])
        while not np.array_equal(flat := root[root], root):
            root = flat


def _smallest_beside(graph: Graph, root: NDArray[Any]) -> NDArray[Any]:
    """For each vertex the smallest root among its own and its neighbours'."""
    import numpy as np

    smallest = root.copy()
    rows = np.flatnonzero(graph.degrees)
    starts = graph.indptr[rows]
    cuts = np.searchsorted(starts, np.arange(0, graph.indices.size + _BLOCK, _BLOCK))
    for low, high in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        if low < high:
            first, end = int(starts[low]), int(graph.indptr[rows[high - 1] + 1])
            beside = np.minimum.reduceat(root[graph.indices[first:end]], starts[low:high] - first)
            smallest[rows[low:high]] = np.minimum(smallest[rows[low:high]], beside)
    return smallest


def _rows(title: str, facts: dict[str, Any]) -> list[tuple[str, str]]:
    degree, weights = facts["degree"], facts["weights"]
    rows = [
        ("graph", title),
        ("vertices", f"{facts['vertices']:,}"),
        ("edges", f"{facts['edges']:,}"),
    ]
    if facts["vertices"]:
        rows.append(("degree", f"{degree['min']:,} to {degree['max']:,}, mean {degree['mean']:.2f}"))
    rows += [("isolated", f"{facts['isolated']:,}"), ("components", f"{facts['components']:,}")]
    if weights is None:
        rows.append(("weights", "none (every edge counts 1)"))
    else:
        span = f", {weights['min']:,.6g} to {weights['max']:,.6g}" if weights["min"] is not None else ""
        rows.append(("weights", weights["dtype"] + span))
        if weights["not_positive"]:
            rows.append(("", f"{weights['not_positive']:,} edges weigh 0 or less and never match"))
        if weights["distinct"] is not None and facts["edges"]:
            ties = 1 - weights["distinct"] / facts["edges"]
            rows.append(("distinct", f"{weights['distinct']:,} weights; {ties:.1%} of the edges repeat one"))
    rows += [("labels", "yes")] * facts["labels"] + [("memory", output.size(facts["bytes"]))]
    return rows + (_process_rows(facts["process_graph"]) if "process_graph" in facts else [])


def _process_rows(figures: dict[str, Any]) -> list[tuple[str, str]]:
    """As tables III to VI of paper 1 have them."""
    degree, edges = figures["degree"], figures["augmented_edges"]
    return [
        ("ranks", f"{figures['ranks']:,}, balanced by {figures['balance']}"),
        ("|Ep|", f"{figures['edges']:,} pairs of ranks that share an edge"),
        ("degree", f"dmax {degree['max']:,}, davg {degree['mean']:,.2f}, sigma {degree['sigma']:,.2f}"),
        ("|E'|", f"{edges['total']:,} edges within ranks and to ghosts, {figures['cross_edges']:,} cross"),
        ("", f"max {edges['max']:,}, avg {edges['mean']:,.2f}, sigma {edges['sigma']:,.2f}"),
    ]
