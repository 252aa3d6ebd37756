"""The scripts in bench/: each runs on a small graph and prints JSON lines."""

import json
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize(
    ("script", "args", "lines"),
    [
        ("scaling.py", ["--graph", "rmat:6", "--threads", "1,2", "--trials", "1"], 2),
        ("startup.py", ["--trials", "1"], 6),
        pytest.param(
            "memory.py", ["--graph", "rmat:6", "--algorithm", "suitor"], 1,
            marks=pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
        ),
        pytest.param(
            "generate.py", ["path:6", "--trials", "1"], 1,
            marks=pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
        ),
        pytest.param(
            "transports.py",
            ["--graph", "rgg:8", "--ranks", "2", "--algorithm", "suitor", "--transport", "nsr=1", "--trials", "1"], 2,
            marks=pytest.mark.skipif(find_spec("mpi4py") is None, reason="mpi4py is not installed"),
        ),
    ],
)  # fmt: skip
def test_a_script_prints_json_lines(script, args, lines, capfd):
    runpy.run_path(str(BENCH / script))["main"](args)
    said = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert len(said) == lines
    assert all(each["bench"] == script.removesuffix(".py") and each["cpu"] for each in said)


def test_the_readme_names_every_script():
    text = (BENCH / "README.md").read_text()
    assert all(script.name in text for script in BENCH.glob("*.py"))
