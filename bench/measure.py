"""Run a command as its own process in an empty folder; the operating system says what it took."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

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
    log = cwd.with_name(f"{cwd.name}.log")
    with log.open("wb") as out:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
        killer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
        killer.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        killer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)  # it is gone: nobody need wait for it
    return Measurement(
        exit=process.returncode,
        cpu=usage.ru_utime + usage.ru_stime,
        wall=wall,
        rss=usage.ru_maxrss * RSS_UNIT,
        written=sum(path.stat().st_size for path in cwd.rglob("*") if path.is_file()),
        output=log.read_bytes(),
    )
