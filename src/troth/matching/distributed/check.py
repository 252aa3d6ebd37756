"""The proof of a matching that is spread over ranks: the definition of matching/check.py, with NumPy.

Every rank looks at all edges of its vertices, so an edge across is looked at twice. Of ghosts it learns the mate and
the weight of the matched edge from the owner.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import guard
from troth.graph.dist.halo import Halo
from troth.graph.dist.part import Part
from troth.graph.order import mix

_BLOCK = 1 << 20  # entries of a block of rows, about
_mix = getattr(mix, "py_func", mix)


def verify_distributed(comm: Any, part: Part, mate: NDArray[np.int64], *, hashed: bool) -> None:
    """Prove that these are the mates of the own vertices; ValueError on every rank with a fault. Collective."""
    with guard(comm):
        own = _own_weights(part, mate)
    halo = Halo(comm, part)
    mates, matched = halo.values(mate), halo.values(own)
    with guard(comm):
        for low, high in _blocks(part.indptr):
            _check_rows(part, mates, matched, hashed, low, high)


def _blocks(indptr: NDArray[np.int64]) -> list[tuple[int, int]]:
    cuts = np.searchsorted(indptr, np.arange(0, indptr[-1], _BLOCK), side="left")
    cuts = np.unique(np.append(cuts, indptr.size - 1))
    return list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))


def _entries(part: Part, low: int, high: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]:
    """Rows, neighbours and weights of the entries of rows low ... high - 1."""
    here = slice(part.indptr[low], part.indptr[high])
    rows = np.repeat(np.arange(low, high), np.diff(part.indptr[low : high + 1]))
    neighbours = part.indices[here]
    return rows, neighbours, np.ones(rows.size, np.int8) if part.weights is None else part.weights[here]


def _own_weights(part: Part, mate: NDArray[np.int64]) -> NDArray[Any]:
    """The weight of the matched edge of each own vertex, 0 if it is free."""
    found = np.zeros(part.n_own, np.bool_)
    weights = np.zeros(part.n_own, np.int8 if part.weights is None else part.weights.dtype)
    for low, high in _blocks(part.indptr):
        rows, neighbours, values = _entries(part, low, high)
        is_mate = part.names[neighbours] == mate[rows]
        found[rows[is_mate]] = True
        weights[rows[is_mate]] = values[is_mate]
    strange = np.flatnonzero(~found & (mate != -1))
    if strange.size:
        u = int(strange[0])
        raise ValueError(f"vertices {part.first + u} and {mate[u]} are matched but no edge joins them")
    return weights


def _check_rows(part: Part, mates: NDArray[np.int64], matched: NDArray[Any], hashed: bool, low: int, high: int) -> None:
    rows, neighbours, weights = _entries(part, low, high)
    names, u, v = part.names, part.names[rows], part.names[neighbours]
    together = mates[rows] == v
    _refuse(together != (mates[neighbours] == u), u, v, "mates of ({}, {}) are not mutual")
    _refuse(together & (weights <= 0), u, v, "the matched edge ({}, {}) has no positive weight")
    blocks = ~together & (weights > 0)
    for end, other in ((rows, neighbours), (neighbours, rows)):
        tie = _tie(names[other], hashed) > _tie(mates[end], hashed)
        better = (weights > matched[end]) | ((weights == matched[end]) & tie)
        blocks &= (mates[end] == -1) | better
    _refuse(blocks, u, v, "edge ({}, {}) blocks: it is heavier than what both its ends have")


def _tie(vertices: NDArray[np.int64], hashed: bool) -> NDArray[np.uint64]:
    ids = vertices.astype(np.uint64)
    if not hashed:
        return ids
    with np.errstate(over="ignore"):
        mixed: NDArray[np.uint64] = _mix(ids)
    return mixed


def _refuse(wrong: NDArray[np.bool_], u: NDArray[np.int64], v: NDArray[np.int64], sentence: str) -> None:
    if wrong.any():
        k = int(np.argmax(wrong))
        raise ValueError(sentence.format(u[k], v[k]))
