"""Peak working memory of each algorithm beyond the graph, in bytes a vertex.

    python bench/memory.py [--graph SPEC] [--threads N] [--algorithm NAME ...]

Each algorithm runs in a process of its own, which first compiles it on a small graph, loads the graph, resets its
high-water mark, and matches. Linux only.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence

import troth
from troth.bench.memory import reset_peak, resident
from troth.bench.timing import environment, json_line
from troth.kernels.team import default_threads
from troth.matching.registry import ALGORITHMS


def main(args: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--graph", default="rmat:20")
    options.add_argument("--threads", type=int, default=default_threads())
    options.add_argument("--algorithm", action="append", choices=tuple(ALGORITHMS))
    options.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    asked = options.parse_args(args)
    if asked.alone:
        print(json.dumps(working_memory(asked.graph, asked.algorithm[0], asked.threads)))
        return
    for algorithm in asked.algorithm or ALGORITHMS:
        command = [sys.executable, __file__, "--alone", "--graph", asked.graph, "--algorithm", algorithm]
        child = subprocess.run(
            [*command, "--threads", str(asked.threads)], check=True, stdout=subprocess.PIPE, text=True
        )
        facts = {"bench": "memory", "graph": asked.graph, "algorithm": algorithm, "threads": asked.threads}
        sys.stdout.write(json_line({**facts, **json.loads(child.stdout), **environment()}))
        sys.stdout.flush()


def working_memory(spec: str, algorithm: str, threads: int) -> dict[str, float]:
    """Bytes beyond the graph at the peak of one match, in this process."""
    graph = troth.as_graph(spec, threads=threads)
    small = graph.subgraph(range(min(graph.n_vertices, 100)))
    troth.max_weight_matching(small, algorithm=algorithm, threads=threads)
    before = reset_peak()
    troth.max_weight_matching(graph, algorithm=algorithm, threads=threads)
    peak = resident("VmHWM") - before
    return {
        "vertices": graph.n_vertices,
        "edges": graph.n_edges,
        "bytes": peak,
        "bytes_a_vertex": peak / graph.n_vertices,
    }


if __name__ == "__main__":
    main()
