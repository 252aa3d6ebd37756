"""Errors of one rank, told by all: no rank may wait in a collective call for one that has given up.

Work that may fail on one rank alone runs under `guard`, and ends with one small reduction. If it failed anywhere, every
rank raises the same error, which names the rank. What is not agreed on ends the whole job instead (comm/launch.py).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from hashlib import blake2b
from typing import Any

import numpy as np

_KINDS: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, OSError)
    + (MemoryError, ImportError, ValueError)
}

_GRACE_SECONDS = 0.5

# MPICH with more ranks than cores: whoever waits must let another rank run. By default it spins, most of all in sums
# over the ranks of a node. A round of 4 ranks on 2 cores takes 1 to 2 ms so, and 10 without. Open MPI does so itself.
_CROWDED = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD": "2147483647"}


@cache
def load_mpi() -> Any:
    """The module mpi4py.MPI; one sentence where it is missing. The first call initializes MPI, unless that is done.

    From then on an error that nothing catches ends all ranks and not this one alone, for which the others would wait.
    """
    if int(os.environ.get("MPI_LOCALNRANKS", "1")) > (os.cpu_count() or 1):
        for name, value in _CROWDED.items():
            os.environ.setdefault(name, value)
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise ImportError(f"MPI is not available ({reason}): pip install 'troth[mpi]'") from error
    if MPI.COMM_WORLD.size > 1:
        sys.excepthook = partial(_uncaught, sys.excepthook)
    return MPI


def agree(comm: Any, error: Exception | None) -> None:
    """Go on if no rank brings an error; otherwise raise the error of the lowest such rank on every rank. Collective."""
    if comm.size == 1:
        if error is not None:
            raise error
        return
    first = int(_maximum(comm, [-1 if error is None else comm.size - comm.rank])[0])
    if first < 0:
        return
    rank = comm.size - first
    kind, sentence = comm.bcast(None if error is None else _told(error), root=rank)
    _raise(comm, kind, f"rank {rank}: {sentence}", error)


@contextmanager
def guard(comm: Any) -> Iterator[None]:
    """Run the body, which may raise on some ranks but calls nothing collective, and `agree`. Collective."""
    error = None
    try:
        yield
    except Exception as caught:
        error = caught
    agree(comm, error)


def same_everywhere(comm: Any, **values: Any) -> None:
    """Raise a ValueError on every rank if a value differs between ranks. Collective; all ranks give the same names.

    Values are compared by their repr. One word is reduced while all agree; the values travel only when they do not.
    """
    said = {name: repr(value) for name, value in values.items()}
    word = int.from_bytes(blake2b(repr(said).encode(), digest_size=7).digest(), "little")
    highest, lowest = _maximum(comm, [word, -word])
    if highest == -lowest:
        return
    everywhere = comm.allgather(said)
    for name, value in everywhere[0].items():
        for rank, other in enumerate(everywhere):
            if other.get(name) != value:
                sentence = f"{name} is {value} on rank 0 but {other.get(name)} on rank {rank}; give all ranks the same"
                _raise(comm, "ValueError", sentence, None)


def tells(error: BaseException) -> bool:
    """Whether this rank should tell the user of the error: of one that all ranks have agreed on, only the first."""
    return bool(vars(error).get("first", True))


def end_job(error: BaseException, code: int) -> None:
    """End all ranks with this exit code; returns when every rank knows of the error and will end by itself. Local."""
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is None or not mpi.Is_initialized() or mpi.Is_finalized() or mpi.COMM_WORLD.size == 1:
        return
    if vars(error).get("ranks") == mpi.COMM_WORLD.size:
        return
    if not tells(error):
        time.sleep(_GRACE_SECONDS)  # The first rank may still be telling.
    sys.stdout.flush()
    sys.stderr.flush()
    mpi.COMM_WORLD.Abort(code)


def _uncaught(previous: Callable[..., object], kind: Any, error: BaseException, trace: Any) -> None:
    """The hook for errors that nothing caught."""
    if tells(error):
        previous(kind, error, trace)
    end_job(error, 1)


def _maximum(comm: Any, words: list[int]) -> Any:
    result = np.array(words, np.int64)
    mpi = load_mpi()
    comm.Allreduce(mpi.IN_PLACE, result, op=mpi.MAX)
    return result


def _told(error: Exception) -> tuple[str, str]:
    """The kind of an error and its sentence, as they travel: not every exception can be pickled."""
    kind = next((name for name, kind in _KINDS.items() if isinstance(error, kind)), "RuntimeError")
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return kind, f"{error.filename}: {error.strerror[0].lower()}{error.strerror[1:]}"
    if kind == "RuntimeError" and type(error) is not RuntimeError:
        return kind, f"{type(error).__name__}: {error}"
    return kind, str(error) or "out of memory" * isinstance(error, MemoryError)


def _raise(comm: Any, kind: str, sentence: str, cause: Exception | None) -> None:
    error = _KINDS.get(kind, RuntimeError)(sentence)
    vars(error).update(first=comm.rank == 0, ranks=comm.size)
    raise error from cause
