"""What commands say and write: tables and JSON on stdout, mates and pairs in files."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.table import Table

    from troth.graph.csr import Graph
    from troth.matching.result import Matching

MATES = (".npy", ".txt", ".csv")
_TOLD = ("load", "compile", "match", "verify")
_BLOCK = 1 << 16
_PIPE_WIDTH = 400


def check_target(path: str | None, option: str, suffixes: Sequence[str]) -> None:
    """Before any work: the suffix must be known, and the directory there and writable."""
    if path is None:
        return
    target = Path(path)
    if target.suffix.lower() not in suffixes:
        known = " or ".join(filter(None, (", ".join(suffixes[:-1]), suffixes[-1])))
        raise ValueError(f"{option} {path}: the name must end in {known}")
    check_writable(target)


def check_writable(target: Path, directory: bool = False) -> None:
    """OSError when a file (or directory) of this name cannot be made or replaced."""
    parent = target.parent
    if not parent.is_dir():
        raise FileNotFoundError(f"{target} cannot be written: there is no directory {parent}")
    if target.is_dir() and not directory:
        raise IsADirectoryError(f"{target} cannot be written: it is a directory")
    if not os.access(target if target.exists() and not target.is_file() else parent, os.W_OK):
        raise PermissionError(f"{target} cannot be written: no permission to write in {parent}")


def size(n_bytes: int) -> str:
    """Bytes for people."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.1f} {name}"
    return f"{n_bytes} bytes"


def duration(seconds: float) -> str:
    """Seconds for people."""
    return f"{seconds:.2f} s" if seconds >= 0.995 else f"{1e3 * seconds:.3g} ms"


def peak_memory() -> int:
    """Bytes this process held at most."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def matching_rows(title: str, result: dict[str, Any]) -> list[tuple[str, str]]:
    """What there is to say of any matching."""
    matched = f"{result['cardinality']:,} edges"
    if result["vertices"]:
        matched += f", {2 * result['cardinality'] / result['vertices']:.1%} of the vertices"
    threads = result["threads"]
    return [
        ("graph", title),
        ("vertices", f"{result['vertices']:,}"),
        ("edges", f"{result['edges']:,}"),
        ("algorithm", f"{result['algorithm']}, {threads} thread{'s' if threads != 1 else ''}"),
        ("matched", matched),
        ("weight", f"{result['weight']:,.10g}" if isinstance(result["weight"], float) else f"{result['weight']:,}"),
        ("verified", "valid, maximal, no blocking edge" if result["verified"] else "not checked"),
        ("time", ", ".join(f"{name} {duration(result['seconds'][name])}" for name in _TOLD)),
    ]


def say_json(result: dict[str, Any]) -> None:
    _stdout().write(json.dumps(result, allow_nan=False) + "\n")


def say_table(rows: Sequence[tuple[str, str]]) -> None:
    """Two columns, names and values."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(name, Text(value))
    say(table)


def say(table: Table) -> None:
    """Print a rich table; into a pipe or a file without colours, and without folding long names."""
    from rich.console import Console

    stdout = _stdout()
    width = None if stdout.isatty() else _PIPE_WIDTH
    console = Console(file=stdout, width=width, highlight=False)
    with console.capture() as text:
        console.print(table)
    stdout.writelines(f"{line.rstrip()}\n" for line in text.get().splitlines())


def _stdout() -> Any:
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdout


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Let an error of the system, a full disk above all, carry the name of the file it hit."""
    try:
        yield
    except OSError as error:
        if error.strerror:
            raise OSError(error.errno, error.strerror, path) from None
        raise OSError(f"{path}: {error}") from None


def write_matching(path: str, graph: Graph, matching: Matching) -> None:
    """The mate array as .npy, or the matched pairs with their weights as .txt (blanks) or .csv (with a header)."""
    from troth.graph.formats.atomic import atomic_path

    suffix = Path(path).suffix.lower()
    if suffix == ".npy":
        write_mates(path, matching.mate)
        return
    with naming(path), atomic_path(path) as unfinished:
        _write_pairs(unfinished, suffix, graph, matching)


def write_mates(path: str, mate: NDArray[Any]) -> None:
    """The mate array as .npy, int32 where that holds all vertices."""
    import numpy as np

    from troth.graph.csr import INT32_VERTICES
    from troth.graph.formats.atomic import atomic_path

    with naming(path), atomic_path(path) as unfinished, open(unfinished, "wb") as file:
        np.save(file, mate.astype(np.int32 if mate.size <= INT32_VERTICES else np.int64, copy=False))


def _write_pairs(unfinished: Path, suffix: str, graph: Graph, matching: Matching) -> None:
    import csv

    import numpy as np

    pairs, edge_ids = matching.edges(), matching.edge_ids
    names = ["u", "v"] if graph.weights is None else ["u", "v", "weight"]
    with open(unfinished, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="," if suffix == ".csv" else " ", lineterminator="\n")
        if suffix == ".csv":
            rows.writerow(names)
        for start in range(0, len(pairs), _BLOCK):
            block = slice(start, start + _BLOCK)
            columns: list[Any] = [_named(graph, pairs[block, end]) for end in (0, 1)]
            if graph.weights is not None:
                # Through str: the shortest text that gives the same float32 or float64 back.
                columns.append(np.asarray(graph.weights[edge_ids[block]]).astype(str).tolist())
            rows.writerows(zip(*columns, strict=True))


def _named(graph: Graph, vertices: Any) -> list[Any]:
    if graph.labels is None:
        return list(vertices.tolist())
    return [graph.labels[v] for v in vertices.tolist()]
