"""The round that the collective transports share: compute, agree whether anything is left, exchange.

A program is at rest after start or receive, so the job is done as soon as no rank has a record to send. That number is
summed over all ranks before each exchange, together with the number of ranks that have failed: an error in a program
ends the run on every rank in the same round, and what was made collectively is freed so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import agree
from troth.comm.report import Report
from troth.comm.transports.running import Run

PENDING, FAILED, EXCESS = range(3)
"""Words of the sum over ranks: records to send, ranks that have failed, and a word for the exchange itself."""


class Exchange(Protocol):
    """How one transport sums words over ranks and moves a round of records. Every method is collective."""

    splits: bool
    """True: cuts batches into messages itself. False: takes at most `aggregate` records for a neighbour in a round."""

    def total(self, words: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The sum of the words over all ranks; counts are the records that swap would send next."""

    def swap(self, firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Send counts[k] records, the rows from firsts[k] on, to neighbour k; returns the records that came."""

    def free(self) -> None: ...


def run_rounds(make: Callable[[Any, Run], Exchange], run: Run, comm: Any) -> Report:
    """Run a program to its end, all ranks in step. Collective."""
    exchange = make(comm, run)
    error = _drive(run, exchange)
    # Only what every rank knows of leads here. Anything else ends the job: to free would be to wait for the others.
    exchange.free()
    agree(comm, error)
    return run.report()


def _drive(run: Run, exchange: Exchange) -> Exception | None:
    """All rounds, ended on every rank in the same one; returns this rank's error."""
    words = np.zeros(3, np.int64)
    most = None if exchange.splits else run.aggregate
    pieces = run.aggregate if exchange.splits else None
    error = run.step(None)
    while True:
        counts = run.waiting
        words[PENDING], words[FAILED] = counts.sum(), error is not None
        if most:
            np.minimum(counts, most, out=counts)
        total = exchange.total(words, counts)
        if total[FAILED]:
            return error
        if total[PENDING] == 0:
            return run.unfinished()
        inbox = exchange.swap(run.out.starts[:-1] + run.gone, counts)
        run.sent(counts, -(-counts // pieces) if pieces else (counts > 0).astype(np.int64))
        if not run.waiting.any():
            run.emptied()
        error = run.step(inbox)
