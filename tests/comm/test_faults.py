"""What goes wrong on one rank: every rank hears of it, or the job ends; nothing waits, and nothing stays behind."""

import json
import signal
import subprocess
import sys
import time

import pytest

from troth.comm import launch
from troth.comm.errors import load_mpi
from troth.comm.transports import TRANSPORTS

RANKS = 3
LOST = "ValueError: rank 1: the walkers are lost; give them a map"
ALIKE = {
    "agree: none": "nothing",
    "agree: two": "ValueError: rank 1: row 7 is bad",
    "agree: other": "RuntimeError: rank 2: KeyError: 'lost'",
    "guard: file": "FileNotFoundError: rank 1: /no/such/file: no such file or directory",
    "guard: memory": "MemoryError: rank 2: out of memory",
    "guard: unicode": "ValueError: rank 0: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    "same: yes": "nothing",
    "same: no": "ValueError: seed is 3 on rank 0 but 4 on rank 2; give all ranks the same",
    "run: transports": "ValueError: transport is 'ncl' on rank 0 but 'rma' on rank 2; give all ranks the same",
    "run: aggregates": "ValueError: aggregate is 1 on rank 0 but 2 on rank 1; give all ranks the same",
    "run: programs": "ValueError: program is 'Walkers' on rank 0 but 'Expecting' on rank 1; give all ranks the same",
    "run: graphs": "ValueError: vertices is 40 on rank 0 but 41 on rank 2; give all ranks the same",
    "run: parts": "ValueError: rank 2: the part of rank 1 was given to rank 2",
    "run: ranks": "ValueError: rank 0: the graph is spread over 4 ranks, but the communicator has 3",
}
for number in ("0", "-1", "1.5", "True"):
    ALIKE[f"aggregate: {number}"] = (
        f"ValueError: rank 0: aggregate is {number}; give the most records of a message, at least 1, or None"
    )
for name in TRANSPORTS:
    ALIKE[f"{name}: Walkers fails"] = ALIKE[f"{name}: Expecting fails"] = LOST
    ALIKE[f"{name}: watch fails"] = "RuntimeError: rank 2: ZeroDivisionError: integer division or modulo by zero"
    ALIKE[f"{name}: greedy"] = "RuntimeError: rank 0: Greedy sends more records than its bound for each cross edge"
    ALIKE[f"{name}: waits"] = "RuntimeError: rank 1: Expecting still waits for 5 records and none is on its way"
    ALIKE[f"{name}: relay fails"] = "ValueError: rank 0: the baton is broken; take another"
    ALIKE[f"{name}: well"] = ALIKE[f"{name}: relay"] = "nothing"


@pytest.fixture(scope="module")
def agreed(mpiexec):
    return json.loads(mpiexec(RANKS, "agreed", timeout=30).out)


@pytest.mark.parametrize("case", ALIKE)
def test_all_ranks_raise_the_same(agreed, case):
    assert agreed[case] == [ALIKE[case]] * RANKS


def test_all_cases_are_known(agreed):
    assert set(agreed) == set(ALIKE)


@pytest.mark.parametrize(
    ("kind", "code", "told"),
    [
        ("raise", 1, "ValueError: row 7 of part 1 is bad"),
        ("agreed", 1, "ValueError: rank 1: row 7 is bad"),
        ("split", 1, "ValueError: row 7 is bad"),
        ("kill", None, None),
        ("nsr", None, None),
        ("ncl", None, None),
        ("rma", None, None),
    ],
)
def test_a_fault_ends_the_job(mpiexec, kind, code, told):
    job = mpiexec(RANKS, "faults", kind, check=False)
    assert job.seconds < 10
    assert job.strays == []
    if told:
        assert job.code == code
        assert job.err.count("Traceback") == 1
        assert job.err.count(told) == 1
    else:
        assert job.code != 0
        assert "Traceback" not in job.err
    assert "Error" not in job.out


def test_mpi_is_missing(monkeypatch):
    load_mpi.cache_clear()
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(ImportError, match=r"MPI is not available .*: pip install 'troth\[mpi\]'"):
        load_mpi()


def test_mpiexec_is_missing(monkeypatch):
    monkeypatch.setattr(launch, "find_spec", lambda name: object())
    monkeypatch.setattr(launch.shutil, "which", lambda *_, **__: None)
    with pytest.raises(ImportError, match=r"mpiexec was not found\): pip install 'troth\[mpi\]'"):
        launch.find_mpiexec()
    monkeypatch.setattr(launch, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"mpi4py is not installed\): pip install 'troth\[mpi\]'"):
        launch.find_mpiexec()


@pytest.mark.parametrize("ranks", [0, -2, 2.0, True])
def test_a_strange_number_of_ranks(ranks):
    with pytest.raises(ValueError, match="ranks is .*; give a whole number of at least 1"):
        launch.launch(ranks, [])


def launched(code):
    return [sys.executable, "-c", f"import sys; from troth.comm.launch import launch; sys.exit({code})"]


def test_launching_passes_output_and_exit_codes(mpiexec):
    mpiexec(1, "toys")  # skips without MPI
    done = subprocess.run(launched("launch(2, ['--version'])"), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stdout.count("troth ") == 2
    done = subprocess.run(launched("launch(2, ['match'])"), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_what_was_launched(mpiexec, strays, tmp_path, number, code):
    mpiexec(1, "toys")
    child = subprocess.Popen(
        launched("launch(2, ['generate', 'rmat:24', '-o', 'big.npz'])"), cwd=tmp_path, env=strays.environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(2.5)
    sent = time.perf_counter()
    child.send_signal(number)
    assert child.wait(20) == code
    assert time.perf_counter() - sent < 8
    time.sleep(0.3)
    assert strays.found() == []
