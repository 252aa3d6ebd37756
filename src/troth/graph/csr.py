"""Graph: an immutable simple undirected graph in compressed sparse rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from troth.graph.order import weight_keys

if TYPE_CHECKING:
    import scipy.sparse as sp

    from troth.progress import Reporter

INT32_VERTICES = 2**31 - 1
_BLOCK = 1 << 16
WEIGHT_DTYPES = ("float32", "float64", "int32", "int64")


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """A simple undirected graph: canonical CSR, read-only.

    Every edge {u, v} is stored twice, in row u and in row v, with one weight; rows are sorted by neighbour; there are
    no loops and no duplicates. `as_graph` and `Graph.from_csr` check all this once; code that holds a Graph relies on
    it.

    Attributes:
        indptr: int64, n_vertices + 1 offsets of rows.
        indices: neighbours, int32 (int64 from 2**31 vertices).
        weights: float32, float64, int32 or int64, one for each stored entry; None for a pattern (all weights 1).
        labels: the caller's name of each vertex, or None when they are 0 ... n-1.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[Any]
    weights: NDArray[Any] | None = None
    labels: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        for name in ("indptr", "indices", "weights"):
            array = getattr(self, name)
            if array is not None:
                # A view: the caller's own array stays writable, ours does not, also when memory-mapped.
                view = array.view(np.ndarray)
                view.flags.writeable = False
                object.__setattr__(self, name, view)

    @classmethod
    def from_csr(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        labels: Sequence[Any] | None = None,
        threads: int | None = None,
        progress: Reporter | None = None,
    ) -> Graph:
        """The graph of a full symmetric CSR, checked; without a copy when the arrays already are canonical.

        Rows that are not sorted are sorted in a copy. Raises ValueError naming the first place and the cure on loops,
        duplicates, an unsymmetric pattern, unsymmetric values, NaN or infinite weights, or indices out of range.
        """
        from troth.graph.canonical import canonical_csr

        graph = cls(*canonical_csr(indptr, indices, weights, threads=threads, progress=progress), labels)
        if labels is not None and len(labels) != graph.n_vertices:
            raise ValueError(f"{len(labels)} labels for {graph.n_vertices} vertices; give one for each, or None")
        return graph

    @property
    def n_vertices(self) -> int:
        return int(self.indptr.size - 1)

    @property
    def n_edges(self) -> int:
        """Undirected edges, each counted once."""
        return int(self.indices.size // 2)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return int(self.indptr.nbytes + self.indices.nbytes + (0 if self.weights is None else self.weights.nbytes))

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        return np.diff(self.indptr)

    @cached_property
    def used_key_bits(self) -> int:
        """The union (bitwise or) of all positive weights' keys: tells their width and which low bits are never set."""
        keys = weight_keys(self.weights, self.indices.size)
        union = 0
        for first in range(0, keys.size, _BLOCK):
            block = keys[first : first + _BLOCK]
            union |= int(np.bitwise_or.reduce(np.maximum(block, 0)))
        return union

    def edges(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
        """Each edge once: arrays u, v, w with u < v, in row order (w None for a pattern)."""
        rows = np.repeat(np.arange(self.n_vertices, dtype=self.indices.dtype), self.degrees)
        once = rows < self.indices
        return rows[once], self.indices[once], None if self.weights is None else self.weights[once]

    def to_scipy(self) -> sp.csr_array:
        """The adjacency matrix, sharing memory; a pattern becomes ones of type int8."""
        import scipy.sparse as sp

        from troth.graph.rows import scipy_indptr

        data = np.ones(self.indices.size, np.int8) if self.weights is None else self.weights
        n = self.n_vertices
        matrix = sp.csr_array((data, self.indices, scipy_indptr(self.indptr, self.indices)), shape=(n, n), copy=False)
        matrix.has_canonical_format = True
        return matrix

    def to_networkx(self) -> Any:
        """A networkx.Graph with the original node labels and weight attributes."""
        from troth.graph.convert import to_networkx

        return to_networkx(self)

    def permute(self, perm: ArrayLike) -> Graph:
        """The same graph with vertex perm[i] of this one as its vertex i (SciPy's convention: A[perm][:, perm])."""
        from troth.graph.transform import permute

        return permute(self, perm)

    def subgraph(self, vertices: ArrayLike) -> Graph:
        """The graph induced by these vertices (ids, or a mask), numbered in the order given."""
        from troth.graph.transform import subgraph

        return subgraph(self, vertices)

    def __eq__(self, other: object) -> bool:
        """Equal arrays and equal weights; labels do not count."""
        if not isinstance(other, Graph):
            return NotImplemented
        if (self.weights is None) != (other.weights is None):
            return False
        same = np.array_equal(self.indptr, other.indptr) and np.array_equal(self.indices, other.indices)
        return same and (self.weights is None or np.array_equal(self.weights, other.weights))  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = "pattern" if self.weights is None else f"{self.weights.dtype} weights"
        return f"Graph({self.n_vertices} vertices, {self.n_edges} edges, {kind})"
