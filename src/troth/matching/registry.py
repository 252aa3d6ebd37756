"""Every algorithm for weighted matching, by name: the one list for the API, the command line, tests and benchmarks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from troth.matching.greedy import greedy
from troth.matching.locally_dominant import locally_dominant
from troth.matching.path_growing import path_growing
from troth.matching.problem import Problem
from troth.matching.suitor import suitor
from troth.matching.suitor_delayed import suitor_delayed
from troth.matching.suitor_sorted import suitor_sorted, suitor_sorted_delayed


@dataclass(frozen=True)
class Algorithm:
    """A matcher: whether it has a threaded form, and whether its result is the locally dominant matching."""

    name: str
    summary: str
    run: Callable[[Problem], NDArray[Any]]
    threaded: bool = True
    dominant: bool = True


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("greedy", "all edges sorted, heaviest first", greedy, threaded=False),
        Algorithm("locally-dominant", "pointers and queues (Preis; Manne and Bisseling)", locally_dominant),
        Algorithm("suitor", "proposals, the displaced at once (Manne and Halappanavar)", suitor),
        Algorithm("suitor-d", "proposals, the displaced in the next round", suitor_delayed),
        Algorithm("suitor-s", "proposals along rows sorted by weight", suitor_sorted),
        Algorithm("suitor-ds", "sorted rows, the displaced in the next round", suitor_sorted_delayed),
        Algorithm(
            "path-growing", "paths of heavy edges (Drake and Hougardy)", path_growing, threaded=False, dominant=False
        ),
    )
}
