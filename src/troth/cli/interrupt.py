"""Ctrl-C ends a command within a second, whatever the command is doing.

Python turns a signal into KeyboardInterrupt only between two bytecodes of the main thread, so a long call into a
library (a sort, a parser, the compiler) would delay it. The C part of the signal handler, however, writes a byte to a
pipe at once. A thread waits for that byte, gives the main thread a moment to unwind and clean up, and otherwise ends
the process.
"""

import atexit
import os
import select
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

_GRACE_SECONDS = 0.7
_WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}

_came = signal.SIGINT
_leaving = threading.Lock()


@contextmanager
def watch() -> Iterator[None]:
    """Guard the body, in the main thread; elsewhere signals do not arrive and nothing is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    handlers = {number: signal.signal(number, _raise) for number in _WORDS}
    wakeup, unraisable = signal.set_wakeup_fd(writer, warn_on_full_buffer=False), sys.unraisablehook
    sys.unraisablehook = _unraisable
    # Once all is done and told, the interpreter winds up: an interrupt then changes nothing.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_when_late, args=(reader,), name="troth-interrupt", daemon=True).start()
    try:
        yield
    except KeyboardInterrupt:
        leave()
    finally:
        signal.set_wakeup_fd(wakeup)
        sys.unraisablehook = unraisable
        for number, handler in handlers.items():
            signal.signal(number, handler)
        os.close(writer)


def leave() -> NoReturn:
    """Say why in one line, and end the process with the shell's code for the signal.

    At once: finalizing the interpreter would wait for threads, and may turn the code into death by the signal.
    """
    if _leaving.acquire(blocking=False):
        if sys.stderr:
            # A progress bar that was not taken down has hidden the cursor.
            cursor = "\r\x1b[K\x1b[?25h" if sys.stderr.isatty() else ""
            print(f"{cursor}troth: {_WORDS[_came]}", file=sys.stderr, flush=True)
        os._exit(128 + _came)
    threading.Event().wait()  # the other thread is ending the process
    raise AssertionError


def _raise(number: int, frame: FrameType | None) -> None:
    global _came
    _came = signal.Signals(number)
    raise KeyboardInterrupt


def _unraisable(lost: "sys.UnraisableHookArgs") -> None:
    """An interrupt that came in a callback of a library is lost to the command: leave from here."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        _remove_unfinished()
        leave()
    sys.__unraisablehook__(lost)


def _leave_when_late(reader: int) -> None:
    global _came
    while (byte := os.read(reader, 1)) and byte[0] not in _WORDS:
        pass
    number = byte
    # A second Ctrl-C ends the wait; a closed pipe says that the command was done before the signal mattered.
    if byte and select.select([reader], [], [], _GRACE_SECONDS)[0]:
        byte = os.read(reader, 1)
    if not byte:
        os.close(reader)
        return
    _came = signal.Signals(number[0])
    _remove_unfinished()
    leave()


def _remove_unfinished() -> None:
    """Remove what this process is writing under a temporary name (graph/formats/atomic.py); Linux only."""
    for link in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            path = Path(os.readlink(link))
            if path.name.startswith(".troth-"):
                path.unlink(missing_ok=True)
            elif path.parent.name.startswith(".troth-"):
                shutil.rmtree(path.parent, ignore_errors=True)
