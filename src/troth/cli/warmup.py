"""troth warmup: compile every kernel a user needs, once for this machine."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from troth.cli import options, output

if TYPE_CHECKING:
    from troth.graph.csr import Graph

_WEIGHTS = ("float64", "float32", "int64", "int32", None)


def warmup(as_json: options.Json = False) -> None:
    """Compile all kernels now, so that no later command has to."""
    from troth.kernels import team
    from troth.progress import Progress, terminal_bar

    started = time.perf_counter()
    with terminal_bar() as bar:
        jobs = list(_jobs())
        for done, job in enumerate(jobs):
            if bar:
                bar(Progress("compile", done, len(jobs)))
            job()
    spent, compiling = time.perf_counter() - started, team.compile_seconds()
    cache = str(team.take.stats.cache_path)
    if as_json:
        output.say_json({"seconds": spent, "compile": compiling, "cache": cache})
    else:
        output.say_table(
            [
                ("time", f"{output.duration(spent)}, of it compiling or loading {output.duration(compiling)}"),
                ("kept in", cache),
            ]
        )


def _jobs() -> Iterator[Callable[[], object]]:
    """Small calls that reach every kernel, with every type of weights a graph may have."""
    from troth.graph.generate import FAMILIES, generate
    from troth.matching.registry import ALGORITHMS

    for name, family in FAMILIES.items():
        for option in ("dtype=float64", "dtype=float32", "weights=uniform", "weights=unit", "weights=integer"):
            yield partial(generate, f"{name}:{max(family.low, 4)}:{option}")
    for dtype, form in itertools.product(_WEIGHTS, ("edges", "metis", "mtx")):
        yield partial(_through_file, dtype, form)
    for dtype, indices in itertools.product(_WEIGHTS, ("int32", "int64")):
        yield partial(_from_arrays, dtype, indices)
    for dtype, algorithm in itertools.product(_WEIGHTS, ALGORITHMS):
        yield partial(_match, dtype, algorithm)


def _path(weights: str | None, indices: str = "int32") -> tuple[Any, Any, Any]:
    """The edges of a path."""
    import numpy as np

    u = np.arange(8, dtype=indices)
    return u, u + 1, None if weights is None else np.ones(8, weights)


def _from_arrays(weights: str | None, indices: str) -> Graph:
    """A graph by way of edges, and again by way of rows, permuted."""
    from troth.graph.build import from_edges
    from troth.graph.csr import Graph

    graph = from_edges(*_path(weights, indices))
    rows = Graph.from_csr(graph.indptr, graph.indices.astype(indices), graph.weights)
    return rows.permute(range(rows.n_vertices)[::-1])


def _through_file(weights: str | None, form: str) -> None:
    from troth.graph import formats

    with TemporaryDirectory() as folder, suppress(ValueError):  # some formats know some types of weights only
        formats.write(_from_arrays(weights, "int32"), Path(folder, "graph"), format=form)
        formats.read(Path(folder, "graph"), format=form)


def _match(weights: str | None, algorithm: str) -> None:
    import troth
    from troth.graph.build import from_edges

    matching = troth.max_weight_matching(from_edges(*_path(weights)), algorithm=algorithm)
    matching.verify()
    _ = matching.weight
