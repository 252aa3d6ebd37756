"""What every matcher is given, and the two ends of its work: the state it starts with and the mates it leaves."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.matching.offers import Packing, packing_of
from troth.progress import Reporter, stage

_LARGEST_CHUNK, _SMALLEST_CHUNK = 1 << 16, 1 << 12  # entries and vertices a thread takes at a time
_CHUNKS_PER_THREAD = 16  # enough to even out hubs; fewer borders between threads are faster
_VERTEX_CHUNK = 1 << 16


@dataclass(frozen=True)
class Problem:
    """One matching to compute: a graph, the tie rule, the threads, and who wants to hear of progress."""

    graph: Graph
    hashed: bool = True
    threads: int = 1
    progress: Reporter | None = None

    @cached_property
    def packing(self) -> Packing:
        return packing_of(self.graph)

    @property
    def work(self) -> int:
        return self.graph.n_vertices + self.graph.indices.size

    def run(self, name: str, kernel: Any, *args: Any, n_chunks: int) -> NDArray[np.int64]:
        """team.run with no more threads than chunks, and progress under this name."""
        threads = max(1, min(self.threads, n_chunks))
        return team.run(kernel, *args, threads=threads, progress=self._watch(name, n_chunks))

    def run_rows(self, name: str, kernel: Any, *args: Any) -> NDArray[np.int64]:
        """Run kernel(control, thread, *args, chunk, n_chunks) over all rows, cut into chunks of about equal work."""
        chunk = min(max(self.work // (self.threads * _CHUNKS_PER_THREAD), _SMALLEST_CHUNK), _LARGEST_CHUNK)
        n_chunks = team.chunks_of(self.work, chunk)
        return self.run(name, kernel, *args, chunk, n_chunks, n_chunks=n_chunks)

    def _watch(self, name: str, n_chunks: int) -> Callable[[int], None] | None:
        return stage(self.progress, name, n_chunks)

    def mates(self, offers: NDArray[np.int64]) -> NDArray[Any]:
        """The vertex in each offer, -1 for none, in the graph's index type."""
        mate = np.empty(offers.size, self.graph.indices.dtype)
        n_chunks = team.chunks_of(offers.size, _VERTEX_CHUNK)
        self.run("reading mates", unpack, offers, mate, _VERTEX_CHUNK, self.packing.bits, n_chunks, n_chunks=n_chunks)
        return mate


@compiled
def unpack(control, thread, offers, mate, chunk, bits, n_chunks):  # offers: IN, mate: OUT
    """The id in each offer, less one."""
    mask = (np.int64(1) << bits) - 1
    while True:
        number = team.take(control, n_chunks)
        if number < 0:
            return
        for v in range(np.uint64(number * chunk), np.uint64(min((number + 1) * chunk, offers.shape[0]))):
            mate[v] = (offers[v] & mask) - 1
