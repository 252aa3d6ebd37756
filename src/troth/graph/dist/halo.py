"""What the owners of ghosts know of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.dist.exchange import Exchange
from troth.graph.dist.part import Part


class Halo:
    """Asks the owners for values of this rank's ghosts; who asks for what is told once. Collective, as is `values`."""

    def __init__(self, comm: Any, part: Part) -> None:
        counts = np.zeros(comm.size, np.int64)
        counts[part.neighbours] = np.diff(part.ghost_starts)
        questions = Exchange(comm, counts)
        self._asked = questions.send(part.ghost_rows)
        self._answers = Exchange(comm, questions.received)

    def values(self, own: NDArray[Any]) -> NDArray[Any]:
        """The value of each local vertex, from those of the own vertices of every rank."""
        return np.concatenate((own, self._answers.send(own[self._asked])))
