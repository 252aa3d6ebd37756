"""Renumbering ids with large gaps, as formats/contents.compact does, when the ids are spread over ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.dist.exchange import Exchange, before, total
from troth.graph.dist.from_arrays import largest
from troth.graph.formats.contents import has_gaps


def compacted(
    comm: Any, u: NDArray[np.int64], v: NDArray[np.int64], *, always: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The ends, in the ascending order of all ids where these have large gaps, or always; and the number of vertices.

    Every id is counted on the rank whose range it is in, and numbered there. Collective.
    """
    top = largest(comm, int(max(u.max(), v.max())) if u.size else -1)
    ids = np.union1d(u, v)
    cuts = np.array([(top + 1) * rank // comm.size for rank in range(1, comm.size)], np.int64)
    owners = np.searchsorted(cuts, ids, side="right")
    asked = Exchange(comm, np.bincount(owners, minlength=comm.size).astype(np.int64))
    here = asked.send(ids)
    known = np.unique(here)
    (different,) = total(comm, known.size)
    if not always and not has_gaps(top, different):
        return u, v, top + 1
    numbers = before(comm, known.size) + np.searchsorted(known, here)
    answers = Exchange(comm, asked.received).send(numbers)
    return answers[np.searchsorted(ids, u)], answers[np.searchsorted(ids, v)], different
