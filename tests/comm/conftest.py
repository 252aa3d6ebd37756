"""Run programs under a real mpiexec: with a time limit, and nothing left behind."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest

from troth.comm.launch import command

PROGRAMS = Path(__file__).parent / "mpi_programs"
_MARK = "TROTH_TEST_JOB"


@dataclass
class Job:
    """What came of a job. `strays` are its processes that were still there after mpiexec had ended."""

    code: int
    out: str
    err: str
    seconds: float
    strays: list[int]


@pytest.fixture(scope="session")
def mpiexec():
    """mpiexec(n, program, *arguments, timeout=60) runs a script of mpi_programs, or a module by name, on n ranks."""
    if importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed: pip install 'troth[mpi]'")

    def run(n, program, *arguments, timeout=60, check=True):
        script = PROGRAMS / f"{program}.py"
        what = [str(script)] if script.exists() else ["-m", program]
        try:
            line = command(n, [sys.executable, *what, *map(str, arguments)])
        except ImportError as error:
            pytest.skip(str(error))
        mark = uuid.uuid4().hex
        # A rank of a job inside another MPI job would take itself for a rank of that one.
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PMI", "OMPI_", "HYDI"))}
        environment = {**clean, _MARK: mark, "TROTH_NUM_THREADS": "1"}
        began = time.perf_counter()
        child = subprocess.Popen(
            line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            out, err = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            pytest.fail(f"{program} {arguments} on {n} ranks did not end in {timeout} s: {_end(child, mark)}")
        finally:
            _end(child, mark)
        seconds = time.perf_counter() - began
        time.sleep(0.2)
        job = Job(child.returncode, out, err, seconds, _processes(mark))
        if check:
            assert job.code == 0, job
        return job

    return run


@dataclass
class Marked:
    """An environment for a child process, and what is left of those that have it."""

    environment: dict[str, str]

    def found(self):
        return _processes(self.environment[_MARK])


@pytest.fixture
def strays():
    marked = Marked({**os.environ, _MARK: uuid.uuid4().hex})
    yield marked
    for process in marked.found():
        os.kill(process, signal.SIGKILL)


def _processes(mark):
    """The processes that have the mark of a job in their environment (Linux; elsewhere none are found)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{_MARK}={mark}".encode() in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def _end(child, mark):
    """Kill what is left of a job; returns what it had said."""
    if child.poll() is not None:
        return ""
    os.killpg(child.pid, signal.SIGKILL)
    for process in _processes(mark):
        os.kill(process, signal.SIGKILL)
    return child.communicate()
