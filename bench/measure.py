"""Run a command as its own process in an empty folder; the operating system says what it took."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

LAUNCHER = Path(__file__).resolve().with_name("launch.py")
RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in what wait4 counts


class Measurement(NamedTuple):
    """What one process took."""

    exit: int
    cpu: float  # seconds, user and system, with the children it waited for
    wall: float  # seconds
    rss: int  # bytes, the peak of the process
    written: int  # bytes in the folder afterwards
    output: bytes  # what it printed


def measure(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str], limit: float = 600.0
) -> Measurement:
    """Run the command in a folder, which is made; kill it and its children at `limit` seconds."""
    cwd.mkdir(parents=True)
    log, result = cwd.with_name(f"{cwd.name}.log"), cwd.with_name(f"{cwd.name}.took")
    launcher = [sys.executable, "-S", "-E", str(LAUNCHER), str(result), str(limit)]
    with log.open("wb") as out:
        subprocess.run(
            [*launcher, *command],
            cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
            check=True,
        )  # fmt: skip
    code, cpu, wall, rss = result.read_text(encoding="ascii").split()
    return Measurement(
        exit=int(code),
        cpu=float(cpu),
        wall=float(wall),
        rss=int(rss) * RSS_UNIT,
        written=sum(path.stat().st_size for path in cwd.rglob("*") if path.is_file()),
        output=log.read_bytes(),
    )
