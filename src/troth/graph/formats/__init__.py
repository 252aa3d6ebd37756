"""Graph files: read and write, by the suffix of the name or by format=.

A format is one file of this package, imported when first used. Its reader returns what the file holds as `Rows`,
`Edges` or `Entries` (contents.py), of which `read` makes the one checked Graph, and `to_scipy` the matrix as it stands,
for the repair functions. Its writer fills a new file, which `write` then moves to its name.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from troth.graph.csr import Graph
from troth.graph.formats.atomic import atomic_path
from troth.naming import unknown
from troth.progress import Reporter

if TYPE_CHECKING:
    from troth.graph.formats.contents import Contents

COMPRESSED = (".gz", ".bz2")


@dataclass(frozen=True)
class Format:
    """A file format: its name, the suffixes that mean it, and the module that reads and writes it."""

    name: str
    suffixes: tuple[str, ...]
    about: str
    module: str
    reader: str = "read"
    writer: str = "write"
    is_text: bool = False
    is_directory: bool = False
    first_vertex: int = 0


FORMATS = {
    each.name: each
    for each in (
        Format("mtx", (".mtx",), "Matrix Market, symmetric coordinate", "mtx", is_text=True, first_vertex=1),
        Format("metis", (".graph", ".metis"), "METIS adjacency lists", "metis", is_text=True, first_vertex=1),
        Format(
            "edges",
            (".txt", ".edges", ".el", ".wel", ".tsv", ".csv"),
            "edge list, as SNAP has them",
            "edges",
            is_text=True,
        ),
        Format("gap", (".sg", ".wsg"), "serialized graph of the GAP benchmark suite", "gap"),
        Format("galois", (".gr",), "Galois binary; integer weights", "galois"),
        Format("galois-int", (), "the same, weights surely integers", "galois", reader="read_integers"),
        Format("galois-float", (), "the same, weights floating point", "galois", "read_floats", "write_floats"),
        Format("vite", (".bin",), "binary of Vite, mel and sumac; written with 64 bits", "vite"),
        Format("vite32", (), "the same, written with 32 bits", "vite", writer="write32"),
        Format("npz", (".npz",), "NumPy archive; reads those of scipy.sparse.save_npz too", "npz"),
        Format("parquet", (".parquet",), "Parquet table of edges (needs pyarrow)", "parquet"),
        Format(
            "troth",
            (".troth",),
            "directory of .npy files, opened in no time at any size",
            "directory",
            is_directory=True,
        ),
    )
}


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    threads: int | None = None,
    progress: Reporter | None = None,
) -> Graph:
    """The graph in a file, checked.

    Args:
        format: a name in FORMATS; None to go by the suffix.
        threads: for parsing text and checking; None for all cores.
        progress: called with a Progress as the work goes on.
    Raises: ValueError naming the file, the place in it, and the cure; OSError when the file cannot be opened.
    """
    file = Path(path)
    form = format_to_read(file, format)
    contents = _contents(file, form, threads, progress)
    try:
        return contents.to_graph(threads, progress)
    except ValueError as error:
        raise ValueError(f"{path}: {error}{_numbering(form, contents)}") from None


def read_contents(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    threads: int | None = None,
    progress: Reporter | None = None,
) -> Contents:
    """What a file holds, not checked to be a graph: there may be loops, repeats or one direction of an edge only.

    The numbers are checked, what they say of a graph is not. Args and Raises as for `read`.
    """
    file = Path(path)
    return _contents(file, format_to_read(file, format), threads, progress)


def _numbering(form: Format, contents: Contents) -> str:
    """How the vertices in an error are numbered, if not as in the file."""
    if form.first_vertex:
        return " (vertices counted from 0 here, from 1 in the file)"
    return "" if contents.labels is None else " (vertices numbered by the order of their ids in the file)"


def write(graph: Graph, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a graph to a file; one that exists is replaced, at once and only by a whole one.

    Args:
        format: a name in FORMATS; None to go by the suffix.
    Raises: ValueError when the format cannot hold this graph; OSError when the file cannot be written.
    """
    if not isinstance(graph, Graph):
        raise ValueError(f"write takes a troth.Graph, not {type(graph).__name__}; make one with troth.as_graph")
    file = Path(path)
    form = find_format(file, format)
    save = getattr(_module(form), form.writer)
    if form.is_directory:
        save(graph, file)
        return
    with atomic_path(file) as temporary:
        save(graph, temporary)


def find_format(path: Path, name: str | None = None) -> Format:
    """The format of this name, or the one that the suffix of the path means."""
    if name is not None:
        if name not in FORMATS:
            raise unknown("format", name, FORMATS)
        return FORMATS[name]
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = bool(suffixes) and suffixes[-1] in COMPRESSED
    suffix = "".join(suffixes[-2:-1] if packed else suffixes[-1:])
    known = {each: form for form in FORMATS.values() for each in form.suffixes}
    if not suffix:
        raise ValueError(f"{path}: the name has no suffix that tells the format; give format= ({', '.join(FORMATS)})")
    if suffix not in known:
        raise ValueError(f"{path}: {unknown('suffix', suffix, known)}; or give format= ({', '.join(FORMATS)})")
    if packed and not known[suffix].is_text:
        raise ValueError(
            f"{path}: only text formats are read and written compressed; use {suffix} without {suffixes[-1]}"
        )
    return known[suffix]


def format_to_read(path: Path, name: str | None) -> Format:
    """The format to read a path in; an error when there is no such file, or not of the kind that the format takes."""
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist")
    form = find_format(path, name)
    if form.is_directory and not path.is_dir():
        raise NotADirectoryError(f"{path} is not a directory; the format {form.name} is one of .npy files")
    if not form.is_directory and path.is_dir():
        raise IsADirectoryError(f"{path} is a directory; the format {form.name} is a file")
    return form


def _contents(path: Path, form: Format, threads: int | None, progress: Reporter | None) -> Contents:
    from troth.kernels.team import check_threads

    contents: Contents = getattr(_module(form), form.reader)(path, check_threads(threads), progress)
    return contents


def _module(form: Format) -> Any:
    return import_module(f"troth.graph.formats.{form.module}")
