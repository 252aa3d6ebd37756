"""troth match: load, match, verify, tell, write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

import troth
from troth.cli import distributed, options, output
from troth.cli.failures import Wrong
from troth.cli.source import Source, source
from troth.cli.stages import Stages
from troth.comm.launch import under_mpiexec

if TYPE_CHECKING:
    from troth.graph.csr import Graph
    from troth.matching.result import Matching

_ALGORITHMS = "suitor, suitor-d, suitor-s, suitor-ds, locally-dominant, greedy or path-growing."
_TRANSPORTS = "nsr, rma, ncl, their variants, auto, or virtual: ranks within this process, without MPI."


def match(
    context: typer.Context,
    graph: options.GraphName,
    out: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the mates (.npy) or the matched pairs (.txt, .csv)."
        ),
    ] = None,
    algorithm: Annotated[str, typer.Option(metavar="NAME", help=_ALGORITHMS)] = "suitor",
    backend: Annotated[str, typer.Option(metavar="NAME", help="auto, serial or threads.")] = "auto",
    threads: options.Threads = None,
    tie_break: Annotated[str, typer.Option(metavar="hash|id", help="Who wins among equal weights.")] = "hash",
    seed: options.Seed = None,
    as_json: options.Json = False,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the matching (.png, .pdf, .svg).")] = None,
    verify: Annotated[bool, typer.Option("--verify/--no-verify", help="Prove the matching right.")] = True,
    format: options.Format = None,
    symmetrize: options.Symmetrize = None,
    sum_duplicates: options.SumDuplicates = False,
    drop_loops: options.DropLoops = False,
    ranks: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Start mpiexec with so many ranks.", rich_help_panel=options.RANKS),
    ] = None,
    transport: Annotated[
        str | None, typer.Option(metavar="NAME", help=_TRANSPORTS, rich_help_panel=options.RANKS)
    ] = None,
    aggregate: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Most records of one message.", rich_help_panel=options.RANKS),
    ] = None,
    ledger: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Save who sent how much to whom (.npz).", rich_help_panel=options.RANKS),
    ] = None,
    balance: options.Balance = "vertices",
) -> None:
    """Find a heavy matching of a graph."""
    how_to_read: dict[str, Any] = {
        "seed": seed, "format": format, "symmetrize": symmetrize, "sum_duplicates": sum_duplicates,
        "drop_loops": drop_loops,
    }  # fmt: skip
    if ranks is not None or transport is not None or under_mpiexec():
        _refuse(
            {"--plot": plot is not None, "--backend": backend != "auto"},
            "one process; leave --ranks and --transport out",
        )
        job = distributed.Job(
            lambda: source(graph, **how_to_read), transport or "auto", ranks, algorithm, threads or 1, tie_break,
            aggregate, balance, ledger, out, verify, as_json,
        )  # fmt: skip
        distributed.run(job, context)
        return
    among_ranks = {
        "--aggregate": aggregate is not None,
        "--ledger": ledger is not None,
        "--balance": balance != "vertices",
    }
    _refuse(among_ranks, "many ranks; add --ranks or --transport")
    wanted = source(graph, **how_to_read)
    from troth import plot as plots

    output.check_target(out, "-o", output.MATES)
    output.check_target(plot, "--plot", plots.SUFFIXES)
    if plot:
        plots.require_matplotlib()
    how = {"algorithm": algorithm, "backend": backend, "threads": threads, "tie_break": tie_break}
    stages = Stages("import", "load", "compile", "match", "weigh", "verify")
    loaded, matching = _match(wanted, how, stages)
    if verify:
        with stages.timed("verify"):
            _prove(matching, loaded)
    if out:
        output.write_matching(out, loaded, matching)
    if plot:
        with output.naming(plot):
            plots.plot_matching(loaded, matching, plot)
    result = _result(wanted, loaded, matching, stages)
    result["verified"] = True if verify else None
    if as_json:
        output.say_json(result)
    else:
        written = [("written", name) for name in (out, plot) if name]
        output.say_table(output.matching_rows(wanted.title(), result) + written)


def _refuse(given: dict[str, bool], sentence: str) -> None:
    """ValueError for the first option that was given."""
    for option, is_given in given.items():
        if is_given:
            raise ValueError(f"{option} is for {sentence}")


def _match(wanted: Source, how: dict[str, Any], stages: Stages) -> tuple[Graph, Matching]:
    from troth.progress import terminal_bar

    with stages.timed("import"):
        from troth.matching import check_options, max_weight_matching
    check_options(**how)  # before the graph is loaded for them
    with terminal_bar() as bar:
        with stages.timed("load"):
            loaded = wanted.load(how["threads"], bar)
        with stages.timed("match"):
            matching = max_weight_matching(loaded, **how, progress=bar)
        with stages.timed("weigh"):
            _ = matching.weight
    return loaded, matching


def _prove(matching: Matching, graph: Graph) -> None:
    try:
        matching.verify(graph)
    except ValueError as fault:
        raise Wrong(f"the matching is wrong, please report it: {fault}") from fault


def _result(wanted: Source, graph: Graph, matching: Matching, stages: Stages) -> dict[str, Any]:
    return {
        "graph": wanted.name,
        "seed": wanted.seed,
        "vertices": graph.n_vertices,
        "edges": graph.n_edges,
        "algorithm": matching.algorithm,
        "backend": matching.stats.backend,
        "threads": matching.stats.threads,
        "tie_break": matching.stats.tie_break,
        "cardinality": matching.cardinality,
        "weight": matching.weight,
        "verified": None,
        "seconds": stages.seconds,
        "version": troth.__version__,
    }
