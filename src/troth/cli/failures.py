"""From an exception to one line on stderr and an exit code."""

import os
import sys

BROKEN_PIPE = 141
_EXPECTED = (ValueError, OSError, ImportError)


class Wrong(Exception):
    """An answer of troth failed its own check: exit code 1, and no result is written."""


def report(error: Exception) -> int:
    """Tell the user what ended the command; returns the exit code."""
    if os.environ.get("TROTH_TRACEBACK") == "1":
        import traceback

        traceback.print_exception(error)
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE
    message, code = _sentence(error)
    # Imported by what works on many ranks, and by nothing else.
    ranks = sys.modules.get("troth.comm.errors")
    usage_of_all = hasattr(error, "format_message") and _is_another_rank()
    if sys.stderr and not usage_of_all and (ranks is None or ranks.tells(error)):
        print("troth:", " ".join(message.split()), file=sys.stderr, flush=True)
    if ranks is not None:
        ranks.end_job(error, code)
    return code


def _is_another_rank() -> bool:
    """Under mpiexec, not rank 0: it tells what is wrong with the command line, which all ranks were given."""
    return any(os.environ.get(name, "0") != "0" for name in ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"))


def _sentence(error: Exception) -> tuple[str, int]:
    """What to tell the user, and the exit code."""
    # typer brings its own copy of click or the package click, by version: its errors are known by this method.
    usage = getattr(error, "format_message", None)
    if usage is not None:
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        message = usage().rstrip(".")
        return message[:1].lower() + message[1:] + hint, 2
    if isinstance(error, Wrong):
        return str(error), 1
    if isinstance(error, MemoryError):
        return f"out of memory: {error}" if str(error) else "out of memory", 2
    if isinstance(error, OSError) and error.strerror:
        # Every file written is named in its error; what has no name is the standard output.
        place = os.fsdecode(error.filename) if error.filename else "standard output"
        return f"{place}: {error.strerror[0].lower()}{error.strerror[1:]}", 2
    if isinstance(error, _EXPECTED) and str(error):
        return str(error), 2
    return f"internal error, please report it: {type(error).__name__}: {error}; TROTH_TRACEBACK=1 shows where", 1
