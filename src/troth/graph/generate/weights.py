"""Weights of generated graphs: a hash of the seed and the two ends, so both entries of an edge agree, wherever made."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.generate.families import Request
from troth.graph.generate.hashing import WEIGHTS, stream
from troth.graph.order import mix
from troth.kernels import team
from troth.kernels.jit import compiled
from troth.progress import stage

_CHUNK = 1 << 16


def weigh(indptr: NDArray[np.int64], indices: NDArray[Any], request: Request, first: int = 0) -> NDArray[Any] | None:
    """The weights that the request asks for, of the rows of the vertices from `first` on; None for unit weights."""
    kind = request.options["weights"]
    if kind == "unit":
        return None
    # A weight is offset + scale * (the top bits of the hash): above 0, and below 1 for floats; integers are cut off.
    if kind == "integer":
        dtype, bits, top = np.dtype(np.int32), 32, float(request.options["max_weight"])
    else:
        dtype = np.dtype(request.options["dtype"])
        bits, top = (52 if dtype == np.float64 else 23), 1.0
    scale = top * 2.0**-bits
    offset = 1.0 if kind == "integer" else scale / 2
    weights = np.empty(indices.size, dtype)
    chunks = team.chunks_of(indices.size + indptr.size - 1, _CHUNK)
    constants = (first, stream(request.seed, WEIGHTS), np.uint64(64 - bits), offset, scale, chunks)
    report = stage(request.progress, "weigh edges", chunks)
    team.run(weigh_edges, indptr, indices, *constants, weights, threads=request.threads, progress=report)
    return weights


@compiled
def weigh_edges(
    control, thread, indptr, indices, first, key, shift, offset, scale, chunks,  # IN: row 0 is vertex `first`
    weights,  # OUT
):  # fmt: skip
    chunk = team.take(control, chunks)
    while chunk >= 0:
        for row in range(team.first_vertex(indptr, chunk * _CHUNK), team.first_vertex(indptr, (chunk + 1) * _CHUNK)):
            u = first + row
            for e in range(indptr[row], indptr[row + 1]):
                v = indices[e]
                drawn = mix(mix(key ^ np.uint64(min(u, v))) ^ np.uint64(max(u, v)))
                weights[e] = offset + scale * float(drawn >> shift)
        chunk = team.take(control, chunks)
