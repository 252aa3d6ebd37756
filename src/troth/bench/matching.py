"""Every matching algorithm against NetworKit's Suitor and against one read of the graph, in one run.

NetworKit (SuitorMatcher, serial, its graph built beforehand from our arrays, only run() timed) is the fastest matcher
that pip installs. The floor reads every neighbour and weight once on the same threads: no matcher can be faster. Every
result is verified; all algorithms but path-growing must return one mate array. The peer's weight stands beside ours: it
may differ only where weights are equal, for it breaks ties by id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.bench.timing import Case, race, record
from troth.graph.csr import Graph
from troth.graph.order import weight_keys
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.matching import max_weight_matching
from troth.matching.registry import ALGORITHMS
from troth.matching.result import Matching
from troth.naming import unknown

PEER = "networkit"
FLOOR = "read once"
DEFAULT_GRAPHS = ("rmat:20", "rgg:20")
_CHUNK = 1 << 16


@compiled
def read_entries(
    control,
    thread,
    indices,  # IN
    keys,  # IN: weights as integers, whose sum the compiler may vectorise
    totals,  # OUT: a sum for each chunk, so that no read can be left out
):
    while True:
        chunk = team.take(control, totals.shape[0])
        if chunk < 0:
            return
        total = np.int64(0)
        # Unsigned, or the test for negative indices would keep the loop from being vectorised.
        for e in range(np.uint64(chunk * _CHUNK), np.uint64(min((chunk + 1) * _CHUNK, indices.shape[0]))):
            total += indices[e] + keys[e]
        totals[chunk] = total


def read_once(graph: Graph, *, threads: int) -> int:
    """Read every entry of the graph once; returns a sum that depends on all of them."""
    keys = _keys(graph)
    totals = np.zeros(team.chunks_of(graph.indices.size, _CHUNK), np.int64)
    team.run(read_entries, graph.indices, keys, totals, threads=threads)
    return int(totals.sum())


def _keys(graph: Graph) -> NDArray[Any]:
    """The weights as integers; the neighbours, read once more from the cache, where there are none."""
    return graph.indices if graph.weights is None else weight_keys(graph.weights, graph.indices.size)


class Peer:
    """NetworKit's SuitorMatcher on a copy of the graph."""

    def __init__(self, graph: Graph) -> None:
        nk = require_networkit()
        u, v, w = graph.edges()
        data = np.ones(u.size) if w is None else w.astype(np.float64)
        ends = u.astype(np.uint64), v.astype(np.uint64)
        self._graph = nk.GraphFromCoo((data, ends), n=graph.n_vertices, weighted=True, directed=False)
        self._make = nk.matching.SuitorMatcher
        self._matcher: Any = None

    def prepare(self) -> None:
        # sortSuitor=True would need rows sorted by weight, and is wrong without them.
        self._matcher = self._make(self._graph, sortSuitor=False)

    def run(self) -> None:
        self._matcher.run()

    def outcome(self) -> dict[str, Any]:
        """The result, which is only compared with ours."""
        found = self._matcher.getMatching()
        return {"weight": found.weight(self._graph), "cardinality": found.size(self._graph), "verified": None}


def require_networkit() -> Any:
    try:
        import networkit
    except ImportError as missing:
        raise ImportError(
            "the comparison needs NetworKit: pip install 'troth[bench]', or leave it out with --no-peers"
        ) from missing
    return networkit


class Judge:
    """Proves the first matching right, and the later ones equal to it."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._mates: dict[bool, Any] = {}

    def __call__(self, matching: Matching) -> None:
        dominant = ALGORITHMS[matching.algorithm].dominant
        known = self._mates.get(dominant)
        if known is None:
            matching.verify(self._graph)
            self._mates[dominant] = matching.mate
        elif not np.array_equal(known, matching.mate):
            raise ValueError(f"{matching.algorithm} on {matching.stats.threads} threads gave another matching")


def check(algorithms: Iterable[str], peers: bool) -> None:
    """ValueError on an unknown algorithm, ImportError where the peer is not installed."""
    for name in algorithms:
        if name not in ALGORITHMS:
            raise unknown("algorithm", name, ALGORITHMS)
    if peers:
        require_networkit()


def bench_matching(
    graph: Graph,
    *,
    name: str,
    seed: int | None = None,
    threads: Sequence[int],
    algorithms: Sequence[str] = (),
    trials: int = 5,
    peers: bool = True,
    on_run: Callable[[int, int], object] | None = None,
) -> list[dict[str, Any]]:
    """Race the algorithms on one graph; returns one record a case, as timing.record makes them.

    Args:
        name, seed: of the graph, for the records.
        threads: team sizes; algorithms without a threaded form run once.
        algorithms: names in ALGORITHMS; all when empty.
    Returns: records in which `ratio` is how many times faster than the peer a case is, and `floors` how many times as
        long as one read of the graph on as many threads it takes.
    Raises: ValueError when a result is wrong or results differ.
    """
    check(algorithms, peers)
    peer = Peer(graph) if peers else None
    entrants = list(_entrants(graph, threads, algorithms or tuple(ALGORITHMS)))
    if peer:
        entrants.insert(0, (Case(PEER, peer.run, setup=peer.prepare), 1))
    timings = race([case for case, _ in entrants], trials=trials, on_run=on_run)
    sized = [(timing, size) for timing, (_, size) in zip(timings, entrants, strict=True)]
    floors = {size: timing.median for timing, size in sized if timing.name == FLOOR}
    facts = {
        "bench": "matching",
        "graph": name,
        "seed": seed,
        "vertices": graph.n_vertices,
        "edges": graph.n_edges,
        "weights": None if graph.weights is None else str(graph.weights.dtype),
        "peer": PEER if peer else None,
    }
    records = []
    for timing, size in sized:
        ratio = timings[0].median / timing.median if peer else None
        outcome = peer.outcome() if peer and timing.name == PEER else _outcome(timing.result)
        records.append(
            record(timing, **facts, threads=size, **outcome, ratio=ratio, floors=timing.median / floors[size])
        )
    return records


def _entrants(graph: Graph, threads: Sequence[int], algorithms: Sequence[str]) -> Iterator[tuple[Case, int]]:
    """The floor and each algorithm, on each team."""
    judge = Judge(graph)
    expected = int(graph.indices.sum(dtype=np.int64)) + int(_keys(graph).sum(dtype=np.int64))
    expected = (expected + 2**63) % 2**64 - 2**63  # as the kernel's sum wraps

    def check_total(total: int) -> None:
        if total != expected:
            raise ValueError(f"reading the graph gave {total}, not {expected}")

    for size in sorted({1, *threads}):
        yield Case(FLOOR, partial(read_once, graph, threads=size), check_total), size
    for name in algorithms:
        for size in threads if ALGORITHMS[name].threaded else (1,):
            yield Case(name, partial(max_weight_matching, graph, algorithm=name, threads=size), judge), size


def _outcome(result: Any) -> dict[str, Any]:
    if isinstance(result, Matching):
        return {"weight": result.weight, "cardinality": result.cardinality, "verified": True}
    return {"weight": None, "cardinality": None, "verified": True}
