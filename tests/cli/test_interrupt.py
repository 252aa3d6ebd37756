"""Signals: a command ends within a second, by the right exit code, and leaves nothing behind."""

import signal
import subprocess
import sys
import time

import pytest

# A lock taken twice stands for any call that holds the main thread and that no signal ends.
STUCK = """
import ctypes, sys
from troth.cli import interrupt
from troth.graph.formats.atomic import atomic_path
with interrupt.watch(), atomic_path("out.npy") as unfinished, open(unfinished, "wb") as file:
    file.write(b"half")
    file.flush()
    print("ready", flush=True)
    libc, lock = ctypes.CDLL(None), ctypes.create_string_buffer(64)
    libc.pthread_mutex_lock(lock)
    libc.pthread_mutex_lock(lock)
"""


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
@pytest.mark.parametrize("seconds", [0.5, 2.5])
def test_a_signal_ends_a_command(start, tmp_path, number, code, word, seconds):
    child = start("generate", "rmat:22", "-o", "big.npz")
    time.sleep(seconds)
    sent = time.perf_counter()
    child.send_signal(number)
    out, err = child.communicate(timeout=20)
    assert time.perf_counter() - sent < 1.5
    assert (child.returncode, out, err) == (code, "", f"troth: {word}\n")
    assert not list(tmp_path.iterdir())


# ctypes reports an exception in a callback and goes on.
LOST = """
import ctypes, time
from troth.cli import interrupt
with interrupt.watch():
    callback = ctypes.CFUNCTYPE(None)(lambda: (print("ready", flush=True), time.sleep(20)))
    callback()
    time.sleep(20)
"""


def interrupt_when_ready(code, cwd):
    """Seconds from Ctrl-C to the end of a program that prints a line when it is ready, its exit code and stderr."""
    child = subprocess.Popen(
        [sys.executable, "-c", code], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)  # from the line to the call that it announces
        sent = time.perf_counter()
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=20)
        return time.perf_counter() - sent, child.returncode, err
    finally:
        child.kill()
        child.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="what is open is found in /proc")
def test_a_stuck_library_call_is_left(tmp_path):
    seconds, code, err = interrupt_when_ready(STUCK, tmp_path)
    assert (code, err) == (130, "troth: interrupted\n")
    assert 0.5 < seconds < 1.5
    assert not list(tmp_path.iterdir())


def test_an_interrupt_lost_in_a_callback_is_heard(tmp_path):
    seconds, code, err = interrupt_when_ready(LOST, tmp_path)
    assert (code, err) == (130, "troth: interrupted\n")
    assert seconds < 0.5
