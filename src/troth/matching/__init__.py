"""Maximum weight matching in general graphs, to within half of the optimum."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, overload

from troth.graph.convert import as_graph
from troth.graph.dist.distgraph import DistGraph
from troth.graph.order import check_tie_break
from troth.kernels import team
from troth.matching.distributed import match_distributed
from troth.matching.problem import Problem
from troth.matching.registry import ALGORITHMS
from troth.matching.result import Matching, Stats
from troth.matching.suitor_sorted import SortedRows, suitor_sorted
from troth.naming import unknown
from troth.progress import Reporter

if TYPE_CHECKING:
    from troth.comm.ledger import Ledger
    from troth.matching.distributed.result import DistMatching

BACKENDS = ("auto", "serial", "threads")


@overload
def max_weight_matching(
    graph: DistGraph,
    *,
    algorithm: str = ...,
    backend: str = ...,
    threads: int | None = ...,
    tie_break: str = ...,
    progress: Reporter | None = ...,
    transport: str | None = ...,
    aggregate: int | None = ...,
    gather: bool = ...,
    ledger: Ledger | None = ...,
) -> DistMatching: ...


@overload
def max_weight_matching(
    graph: Any,
    *,
    algorithm: str = ...,
    backend: str = ...,
    threads: int | None = ...,
    tie_break: str = ...,
    progress: Reporter | None = ...,
) -> Matching: ...


def max_weight_matching(
    graph: Any,
    *,
    algorithm: str = "suitor",
    backend: str = "auto",
    threads: int | None = None,
    tie_break: str = "hash",
    progress: Reporter | None = None,
    transport: str | None = None,
    aggregate: int | None = None,
    gather: bool = False,
    ledger: Ledger | None = None,
) -> Matching | DistMatching:
    """A matching of at least half the maximum weight: the locally dominant one.

    Every algorithm but "path-growing" returns the same mates, whatever the back-end and the number of threads: those of
    the greedy method that takes the heaviest edge first, ties broken by one strict order. Edges of weight zero or below
    are never matched; a graph without weights is matched as if all were 1.

    Args:
        graph: a Graph, or anything `as_graph` takes; SortedRows for "suitor-s" and "suitor-ds".
        algorithm: "suitor" (the default and the fastest), "suitor-d", "suitor-s", "suitor-ds", "locally-dominant",
            "greedy" or "path-growing".
        backend: "serial" (one thread), "threads", or "auto" (threads where the algorithm has them).
        threads: how many; all cores by default.
        tie_break: "hash" mixes vertex ids, so that equal weights make no long chains; "id" prefers the larger id.
        progress: called with a troth.Progress about ten times a second.
        transport, aggregate, gather, ledger: for a DistGraph only, see `match_distributed`. The call is then
            collective, takes "suitor" or "locally-dominant", uses one thread in each rank unless told otherwise, and
            every rank gets its slice of the mates in a DistMatching.

    Raises: ValueError on unknown names or bad input, before any work; KeyboardInterrupt within a tenth of a second.

    >>> import numpy as np, troth
    >>> u, v, w = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([2.0, 3.0, 2.0])
    >>> troth.max_weight_matching((u, v, w)).mate.tolist()
    [-1, 2, 1, -1]
    """
    if type(graph) is DistGraph:
        if backend not in ("auto", "mpi"):
            raise ValueError(f"backend is {backend!r}, but a DistGraph is matched by its ranks; use 'auto' or 'mpi'")
        return match_distributed(
            graph,
            algorithm=algorithm,
            transport=transport or "auto",
            threads=1 if threads is None else threads,
            tie_break=tie_break,
            aggregate=aggregate,
            gather=gather,
            ledger=ledger,
            progress=progress,
        )
    if transport is not None or aggregate is not None or gather or ledger is not None or backend == "mpi":
        raise ValueError("transport, aggregate, gather, ledger and backend='mpi' are for a troth.DistGraph")
    n_threads = check_options(algorithm, backend, threads, tie_break)
    return _match(graph, algorithm, n_threads, tie_break, progress)


def _match(graph: Any, algorithm: str, threads: int, tie_break: str, progress: Reporter | None) -> Matching:
    """max_weight_matching on this machine, its options checked."""
    rows = graph if type(graph) is SortedRows else None
    if rows is not None:
        _check_rows(rows, algorithm, tie_break)
    started = time.perf_counter()
    matched = rows.graph if rows is not None else as_graph(graph, threads=threads, progress=progress)
    converted = time.perf_counter()
    compiled = team.compile_seconds()
    problem = Problem(matched, tie_break == "hash", threads, progress)
    if rows is None:
        mate = ALGORITHMS[algorithm].run(problem)
    else:
        mate = suitor_sorted(problem, rows, delayed=algorithm == "suitor-ds")
    compile_time = team.compile_seconds() - compiled
    seconds = {
        "convert": converted - started,
        "compile": compile_time,
        "match": time.perf_counter() - converted - compile_time,
    }
    used = "serial" if threads == 1 else "threads"
    return Matching(mate, algorithm, Stats(used, threads, tie_break, seconds), matched)


def check_options(algorithm: str, backend: str, threads: int | None, tie_break: str) -> int:
    """How many threads the algorithm gets; ValueError on what cannot be."""
    if algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, ALGORITHMS)
    if backend not in BACKENDS:
        raise unknown("backend", backend, BACKENDS)
    check_tie_break(tie_break)
    asked = team.check_threads(threads)
    if backend == "serial" and threads is not None and asked > 1:
        raise ValueError(f"backend 'serial' has one thread, not {asked}; use backend 'threads' or 'auto'")
    threaded = ALGORITHMS[algorithm].threaded
    if backend == "threads" and not threaded:
        raise ValueError(f"algorithm {algorithm!r} has no threaded form; use backend 'serial' or 'auto'")
    return asked if threaded and backend != "serial" else 1


def _check_rows(rows: SortedRows, algorithm: str, tie_break: str) -> None:
    if algorithm not in ("suitor-s", "suitor-ds"):
        raise ValueError(f"SortedRows serve algorithms 'suitor-s' and 'suitor-ds', not {algorithm!r}; pass rows.graph")
    if tie_break != rows.tie_break:
        raise ValueError(f"the rows were sorted with tie_break={rows.tie_break!r}; sort them anew for {tie_break!r}")
