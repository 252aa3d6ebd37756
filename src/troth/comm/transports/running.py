"""What every transport does alike: check the call, time the program, count what is sent, and report."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import guard, same_everywhere
from troth.comm.program import Outbox, Program
from troth.comm.report import Report
from troth.graph.dist.part import Part
from troth.kernels import team

if TYPE_CHECKING:
    from troth.comm.ledger import Ledger

Watch = Callable[[int], object]
"""Told the number of batches that this rank has handled, after each; of a transport with rounds, a round's is one."""


class Run:
    """One run of a program on one rank: its outbox, and the figures of its report.

    To make one is collective: arguments that differ between ranks are an error on all of them, and so is a part that
    does not fit the communicator or an outbox that does not fit in memory.

    Attributes:
        out: the outbox.
        gone: for each neighbour, the records of the outbox that were sent already.
        records: sent in the whole run, to all neighbours.
    """

    def __init__(
        self,
        transport: str,
        program: Program,
        part: Part,
        comm: Any,
        *,
        aggregate: int | None,
        ledger: Ledger | None,
        watch: Watch | None,
        in_rounds: bool,
    ) -> None:
        same_everywhere(
            comm,
            transport=transport,
            aggregate=aggregate,
            program=type(program).__name__,
            width=program.width,
            local_end=program.local_end,
            vertices=part.n_global,
            ranks=part.starts.size - 1,
        )
        with guard(comm):
            _check(part, comm, aggregate)
            self.out = Outbox(part.neighbours, part.cross_edges, program)
        self.program, self.aggregate = program, aggregate
        self.gone = np.zeros_like(self.out.filled)
        self._bounds, self._totals = np.diff(self.out.starts), np.zeros_like(self.out.filled)
        self._transport, self._ledger, self._watch, self._in_rounds = transport, ledger, watch, in_rounds
        self._batches = self._messages = self.records = 0
        self._held: list[NDArray[np.int64]] = []
        self._began, self._computing = _clock(), 0.0

    @property
    def width(self) -> int:
        return self.program.width

    @property
    def waiting(self) -> NDArray[np.int64]:
        """For each neighbour the records that were pushed and not sent."""
        return self.out.filled - self.gone

    @property
    def held(self) -> int:
        """Records that came too soon: the program, which bounds its calls only, is called when the outbox is empty."""
        return sum(map(len, self._held))

    @property
    def ready(self) -> bool:
        """Records are held, and the program may be called with them."""
        return bool(self._held) and not self.out.filled.any()

    def step(self, inbox: NDArray[np.int64] | None) -> Exception | None:
        """Let the program start (None) or receive; returns its error."""
        if inbox is not None and self.out.bound_is_per_call:
            if self.out.filled.any():
                self._held.append(inbox.copy())
                return None
            if self._held:
                inbox = np.concatenate([*self._held, inbox])
                self._held.clear()
        began = _clock()
        try:
            if inbox is None:
                self.program.start(self.out)
            else:
                self.program.receive(inbox, self.out)
                self._batches += 1
            before = 0 if self.out.bound_is_per_call else self._totals
            if (self.waiting + before > self._bounds).any():
                raise RuntimeError(f"{self._name} sends more records than its bound for each cross edge")
            if inbox is not None and self._watch:
                self._watch(self._batches)
        except Exception as error:
            return error
        finally:
            self._computing += _clock() - began
        return None

    def sent(self, records: NDArray[np.int64], messages: NDArray[np.int64]) -> None:
        """Count what went to each neighbour: these records, in so many messages."""
        self.gone += records
        self._totals += records
        self.records += int(records.sum())
        self._messages += int(messages.sum())
        if self._ledger is not None:
            busy = np.flatnonzero(messages)
            number = self._batches if self._in_rounds else 0
            self._ledger.count(number, self.out.neighbours[busy], messages[busy], records[busy] * (8 * self.width))

    def became(self, transport: str, in_rounds: bool) -> None:
        """Take the name and the way of the transport that was chosen."""
        self._transport, self._in_rounds = transport, in_rounds

    def emptied(self) -> None:
        """Take the outbox for new records: all that were in it are sent, and MPI needs them no more."""
        self.out.clear()
        self.gone[:] = 0

    def unfinished(self) -> Exception | None:
        """The error of a program that still waits although no record is on its way; None when all is well."""
        owed = self.program.active()
        return RuntimeError(f"{self._name} still waits for {owed} records and none is on its way") if owed else None

    def report(self) -> Report:
        elapsed = _clock() - self._began
        return Report(
            self._transport,
            self._batches if self._in_rounds else 0,
            self._messages,
            self.records,
            self.records * self.width * 8,
            self._computing,
            elapsed - self._computing,
        )

    @property
    def _name(self) -> str:
        return type(self.program).__name__


def _clock() -> float:
    """A clock that stands still while kernels are compiled."""
    return perf_counter() - team.compile_seconds()


def _check(part: Part, comm: Any, aggregate: int | None) -> None:
    if aggregate is not None and (isinstance(aggregate, bool) or not isinstance(aggregate, int) or aggregate < 1):
        raise ValueError(f"aggregate is {aggregate!r}; give the most records of a message, at least 1, or None")
    if part.starts.size - 1 != comm.size:
        raise ValueError(f"the graph is spread over {part.starts.size - 1} ranks, but the communicator has {comm.size}")
    if part.rank != comm.rank:
        raise ValueError(f"the part of rank {part.rank} was given to rank {comm.rank}")
