"""Disks that are full, folders that are closed or go away, and files where folders should be."""

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Bench


@pytest.mark.parametrize("where", [".fairtrial", ".fairtrial/runs"])
def test_a_file_where_the_runs_should_be_is_told_before_anything_runs(
    bench: "Bench", where: str
) -> None:
    bench.suite("def agent(task):\n    open('ran', 'w').close()\n    return 'done'\n")
    bench.desk.write(where, "mine")
    ran = bench.run()
    assert (ran.code, ran.out) == (2, "")
    assert "the run cannot be saved: Not a directory" in ran.err
    assert "--no-save" in ran.err
    assert not (bench.folder / "ran").exists()
    assert (bench.folder / where).read_text(encoding="utf-8") == "mine"
    assert bench.run("--no-save").code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(bench: "Bench") -> None:
    bench.suite()
    bench.folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        ran = bench.run()
    finally:
        bench.folder.chmod(stat.S_IRWXU)
    assert (ran.code, "Permission denied" in ran.err, "Traceback" in ran.err) == (2, True, False)


FULL = """
import resource
def agent(task):
    if task.trial == 2:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
    return "done" + "x" * 20_000
"""


def test_a_full_disk_ends_the_run_in_words_and_keeps_what_is_whole(bench: "Bench") -> None:
    bench.suite(FULL)
    done = bench.program("run", "-k", "9", "--concurrency", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the run cannot be saved: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    (run,) = bench.desk.runs()
    whole = (run / "trials.jsonl").read_bytes().count(b"\n")
    assert whole == 2
    again = bench.program("run", "--resume")
    assert again.returncode == 2  # the disk is full again
    bench.suite(FULL.replace("task.trial == 2", "False"))
    assert bench.run("--resume").code == 0
    assert sorted(row["trial"] for row in bench.saved()) == list(range(9))


GONE = """
import shutil
def agent(task):
    if task.case == "b":
        shutil.rmtree(".fairtrial")
    return "done"
"""


def test_a_run_folder_that_is_taken_away_is_told_as_that(bench: "Bench") -> None:
    bench.suite(GONE, *map(bench.desk.case, "abc"))
    ran = bench.run("--concurrency", "1")
    assert ran.code == 2
    assert "the run's folder was taken away" in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_a_report_on_a_full_device_is_told_and_the_run_is_kept(bench: "Bench") -> None:
    bench.suite()
    ran = bench.run("--json", "/dev/full")
    assert ran.code == 2
    assert ran.last == "exit 2: the report could not be written"
    assert "/dev/full: the report cannot be written: No space left on device" in ran.err
    assert bench.desk.run("report").code == 0


def test_a_screen_that_cannot_be_written_is_told_and_the_run_is_kept(bench: "Bench") -> None:
    bench.suite()
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = bench.start_onto(full, "run")
        _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "standard output cannot be written: No space left on device" in err
    assert bench.desk.run("report").code == 0
