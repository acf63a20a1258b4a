"""fairtrial import: options, and one call of the story in flow.imports."""

from pathlib import Path

import click

from fairtrial.cli.options import complain, keep_apart, out_file, print_lines

_EPILOG = """\b
Examples:
  fairtrial import chats.jsonl --out runs.jsonl
  fairtrial grade evals/shop.yaml --recordings runs.jsonl

Exit codes: 0 all imported, 2 usage, or a file that is not in the format."""


@click.command(name="import", epilog=_EPILOG)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--from",
    "source",
    default="openai-chat",
    show_default=True,
    type=click.Choice(["openai-chat"]),
    help="The format.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    callback=out_file,
    metavar="OUT",
    help="The recordings, one JSON object a line.",
)
@click.option("--case-field", metavar="NAME", help="The field that names the case.")
@click.option("--trial-field", metavar="NAME", help="The field that numbers the trial.")
def command(
    files: tuple[Path, ...],
    source: str,
    out: Path,
    case_field: str | None,
    trial_field: str | None,
) -> int:
    """Turn other formats into recordings that `grade` reads."""
    from fairtrial.flow.imports import import_traces

    keep_apart("--out", out, files)
    imported = import_traces(files, out, case_field=case_field, trial_field=trial_field)
    for note in imported.notes:
        complain(note)
    what = "1 trajectory" if imported.total == 1 else f"{imported.total} trajectories"
    print_lines([f"{out}: {what} from {source}"])
    return 0
