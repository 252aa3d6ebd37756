"""Sending arrays to ranks: counts are agreed once, then any number of arrays so divided go their way.

One MPI call moves at most LIMIT bytes of a rank, since many libraries count displacements in 32 bits; what is more goes
in several rounds, each with the same share of every message.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import load_mpi

LIMIT = 1 << 30
"""Bytes sent or received by a rank in one call."""


class Exchange:
    """Who sends how many items to whom. Making one is collective, and so is `send`."""

    def __init__(self, comm: Any, counts: NDArray[np.int64], *, limit: int = LIMIT) -> None:
        self.comm, self.sent = comm, np.ascontiguousarray(counts, np.int64)
        self.received = np.empty_like(self.sent)
        comm.Alltoall(self.sent, self.received)
        mpi = load_mpi()
        largest = np.array([max(self.sent.sum(), self.received.sum())], np.int64)
        comm.Allreduce(mpi.IN_PLACE, largest, op=mpi.MAX)
        self._largest, self._limit = int(largest[0]), limit

    def send(self, array: NDArray[Any]) -> NDArray[Any]:
        """The items for rank 0, 1, ..., which follow one another in the array; returns those from rank 0, 1, ..."""
        array = np.ascontiguousarray(array)
        if self.comm.size == 1:
            return array
        result = np.empty(int(self.received.sum()), array.dtype)
        rounds = max(1, -(-self._largest * array.itemsize // self._limit))
        if rounds == 1:
            self._move(array, self.sent, result, self.received)
            return result
        for k in range(rounds):
            out, back = (self._share(counts, k, rounds) for counts in (self.sent, self.received))
            batch = np.empty(int(np.diff(back, axis=0).sum()), array.dtype)
            self._move(_picked(array, out), np.diff(out, axis=0)[0], batch, np.diff(back, axis=0)[0])
            _put(result, back, batch)
        return result

    @staticmethod
    def _share(counts: NDArray[np.int64], k: int, rounds: int) -> NDArray[np.int64]:
        """Where the share of round k of each message begins and ends."""
        starts = np.cumsum(counts) - counts
        # In this order nothing overflows: counts * rounds may be large.
        size, rest = counts // rounds, counts % rounds
        return np.array([starts + size * j + rest * j // rounds for j in (k, k + 1)])

    def _move(
        self, array: NDArray[Any], sent: NDArray[np.int64], into: NDArray[Any], received: NDArray[np.int64]
    ) -> None:
        out, back = ((counts, np.cumsum(counts) - counts) for counts in (sent, received))
        self.comm.Alltoallv([array, out], [into, back])


def _picked(array: NDArray[Any], shares: NDArray[np.int64]) -> NDArray[Any]:
    return np.concatenate([array[low:high] for low, high in shares.T.tolist()])


def _put(array: NDArray[Any], shares: NDArray[np.int64], batch: NDArray[Any]) -> None:
    into = 0
    for low, high in shares.T.tolist():
        array[low:high] = batch[into : into + high - low]
        into += high - low


def total(comm: Any, *counts: int) -> list[int]:
    """The sums of these numbers over all ranks. Collective."""
    mpi = load_mpi()
    sums = np.array(counts, np.int64)
    comm.Allreduce(mpi.IN_PLACE, sums, op=mpi.SUM)
    return [int(each) for each in sums]


def before(comm: Any, count: int) -> int:
    """The sum of this number over the ranks before this one. Collective."""
    everywhere = np.empty(comm.size, np.int64)
    comm.Allgather(np.array([count], np.int64), everywhere)
    return int(everywhere[: comm.rank].sum())
