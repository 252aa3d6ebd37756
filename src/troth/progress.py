"""Progress of long work: what a reporter is told, and a bar for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one stage of the work has come: done of total units (chunks or bytes)."""

    stage: str
    done: int
    total: int


Reporter = Callable[[Progress], None]


def stage(reporter: Reporter | None, name: str, total: int) -> Callable[[int], None] | None:
    """The reporter as a function of the units done, for one stage; None stays None."""
    if reporter is None:
        return None
    return lambda done: reporter(Progress(name, min(done, total), total))


@contextmanager
def terminal_bar(after_seconds: float = 1.0) -> Iterator[Reporter | None]:
    """A reporter that draws a bar on stderr once work has lasted a second; None where stderr is no terminal."""
    import sys
    import time

    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    started = time.perf_counter()
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    tasks: dict[str, TaskID] = {}
    with Bars(*columns, console=console, transient=True) as bars:

        def report(progress: Progress) -> None:
            if progress.stage not in tasks:
                if time.perf_counter() - started < after_seconds:
                    return
                for task in tasks.values():
                    bars.update(task, visible=False)
                tasks[progress.stage] = bars.add_task(progress.stage, total=progress.total)
            bars.update(tasks[progress.stage], completed=progress.done, total=progress.total)

        yield report
