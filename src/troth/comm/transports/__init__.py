"""Every transport of MPI, by name: the one list for the API, the command line, tests and benchmarks.

A transport drives a program on each rank of a communicator until it is done. All give the same result; they differ in
how records move and in how ranks find out that no more will come. See docs/transports.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from troth.comm.program import Program
from troth.comm.report import Report
from troth.comm.transports.auto import choose
from troth.comm.transports.ncl import Blocking, Nonblocking
from troth.comm.transports.ncl_persistent import Persistent
from troth.comm.transports.nsr import run_nsr
from troth.comm.transports.rma import NeighbourWindows, Windows
from troth.comm.transports.rounds import run_rounds
from troth.comm.transports.running import Run, Watch
from troth.graph.dist.part import Part
from troth.naming import unknown

if TYPE_CHECKING:
    from troth.comm.ledger import Ledger


@dataclass(frozen=True)
class Transport:
    """A way to carry records between the ranks of an MPI communicator."""

    name: str
    summary: str
    drive: Callable[[Run, Any], Report]
    in_rounds: bool = True

    def run(
        self,
        program: Program,
        part: Part,
        comm: Any,
        *,
        aggregate: int | None = None,
        ledger: Ledger | None = None,
        watch: Watch | None = None,
    ) -> Report:
        """Run a program to its end. Collective.

        Args:
            program: this rank's.
            part: this rank's part of the graph, whose cross edges the records follow.
            comm: an mpi4py communicator with a rank for each part. A copy carries the messages.
            aggregate: the most records of one message; None for all there are.
            ledger: enters what this rank sends: Ledger(comm.size, rank=comm.rank). None costs nothing.
            watch: told how many batches were handled, after each.
        Returns: what it took on this rank.
        Raises: on every rank what the program raised on one, naming the rank; ValueError on every rank when arguments
            differ between ranks or do not fit together.
        """
        run = Run(
            self.name, program, part, comm, aggregate=aggregate, ledger=ledger, watch=watch, in_rounds=self.in_rounds
        )
        return self.drive(run, comm)


def _auto(run: Run, comm: Any) -> Report:
    name, why = choose(run, comm)
    run.became(name, TRANSPORTS[name].in_rounds)
    return replace(TRANSPORTS[name].drive(run, comm), why=why)


def find_transport(name: str) -> Transport:
    """The transport of this name; ValueError with the nearest name when there is none."""
    if name not in TRANSPORTS:
        raise unknown("transport", name, TRANSPORTS)
    return TRANSPORTS[name]


TRANSPORTS = {
    transport.name: transport
    for transport in (
        Transport("ncl", "neighbourhood collectives", lambda run, comm: run_rounds(Blocking, run, comm)),
        Transport(
            "ncl-nonblocking",
            "neighbourhood collectives, sum and counts at once",
            lambda run, comm: run_rounds(Nonblocking, run, comm),
        ),
        Transport(
            "ncl-persistent",
            "persistent neighbourhood collectives (MPI 4)",
            lambda run, comm: run_rounds(Persistent, run, comm),
        ),
        Transport("rma", "puts into windows, flush all", lambda run, comm: run_rounds(Windows, run, comm)),
        Transport(
            "rma-neighbor",
            "puts into windows, flush the neighbours written to",
            lambda run, comm: run_rounds(NeighbourWindows, run, comm),
        ),
        Transport(
            "nsr", "sends and probes, no rounds", lambda run, comm: run_nsr(run, comm, by_source=False), in_rounds=False
        ),
        Transport(
            "nsr-neighbor",
            "sends, and probes of each neighbour",
            lambda run, comm: run_nsr(run, comm, by_source=True),
            in_rounds=False,
        ),
        Transport("auto", "one of the others, by the process graph", _auto),
    )
}
