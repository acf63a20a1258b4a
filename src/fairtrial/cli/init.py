"""fairtrial init: options, the story in flow.init, and the first run of what it wrote."""

import shlex
from pathlib import Path

import click

from fairtrial.cli.options import PASSED, complain, print_lines, shown

_EPILOG = """\b
Examples:
  fairtrial init                       in this folder
  fairtrial init shop-evals            in a folder of its own, made if it is missing

Exit codes: 0 written and green, 2 a file is there already, or cannot be written."""


@click.command(name="init", epilog=_EPILOG)
@click.argument("folder", default=".", type=click.Path(path_type=Path), metavar="[DIR]")
def command(folder: Path) -> int:
    """Write a working suite: cases, world, agent, baseline and CI workflows.

    It runs at once, offline and without a key. Nothing that is there is written over.
    """
    from fairtrial.cli.asked import Asked
    from fairtrial.cli.launch import run_as_asked
    from fairtrial.cli.options import project_of
    from fairtrial.flow.compare import accept_run
    from fairtrial.flow.init import below_repository, write_starter
    from fairtrial.store import find_run

    files = write_starter(folder.absolute())
    config = files[0]
    code = run_as_asked(Asked(config=config, silent=True))
    project = project_of(config)
    if code == PASSED:
        accept_run(find_run("latest", project.root), project.baseline)
    print_lines(_told(files, project.baseline, folder, code))
    if below_repository(folder.absolute()) != ".":
        print_lines([f"  and move {shown(files[-1].parents[1])} to the top of the repository"])
    if code != PASSED:
        complain("its first run was not green, so it has no baseline yet: `fairtrial run` says why")
    return code


def _told(files: tuple[Path, ...], baseline: Path, folder: Path, code: int) -> list[str]:
    written = [f"  {shown(file)}" for file in (*files, *([baseline] if code == PASSED else []))]
    enter = [] if folder == Path() else [f"  cd {shlex.quote(str(shown(folder.absolute())))}"]
    return [
        "written:",
        *written,
        "",
        "next:",
        *enter,
        "  fairtrial run                           the scorecard of the sample agent",
        "  fairtrial run --variant hasty --gate    a change that reads well, and is stopped",
        f"  and read {files[4].relative_to(folder.absolute())}: three edits make it your own",
    ]
