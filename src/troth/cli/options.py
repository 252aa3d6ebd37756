"""Arguments and options that several commands share, each worded once."""

from typing import Annotated

import typer

FILES, GRAPHS, RUN, RANKS = "Reading files", "Generators", "Output", "Many ranks"

GraphName = Annotated[str, typer.Argument(metavar="GRAPH", help="A file, or a generator such as rmat:18.")]
Threads = Annotated[int | None, typer.Option(metavar="N", help="Threads; all cores by default.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Seed of a generated graph (1 by default).")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of the table.")]
Balance = Annotated[
    str, typer.Option(metavar="vertices|edges", help="What ranks get equal numbers of.", rich_help_panel=RANKS)
]
Format = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="Format of the file; by its suffix by default.")
]
Symmetrize = Annotated[
    str | None,
    typer.Option(
        metavar="max|sum",
        help="Mend a file whose (u, v) and (v, u) differ: keep the heavier, or add them.",
        rich_help_panel=FILES,
    ),
]
SumDuplicates = Annotated[
    bool, typer.Option("--sum-duplicates", help="Add the weights of entries given twice.", rich_help_panel=FILES)
]
DropLoops = Annotated[
    bool, typer.Option("--drop-loops", help="Leave out edges from a vertex to itself.", rich_help_panel=FILES)
]
