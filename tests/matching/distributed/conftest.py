"""A job of several ranks under mpiexec, with a timeout: a deadlock is a failure, never a wait."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from troth.comm.launch import command


@pytest.fixture(scope="session")
def on_ranks():
    """Run a script of this folder on so many ranks; returns the completed process."""
    if importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed: pip install 'troth[mpi]'")

    def run(n_ranks, script, *arguments):
        try:
            line = command(n_ranks, [sys.executable, str(Path(__file__).parent / script), *arguments])
        except ImportError as error:
            pytest.skip(str(error))
        environment = os.environ | {"TROTH_NUM_THREADS": "1"}
        return subprocess.run(line, env=environment, capture_output=True, text=True, timeout=90, check=False)

    return run
