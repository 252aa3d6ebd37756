"""ncl-persistent: persistent collectives (MPI 4), set up once and started in each round.

The arguments of a persistent collective are fixed when it is made, counts among them, but the number of records changes
from round to round. What is persistent here:
    - the sum over ranks (Allreduce_init);
    - one Neighbor_alltoall_init of slots of a fixed size: the number of records, and the first SLOT of them. Most
      rounds are small and need nothing else.
Records beyond the slots follow by an ordinary Neighbor_alltoallv, in those rounds in which some rank has any: the sum
tells all ranks. A library without these calls is an error; `ncl` does the same work.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.transports.ncl import Neighbours
from troth.comm.transports.rounds import EXCESS
from troth.comm.transports.running import Run
from troth.comm.transports.runs import copy_runs
from troth.kernels import team

SLOT = 31  # Records; with the head a slot is 512 bytes for records of two words.


class Persistent(Neighbours):
    """ncl-persistent"""

    def __init__(self, comm: Any, run: Run) -> None:
        super().__init__(comm, run)
        n_slots = run.out.neighbours.size
        self._words = np.zeros_like(self._sum)
        # The head of a slot is a row of its own, so that slots are rows of the width of a record throughout.
        self._heads = np.arange(n_slots) * (SLOT + 1)
        self._leaving = np.zeros((n_slots * (SLOT + 1), run.width), np.int64)
        self._arriving = np.zeros_like(self._leaving)
        team.compile_for(copy_runs, (self.records, self._heads, self._leaving, self._heads, self._heads))
        try:
            self._summing = self.graph.Allreduce_init(self._words, self._sum, op=self.mpi.SUM)
            self._slots = self.graph.Neighbor_alltoall_init(self._leaving, self._arriving)
        except NotImplementedError as error:
            super().free()  # The same library on every rank: all come here.
            library = self.mpi.Get_library_version().split(",")[0].splitlines()[0]
            raise ValueError(f"transport 'ncl-persistent' needs MPI 4, which {library} is not; use 'ncl'") from error

    def total(self, words: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        self._words[:] = words
        self._words[EXCESS] = np.maximum(counts - SLOT, 0).sum()
        self._summing.Start()
        self._summing.Wait()
        return self._sum

    def swap(self, firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        small = np.minimum(counts, SLOT)
        self._leaving[self._heads, 0] = counts
        copy_runs(self.records, firsts, self._leaving, self._heads + 1, small)
        self._slots.Start()
        self._slots.Wait()
        self.coming[:] = self._arriving[self._heads, 0]
        total, places = self.places()
        came = np.minimum(self.coming, SLOT)
        copy_runs(self._arriving, self._heads + 1, self.inbox, places, came)
        if self._sum[EXCESS]:
            self.graph.Neighbor_alltoallv(
                [self.records, counts - small, firsts + small, self.record],
                [self.inbox, self.coming - came, places + came, self.record],
            )
        return self.inbox[:total]

    def free(self) -> None:
        self._summing.Free()
        self._slots.Free()
        super().free()
