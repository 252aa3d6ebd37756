"""Run commands: `run` inside this process, where most of what a command does can be seen; `start` as a user would."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from troth.cli import main


@dataclass
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run one command in this process, in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(args)
        return Result(int(left.value.code or 0), *capsys.readouterr())

    return run


@pytest.fixture
def fails(run: Callable[..., Result]) -> Callable[..., str]:
    """Run a command that must fail by exit code 2, say nothing on stdout, and one line on stderr: returns the line."""

    def fails(*args: str) -> str:
        result = run(*args)
        assert result.code == 2, result
        assert result.out == ""
        assert result.err.startswith("troth: ")
        assert result.err.count("\n") == 1
        return result.err

    return fails


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Start a command in a process of its own, in an empty directory."""
    started = []

    def start(*args: str, **options: Any) -> "subprocess.Popen[str]":
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        child = subprocess.Popen([sys.executable, "-m", "troth.cli", *args], cwd=tmp_path, text=True, **pipes)
        started.append(child)
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()
