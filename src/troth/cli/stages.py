"""Where the seconds of a command went: stages, with compiling taken out of each."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stages:
    """Seconds by stage, in this order; those of compiling kernels, in whatever stage, go to "compile"."""

    def __init__(self, *names: str) -> None:
        self.seconds = dict.fromkeys(names, 0.0)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        started, compiled = time.perf_counter(), _compile_seconds()
        yield
        compiling = _compile_seconds() - compiled
        self.seconds["compile"] += compiling
        self.seconds[name] += time.perf_counter() - started - compiling


def _compile_seconds() -> float:
    """0 until a module with kernels has been imported; not imported for this, it costs a quarter of a second."""
    team = sys.modules.get("troth.kernels.team")
    return float(team.compile_seconds()) if team else 0.0
