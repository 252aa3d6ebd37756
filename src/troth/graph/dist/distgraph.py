"""DistGraph: a graph spread over the ranks of an MPI communicator by consecutive ranges of vertices."""

from __future__ import annotations

import os
from typing import Any

from numpy.typing import ArrayLike

from troth.comm.errors import guard, load_mpi, same_everywhere
from troth.graph.csr import Graph
from troth.graph.dist.exchange import total
from troth.graph.dist.part import Part
from troth.graph.dist.rows import AS_IT_IS, all_on, check_balance, part_of, redistribute, rows_of, rows_of_root
from troth.kernels import team


class DistGraph:
    """A simple undirected graph over the ranks of a communicator: each owns consecutive vertices and all their edges.

    The constructors are collective, and what is wrong on one rank is one ValueError on all, which names the rank.
    Vertices are 0 ... n_vertices - 1 on all ranks together; rank r owns part.starts[r] ... part.starts[r + 1] - 1.

    Attributes:
        comm: the communicator given.
        part: what this rank holds (graph/dist/part.py).
        n_edges: undirected edges of the whole graph, each counted once.
    """

    def __init__(self, comm: Any, part: Part) -> None:
        self.comm, self.part = comm, part
        self.n_edges = total(comm, part.indices.size)[0] // 2

    @property
    def rank(self) -> int:
        return int(self.comm.rank)

    @property
    def size(self) -> int:
        """Ranks of the communicator."""
        return int(self.comm.size)

    @property
    def n_vertices(self) -> int:
        return self.part.n_global

    def __repr__(self) -> str:
        return f"DistGraph({self.n_vertices} vertices, {self.n_edges} edges, rank {self.rank} of {self.size})"

    @classmethod
    def from_spec(
        cls, spec: str, comm: Any = None, *, seed: int = 1, balance: str = "vertices", threads: int | None = 1
    ) -> DistGraph:
        """A generated graph, the same as troth.generate(spec) makes; each rank makes its own part. Collective.

        Args:
            spec: as for troth.generate.
            comm: an mpi4py communicator; None for COMM_WORLD.
            balance: ranges of about equal numbers of "vertices" or of "edges".
            threads: of each rank, while the graph is made.
        """
        from troth.graph.dist.from_spec import rows_of_spec

        comm, size = _begin(comm, balance, threads, spec=spec, seed=seed)
        return cls(comm, part_of(comm, rows_of_spec(spec, comm, seed, size), balance=balance, threads=size))

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        comm: Any = None,
        *,
        format: str | None = None,
        balance: str = "vertices",
        threads: int | None = 1,
    ) -> DistGraph:
        """The graph in a file that every rank can open, checked; each rank reads its share. Collective.

        Directories of troth, Vite binaries, Matrix Market, METIS and edge lists, not packed, are read in parallel; a
        file of another format is read by rank 0 and spread from there. Labels of vertices are left behind.
        """
        from troth.graph.dist.from_file import rows_of_file

        file = os.fspath(path)
        comm, size = _begin(comm, balance, threads, path=file, format=format)
        return cls(comm, part_of(comm, rows_of_file(file, comm, format, size), balance=balance, threads=size))

    @classmethod
    def scatter(
        cls, graph: Graph | None, comm: Any = None, *, root: int = 0, balance: str = "vertices", threads: int | None = 1
    ) -> DistGraph:
        """The graph that rank `root` has; the others give None. Collective."""
        comm, size = _begin(comm, balance, threads, root=root)
        with guard(comm):
            if comm.rank == root and not isinstance(graph, Graph):
                raise ValueError(f"scatter takes a troth.Graph on rank {root}, not {type(graph).__name__}")
        rows = rows_of_root(comm, graph if comm.rank == root else None, root)
        return cls(comm, part_of(comm, rows, balance=balance, threads=size))

    @classmethod
    def from_edges(
        cls,
        u: ArrayLike,
        v: ArrayLike,
        weights: ArrayLike | None = None,
        n_vertices: int | None = None,
        comm: Any = None,
        *,
        duplicates: str = "same",
        loops: str = "error",
        balance: str = "vertices",
        threads: int | None = 1,
    ) -> DistGraph:
        """The graph of undirected edges (u[i], v[i]), global ids, of which each rank gives any. Collective.

        Args:
            n_vertices: the same on all ranks; None for 1 + the largest id.
            duplicates: as for troth.graph.build.from_edges. By default an edge may be given any number of times, in
                any direction and by any rank, always with the same weight.
            loops: "error" or "drop".
        """
        from troth.graph.dist.from_arrays import rows_of_given_edges

        comm, size = _begin(comm, balance, threads, n_vertices=n_vertices, duplicates=duplicates, loops=loops)
        rows = rows_of_given_edges(comm, u, v, weights, n_vertices, duplicates, loops, size)
        return cls(comm, part_of(comm, rows, balance=balance, threads=size))

    @classmethod
    def from_csr(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        weights: ArrayLike | None = None,
        comm: Any = None,
        *,
        threads: int | None = 1,
    ) -> DistGraph:
        """The graph of a matrix of which each rank has consecutive rows, in the order of ranks, with global columns.

        The rows stay where they are. They are checked as by Graph.from_csr. Collective.
        """
        from troth.graph.dist.from_arrays import rows_of_given_csr

        comm, size = _begin(comm, "vertices", threads)
        rows = rows_of_given_csr(comm, indptr, indices, weights, size)
        return cls(comm, part_of(comm, rows, balance=AS_IT_IS, threads=size))

    def gather(self, root: int = 0) -> Graph | None:
        """The whole graph on rank `root`, None elsewhere. Collective."""
        with guard(self.comm):
            rows = rows_of(self.part)
        rows = redistribute(self.comm, rows, all_on(root, self.size, self.n_vertices))
        return Graph(rows.indptr, rows.indices, rows.weights) if self.rank == root else None


def _begin(comm: Any, balance: str, threads: int | None, **values: Any) -> tuple[Any, int]:
    """The communicator and the threads to use, once all ranks are known to ask for the same."""
    comm = load_mpi().COMM_WORLD if comm is None else comm
    same_everywhere(comm, **values, balance=balance)
    with guard(comm):
        check_balance(balance)
        size = team.check_threads(threads)
    return comm, size
