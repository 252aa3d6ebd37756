"""rma: one-sided communication, passive target, at displacements fixed beforehand (paper 1, section IV-D and Fig. 1).

Each rank has a window as large as its outbox, cut in the same way: neighbour k writes to the rows from starts[k] on.
One neighbourhood exchange of these prefix sums, at the start, tells every rank where it may write in each neighbour's
window. There is room for all the records that a neighbour may send in the whole run (both ranks know an edge across,
and records_per_cross_edge bounds what is sent for it), so positions run on and are never reset: no row is written
twice, and no rank waits until what it wrote was read. Where a program bounds its calls only, every round writes to the
same rows: the Allreduce before it tells that those of the round before were read.

A round is an Allreduce, one Put for each neighbour that gets records (`aggregate`: of at most so many), a flush that
completes them at the target, a neighbourhood exchange of counts, which also tells that the records are there, and a
Win_sync before they are read. All in one epoch: locked once at the start, unlocked at the end.

`rma` flushes with Win_flush_all. `rma-neighbor` flushes only those neighbours that were written to, one by one, which
spares an MPI library the walk over all ranks of the window in the rounds, most of them, in which few get something.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.native import LIMIT, PUT, RECORDS, WIDTH, WINDOW, WORD, Native, check, handle
from troth.comm.transports.ncl import Neighbours
from troth.comm.transports.running import Run
from troth.comm.transports.runs import copy_runs
from troth.kernels import team
from troth.kernels.calls import call
from troth.kernels.jit import compiled

_MOST = 1 << 20  # Records of a Put: its words are counted in a C int.


class Windows(Neighbours):
    """rma"""

    splits = True

    def __init__(self, comm: Any, run: Run) -> None:
        super().__init__(comm, run)
        out = run.out
        self._ranks = out.neighbours
        self._starts = out.starts[:-1]
        self._again = out.bound_is_per_call
        self._there = np.zeros_like(self._starts)
        self.graph.Neighbor_alltoall(np.ascontiguousarray(self._starts), self._there)
        row = 8 * run.width
        self.window = self.mpi.Win.Allocate(out.records.nbytes, row, comm=self.graph)
        memory = np.frombuffer(self.window.tomemory(), np.int64) if out.records.size else out.records
        self._memory = memory.reshape(-1, run.width)
        self._read = np.zeros_like(self._starts)
        self._native = Native(self.graph, out.records, limit=run.aggregate or _MOST)
        self._native.table[WINDOW] = handle(self.window)
        places = self._there
        team.compile_for(_put, (self._native.table, self._ranks, places, places, places))
        team.compile_for(copy_runs, (self._memory, places, self.inbox, places, places))
        self.window.Lock_all(self.mpi.MODE_NOCHECK)

    def swap(self, firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        check(_put(self._native.table, self._ranks, firsts, self._there, counts))
        if not self._again:
            self._there += counts
        self._flush(counts)
        self.swap_counts(counts)
        self.window.Sync()
        total, places = self.places()
        came = self._starts + self._read
        if not self._again:
            self._read += self.coming
        writers = np.flatnonzero(self.coming)
        if writers.size == 1:
            first = int(came[writers[0]])
            return self._memory[first : first + total]
        copy_runs(self._memory, came, self.inbox, places, self.coming)
        return self.inbox[:total]

    def _flush(self, counts: NDArray[np.int64]) -> None:
        self.window.Flush_all()

    def free(self) -> None:
        self.window.Unlock_all()
        del self._memory
        self.window.Free()
        super().free()


class NeighbourWindows(Windows):
    """rma-neighbor"""

    def _flush(self, counts: NDArray[np.int64]) -> None:
        for rank in self._ranks[counts > 0].tolist():
            self.window.Flush(rank)


@compiled
def _put(
    table,  # IN
    ranks,  # IN
    firsts,  # IN  rows in the outbox
    there,  # IN   rows in the windows of the neighbours
    counts,  # IN
):
    """Put the records of all neighbours, in pieces; returns an MPI error code, 0 for none."""
    width, word = table[WIDTH], table[WORD]
    for k in range(counts.shape[0]):
        done = 0
        while done < counts[k]:
            rows = min(counts[k] - done, table[LIMIT])
            begin, words = table[RECORDS] + (firsts[k] + done) * width * 8, rows * width
            code = call(table[PUT], (begin, words, word, ranks[k], there[k] + done, words, word, table[WINDOW]))
            if code != 0:
                return code
            done += rows
    return 0
