"""troth bench: measure on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from troth.cli import options, output
from troth.cli.source import source

if TYPE_CHECKING:
    from rich.table import Table

app = typer.Typer(name="bench", help="Measure troth on this machine.")


@app.callback()
def bench() -> None:
    pass


@app.command()
def matching(
    graph: Annotated[
        list[str] | None,
        typer.Option(metavar="GRAPH", help="A file or generator; may be repeated. Default rmat:20, rgg:20."),
    ] = None,
    algorithm: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An algorithm; may be repeated. All by default.")
    ] = None,
    threads: Annotated[
        str | None, typer.Option(metavar="LIST", help="Team sizes, such as 1,2,4. Default 1 and all cores.")
    ] = None,
    trials: Annotated[int, typer.Option(metavar="N", min=1, help="Timed rounds.")] = 5,
    peers: Annotated[bool, typer.Option("--peers/--no-peers", help="Compare with NetworKit.")] = True,
    seed: options.Seed = None,
    json_lines: Annotated[str | None, typer.Option(metavar="FILE", help="Append a JSON line for each case.")] = None,
) -> None:
    """Race every matching algorithm against NetworKit and one read of the graph; every result is verified."""
    from troth.bench import matching as race
    from troth.bench.timing import json_line
    from troth.progress import Progress, terminal_bar

    sources = [source(name, seed=seed) for name in graph or race.DEFAULT_GRAPHS]
    sizes = _sizes(threads)
    race.check(algorithm or (), peers)
    if json_lines:
        output.check_writable(Path(json_lines))
    for each in sources:
        with terminal_bar() as bar:
            loaded = each.load(None, bar)

            def tell(done: int, total: int, bar: Any = bar, name: str = each.name) -> None:
                if bar:
                    bar(Progress(f"race on {name}", done, total))

            records = race.bench_matching(
                loaded, name=each.name, seed=each.seed, threads=sizes, algorithms=algorithm or (), trials=trials,
                peers=peers, on_run=tell,
            )  # fmt: skip
        output.say(_table(each.title(), records))
        if json_lines:
            with output.naming(json_lines), open(json_lines, "a", encoding="utf-8") as file:
                file.write("".join(map(json_line, records)))


def _sizes(text: str | None) -> list[int]:
    """The team sizes in a list such as "1,2,4"."""
    from troth.kernels.team import default_threads

    if text is None:
        return sorted({1, default_threads()})
    words = text.split(",")
    if not all(word.isascii() and word.isdecimal() and int(word) > 0 for word in words):
        raise ValueError(f"--threads is {text!r}; give whole numbers of at least 1, such as 1,2,4")
    return sorted({int(word) for word in words})


def _table(title: str, records: list[dict[str, Any]]) -> Table:
    from rich import box
    from rich.table import Table

    first = records[0]
    title = f"{title}: {first['vertices']:,} vertices, {first['edges']:,} edges"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, title_style="bold")
    table.add_column("algorithm")
    for name in ("threads", "median ms", "spread", "first ms", "compile ms", "weight", "x NetworKit", "x one read"):
        table.add_column(name, justify="right")
    for each in records:
        table.add_row(
            each["case"],
            str(each["threads"]),
            f"{1e3 * each['median_s']:.2f}",
            f"{each['spread']:.0%}",
            f"{1e3 * each['first_s']:.2f}",
            f"{1e3 * each['compile_s']:.0f}",
            f"{each['weight']:,.10g}" if each["weight"] is not None else "",
            f"{each['ratio']:.2f}" if each["ratio"] is not None else "",
            f"{each['floors']:.1f}" if each["floors"] is not None else "",
        )
    return table
