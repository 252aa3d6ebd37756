"""Run a compiled kernel on a team of threads that the caller can interrupt.

Every kernel run here takes (control, thread, ...) first and releases the GIL. The calling thread only waits, so Ctrl-C
reaches it at once; it then raises the stop flag, every kernel sees the flag when it asks for its next chunk, and the
interrupt goes on to the caller. This is why kernels do not use prange: a parallel region cannot be left from outside.
Kernels never wait for one another: a late thread finds no chunk left, so a busy pool delays work but cannot block it.

`control` is a small int64 array; each word that threads write has a cache line of its own:
    control[STOP]     not 0: give up at the next chunk
    control[CURSOR]   the next chunk that nobody has taken
    control[COUNT]    a total that the kernel adds to
    control[THREADS]  the size of the team (written before the start)
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numpy.typing import NDArray

from troth.kernels import atomics
from troth.kernels.jit import compiled

STOP, CURSOR, COUNT, THREADS = 0, 8, 16, 24
_WORDS = 32
_POLL_SECONDS = 0.1

_pool: ThreadPoolExecutor | None = None
_pool_size = 0
_compile_seconds = 0.0


def default_threads() -> int:
    """The cores this process may run on, or TROTH_NUM_THREADS."""
    asked = os.environ.get("TROTH_NUM_THREADS", "")
    if asked:
        if not asked.isdecimal() or int(asked) < 1:
            raise ValueError(f"TROTH_NUM_THREADS is {asked!r}; set it to a whole number of at least 1")
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int | None) -> int:
    """The thread count to use for the caller's threads=; ValueError when it makes no sense."""
    if threads is None:
        return default_threads()
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise ValueError(f"threads is {threads!r}; give a whole number of at least 1, or None for all cores")
    return int(threads)


def compile_seconds() -> float:
    """Seconds this process has spent compiling kernels or loading them from the cache."""
    return _compile_seconds


def compile_for(kernel: Any, args: tuple[Any, ...]) -> None:
    """Compile the kernel for these arguments, or load it from the cache; nothing for a plain Python function."""
    global _compile_seconds
    if not isinstance(kernel, Dispatcher):
        return
    signature = tuple(numba.typeof(arg) for arg in args)
    if signature not in kernel.overloads:
        started = time.perf_counter()
        kernel.compile(signature)
        _compile_seconds += time.perf_counter() - started


def run(
    kernel: Any,
    *args: Any,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.int64]:
    """Call kernel(control, thread, *args) once for each thread of a team, and wait for all.

    Args:
        kernel: a dispatcher made with nogil=True, or its py_func.
        progress: called about ten times a second with the number of chunks taken so far.
    Returns: the control words as the kernel left them.
    Raises: KeyboardInterrupt or whatever a thread raised, after every thread has stopped.
    """
    control = np.zeros(_WORDS, np.int64)
    control[THREADS] = threads
    compile_for(kernel, (control, 0, *args))
    jobs = [_crew(threads).submit(kernel, control, thread, *args) for thread in range(threads)]
    try:
        while wait(jobs, _POLL_SECONDS, FIRST_EXCEPTION).not_done and not _failed(jobs):
            if progress:
                progress(int(control[CURSOR]))
    finally:
        control[STOP] = 1  # harmless when all are done; otherwise an interrupt or an error is on its way out
        wait(jobs)
    for job in jobs:
        job.result()
    return control


def _failed(jobs: list[Any]) -> bool:
    return any(job.done() and job.exception() for job in jobs)


def _crew(threads: int) -> ThreadPoolExecutor:
    """Threads that stay for the next call: starting 16 of them costs as much as a small matching."""
    global _pool, _pool_size
    if _pool is None or _pool_size < threads:
        if _pool is not None:
            _pool.shutdown(wait=False)
        _pool, _pool_size = ThreadPoolExecutor(threads, thread_name_prefix="troth"), threads
    return _pool


def _forget_crew() -> None:
    """A forked child has the pool's bookkeeping but none of its threads."""
    global _pool, _pool_size
    _pool, _pool_size = None, 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_crew)


@compiled
def take(control, chunks):
    """The number of a chunk for this thread alone, or -1: none is left, or the team was told to stop."""
    if atomics.load(control, STOP) != 0:
        return -1
    chunk = atomics.add(control, CURSOR, 1)
    return chunk if chunk < chunks else -1


@compiled
def stopped(control):
    """True when the team was told to stop; for loops that run long inside one chunk."""
    return atomics.load(control, STOP) != 0


@compiled
def first_vertex(indptr, work):
    """The first vertex v with indptr[v] + v >= work: chunks of equal `work` hold about equal entries and vertices."""
    low, high = 0, indptr.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        if indptr[middle] + middle >= work:
            high = middle
        else:
            low = middle + 1
    return low


def chunks_of(work: int, size: int) -> int:
    """How many chunks of the given size cover the work."""
    return -(-work // size)
