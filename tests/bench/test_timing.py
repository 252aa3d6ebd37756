"""The timing loop: order of runs, what is timed and what is not, and what a record holds."""

import json
import time

import pytest

from troth.bench import timing
from troth.bench.timing import Case, json_line, measure, race, record


def test_cases_take_turns_and_rounds_count():
    order = []
    cases = [Case(name, lambda name=name: order.append(name)) for name in ("peer", "ours")]
    done = []
    timings = race(cases, trials=3, warm=2, on_run=lambda *numbers: done.append(numbers))
    assert order == ["peer", "ours"] * 5
    assert done == [(k, 10) for k in range(1, 11)]
    assert [(each.name, len(each.seconds)) for each in timings] == [("peer", 3), ("ours", 3)]


def test_setup_and_verify_surround_every_run_untimed():
    order = []

    def step(name, seconds=0.0):
        def run(*results):
            order.append((name, *results))
            time.sleep(seconds)
            return name

        return run

    timed = measure("x", step("run"), trials=2, warm=1, verify=step("verify", 0.05), setup=step("setup", 0.05))
    assert order == [("setup",), ("run",), ("verify", "run")] * 3
    assert max(timed.first, *timed.seconds) < 0.04
    assert timed.result == "run"


def test_compiling_is_kept_apart(monkeypatch):
    compiled = [0.0]
    monkeypatch.setattr(timing.team, "compile_seconds", lambda: compiled[0])

    def run():
        if not compiled[0]:
            time.sleep(0.1)
            compiled[0] = 0.1

    timed = measure("x", run, trials=2)
    assert timed.compile == 0.1
    assert timed.first < 0.05


def test_a_wrong_result_ends_the_race():
    def verify(result):
        raise ValueError(f"{result} is wrong")

    with pytest.raises(ValueError, match="7 is wrong"):
        measure("x", lambda: 7, verify=verify)


@pytest.mark.parametrize(("trials", "warm"), [(0, 1), (1, -1)])
def test_no_trials_is_an_error(trials, warm):
    with pytest.raises(ValueError, match="at least 1 trial"):
        measure("x", int, trials=trials, warm=warm)


def test_statistics():
    timed = timing.Timing("x", 9.0, 0.0, (2.0, 1.0, 4.0), None)
    assert (timed.median, timed.min, timed.spread) == (2.0, 1.0, 1.5)


def test_a_record_is_one_json_line():
    line = json_line(record(measure("x", int, trials=2), graph="rmat:4", threads=2))
    assert line.count("\n") == 1
    said = json.loads(line)
    assert {"case": "x", "graph": "rmat:4", "threads": 2, "trials": 2}.items() <= said.items()
    assert {"median_s", "min_s", "spread", "first_s", "compile_s", "commit", "cpu", "cores"} <= set(said)
    assert {"python", "numpy", "numba"} <= set(said)
    assert said["cpu"]
    assert said["commit"]
