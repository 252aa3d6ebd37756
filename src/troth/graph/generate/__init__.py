"""Graphs made from a short spec, the same on any number of threads: generate("rmat:20:edge_factor=8")."""

from importlib import import_module
from typing import TYPE_CHECKING

from troth.graph.generate.families import FAMILIES as FAMILIES
from troth.graph.generate.spec import is_spec as is_spec
from troth.graph.generate.spec import parse

if TYPE_CHECKING:
    from troth.graph.csr import Graph
    from troth.progress import Reporter


def generate(spec: str, *, seed: int = 1, threads: "int | None" = None, progress: "Reporter | None" = None) -> "Graph":
    """The graph that the spec asks for.

    Args:
        spec: "family:number" or "family:number:option=value,option=value"; see FAMILIES or docs/generators.md.
        seed: of all that is random; a seed= option in the spec goes before it.
    Returns: a graph that depends on the spec and the seed alone, not on the threads that make it.
    Raises: ValueError on an unknown family, option or value, and when the graph would not fit in memory.
    """
    from troth.kernels.team import check_threads
    from troth.memory import require_memory

    request = parse(spec, seed=seed, threads=check_threads(threads), progress=progress)
    family = import_module(f"troth.graph.generate.{FAMILIES[request.family].module}")
    vertices, entries = family.extent(request)
    require_memory(16 * vertices + 12 * entries, str(request))
    graph: Graph = family.make(request)
    return graph
