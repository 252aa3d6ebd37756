"""What an owner-computes program is, and the outbox it writes its messages to.

A program is written once, for one rank, and knows nothing of MPI. A record is `width` int64 words and says all that its
receiver needs; records may come in any batches and in any order. `start` sends the first records; `receive` handles a
batch and pushes the answers; both work until nothing is left to do here without new records. `active` is what this rank
still waits for. The job is done when no record is on its way and every rank is at rest.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from troth.kernels import atomics
from troth.kernels.jit import compiled


class Program(Protocol):
    """One rank's side of an algorithm."""

    width: int
    """int64 words of a record."""

    records_per_cross_edge: int
    """A bound on the records sent to a neighbour for each edge across, over the whole run; buffers are made from it.

    A program that corrects itself may know no such bound. It then has `bound_is_per_call = True`: this is a bound on
    what one call of start or receive pushes, and a transport calls again only when the outbox is empty.
    """

    local_end: bool
    """True: when active() is 0 this rank neither sends nor needs a record any more, whatever the others do."""

    def start(self, out: Outbox) -> None:
        """Do what can be done at once, and push the first records."""

    def receive(self, inbox: NDArray[np.int64], out: Outbox) -> None:
        """Handle the records, the rows of inbox, and push the answers."""

    def active(self) -> int:
        """How much is still owed to this rank."""


class Outbox:
    """Records waiting to be sent, a buffer for each neighbour in the process graph.

    The buffers lie in one array, allocated once: neighbour k's begin at starts[k], prefix sums over the cross edges as
    in paper 1, and hold filled[k] records. Kernels append with `push`; a transport sends and calls `clear`.
    """

    def __init__(self, neighbours: NDArray[np.int64], cross_edges: NDArray[np.int64], program: Program) -> None:
        capacity = cross_edges * program.records_per_cross_edge
        self.neighbours = neighbours
        self.bound_is_per_call: bool = getattr(program, "bound_is_per_call", False)
        self.starts: NDArray[np.int64] = np.concatenate(([0], np.cumsum(capacity))).astype(np.int64)
        self.filled = np.zeros(neighbours.size, np.int64)
        self.records = np.empty((int(self.starts[-1]), program.width), np.int64)

    def batch(self, k: int) -> NDArray[np.int64]:
        """The records waiting for neighbour number k: a view."""
        first = self.starts[k]
        return self.records[first : first + self.filled[k]]

    def clear(self) -> None:
        """Forget all records: they were sent."""
        self.filled[:] = 0

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """What kernels take: records, starts, filled."""
        return self.records, self.starts, self.filled


@compiled
def push(records, starts, filled, k):  # records, filled: OUT
    """The row of `records` for one more record to neighbour k; the caller fills it in. Safe between threads."""
    return starts[k] + atomics.add(filled, k, 1)
