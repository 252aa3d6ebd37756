"""GRAPH on the command line: a file, mended where asked, or a generator."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from troth.graph.csr import Graph
    from troth.progress import Reporter

_REPAIRS = ("max", "sum")
_CURES = {
    "call troth.drop_loops": "add --drop-loops",
    "call troth.sum_duplicates": "add --sum-duplicates",
    "call troth.symmetrize": "add --symmetrize max",
}


@dataclass(frozen=True, slots=True)
class Source:
    """What the user gave for one graph, checked as far as that costs nothing."""

    name: str
    is_spec: bool
    seed: int | None = None
    format: str | None = None
    symmetrize: str | None = None
    sum_duplicates: bool = False
    drop_loops: bool = False

    def title(self) -> str:
        return self.name if self.seed is None else f"{self.name} (seed {self.seed})"

    @property
    def is_mended(self) -> bool:
        """Whether a repair was asked for."""
        return bool(self.symmetrize or self.sum_duplicates or self.drop_loops)

    def load(self, threads: int | None, progress: Reporter | None) -> Graph:
        if self.is_spec:
            from troth.graph.generate import generate

            return generate(self.name, seed=1 if self.seed is None else self.seed, threads=threads, progress=progress)
        from troth.graph.formats import read

        try:
            if self.is_mended:
                return self._mended(threads, progress)
            return read(self.name, format=self.format, threads=threads, progress=progress)
        except ValueError as error:
            message = str(error) if self.name in str(error) else f"{self.name}: {error}"
            raise ValueError(as_options(message, "--format")) from error

    def _mended(self, threads: int | None, progress: Reporter | None) -> Graph:
        """The graph of the mended matrix. A list of edges stays one: each in one direction or both, with labels."""
        import troth
        from troth.graph.build import from_edges
        from troth.graph.formats import read_contents
        from troth.graph.formats.contents import Edges

        contents: Any = read_contents(self.name, format=self.format, threads=threads, progress=progress)
        matrix = contents.to_scipy()
        if self.drop_loops:
            matrix = troth.drop_loops(matrix)
        if self.sum_duplicates:
            matrix = troth.sum_duplicates(matrix)
        if self.symmetrize:
            matrix = troth.symmetrize(matrix, self.symmetrize)
        weights = None if contents.weights is None and (matrix.data == 1).all() else matrix.data
        how: dict[str, Any] = {"labels": getattr(contents, "labels", None), "threads": threads, "progress": progress}
        if isinstance(contents, Edges):
            entries = matrix.tocoo()
            return from_edges(entries.row, entries.col, weights, n_vertices=matrix.shape[0], **how)
        rows = matrix.tocsr()
        return troth.Graph.from_csr(rows.indptr, rows.indices, weights, **how)


def as_options(message: str, format_option: str) -> str:
    """An error of the library with its cures, which are calls and keywords, as options of the command."""
    for call, option in _CURES.items():
        message = message.replace(call, option)
    return re.sub(r"\bformat= ?", f"{format_option} ", message)


def source(
    name: str,
    *,
    seed: int | None = None,
    format: str | None = None,
    symmetrize: str | None = None,
    sum_duplicates: bool = False,
    drop_loops: bool = False,
) -> Source:
    """The source of this name; ValueError or OSError when there is none, or an option does not go with it."""
    from troth.graph.generate import FAMILIES, is_spec
    from troth.graph.generate.spec import parse
    from troth.naming import unknown

    if symmetrize not in (None, *_REPAIRS):
        raise unknown("way to symmetrize", symmetrize, _REPAIRS)
    if is_spec(name):
        if format or symmetrize or sum_duplicates or drop_loops:
            raise ValueError(f"{name} is generated; --format and the repairs are for files")
        return Source(name, True, parse(name, seed=1 if seed is None else seed).seed)
    if not os.path.exists(name):
        family, colon, _ = name.partition(":")
        if colon and os.sep not in family:
            raise FileNotFoundError(f"there is no file {name}; {unknown('generator', family, FAMILIES)}")
        raise FileNotFoundError(f"there is no file {name}; a generator is written like rmat:18")
    if os.path.isdir(name) and not format and not name.rstrip("/").endswith(".troth"):
        raise IsADirectoryError(f"{name} is a directory; give a file, or a directory that troth wrote (.troth)")
    if seed is not None:
        raise ValueError(f"{name} is a file; --seed is for generated graphs")
    return Source(name, False, None, format, symmetrize, sum_duplicates, drop_loops)
