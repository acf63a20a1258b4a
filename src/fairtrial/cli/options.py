"""Options that several commands share, and what they turn into."""

import contextlib
import errno
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from fairtrial.errors import UsageError

if TYPE_CHECKING:
    from fairtrial.config import Project
    from fairtrial.flow.judging import JudgeOptions
    from fairtrial.store import SavedRun

_F = TypeVar("_F", bound=Callable[..., object])

PASSED, FAILED, USAGE, NOT_MEASURED = 0, 1, 2, 3
INTERRUPTED = 130  # as shells say it: ended by SIGINT

_LONGEST = 4000  # characters of one complaint


def out_file(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Give a file to write, looked at before any work is done, so that none is done for nothing.

    Raises:
        click.BadParameter: Nothing can be written there.
    """
    if value is None:
        return None
    if str(value) == "-":
        raise click.BadParameter("'-' is no file; /dev/stdout is standard output", ctx, param)
    try:
        _try_place(value)
    except OSError as error:
        text = f"{str(value)!r}: cannot be written: {error.strerror or error}"
        raise click.BadParameter(text, ctx, param) from error
    return value


def _try_place(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder; wanted a file")
    if path.exists() and not path.is_file():
        return  # a pipe or a terminal
    place = path.resolve()
    folder = next(above for above in place.parents if above.exists())
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{folder} is no folder")
    # What is made there is gone again at once.
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600))
    except (AttributeError, OSError):  # not every system has it, and the next one says why not
        tempfile = importlib.import_module("tempfile")  # slow to import
        tempfile.TemporaryFile(dir=folder).close()


def config_option(function: _F) -> _F:
    """Add --config."""
    return click.option(
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Settings. Default: the nearest fairtrial.toml or pyproject.toml upwards.",
    )(function)


def json_option(what: str) -> Callable[[_F], _F]:
    """Add --json OUT."""
    return click.option(
        "--json",
        "json_out",
        type=click.Path(path_type=Path),
        callback=out_file,
        metavar="OUT",
        help=f"Also write {what} as JSON to this file.",
    )


def baseline_option(function: _F) -> _F:
    """Add --baseline FILE."""
    return click.option(
        "--baseline",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The baseline. Default: that of the settings, evals/baseline.json.",
    )(function)


def judge_option(function: _F) -> _F:
    """Add --judge."""
    return click.option(
        "--judge",
        type=click.Choice(["live", "replay", "dry", "off"]),
        help="live: ask the judge; replay: its replies on file alone; dry: say what it would cost.",
    )(function)


def verbose_option(function: _F) -> _F:
    """Add --verbose."""
    return click.option(
        "-v", "--verbose", is_flag=True, help="Show also what is only counted otherwise."
    )(function)


def project_of(config: Path | None) -> "Project":
    """Give the settings that hold for the working folder.

    Raises:
        UsageError: There is no working folder any more, or the settings are not there.
        ProblemsError: The settings cannot be read.
    """
    module = importlib.import_module("fairtrial.config")
    try:
        here = Path.cwd()
    except OSError as error:
        raise UsageError(f"the working folder cannot be entered: {error.strerror}") from error
    project: Project = module.find_project(here, config)
    return project


def judge_of(project: "Project", asked: str | None) -> "JudgeOptions | None":
    """Give the judge as the settings and `--judge` say; None where there is none.

    Raises:
        UsageError: One is asked for that is not set up, or its key is missing.
        PluginError: Its function does not load.
        StoreError: Its calibration cannot be read.
    """
    if asked is None and not project.has_judge:
        return None
    from fairtrial.config import judge_options

    return judge_options(project, asked)


def shown(path: Path) -> Path:
    """Give a path as people name it: relative to the working folder where it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def keep_apart(option: str, out: Path | None, inputs: Iterable[Path | None]) -> None:
    """Refuse to write over what is read.

    Raises:
        UsageError: `out` is one of the inputs.
    """
    for given in inputs:
        if out is None or given is None:
            continue
        with contextlib.suppress(OSError):  # one of the two is not there
            if out.samefile(given):
                raise UsageError(
                    f"{option} {out}: that is read here, and would be lost; name another file"
                )


def print_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output as they come.

    A reader that leaves (`| head`) has seen enough: the exit code is still that of the command.

    Raises:
        UsageError: Standard output cannot be written.
    """
    out = sys.stderr if json_on_stdout() else sys.stdout
    for line in lines:
        if not _written(out, f"{inert(line)}\n"):
            return
    _written(out, "")


def print_commands(lines: Iterable[str]) -> None:
    """Write lines that a build is meant to take for commands; who made them made them safe.

    Raises:
        UsageError: Standard output cannot be written.
    """
    out = sys.stderr if json_on_stdout() else sys.stdout
    for line in lines:
        if not _written(out, f"{line}\n"):
            return
    _written(out, "")


def inert(line: str) -> str:
    """Give a line that no build takes for a command to itself."""
    if "::" not in line and "##" not in line:
        return line
    harmless: str = importlib.import_module("fairtrial.report").inert(line)  # rarely needed
    return harmless


def json_on_stdout() -> bool:
    """Say whether --json or a report writes to standard output: then nothing else may."""
    context = click.get_current_context(silent=True)
    given = {} if context is None else context.params
    outs = {str(given.get(name)) for name in ("json_out", "markdown_out", "junit_out")}
    return not outs.isdisjoint({"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})


def _written(out: TextIO, text: str) -> bool:
    try:
        out.write(text)
        if not text:
            out.flush()
    except BrokenPipeError:
        silence(out)
        return False
    except (OSError, ValueError) as error:  # ValueError: an agent has closed it
        silence(out)
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"standard output cannot be written: {why}") from error
    return True


def silence(stream: TextIO) -> None:
    """Let what is still written to a stream go nowhere, so that nothing complains at the end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(text: str) -> None:
    """Write one line to standard error, with control characters made visible and no secret."""
    cut = importlib.import_module("fairtrial.text").cut  # not needed when all is well
    with unheard():
        click.echo(f"fairtrial: {inert(cut(redacted(text), _LONGEST))}", err=True)


def tell_of_missing(run: "SavedRun") -> None:
    """Say that an adaptive run lacks further trials, and the way on."""
    extra = importlib.import_module("fairtrial.store").EXTRA
    if run.info.settings.get("adaptive") is not True and not (
        run.folder is not None and (run.folder / extra).is_dir()
    ):
        return
    adapt = importlib.import_module("fairtrial.flow.adapt")  # all that runs agents, so only now
    if adapt.cut_short(run):
        complain(f"further trials are missing; go on with: fairtrial run --resume {run.info.id}")


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Go on when nobody reads standard error: the exit code is still to be told."""
    try:
        yield
    except OSError:
        silence(sys.stderr)


def redacted(text: str) -> str:
    """Give a text without the secrets that the environment holds."""
    store = importlib.import_module("fairtrial.store")
    clean: str = store.Redactor(store.known_secrets(os.environ)).text(text)
    return clean
