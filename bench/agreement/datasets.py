"""Where the data sets are, how they are read, and how fairtrial is called on them."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


def data_folder(name: str) -> Path:
    """Give the folder of a data set, or exit with words when it is not there."""
    folder = find_data(name)
    if folder is None:
        sys.exit(
            f"the data set {name!r} is not here: name the folder that holds it in FAIRTRIAL_DATA"
        )
    return folder


def find_data(name: str) -> Path | None:
    """Give the folder of a data set; None when it is not there."""
    named = os.environ.get("FAIRTRIAL_DATA")
    root = Path(named) if named else Path(__file__).parents[2] / ".." / "shared" / "data"
    folder = root.resolve() / name
    return folder if folder.is_dir() else None


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read JSON lines, gzipped or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def write_rows(path: Path, values: Iterable[dict[str, Any]]) -> None:
    """Write JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(value) + "\n" for value in values)


def fairtrial(*words: str, cwd: Path, codes: tuple[int, ...] = (0,)) -> str:
    """Run the command line as a user does; an exit code not in `codes` ends us with its words."""
    command = [sys.executable, "-m", "fairtrial", *words]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode not in codes or "Traceback" in done.stderr:
        sys.exit(f"{' '.join(command)} exited {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout
