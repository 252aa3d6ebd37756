"""The edge order that makes every answer unique, written once.

At a vertex, neighbour v with weight w beats neighbour v' with weight w' when (w, tie(v)) > (w', tie(v')). `tie` ranks
all vertices by one common list, so preferences cannot run in a circle and the locally dominant matching is unique:
greedy, locally dominant and Suitor, on any number of threads, return the same mates. By default tie is a bijective
mixer of the vertex id, which breaks the long chains of dependence that plain ids make on paths and grids with equal
weights; tie_break="id" takes the id itself.

Kernels compare weights as integers: a positive IEEE float and its bit pattern have the same order, so float weights are
viewed as integers of the same width. Zero, negative and minus-zero weights view as integers <= 0, and those never
match.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.kernels.jit import compiled

_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
_FACTOR_1, _FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)

TIE_BREAKS = ("hash", "id")


def _mix(x: Any) -> Any:
    """A bijection of the 64-bit integers that looks random (Steele, Lea, Flood 2014: splitmix64). Returns uint64."""
    z = np.uint64(x) + _STEP
    z = (z ^ (z >> _SHIFT_1)) * _FACTOR_1
    z = (z ^ (z >> _SHIFT_2)) * _FACTOR_2
    return z ^ (z >> _SHIFT_3)


mix = compiled(_mix)


@compiled
def tie(v, hashed):
    """The rank of vertex v among neighbours of equal weight; the larger wins."""
    return mix(v) if hashed else np.uint64(v)


def ties(n_vertices: int, hashed: bool) -> NDArray[np.uint64]:
    """tie(v) of every vertex."""
    ids = np.arange(n_vertices, dtype=np.uint64)
    return _mix(ids) if hashed else ids  # the plain Python works on whole arrays


def check_tie_break(tie_break: str) -> bool:
    """True for "hash", False for "id"; ValueError otherwise."""
    if tie_break not in TIE_BREAKS:
        raise ValueError(f"tie_break is {tie_break!r}; it must be one of {', '.join(map(repr, TIE_BREAKS))}")
    return tie_break == "hash"


def weight_keys(weights: NDArray[Any] | None, n_entries: int) -> NDArray[Any]:
    """The weights as integers of the same order, without a copy; ones that take no memory when weights is None."""
    if weights is None:
        return np.broadcast_to(np.int32(1), (n_entries,))
    if weights.dtype.kind == "f":
        return weights.view(np.dtype(f"i{weights.dtype.itemsize}"))
    return weights
