"""troth generate and troth convert: graphs into files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from troth.cli import options, output
from troth.cli.source import as_options, source

if TYPE_CHECKING:
    from troth.cli.source import Source

_To = Annotated[str | None, typer.Option("--to", metavar="NAME", help="Format to write; by the suffix by default.")]


def generate(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A generator, such as rmat:18:weights=integer.")],
    out: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="The file to write.")],
    seed: options.Seed = None,
    to: _To = None,
    threads: options.Threads = None,
    as_json: options.Json = False,
) -> None:
    """Make a graph and write it to a file."""
    wanted = source(spec, seed=seed)
    if not wanted.is_spec:
        raise ValueError(f"{spec} is a file; troth convert writes it in another format")
    _write(wanted, out, to, threads, as_json)


def convert(
    src: Annotated[str, typer.Argument(metavar="SRC", help="The file to read.")],
    dst: Annotated[str, typer.Argument(metavar="DST", help="The file to write.")],
    format: Annotated[
        str | None, typer.Option("--from", "--format", metavar="NAME", help="Format of SRC; by its suffix by default.")
    ] = None,
    to: _To = None,
    seed: options.Seed = None,
    threads: options.Threads = None,
    as_json: options.Json = False,
    symmetrize: options.Symmetrize = None,
    sum_duplicates: options.SumDuplicates = False,
    drop_loops: options.DropLoops = False,
) -> None:
    """Write a graph in another format."""
    wanted = source(
        src, seed=seed, format=format, symmetrize=symmetrize, sum_duplicates=sum_duplicates, drop_loops=drop_loops
    )
    _write(wanted, dst, to, threads, as_json)


def _write(wanted: Source, path: str, to: str | None, threads: int | None, as_json: bool) -> None:
    from troth.graph import formats
    from troth.progress import terminal_bar

    with _to_options():
        form = formats.find_format(Path(path), to)
    output.check_writable(Path(path), directory=form.is_directory)
    started = time.perf_counter()
    with terminal_bar() as bar:
        graph = wanted.load(threads, bar)
    with _to_options(), output.naming(path):
        formats.write(graph, path, format=to)
    seconds = time.perf_counter() - started
    if as_json:
        facts = {"graph": wanted.name, "seed": wanted.seed, "vertices": graph.n_vertices, "edges": graph.n_edges}
        output.say_json({**facts, "output": path, "format": form.name, "seconds": seconds})
    else:
        output.say_table(
            [
                ("graph", wanted.title()),
                ("vertices", f"{graph.n_vertices:,}"),
                ("edges", f"{graph.n_edges:,}"),
                ("time", output.duration(seconds)),
                ("written", f"{path} ({form.name})"),
            ]
        )


@contextmanager
def _to_options() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(as_options(str(error), "--to")) from error
