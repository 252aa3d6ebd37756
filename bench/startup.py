"""What a user waits for before any work: import, a first command, a first match, and the overhead of a call.

    python bench/startup.py [--trials N]

Each start is a fresh process. A cold match compiles everything it needs, in an empty cache of Numba; a warm one finds
it there. The overhead is a match of a graph with one edge.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

import troth
from troth.bench.timing import Timing, json_line, measure, record

_MATCH = "import troth; troth.max_weight_matching(troth.as_graph((np.arange(9), np.arange(1, 10), np.ones(9))))"


def python(code: str, cache: str) -> Callable[[], object]:
    """A run of the code in a fresh interpreter."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.DEVNULL)


def main(args: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--trials", type=int, default=3)
    trials = options.parse_args(args).trials
    match = f"import numpy as np; {_MATCH}"
    with tempfile.TemporaryDirectory() as cache:
        cold = Path(cache, "cold")
        report(measure("python -c pass", python("pass", cache), trials=trials))
        report(measure("import troth", python("import troth", cache), trials=trials))
        report(
            measure("troth --version", python("import troth.cli; troth.cli.main(['--version'])", cache), trials=trials)
        )
        report(
            measure("cold first match", python(match, str(cold)), trials=trials, warm=0, setup=partial(forget, cold))
        )
        report(measure("warm first match", python(match, cache), trials=trials))
    graph = troth.as_graph((np.array([0]), np.array([1]), np.array([1.0])))
    report(measure("overhead of a call", lambda: troth.max_weight_matching(graph), trials=100, warm=10))


def forget(cache: Path) -> None:
    shutil.rmtree(cache, ignore_errors=True)


def report(timing: Timing) -> None:
    sys.stdout.write(json_line(record(timing, bench="startup")))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
