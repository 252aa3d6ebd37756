"""What every command has in common: help, versions, errors of usage, and the quick start."""

import re
import subprocess
import sys

import pytest

import troth
from troth.graph.order import TIE_BREAKS
from troth.matching import BACKENDS
from troth.matching.registry import ALGORITHMS

COMMANDS = ("match", "info", "generate", "convert", "warmup", "bench")


def test_version_needs_no_numba():
    code = "import sys\ntry:\n import troth.cli; troth.cli.main(['--version'])\nfinally:\n print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert out[0] == f"troth {troth.__version__}"
    assert not {"numba", "numpy", "scipy"} & set(out[1].split())


def test_help_names_the_commands(run):
    result = run("--help")
    assert (result.code, result.err) == (0, "")
    assert all(name in result.out for name in COMMANDS)
    assert "130" in result.out


def test_without_a_command_help(run):
    assert run().out == run("--help").out


def test_help_names_every_algorithm_and_backend(run):
    words = set(re.findall(r"[\w-]+", run("match", "--help").out))
    assert {*ALGORITHMS, *BACKENDS, *TIE_BREAKS} <= words


@pytest.mark.parametrize("command", [*COMMANDS, "bench matching"])
def test_help_of_each_command(run, command):
    result = run(*command.split(), "--help")
    assert (result.code, result.err) == (0, "")
    assert "Usage: troth " + command in result.out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["mach", "rmat:4"], ["mach"]),
        (["match"], ["GRAPH", "troth match --help"]),
        (["match", "rmat:4", "--algoritm", "greedy"], ["--algoritm", "--algorithm"]),
        (["match", "rmat:4", "--threads", "two"], ["--threads"]),
        (["match", "rmat:4", "rgg:4"], ["rgg:4"]),
        (["generate", "rmat:4"], ["--output"]),
        (["bench"], ["troth bench"]),
        (["bench", "matching", "--trials", "0"], ["--trials"]),
        (["bench", "matching", "--threads", "1,0"], ["--threads", "1,0"]),
    ],
)
def test_wrong_usage_is_one_line(fails, args, words):
    message = fails(*args)
    assert all(word in message for word in words), message
