"""The story of `init`: a working suite in a folder, for a team to make its own."""

import os
from contextlib import suppress
from importlib import resources
from pathlib import Path

from fairtrial.errors import UsageError

STARTER: dict[str, str] = {
    "fairtrial.toml": "fairtrial.toml.txt",
    "agent.py": "agent.py.txt",
    "world.py": "world.py.txt",
    "evals/cases.yaml": "cases.yaml.txt",
    "evals/README.md": "README.md.txt",
    ".github/workflows/fairtrial.yml": "workflow.yml.txt",
    ".github/workflows/fairtrial-nightly.yml": "nightly.yml.txt",
    ".github/workflows/fairtrial-weekly.yml": "weekly.yml.txt",
}
"""What is written, and from which file of the starter."""

WORKFLOWS = ".github/workflows"

BASELINE = "evals/baseline.json"
"""What its first run is accepted as."""


def write_starter(folder: Path) -> tuple[Path, ...]:
    """Write the files of the starter suite; all of them, or none.

    Returns:
        The files, in the order of `STARTER`.

    Raises:
        UsageError: One of the files is there already, or the folder cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [file.name for file in write_starter(Path(folder))][:2]
    ['fairtrial.toml', 'agent.py']
    """
    files = {folder / name: _text(source) for name, source in STARTER.items()}
    for file, text in files.items():
        if file.parent == folder / WORKFLOWS:
            files[file] = _where_it_lies(text, below_repository(folder))
    names = (*STARTER, BASELINE)
    there = [name for name in names if os.path.lexists(folder / name)]
    if there:
        raise UsageError(
            f"{folder}: {', '.join(there)} {'is' if len(there) == 1 else 'are'} there already, and "
            "nothing is written over; name another folder: fairtrial init DIR"
        )
    made: list[Path] = []
    try:
        for file, text in files.items():
            _make_folder(file.parent, made)
            with file.open("x", encoding="utf-8") as new:
                made.append(file)
                new.write(text)
    except OSError as error:
        _unmake(made)
        raise UsageError(
            f"{error.filename or folder}: cannot be written: {error.strerror or error}"
        ) from error
    return tuple(files)


def _where_it_lies(text: str, below: str) -> str:
    prefix = "" if below == "." else f"{below}/"
    return text.replace("FOLDER", below).replace("BELOW", prefix)


def below_repository(folder: Path) -> str:
    """Give a folder's path from the top of its repository; `.` at the top, or without one."""
    for above in (folder, *folder.parents):
        if (above / ".git").exists():
            return folder.relative_to(above).as_posix()
    return "."


def _make_folder(folder: Path, made: list[Path]) -> None:
    """Make a folder with those above it, and add each to what was made."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir()
        made.append(one)


def _unmake(made: list[Path]) -> None:
    for one in reversed(made):
        with suppress(OSError):  # somebody has put something into it
            one.rmdir() if one.is_dir() else one.unlink()


def _text(source: str) -> str:
    starter = resources.files("fairtrial.flow") / "starter" / source
    return starter.read_text(encoding="utf-8")
