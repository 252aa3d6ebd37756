"""Maximum weight matching in distributed memory, to within half of the optimum (paper 1)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from troth.comm.report import Report
from troth.comm.virtual import run_virtual
from troth.graph.csr import Graph
from troth.graph.dist.part import edge_ranges, even_ranges
from troth.graph.dist.part import split as split_graph
from troth.graph.dist.rows import check_balance
from troth.graph.order import check_tie_break
from troth.kernels import team
from troth.matching.distributed.locally_dominant import LocallyDominant
from troth.matching.distributed.result import DistMatching, gather_mates, own_share
from troth.matching.distributed.suitor import Suitor
from troth.matching.result import Stats
from troth.naming import unknown
from troth.progress import Progress, Reporter

if TYPE_CHECKING:
    from troth.comm.ledger import Ledger
    from troth.graph.dist.distgraph import DistGraph

PROGRAMS: dict[str, type[Suitor] | type[LocallyDominant]] = {"suitor": Suitor, "locally-dominant": LocallyDominant}


def match_distributed(
    graph: DistGraph,
    *,
    algorithm: str = "suitor",
    transport: str = "auto",
    threads: int | None = 1,
    tie_break: str = "hash",
    aggregate: int | None = None,
    gather: bool = False,
    ledger: Ledger | None = None,
    progress: Reporter | None = None,
) -> DistMatching:
    """The locally dominant matching of a graph that is spread over ranks: the same mates as on one. Collective.

    Args:
        algorithm: "suitor" (the faster) or "locally-dominant" (that of paper 1).
        transport: what carries the messages; see troth.comm.transports.
        threads: in each rank; None for all the cores that it may use.
        tie_break: as for max_weight_matching.
        aggregate: the most records of one message; None for all there are.
        gather: also bring all mates together on rank 0, as `all_mates`.
        ledger: takes note of what this rank sends: Ledger(comm.size, rank=comm.rank).
        progress: called on this rank after each exchange; the total is not known beforehand and given as 0.

    Raises: ValueError on every rank when names are unknown or arguments differ between ranks, before any work.
    """
    from troth.comm.errors import guard, same_everywhere
    from troth.comm.transports import find_transport

    comm, part = graph.comm, graph.part
    same_everywhere(comm, algorithm=algorithm, transport=transport, tie_break=tie_break, gather=gather)
    compiled = team.compile_seconds()
    began = time.perf_counter()
    with guard(comm):
        carrier = find_transport(transport)
        n_threads, hashed = _check(algorithm, threads, tie_break)
        program = PROGRAMS[algorithm](part, hashed, n_threads)
        program.prepare()
    compile_time = team.compile_seconds() - compiled
    watch = None if progress is None else lambda rounds: progress(Progress("exchanging", rounds, 0))
    report = carrier.run(program, part, comm, aggregate=aggregate, ledger=ledger, watch=watch)
    seconds = {"compile": compile_time, "match": time.perf_counter() - began - compile_time}
    mate = program.mates()
    shares = comm.allgather(own_share(part, mate, n_threads))
    stats = Stats("mpi", n_threads, tie_break, seconds)
    weight, cardinality = sum(weight for weight, _ in shares), sum(count for _, count in shares)
    all_mates = gather_mates(graph, mate) if gather else None
    return DistMatching(mate, weight, cardinality, algorithm, stats, report, graph, all_mates)


def match_virtual(
    graph: Graph,
    n_ranks: int,
    *,
    algorithm: str = "suitor",
    threads: int | None = 1,
    tie_break: str = "hash",
    balance: str = "vertices",
    seed: int | None = None,
    shuffle: bool = False,
    delay: float = 0.0,
    split: int | None = None,
    ledger: Ledger | None = None,
) -> tuple[NDArray[np.int64], Report]:
    """The same by so many ranks in this process, without MPI: all mates, and what the messages took together.

    Args:
        balance: ranges of about equal numbers of "vertices" or of "edges".
        seed, shuffle, delay, split, ledger: see run_virtual.
    """
    n_threads, hashed = _check(algorithm, threads, tie_break)
    if isinstance(n_ranks, bool) or not isinstance(n_ranks, int | np.integer) or n_ranks < 1:
        raise ValueError(f"n_ranks is {n_ranks!r}; give a whole number of at least 1")
    check_balance(balance)
    ranges = even_ranges(graph.n_vertices, n_ranks) if balance == "vertices" else edge_ranges(graph.indptr, n_ranks)
    parts = list(split_graph(graph, ranges))
    programs = [PROGRAMS[algorithm](part, hashed, n_threads) for part in parts]
    programs[0].prepare()
    report = run_virtual(programs, parts, seed=seed, shuffle=shuffle, delay=delay, split=split, ledger=ledger)
    return np.concatenate([program.mates() for program in programs]), report


def _check(algorithm: str, threads: int | None, tie_break: str) -> tuple[int, bool]:
    """The threads to use and whether ties are hashed; ValueError on what cannot be."""
    if algorithm not in PROGRAMS:
        raise unknown("distributed algorithm", algorithm, PROGRAMS)
    return team.check_threads(threads), check_tie_break(tie_break)
