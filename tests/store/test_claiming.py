"""One writer for a run."""

import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.errors import StoreError
from fairtrial.store.claiming import claim, claimed_where_free

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="runs are not held there")


def test_a_second_writer_is_refused_until_the_first_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    with path.open("ab") as second:
        with path.open("ab") as first:
            claim(first, tmp_path)
            with pytest.raises(StoreError, match="still under way in another process"):
                claim(second, tmp_path)
        claim(second, tmp_path)


def test_a_process_that_is_killed_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    code = (
        "import sys, pathlib\nfrom fairtrial.store.claiming import claim\n"
        f"path = pathlib.Path({str(path)!r})\n"
        "file = path.open('ab')\nclaim(file, path)\nprint('held', flush=True)\nsys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder, path.open("ab") as file:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StoreError):
            claim(file, tmp_path)
        holder.kill()
        holder.wait(10)
        claim(file, tmp_path)


def test_only_what_nobody_holds_is_free(tmp_path: Path) -> None:
    path = tmp_path / "x"
    assert claimed_where_free(path) is None
    assert not path.exists()
    path.write_bytes(b"kept")
    with path.open("ab") as first:
        claim(first, tmp_path)
        assert claimed_where_free(path) is None
    free = claimed_where_free(path)
    assert free is not None
    with free, path.open("ab") as late, pytest.raises(StoreError):
        claim(late, tmp_path)
    assert path.read_bytes() == b"kept"
