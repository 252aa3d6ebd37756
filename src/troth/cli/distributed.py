"""troth match over ranks: those of mpiexec, which it starts if asked to, or virtual ones in this process.

Under mpiexec every rank runs this, and rank 0 alone speaks. Errors are agreed on wherever one rank alone may have them
(comm/errors.py), and told once; an error that is not ends the job (cli/failures.py).
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

import troth
from troth.cli import output
from troth.cli.failures import Wrong
from troth.cli.source import Source, as_options
from troth.cli.stages import Stages

if TYPE_CHECKING:
    from collections.abc import Callable

    from troth.comm.ledger import Ledger
    from troth.comm.report import Report

VIRTUAL = "virtual"


@dataclass(frozen=True)
class Job:
    """What was asked for. `source` reads the name of the graph, and may fail on one rank alone."""

    source: Callable[[], Source]
    transport: str
    ranks: int | None
    algorithm: str
    threads: int
    tie_break: str
    aggregate: int | None
    balance: str
    ledger: str | None
    out: str | None
    verify: bool
    as_json: bool

    def check(self) -> Source:
        """ValueError or OSError on what cannot be, before any work."""
        from troth.comm.transports import TRANSPORTS
        from troth.graph.dist.rows import check_balance
        from troth.graph.order import check_tie_break
        from troth.matching.distributed import PROGRAMS
        from troth.naming import unknown

        if self.transport not in (VIRTUAL, *TRANSPORTS):
            raise unknown("transport", self.transport, (*TRANSPORTS, VIRTUAL))
        if self.algorithm not in PROGRAMS:
            raise unknown("distributed algorithm", self.algorithm, PROGRAMS)
        check_tie_break(self.tie_break)
        check_balance(self.balance)
        output.check_target(self.ledger, "--ledger", (".npz",))
        output.check_target(self.out, "-o", output.MATES if self.transport == VIRTUAL else (".npy",))
        return self.source()


def run(job: Job, context: typer.Context) -> None:
    """Run the job, in whichever way it has to be run."""
    from troth.comm.launch import SETTINGS, launch, under_mpiexec

    if job.transport == VIRTUAL:
        _on_virtual_ranks(job)
    elif job.ranks is None or under_mpiexec():
        for name, value in SETTINGS.items():  # MPI reads them when it is loaded, which is later
            os.environ.setdefault(name, value)
        _on_every_rank(job)
    else:
        job.check()
        raise typer.Exit(launch(job.ranks, _arguments(context, job.transport)))


def _arguments(context: typer.Context, transport: str) -> list[str]:
    """The command again, with the transport chosen and without --ranks."""
    given = []
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        if parameter.name in ("graph", "ranks", "transport") or value == parameter.default:
            continue
        if isinstance(value, bool):
            given.append((parameter.opts if value else parameter.secondary_opts)[0])
        else:
            given += [parameter.opts[0], str(value)]
    return ["match", "--transport", transport, *given, "--", context.params["graph"]]


def _on_virtual_ranks(job: Job) -> None:
    from troth.comm.ledger import Ledger
    from troth.matching.result import Matching, Stats
    from troth.progress import terminal_bar

    wanted = job.check()
    if job.ranks is None:
        raise ValueError("transport 'virtual' needs a number of ranks; add --ranks 64, say")
    stages = Stages("import", "load", "compile", "match", "weigh", "verify")
    with stages.timed("import"):
        from troth.matching.distributed import match_virtual
    with terminal_bar() as bar, stages.timed("load"):
        graph = wanted.load(job.threads, bar)
    ledger = Ledger(job.ranks) if job.ledger else None
    with stages.timed("match"):
        how: dict[str, Any] = {"algorithm": job.algorithm, "threads": job.threads, "tie_break": job.tie_break}
        mate, report = match_virtual(graph, job.ranks, **how, balance=job.balance, split=job.aggregate, ledger=ledger)
    matching = Matching(mate, job.algorithm, Stats(VIRTUAL, job.threads, job.tie_break), graph)
    with stages.timed("weigh"):
        _ = matching.weight
    if job.verify:
        with stages.timed("verify"):
            _proven(matching.verify)
    if job.out:
        output.write_matching(job.out, graph, matching)
    _write_ledger(job, ledger)
    facts = {"vertices": graph.n_vertices, "edges": graph.n_edges, "cardinality": matching.cardinality}
    figures = {**_figures([report], job.ranks), "peak_memory": output.peak_memory()}
    _say(job, wanted, {**facts, "weight": matching.weight}, figures, stages.seconds)


def _on_every_rank(job: Job) -> None:
    from troth.comm.errors import guard, load_mpi
    from troth.comm.ledger import Ledger
    from troth.progress import terminal_bar

    comm = load_mpi().COMM_WORLD
    with guard(comm):
        wanted = job.check()
        if job.ranks not in (None, comm.size):
            raise ValueError(f"--ranks is {job.ranks} but mpiexec started {comm.size}; leave one of the two out")
    stages = Stages("import", "load", "compile", "match", "verify")
    with stages.timed("import"):
        from troth.matching.distributed import match_distributed
    ledger = Ledger(comm.size, rank=comm.rank) if job.ledger else None
    with terminal_bar() as bar:
        reporter = bar if comm.rank == 0 else None
        with stages.timed("load"):
            graph = _load(job, wanted, comm)
        with stages.timed("match"):
            matching = match_distributed(
                graph, algorithm=job.algorithm, transport=job.transport, threads=job.threads,
                tie_break=job.tie_break, aggregate=job.aggregate, ledger=ledger, progress=reporter,
            )  # fmt: skip
    if job.verify:
        from troth.matching.distributed.check import verify_distributed

        with stages.timed("verify"):
            hashed = job.tie_break == "hash"
            _proven(lambda: verify_distributed(comm, graph.part, matching.mate, hashed=hashed))
    mates = matching.gather() if job.out else None
    everywhere = comm.gather((matching.report, output.peak_memory(), stages.seconds, ledger))
    with guard(comm):
        if comm.rank == 0:
            reports, peaks, seconds, ledgers = zip(*everywhere, strict=True)
            if job.out and mates is not None:
                output.write_mates(job.out, mates)
            _write_ledger(job, Ledger.join(ledgers) if job.ledger else None)
            facts = {"vertices": graph.n_vertices, "edges": graph.n_edges, "cardinality": matching.cardinality}
            slowest = {name: max(each[name] for each in seconds) for name in seconds[0]}
            figures = {**_figures(list(reports), comm.size), "peak_memory": max(peaks)}
            _say(job, wanted, {**facts, "weight": matching.weight}, figures, slowest)


def _load(job: Job, wanted: Source, comm: Any) -> troth.DistGraph:
    """The graph, each rank its part; one that has to be mended is read by rank 0."""
    how: dict[str, Any] = {"balance": job.balance, "threads": job.threads}
    if wanted.is_spec:
        return troth.DistGraph.from_spec(wanted.name, comm, seed=1 if wanted.seed is None else wanted.seed, **how)
    if not wanted.is_mended:
        try:
            return troth.DistGraph.from_file(wanted.name, comm, format=wanted.format, **how)
        except ValueError as error:
            error.args = (as_options(str(error), "--format"),)
            raise
    from troth.comm.errors import guard

    with guard(comm):
        graph = wanted.load(job.threads, None) if comm.rank == 0 else None
    return troth.DistGraph.scatter(graph, comm, **how)


def _proven(verify: Callable[[], None]) -> None:
    try:
        verify()
    except ValueError as fault:
        wrong = Wrong(f"the matching is wrong, please report it: {fault}")
        vars(wrong).update(vars(fault))  # every rank has it, if every rank had the fault
        raise wrong from fault


def _write_ledger(job: Job, ledger: Ledger | None) -> None:
    if job.ledger and ledger:
        with output.naming(job.ledger):
            ledger.to_npz(job.ledger)


def _figures(reports: list[Report], ranks: int) -> dict[str, Any]:
    """What the messages took on all ranks; virtual ranks have one report for all, so no maximum."""
    figures: dict[str, Any] = {"ranks": ranks, "transport": reports[0].transport, "why": reports[0].why or None}
    figures["rounds"] = max(report.rounds for report in reports)
    for name in ("messages", "records", "bytes"):
        figures[name] = sum(getattr(report, name) for report in reports)
    for name, key in (("seconds_compute", "computation"), ("seconds_comm", "communication")):
        each = [getattr(report, name) for report in reports]
        figures[key] = {"max": max(each) if len(each) == ranks else None, "mean": sum(each) / ranks}
    return figures


def _say(job: Job, wanted: Source, facts: dict[str, Any], figures: dict[str, Any], seconds: dict[str, float]) -> None:
    result = {
        "graph": wanted.name,
        "seed": wanted.seed,
        "vertices": facts["vertices"],
        "edges": facts["edges"],
        "algorithm": job.algorithm,
        "backend": VIRTUAL if job.transport == VIRTUAL else "mpi",
        "threads": job.threads,
        "tie_break": job.tie_break,
        "cardinality": facts["cardinality"],
        "weight": facts["weight"],
        "verified": True if job.verify else None,
        **figures,
        "balance": job.balance,
        "seconds": seconds,
        "version": troth.__version__,
    }
    if job.as_json:
        output.say_json(result)
    else:
        output.say_table(_rows(wanted.title(), result, [name for name in (job.out, job.ledger) if name]))
    sys.stdout.flush()


def _rows(title: str, result: dict[str, Any], written: list[str]) -> list[tuple[str, str]]:
    spent = []
    for name in ("computation", "communication"):
        most, mean = result[name]["max"], result[name]["mean"]
        at_most = "" if most is None else f"at most {output.duration(most)}, "
        spent.append((name, f"{at_most}mean {output.duration(mean)} a rank"))
    rounds = f"{result['rounds']:,} rounds, " if result["rounds"] else ""
    return [
        *output.matching_rows(title, result),
        ("ranks", f"{result['ranks']:,}, transport {result['why'] or result['transport']}"),
        ("sent", f"{rounds}{result['messages']:,} messages, {output.size(result['bytes'])}"),
        *spent,
        (
            "memory",
            f"{output.size(result['peak_memory'])} at most, of a {'rank' if result['backend'] == 'mpi' else 'process'}",
        ),
        *(("written", name) for name in written),
    ]
