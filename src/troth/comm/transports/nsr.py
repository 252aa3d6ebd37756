"""nsr: non-blocking sends, probes and receives, without rounds (paper 1, section IV-D).

A rank sends what its program has pushed, receives what has come, and hands that over. A message holds at most
`aggregate` records: 1 is the paper's baseline, None sends what has gathered. Records leave straight from the outbox,
which is a send buffer until all sends are complete and is then used anew. `nsr` probes for messages of any source,
`nsr-neighbor` probes its neighbours one after the other.

Local end, of programs that have local_end. A rank whose program is owed nothing, and whose records are all sent, says
END to each neighbour, and leaves when its sends are complete and each neighbour has ended too. Messages between two
ranks do not overtake each other, so no message to it or from it is then on its way. No rank waits for one that is not
its neighbour. A rank whose program fails says FAILED instead, and drops what was not sent and what comes. Who hears
that before it has ended itself does the same: so all hear of it who may wait for a record that will not come, for who
has said END owes nobody a record.

Agreement, for all other programs. Ranks sum two numbers in waves, each a non-blocking allreduce that a rank joins when
it has nothing else to do: records pushed, and records handled (receive has returned, and what it pushed is counted).
All leave after the first wave that says pushed == handled of the wave before. Proof (Mattern's four counters, 1987):
let t be the moment when the last rank joins the earlier wave. No rank joins the later one before t, as an allreduce
ends nowhere until all have joined. Both numbers only grow, so
    handled, earlier wave <= handled at t <= pushed at t <= pushed, later wave.
If the ends are equal, all are: at t no record was on its way or in the hands of receive, and a program at rest pushes
nothing. A program that fails is not called again; records that come are counted as handled, so that the waves end.

Either way the ranks then raise the error of one, if any, on all: one small reduction at the end of the run.
"""

from __future__ import annotations

import os
from time import sleep
from typing import Any

import numpy as np

from troth.comm.errors import agree
from troth.comm.report import Report
from troth.comm.transports.messages import END, FAILED, Messages
from troth.comm.transports.running import Run


def run_nsr(run: Run, comm: Any, *, by_source: bool) -> Report:
    """Run a program to its end. Collective; ranks meet at the start and at the end."""
    messages = Messages(comm, run, by_source=by_source)
    ending = (Local if run.program.local_end else Agreement)(run, messages)
    ending.error = run.step(None)
    while True:
        if not ending.failing:
            messages.send()
        inbox = messages.receive()
        ending.came += len(inbox)
        if not ending.failing and (len(inbox) or run.ready):
            ending.error = run.step(inbox)
        elif not len(inbox):
            if ending.reached():
                break
            _let_others_run()  # With more ranks than cores, the one that has work may wait for this core.
    messages.free()
    agree(comm, ending.error)
    return run.report()


def _let_others_run() -> None:
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        sleep(0)


class Ending:
    """How a rank finds out that all is done.

    Attributes:
        error: what the program of this rank raised.
        came: records that have come.
    """

    def __init__(self, run: Run, messages: Messages) -> None:
        self._run, self._messages = run, messages
        self.error: Exception | None = None
        self.came = 0

    @property
    def failing(self) -> bool:
        """This program has failed, or one whose rank has told this one."""
        return self.error is not None or self._messages.failed

    @property
    def resting(self) -> bool:
        """Nothing waits here to be sent or handled."""
        return self.failing or not (self._run.waiting.any() or self._run.held)

    def reached(self) -> bool:
        """Asked whenever nothing has come."""
        raise NotImplementedError


class Local(Ending):
    """By the word of the neighbours."""

    _said = False

    def reached(self) -> bool:
        messages = self._messages
        # Asked each time, also while there is more to do: to ask is what moves messages on.
        complete = messages.complete()
        if not self._said and self.resting:
            if messages.ended and not self.failing:
                self.error = self._run.unfinished()
            if self.failing or self._run.program.active() == 0:
                messages.say(FAILED if self.failing else END)
                self._said, complete = True, False
        return self._said and complete and messages.ended


class Agreement(Ending):
    """By sums over all ranks."""

    _wave: Any = None
    _before = -1

    def __init__(self, run: Run, messages: Messages) -> None:
        super().__init__(run, messages)
        self._mine, self._total = np.zeros(2, np.int64), np.zeros(2, np.int64)

    def reached(self) -> bool:
        messages = self._messages
        complete = messages.complete()
        if self._wave is None:
            if complete and self.resting:
                self._mine[:] = self._run.records, self.came
                self._wave = messages.comm.Iallreduce(self._mine, self._total)
            return False
        if not self._wave.Test():
            return False
        self._wave = None
        pushed, handled = self._total.tolist()
        done, self._before = pushed == self._before, handled
        if done and not self.failing:
            self.error = self._run.unfinished()
        return done
