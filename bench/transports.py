"""The transports against each other, on the distributed matching programs: each line has its ratio to ncl.

python bench/transports.py [--graph SPEC ...] [--ranks LIST] [--algorithm NAME ...] [--transport NAME ...] [--trials N]

A transport may be followed by the most records of a message: nsr=1 is the baseline of paper 1. For each number of ranks
this script starts itself under mpiexec. Times run from a barrier to a barrier: that of the slowest rank.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

import troth
from troth.bench.timing import Case, json_line, race, record
from troth.comm.launch import SETTINGS, command
from troth.comm.transports import TRANSPORTS, find_transport
from troth.graph.dist.distgraph import DistGraph
from troth.matching.distributed import PROGRAMS

BASE = "ncl"
KINDS = [BASE, *(name for name in TRANSPORTS if name not in (BASE, "auto")), "nsr=1"]


def main(args: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--graph", action="append", help="rgg:18 and rmat:16 by default")
    options.add_argument("--ranks", default="2,4")
    options.add_argument("--algorithm", action="append", choices=tuple(PROGRAMS))
    options.add_argument("--transport", action="append", help=f"of {', '.join(KINDS)}; {BASE} always runs")
    options.add_argument("--trials", type=int, default=5)
    options.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    asked = options.parse_args(args)
    if asked.inside:
        for graph in asked.graph or ["rgg:18", "rmat:16"]:
            for algorithm in asked.algorithm or PROGRAMS:
                compare(graph, algorithm, asked.transport or KINDS, asked.trials)
        return
    given = list(sys.argv[1:] if args is None else args)
    for ranks in asked.ranks.split(","):
        line = command(int(ranks), [sys.executable, __file__, *given, "--inside"])
        # Not inherited: who calls may have replaced its sys.stdout.
        done = subprocess.run(line, env=SETTINGS | os.environ, stdout=subprocess.PIPE, text=True, check=True)
        sys.stdout.write(done.stdout)
        sys.stdout.flush()


def compare(spec: str, algorithm: str, kinds: Sequence[str], trials: int) -> None:
    """Race the transports; rank 0 prints."""
    graph = DistGraph.from_spec(spec)
    comm = graph.comm
    whole = graph.gather()
    serial = troth.max_weight_matching(whole, threads=1).mate if whole is not None else None

    def case(kind: str) -> Case:
        name, _, most = kind.partition("=")
        transport, aggregate = find_transport(name), int(most) if most else None
        programs: list[Any] = []

        def setup() -> None:
            programs[:] = [PROGRAMS[algorithm](graph.part)]
            programs[0].prepare()
            comm.Barrier()

        def run() -> Any:
            report = transport.run(programs[0], graph.part, comm, aggregate=aggregate)
            comm.Barrier()
            return report

        def verify(_: Any) -> None:
            mates = comm.gather(programs[0].mates())
            if serial is not None and not np.array_equal(np.concatenate(mates), serial):
                raise ValueError(f"{kind}: other mates than one rank finds")

        return Case(kind, run, verify, setup)

    kinds = [BASE, *(kind for kind in kinds if kind != BASE)]
    timings = race([case(kind) for kind in kinds], trials=trials)
    for kind, timing in zip(kinds, timings, strict=True):
        reports = comm.gather(timing.result)
        if comm.rank == 0:
            facts = {"bench": "transports", "graph": spec, "ranks": comm.size, "algorithm": algorithm}
            ratio = timing.median / timings[0].median
            line = record(timing, **facts, **shares(reports), transport=kind, ratio_to_ncl=ratio)
            sys.stdout.write(json_line(line))
            sys.stdout.flush()


def shares(reports: Sequence[Any]) -> dict[str, Any]:
    """What the ranks report of the last trial, together."""
    sums = {name: sum(getattr(report, name) for report in reports) for name in ("messages", "records", "bytes")}
    for name in ("seconds_compute", "seconds_comm"):
        seconds = [getattr(report, name) for report in reports]
        sums |= {f"{name}_max": max(seconds), f"{name}_mean": sum(seconds) / len(seconds)}
    return {"rounds": max(report.rounds for report in reports), **sums}


if __name__ == "__main__":
    main()
