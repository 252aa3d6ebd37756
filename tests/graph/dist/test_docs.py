"""The programs of docs/distributed.md run on two ranks."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "distributed.md"
PROGRAMS = re.findall(r"^```py\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs_run(number, mpiexec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "program.py"
    program.write_text(PROGRAMS[number])
    done = mpiexec(2, program)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_there_are_programs():
    assert len(PROGRAMS) == 4
