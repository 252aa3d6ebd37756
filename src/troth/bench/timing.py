"""The one timing loop of the project: every figure that troth reports comes from `race`.

Cases run in turn within a round (peer, ours, peer, ours ...), so a slow spell of the machine falls on all of them alike
and the ratio of two cases holds although their absolute times do not. The first call of each case is kept apart, and in
it the time spent compiling; set-up and verification are never timed.
"""

import gc
import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import troth
from troth.kernels import team


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to time.

    Attributes:
        run: called without arguments and timed; returns what verify takes.
        verify: raises when a result is wrong; called after every run.
        setup: called before every run.
    """

    name: str
    run: Callable[[], Any]
    verify: Callable[[Any], object] | None = None
    setup: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one case.

    Attributes:
        first: the first call, without the compiling in it.
        compile: compiling, or loading from the cache, in the first call.
        seconds: the trials, in order.
        result: what the last trial returned.
    """

    name: str
    first: float
    compile: float
    seconds: tuple[float, ...]
    result: Any = field(repr=False)

    @property
    def median(self) -> float:
        return median(self.seconds)

    @property
    def min(self) -> float:
        return min(self.seconds)

    @property
    def spread(self) -> float:
        """The range of the trials as a share of their median."""
        return (max(self.seconds) - min(self.seconds)) / self.median if self.median else 0.0


def measure(
    name: str,
    run: Callable[[], Any],
    *,
    trials: int = 5,
    warm: int = 1,
    verify: Callable[[Any], object] | None = None,
    setup: Callable[[], object] | None = None,
) -> Timing:
    """Time one case alone; see race."""
    return race([Case(name, run, verify, setup)], trials=trials, warm=warm)[0]


def race(
    cases: Sequence[Case], *, trials: int = 5, warm: int = 1, on_run: Callable[[int, int], object] | None = None
) -> list[Timing]:
    """Time cases against each other, in turn.

    Args:
        trials: timed rounds, at least 1.
        warm: rounds that count; the first is each case's first call. 0 takes the first call as a trial.
        on_run: told (runs done, runs in all) after each.
    """
    if trials < 1 or warm < 0:
        raise ValueError(f"trials is {trials} and warm {warm}; give at least 1 trial and 0 warm rounds")
    seconds: list[list[float]] = [[] for _ in cases]
    compiling: list[list[float]] = [[] for _ in cases]
    results: list[Any] = [None for _ in cases]
    rounds = trials + warm
    for turn in range(rounds):
        for i, case in enumerate(cases):
            elapsed, compiled, results[i] = _run_once(case)
            seconds[i].append(elapsed)
            compiling[i].append(compiled)
            if on_run:
                on_run(turn * len(cases) + i + 1, rounds * len(cases))
    return [
        Timing(case.name, spent[0], compiled[0], tuple(spent[warm:]), result)
        for case, spent, compiled, result in zip(cases, seconds, compiling, results, strict=True)
    ]


def _run_once(case: Case) -> tuple[float, float, Any]:
    """Seconds of one run without compiling, seconds of compiling, and its result, verified."""
    if case.setup:
        case.setup()
    compiled = team.compile_seconds()
    collecting = gc.isenabled()
    gc.disable()
    try:
        started = time.perf_counter()
        result = case.run()
        elapsed = time.perf_counter() - started
    finally:
        if collecting:
            gc.enable()
    compiled = team.compile_seconds() - compiled
    if case.verify:
        case.verify(result)
    return elapsed - compiled, compiled, result


def record(timing: Timing, **facts: Any) -> dict[str, Any]:
    """One result as a flat dictionary for json_line: the times, the facts of the case (graph, threads, seed, peer,
    ratio ...), and the code and machine it ran on."""
    return {
        "case": timing.name,
        **facts,
        "median_s": timing.median,
        "min_s": timing.min,
        "spread": timing.spread,
        "trials": len(timing.seconds),
        "first_s": timing.first,
        "compile_s": timing.compile,
        **environment(),
    }


def json_line(result: dict[str, Any]) -> str:
    return json.dumps(result, allow_nan=False) + "\n"


@cache
def environment() -> dict[str, Any]:
    """The code and the machine: what a figure needs beside it to mean anything later."""
    return {
        "commit": _commit(),
        "cpu": _cpu(),
        "cores": team.default_threads(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba")},
    }


def _commit() -> str:
    """The commit this package runs from, "-dirty" with changes; its version outside of its repository."""
    package = Path(troth.__file__).parent
    git = ["git", "-C", str(package)]
    try:
        # An installed package may lie inside somebody else's repository, which does not track it.
        subprocess.run([*git, "ls-files", "--error-unmatch", "__init__.py"], check=True, capture_output=True)
        said = subprocess.run(
            [*git, "describe", "--always", "--dirty", "--exclude=*"], check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return f"v{troth.__version__}"
    return said.stdout.strip()


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        models = []
    return models[0] if models else platform.processor() or os.uname().machine
