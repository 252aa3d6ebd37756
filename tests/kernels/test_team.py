"""Teams of threads: every chunk once, errors and interrupts reach the caller, threads are checked."""

import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest
from numba import njit

from troth.kernels import atomics, team


@njit(nogil=True)
def mark_chunks(control, thread, marks):
    while True:
        chunk = team.take(control, marks.shape[0])
        if chunk < 0:
            return
        atomics.add(marks, chunk, 1)
        atomics.add(control, team.COUNT, chunk)


@njit(nogil=True)
def run_until_stopped(control, thread):
    while not team.stopped(control):
        pass


@pytest.mark.parametrize("kernel", [mark_chunks, mark_chunks.py_func], ids=["compiled", "plain"])
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("chunks", [0, 1, 3, 1000])
def test_each_chunk_is_taken_exactly_once(kernel, threads, chunks):
    marks = np.zeros(chunks, np.int64)
    if kernel is mark_chunks.py_func:
        threads = 1  # plain Python has no atomics
    control = team.run(kernel, marks, threads=threads)
    assert np.all(marks == 1)
    assert control[team.COUNT] == sum(range(chunks))
    assert control[team.THREADS] == threads


def test_an_interrupt_ends_a_running_kernel_at_once():
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        team.run(run_until_stopped, threads=2)
    assert time.perf_counter() - started < 2


def test_an_error_in_one_thread_stops_the_others_and_is_raised():
    def fail_in_thread_1(control, thread):
        if thread == 1:
            raise MemoryError("no more")
        run_until_stopped(control, thread)

    with pytest.raises(MemoryError, match="no more"):
        team.run(fail_in_thread_1, threads=3)


def test_progress_hears_of_the_chunks_taken():
    heard = []

    def slow(control, thread):
        for _ in range(4):
            team.take(control, 4)
            time.sleep(0.1)

    team.run(slow, threads=1, progress=heard.append)
    assert heard
    assert heard == sorted(heard)
    assert heard[-1] <= 4


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_child_makes_its_own_threads():
    marks = np.zeros(8, np.int64)
    team.run(mark_chunks, marks, threads=2)
    child = multiprocessing.get_context("fork").Process(
        target=team.run, args=(mark_chunks, marks), kwargs={"threads": 2}
    )
    child.start()
    child.join(20)
    assert child.exitcode == 0


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_a_senseless_number_of_threads_is_refused(threads):
    with pytest.raises(ValueError, match="whole number of at least 1"):
        team.check_threads(threads)


def test_threads_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("TROTH_NUM_THREADS", "3")
    assert team.check_threads(None) == 3
    assert team.check_threads(np.int64(2)) == 2
    monkeypatch.setenv("TROTH_NUM_THREADS", "none")
    with pytest.raises(ValueError, match="TROTH_NUM_THREADS is 'none'"):
        team.check_threads(None)


@pytest.mark.parametrize("work", range(0, 14))
def test_first_vertex_cuts_rows_by_entries_and_vertices(work):
    indptr = np.array([0, 0, 3, 3, 8])
    expected = next((v for v in range(5) if indptr[v] + v >= work), 4)
    assert team.first_vertex(indptr, work) == expected
    assert team.first_vertex.py_func(indptr, work) == expected


def test_chunks_cover_the_work():
    assert [team.chunks_of(work, 4) for work in (0, 1, 4, 5, 8)] == [0, 1, 1, 2, 2]
