"""The commands, put together. Light: what a command needs is imported when it runs."""

import sys
from typing import Annotated

import typer

import troth as library
from troth.cli import bench, convert, info, match, warmup

_EPILOG = (
    "GRAPH is a file, or a generator such as rmat:18. Exit codes: 0 done, 2 wrong usage or input, 130 interrupted."
)

app = typer.Typer(
    name="troth",
    epilog=_EPILOG,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(match.match)
app.command()(info.info)
app.command()(convert.generate)
app.command()(convert.convert)
app.command()(warmup.warmup)
app.add_typer(bench.app)


@app.callback(invoke_without_command=True)
def troth(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version and exit.")] = False,
) -> None:
    """Match large sparse graphs, with one answer on every machine."""
    if version:
        print(f"troth {library.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit


def invoke(args: list[str]) -> int:
    """Run one command; returns its exit code. Errors leave as exceptions."""
    if sys.stdout:
        # A path may hold what the terminal's encoding cannot say.
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        command = typer.main.get_command(app)
        with command.make_context("troth", args) as context:
            command.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    return 0
