"""The entry point: finds the command, and turns all that goes wrong into words and an exit code."""

import gc
import importlib
import io
import os
import sys
import threading
from collections.abc import Sequence
from typing import NoReturn, TextIO

import click

from fairtrial.cli.options import (
    INTERRUPTED,
    NOT_MEASURED,
    USAGE,
    complain,
    inert,
    redacted,
    silence,
    unheard,
)
from fairtrial.errors import FairtrialError, ProblemsError
from fairtrial.version import __version__

_COMMANDS = {
    "init": ("init", "Write a working suite to start from."),
    "run": ("run", "Run the agent on cases, grade and save every trial."),
    "grade": ("grade", "Grade recordings or a saved run; runs no agent."),
    "gate": ("gate", "Compare a run with the baseline and decide."),
    "accept": ("accept", "Accept a run as the baseline."),
    "diff": ("diff", "Compare two runs, case by case and check by check."),
    "report": ("report", "Show a saved run again, or write it as a page or JSON."),
    "lint": ("lint", "Look for mistakes and weak spots in case files."),
    "stats": ("stats", "How far an unchanged agent strays, and what a suite can see."),
    "judge": ("judge", "Measure a judge against people before it may decide."),
    "schema": ("schema", "Print the JSON Schema of case files."),
    "import": ("import_traces", "Turn other formats into recordings."),
    "serve": ("serve", "Serve one case's world and model to an agent started by hand."),
}
"""Command, its module here, its help; written out so that `--help` imports none of them."""

_TO_COME = frozenset({"audit", "export", "online", "promote", "vary", "view"})
"""Commands that are planned, so that who tries one is told so."""

_PATIENCE = 1.0
"""Seconds that threads have to come to their end when all is told."""

LEFT = 141  # as shells say it: ended by SIGPIPE


class LazyCommands(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Give the names in the order of a user's work."""
        return list(_COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Import and give one command; None when there is none of that name."""
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"fairtrial.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a misspelt one is answered with the nearest."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            ctx.fail(_unknown(name))
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


def _unknown(name: str) -> str:
    if name in _TO_COME:
        return f"{name!r} is not in this version yet; known are {', '.join(_COMMANDS)}"
    difflib = importlib.import_module("difflib")  # only needed by who mistypes
    near = difflib.get_close_matches(name, _COMMANDS, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_COMMANDS)}"
    return f"unknown command {name!r}; {hint}"


@click.group(
    cls=LazyCommands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 passed, 1 failed, 2 usage or files, 3 not measured, 4 inconclusive.",
)
@click.version_option(__version__, message="fairtrial %(version)s")
def fairtrial() -> None:
    """Know whether your tool-using agent works, works every time, and got worse today."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Args:
        arguments: Instead of those of the process.
    """
    _mend_streams()
    try:
        code = _run(arguments)
    finally:
        gc.freeze()  # what ends with the process need not be looked through once more
        gc.enable()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            silence(stream)
    if arguments is None:
        _end_soon(code)
    sys.exit(code)


def _end_soon(code: int) -> None:
    """End the process though a thread that an agent left behind hangs: Python waits for some."""
    if threading.active_count() > 1:
        end = threading.Timer(_PATIENCE, os._exit, (code,))
        end.daemon = True
        end.start()


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command and give its exit code; whatever happens in it ends in words."""
    out = sys.stdout
    try:
        code: int = fairtrial.main(args=arguments, prog_name="fairtrial", standalone_mode=False)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort:
        complain("interrupted before it was done")
        return INTERRUPTED
    except SystemExit as end:
        return _left(out) if sys.stdout is not out else _stopped(end)
    except (FairtrialError, click.ClickException, OSError) as error:
        return _say(error)
    except Exception:  # noqa: BLE001 - our own fault, which must not look like a failing trial
        told = importlib.import_module("traceback").format_exc()  # not needed when all is well
        with unheard():
            click.echo(redacted(told), err=True, nl=False)
        complain("that is a fault in fairtrial, not in your files: please report it as it stands")
        return NOT_MEASURED
    return code


def _say(error: Exception) -> int:
    if isinstance(error, ProblemsError):
        report = importlib.import_module("fairtrial.report")
        problems = [redacted(problem) for problem in error.problems]
        with unheard():
            for line in report.problem_lines(problems, report.style_for(sys.stderr, os.environ)):
                click.echo(inert(line), err=True)
    elif isinstance(error, click.ClickException):
        with unheard():
            error.show()
    elif isinstance(error, OSError):
        what = error.strerror or str(error)
        complain(f"{error.filename}: {what}" if error.filename else what)
    else:
        complain(str(error))
    return USAGE


def _left(out: TextIO) -> int:
    """Go quietly: the reader of a help page has left, and click has put another stream there."""
    sys.stdout = out
    silence(out)
    return LEFT


def _stopped(end: SystemExit) -> int:
    complain(f"a grader or plug-in ended the program: exit({end.code!r}); nothing was graded")
    return NOT_MEASURED


def _mend_streams() -> None:
    """Let every text come out, and let nothing fail because a stream is closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
