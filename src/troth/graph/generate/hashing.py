"""Random numbers by hashing: the value with a given name is the same whoever asks for it, in whatever order."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.order import mix
from troth.kernels.jit import compiled

EDGES, LABELS, WEIGHTS, POINTS, SHAPES = range(5)
"""What a stream of random numbers is for."""

_ROUNDS = 4
_mix = getattr(mix, "py_func", mix)  # as plain Python: not worth compiling for scalars and whole arrays


def stream(seed: int, purpose: int) -> Any:
    """The key of one stream of random numbers, np.uint64: streams of other seeds or purposes are independent."""
    with np.errstate(over="ignore"):
        return _mix(_mix(np.uint64(seed)) + np.uint64(purpose))


def hashes(key: Any, count: int) -> NDArray[np.uint64]:
    """The first so many numbers of a stream."""
    with np.errstate(over="ignore"):
        numbers: NDArray[np.uint64] = _mix(key ^ np.arange(count, dtype=np.uint64))
    return numbers


def rounds(seed: int, bits: int, relabel: bool = True) -> NDArray[np.uint64]:
    """The constants of `scramble` for numbers of so many bits: mask, shift, and a factor and a term for each round.

    Without relabel there are no rounds, and scramble changes nothing.
    """
    mask_and_shift = np.array([(1 << bits) - 1, max(1, (bits + 1) // 2)], np.uint64)
    drawn = hashes(stream(seed, LABELS), 2 * _ROUNDS if relabel else 0)
    return np.concatenate([mask_and_shift, drawn | np.uint64(1)])


@compiled
def scramble(x, constants):
    """A bijection of the numbers below 2**bits that looks random and takes no memory. Returns uint64."""
    mask, shift = constants[0], constants[1]
    y = np.uint64(x)
    for i in range(2, constants.shape[0], 2):
        y = (y * constants[i] + constants[i + 1]) & mask
        y ^= y >> shift
    return y
