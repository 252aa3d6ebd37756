"""The .npy data in archives and directories, read with suspicion: a header must promise just what follows it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from troth.graph.formats.output import write_array

_READERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_header(file: IO[bytes], size: int) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The type and shape of the array in a file of this size, which is left at the first byte of the data."""
    try:
        shape, by_columns, dtype = _READERS[npy.read_magic(file)](file)
    except MemoryError:
        raise
    except Exception:  # the header is a Python literal, and a damaged one fails in many ways
        raise ValueError("the header is damaged") from None
    if dtype.kind not in "biufSU" or (by_columns and len(shape) > 1):
        raise ValueError(f"it is an array of {dtype} and shape {shape}, which no graph is made of")
    expected = file.tell() + math.prod(shape) * dtype.itemsize
    if min(shape, default=0) < 0 or expected != size:
        raise ValueError(f"it has {size} bytes, but its header of {dtype} and shape {shape} makes {expected}")
    return dtype, shape


def save(path: Path, array: NDArray[Any]) -> None:
    """np.save for a flat array, in blocks: np.save writes in one call that an interrupt must wait for."""
    with open(path, "wb") as file:
        npy.write_array_header_1_0(file, npy.header_data_from_array_1_0(array))
        write_array(file, array, array.dtype.str)
