"""Start this program on several ranks, as `mpiexec -n N python -m troth.cli ...` does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

_GRACE_SECONDS = 5.0
_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

SETTINGS = {
    # The one message is ours.
    "MPIR_CVAR_SUPPRESS_ABORT_MESSAGE": "1",
    # Only one thread of a rank calls MPI, though not always the same: without locks a message takes 0.13 us, not 0.19.
    "MPI4PY_RC_THREAD_LEVEL": "serialized",
}
"""Environment for ranks that run nothing but troth; what the user has set goes first."""


def under_mpiexec() -> bool:
    """Whether this process was started by an MPI launcher on several ranks. Does not initialize MPI."""
    sizes = (os.environ.get(name, "") for name in ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMIX_SIZE"))
    return any(size.isdecimal() and int(size) > 1 for size in sizes)


def find_mpiexec() -> str:
    """The mpiexec beside this Python, else the first on the path; ImportError with the cure when there is none."""
    if find_spec("mpi4py") is None:
        raise ImportError("MPI is not available (mpi4py is not installed): pip install 'troth[mpi]'")
    beside = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("mpiexec") or shutil.which("mpirun")
    if found is None:
        raise ImportError("MPI is not available (mpiexec was not found): pip install 'troth[mpi]'")
    return found


def command(ranks: int, program: Sequence[str]) -> list[str]:
    """The command line that runs a program on so many ranks, more than there are cores if need be."""
    mpiexec = find_mpiexec()
    options = []
    said = subprocess.run([mpiexec, "--version"], capture_output=True, check=False).stdout
    if b"Open MPI" in said or b"OpenRTE" in said:
        options = ["--oversubscribe"] + ["--allow-run-as-root"] * (os.geteuid() == 0)
    return [mpiexec, *options, "-n", str(ranks), *program]


def launch(ranks: int, arguments: Sequence[str]) -> int:
    """Run `troth ARGUMENTS` on so many ranks, and return its exit code once all ranks are gone.

    Signals go on to mpiexec, which ends the ranks; what is left after a while is killed.
    """
    if isinstance(ranks, bool) or not isinstance(ranks, int) or ranks < 1:
        raise ValueError(f"ranks is {ranks!r}; give a whole number of at least 1")
    line = command(ranks, [sys.executable, "-m", "troth.cli", *arguments])
    # A group of its own: a Ctrl-C at the terminal reaches the ranks once, through here.
    child = subprocess.Popen(line, stdin=subprocess.DEVNULL, env=SETTINGS | os.environ, start_new_session=True)
    with _forwarding(child):
        code = _wait(child)
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    return code if code >= 0 else 128 - code


@contextmanager
def _forwarding(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """Pass signals on to the child while it runs."""

    def forward(number: int, frame: FrameType | None) -> None:
        child.send_signal(number)
        raise _Told(number)

    handlers = {number: signal.signal(number, forward) for number in _FORWARDED}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


class _Told(BaseException):
    """A signal was passed on."""


def _wait(child: subprocess.Popen[bytes]) -> int:
    try:
        return child.wait()
    except _Told as told:
        with suppress(subprocess.TimeoutExpired, _Told):
            child.wait(_GRACE_SECONDS)
        return 128 + int(told.args[0])
