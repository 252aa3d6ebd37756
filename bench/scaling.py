"""How the algorithms scale with threads: 1, 2, 4 ... up to all cores, in one run.

python bench/scaling.py [--graph SPEC] [--algorithm NAME ...] [--threads LIST] [--trials N]
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial

import troth
from troth.bench.matching import Judge
from troth.bench.timing import Case, json_line, race, record
from troth.kernels.team import default_threads
from troth.matching.registry import ALGORITHMS


def main(args: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--graph", default="rmat:20")
    options.add_argument("--algorithm", action="append", choices=tuple(ALGORITHMS))
    options.add_argument("--threads", help="such as 1,2,4; powers of two by default")
    options.add_argument("--trials", type=int, default=5)
    asked = options.parse_args(args)
    sizes = [int(word) for word in asked.threads.split(",")] if asked.threads else powers(default_threads())
    graph = troth.as_graph(asked.graph)
    judge = Judge(graph)
    for algorithm in asked.algorithm or ["suitor"]:
        match = partial(troth.max_weight_matching, graph, algorithm=algorithm)
        cases = [Case(algorithm, partial(match, threads=size), judge) for size in sizes]
        timings = race(cases, trials=asked.trials)
        for size, timing in zip(sizes, timings, strict=True):
            facts = {"bench": "scaling", "graph": asked.graph, "threads": size}
            sys.stdout.write(json_line(record(timing, **facts, speedup=timings[0].median / timing.median)))
            sys.stdout.flush()


def powers(most: int) -> list[int]:
    """1, 2, 4 ... and the number of cores itself."""
    return sorted({*(2**k for k in range(most.bit_length())), most})


if __name__ == "__main__":
    main()
