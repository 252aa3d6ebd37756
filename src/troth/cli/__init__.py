"""The command line: troth match | info | generate | convert | warmup | bench.

Exit codes: 0 done; 1 an error in troth itself (a matching that fails its verification is one); 2 wrong usage, bad input
or an output that cannot be written; 130 interrupted by Ctrl-C (143 by SIGTERM); 141 the reader of the output went away.
Whatever goes wrong is one line on stderr. TROTH_TRACEBACK=1 shows the traceback as well.
"""

import sys
from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> None:
    """Run one command (sys.argv by default) and leave by SystemExit with its exit code."""
    from troth.cli import interrupt

    with interrupt.watch():
        code = _run(list(sys.argv[1:] if args is None else args))
    sys.exit(code)


def _run(args: list[str]) -> int:
    from troth.cli import failures

    try:
        from troth.cli.app import invoke

        code = invoke(args)
        if sys.stdout:
            sys.stdout.flush()
    except Exception as error:
        return failures.report(error)
    return code
