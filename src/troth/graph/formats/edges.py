"""Edge lists: lines of two vertex ids, or two ids and a weight, as SNAP and GAP (.el, .wel) have them.

Lines beginning with # or % are comments. An edge may be listed in one direction or both, and repeatedly with equal
weights; a directed list thus reads as the undirected graph below it. Ids are whole numbers; where they have large gaps,
vertices are numbered in ascending order of their ids, which become the labels (contents.compact).

Files named .txt, .edges or .tsv are written with a first comment that tells the number of edges and either that of the
vertices or that ids are labels: isolated vertices then come back, and a truncated file is found out. The other suffixes
belong to programs that know no comments.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from troth.graph.csr import Graph
from troth.graph.formats.columns import parse_columns
from troth.graph.formats.contents import Edges, check_vertices, compact
from troth.graph.formats.digits import write_numbers
from troth.graph.formats.files import Text, read_text
from troth.graph.formats.labels import label_ids
from troth.graph.formats.output import edge_blocks, text_output
from troth.graph.formats.text import row_place
from troth.progress import Reporter

_HEADER = re.compile(rb"# troth edge list: (?:(\d{1,18}) vertices|labels), (\d{1,18}) edges\s*")
_NAMES = re.compile(rb"""["'A-Za-z_]""")
_SEPARATORS = {".tsv": "\t", ".csv": ","}
_WITHOUT_COMMENT = (".el", ".wel", ".csv")


def read(path: Path, threads: int, progress: Reporter | None) -> Edges:
    text = read_text(path, progress)
    head = read_head(text)
    u, v, weights = parse_columns(text, head.start, text.array.size, head.columns, threads, progress)
    check_count(path, head, u.size)
    n, labels = head.n, None
    if n is None:
        u, v, n, labels = compact(u, v, always=head.edges is not None)
    return Edges(u, v, weights, n, labels, place=lambda k: row_place(text, head.start, k))


class Head(NamedTuple):
    """Where the lines of edges begin, numbers in each, and what the first comment promises, if it does."""

    start: int
    columns: int
    n: int | None
    edges: int | None


def read_head(text: Text) -> Head:
    """What stands before the edges."""
    header = _HEADER.fullmatch(next(text.lines())[1])
    start, columns = _first_row(text, may_be_empty=header is not None)
    n = int(header[1]) if header and header[1] else None
    if n is not None:
        check_vertices(text.path, n, text.array.size)
    return Head(start, columns, n, int(header[2]) if header else None)


def check_count(path: Path, head: Head, found: int) -> None:
    """ValueError when there are not as many edges as the first comment says."""
    if head.edges not in (None, found):
        raise ValueError(
            f"{path} has {found} edges but says {head.edges} in its first line; it is truncated or was edited"
        )


def _first_row(text: Text, may_be_empty: bool) -> tuple[int, int]:
    """Where the first line of numbers begins, and how many it has. A line of column names may stand before it."""
    named = False
    for position, line in text.lines():
        words = line.replace(b",", b" ").split()
        if line.lower().startswith(b"%%matrixmarket"):
            raise ValueError(f"{text.path} is a Matrix Market file; read it with format='mtx'")
        if not words or words[0].startswith((b"#", b"%")):
            continue
        if not named and all(_NAMES.match(word) for word in words):
            named = True
            continue
        if len(words) not in (2, 3):
            raise text.error(
                position, f"there are {len(words)} columns; an edge is two vertex ids, or two ids and a weight"
            )
        return position, len(words)
    if named or not may_be_empty:
        raise ValueError(f"{text.path} holds no edges; it is not an edge list")
    return text.array.size, 2


def write(graph: Graph, path: Path) -> None:
    suffix = next((each for each in reversed(path.suffixes) if each.lower() not in (".gz", ".bz2")), "").lower()
    if suffix == ".el" and graph.weights is not None:
        raise ValueError("an edge list .el holds no weights; write .wel, or the graph without weights")
    ids = label_ids(graph)
    with text_output(path) as file:
        if suffix not in _WITHOUT_COMMENT:
            vertices = f"{graph.n_vertices} vertices" if ids is None else "labels"
            file.write(f"# troth edge list: {vertices}, {graph.n_edges} edges\n".encode())
        for u, v, weights in edge_blocks(graph):
            if suffix == ".wel" and weights is None:
                weights = np.ones(u.size, np.int64)
            ends = np.column_stack((u, v) if ids is None else (ids[u], ids[v]))
            write_numbers(file, ends, weights, _SEPARATORS.get(suffix, " "))
