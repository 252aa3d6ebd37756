"""ncl: neighbourhood collectives on a distributed graph communicator (MPI 3), as in paper 1, section IV-D.

A round is an Allreduce, a Neighbor_alltoall of counts and a Neighbor_alltoallv of records. Records leave straight from
the outbox and arrive packed. With `aggregate` a round takes at most so many records for each neighbour, and the rest
wait for the next. `ncl-nonblocking` starts the sum and the exchange of counts together: a round waits twice, not three
times.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import load_mpi
from troth.comm.transports.running import Run


class Neighbours:
    """The process graph as a communicator, the type of a record, and an inbox. Collective to make and to free.

    Attributes:
        graph: neighbours in the order of the outbox, for sending and for receiving; ranks as in comm.
        inbox: room for all records that can come in the whole run, as many as can be sent: an edge across is known to
            both its ranks. Its pages are taken when they are first written.
    """

    splits = False

    def __init__(self, comm: Any, run: Run) -> None:
        self.mpi = load_mpi()
        ranks = run.out.neighbours.tolist()
        self.graph = comm.Create_dist_graph_adjacent(ranks, ranks, reorder=False)
        self.record = self.mpi.INT64_T.Create_contiguous(run.width).Commit()
        self.records = run.out.records
        self.inbox = np.empty_like(run.out.records)
        self.coming = np.zeros_like(run.out.filled)
        self._sum = np.zeros(3, np.int64)

    def total(self, words: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        self.graph.Allreduce(words, self._sum, op=self.mpi.SUM)
        return self._sum

    def swap_counts(self, counts: NDArray[np.int64]) -> None:
        """Tell every neighbour how many records it gets; `coming` is what they tell."""
        self.graph.Neighbor_alltoall(counts, self.coming)

    def places(self) -> tuple[int, NDArray[np.int64]]:
        """The number of records that come, and where those of each neighbour go in the inbox."""
        ends = np.cumsum(self.coming)
        return int(ends[-1]) if ends.size else 0, ends - self.coming

    def free(self) -> None:
        self.record.Free()
        self.graph.Free()


class Blocking(Neighbours):
    """ncl"""

    def swap(self, firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        self.swap_counts(counts)
        total, places = self.places()
        self.graph.Neighbor_alltoallv(
            [self.records, counts, firsts, self.record], [self.inbox, self.coming, places, self.record]
        )
        return self.inbox[:total]


class Nonblocking(Neighbours):
    """ncl-nonblocking"""

    def total(self, words: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        summing = self.graph.Iallreduce(words, self._sum, op=self.mpi.SUM)
        telling = self.graph.Ineighbor_alltoall(counts, self.coming)
        self.mpi.Request.Waitall([summing, telling])
        return self._sum

    def swap(self, firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        total, places = self.places()
        self.graph.Ineighbor_alltoallv(
            [self.records, counts, firsts, self.record], [self.inbox, self.coming, places, self.record]
        ).Wait()
        return self.inbox[:total]
