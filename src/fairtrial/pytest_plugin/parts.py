"""Parts of a run whose controller was killed before it could join them: found, and taken away."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from fairtrial.cases import Suite
from fairtrial.errors import StoreError
from fairtrial.store import TRIALS, SavedRun, claim, claimed_where_free

_HELD = ".held"
"""Ends the name of the file that a controller holds as long as it lives."""


def hold(parts: Path, run: str) -> BinaryIO:
    """Show other sessions that this one lives, until what is given is closed.

    Raises:
        StoreError: The file cannot be made, or another process holds it.
    """
    try:
        parts.mkdir(parents=True, exist_ok=True)
        file = (parts / f"{run}{_HELD}").open("wb")
    except OSError as error:
        raise StoreError(f"{parts}: {error.strerror or error}") from error
    try:
        claim(file, parts)
    except StoreError:
        file.close()
        raise
    return file


def parts_of(parts: Path, run: str) -> list[Path]:
    """Give the parts of a run."""
    return sorted(parts.glob(f"{run}-*"))


def left_over(parts: Path, run: str) -> Iterator[tuple[str, list[Path]]]:
    """Give runs other than this one whose controller and workers are all gone, and their parts.

    Each is held until the next is asked for. Where nobody can tell who lives, nobody is gone.
    """
    for held in sorted(parts.glob(f"*{_HELD}")):
        name = held.name.removesuffix(_HELD)
        if name == run:
            continue
        own = parts_of(parts, name)
        begun = [part / TRIALS for part in own if (part / TRIALS).exists()]
        with ExitStack() as stack:
            files = [claimed_where_free(file) for file in (held, *begun)]
            for file in files:
                if file is not None:
                    stack.enter_context(file)
            if None not in files:
                yield name, own


def fits(parts: Sequence[Path], suite: Suite) -> bool:
    """Say whether parts are of the suite as it is now, so that they can be joined.

    Raises:
        StoreError: A part cannot be read.
    """
    now = {case.id: case.hash for case in suite.cases}
    results = (result for part in parts for result in SavedRun.read_folder(part).results())
    return all(now.get(result.id) == result.hash for result in results)


def forget(parts: Path, run: str, *, all_of_it: bool) -> None:
    """Take away what tells of a run, unless parts of it stay, and `all_of_it` the parts too."""
    own = parts_of(parts, run)
    if all_of_it:
        for part in own:
            shutil.rmtree(part, ignore_errors=True)
    if all_of_it or not own:
        (parts / f"{run}{_HELD}").unlink(missing_ok=True)
