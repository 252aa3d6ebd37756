"""Programs under mpiexec, with a timeout: a deadlock is a failure, never a wait."""

import importlib.util
import subprocess
import sys

import pytest

from troth.comm.launch import command

SECONDS = 90


@pytest.fixture(scope="session")
def mpiexec():
    """Run a Python program on so many ranks; returns the completed process."""
    if importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed: pip install 'troth[mpi]'")

    def run(ranks, *args):
        line = command(ranks, [sys.executable, *map(str, args)])
        child = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = child.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            child.terminate()  # mpiexec then ends its ranks.
            pytest.fail(f"{args} on {ranks} ranks did not end in {SECONDS} s: {child.communicate()}")
        return subprocess.CompletedProcess(line, child.returncode, out, err)

    return run
