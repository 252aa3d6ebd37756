"""Time and peak memory of generators, against the graph they make.

    python bench/generate.py [SPEC ...] [--threads N] [--trials N]

Each spec runs in a process of its own. `memory` is the peak divided by the size of the finished graph. Linux only.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence

import troth
from troth.bench.memory import reset_peak, resident
from troth.bench.timing import json_line, measure, record
from troth.kernels.team import default_threads

SPECS = (
    "rmat:20",
    "urand:20",
    "rgg:20",
    "sbp:18",
    "kmer:20",
    "grid2d:1024",
    "grid3d:96",
    "mycielskian:12",
    "bipartite:19",
)


def main(args: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("specs", nargs="*", default=SPECS, metavar="SPEC")
    options.add_argument("--threads", type=int, default=default_threads())
    options.add_argument("--trials", type=int, default=3)
    options.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    asked = options.parse_args(args)
    if asked.alone:
        print(json.dumps(made(asked.specs[0], asked.threads, asked.trials)))
        return
    for spec in asked.specs:
        limits = ["--threads", str(asked.threads), "--trials", str(asked.trials)]
        command = [sys.executable, __file__, "--alone", spec, *limits]
        child = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        sys.stdout.write(json_line(json.loads(child.stdout)))
        sys.stdout.flush()


def made(spec: str, threads: int, trials: int) -> dict[str, object]:
    """Time and peak of one spec, in this process."""
    peak = 0

    def make() -> troth.Graph:
        nonlocal peak
        before = reset_peak()
        graph = troth.generate(spec, threads=threads)
        peak = resident("VmHWM") - before
        return graph

    timing = measure("generate", make, trials=trials)
    graph = timing.result
    facts = {"bench": "generate", "graph": spec, "threads": threads, "edges": graph.n_edges, "bytes": graph.nbytes}
    return record(timing, **facts, peak_bytes=peak, memory=peak / graph.nbytes)


if __name__ == "__main__":
    main()
