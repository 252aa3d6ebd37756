"""Matching, ordering and traversing large sparse graphs, with one answer on every machine."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from troth.graph.convert import as_graph as as_graph
    from troth.graph.csr import Graph as Graph
    from troth.graph.dist.distgraph import DistGraph as DistGraph
    from troth.graph.formats import read as read
    from troth.graph.formats import write as write
    from troth.graph.generate import generate as generate
    from troth.graph.repair import drop_loops as drop_loops
    from troth.graph.repair import sum_duplicates as sum_duplicates
    from troth.graph.repair import symmetrize as symmetrize
    from troth.matching import max_weight_matching as max_weight_matching
    from troth.matching.result import Matching as Matching
    from troth.matching.suitor_sorted import SortedRows as SortedRows
    from troth.progress import Progress as Progress

__version__ = "0.1.0"

# Loaded when first used: `import troth` takes a hundredth of a second, and `troth --version` does not wait for Numba.
_HOME = {
    "DistGraph": "troth.graph.dist.distgraph",
    "Graph": "troth.graph.csr",
    "Matching": "troth.matching.result",
    "Progress": "troth.progress",
    "SortedRows": "troth.matching.suitor_sorted",
    "as_graph": "troth.graph.convert",
    "drop_loops": "troth.graph.repair",
    "generate": "troth.graph.generate",
    "max_weight_matching": "troth.matching",
    "read": "troth.graph.formats",
    "sum_duplicates": "troth.graph.repair",
    "symmetrize": "troth.graph.repair",
    "write": "troth.graph.formats",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'troth' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
