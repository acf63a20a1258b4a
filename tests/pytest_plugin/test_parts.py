"""Parts of a run whose controller was killed: found when nobody lives, and taken away."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.cases import Suite
from fairtrial.errors import StoreError
from fairtrial.pytest_plugin.parts import fits, forget, hold, left_over, parts_of
from fairtrial.records import Case, RunInfo, Source, Trial
from fairtrial.store import TRIALS, RunWriter, claim

CASE = Case(id="a", hash="h1", source=Source("a.yaml", 1))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="runs are not held there")


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    return tmp_path / ".fairtrial" / "parts"


def part(parts: Path, name: str, case: Case = CASE) -> Path:
    """Write a part as a worker does."""
    folder = parts / name
    info = RunInfo(id=name, folder=str(folder), mode="none", variant=None, selection=None)
    trial = Trial(
        case=case.id, trial=0, verdict="passed", stop="answer", error=None, steps=1, tokens=None,
        cost=None, seconds=None, tool_errors=0, tools=(), failed_calls=(), checks=(),
    )  # fmt: skip
    with RunWriter.start(info, [case], folder=folder, planned={case.id: 1}) as writer:
        writer.add(trial, b'{"case":"a","answer":"x"}')
    return folder


def killed(parts: Path, run: str) -> None:
    """Leave what a controller leaves that was killed."""
    hold(parts, run).close()


def found(parts: Path, run: str = "now") -> list[tuple[str, list[str]]]:
    return [(name, [one.name for one in own]) for name, own in left_over(parts, run)]


def test_a_session_that_was_killed_is_found_with_its_parts_by_name(parts: Path) -> None:
    part(parts, "r1-gw1")
    part(parts, "r1-gw0")
    part(parts, "r12-gw0")
    killed(parts, "r1")
    killed(parts, "r12")
    assert found(parts) == [("r1", ["r1-gw0", "r1-gw1"]), ("r12", ["r12-gw0"])]


def test_a_session_that_lives_is_left_alone_and_so_is_ones_own(parts: Path) -> None:
    part(parts, "r1-gw0")
    part(parts, "now-gw0")
    with hold(parts, "r1"), hold(parts, "now"):
        assert found(parts) == []
    assert found(parts) == [("r1", ["r1-gw0"])]


def test_a_worker_that_outlives_its_controller_is_waited_for(parts: Path) -> None:
    folder = part(parts, "r1-gw0")
    killed(parts, "r1")
    with (folder / TRIALS).open("ab") as file:
        claim(file, folder)
        assert found(parts) == []
    assert found(parts) == [("r1", ["r1-gw0"])]


def test_what_a_process_held_that_is_killed_is_found(parts: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from fairtrial.pytest_plugin.parts import hold\n"
        f"held = hold(Path({str(parts)!r}), 'r1')\nprint('held', flush=True)\nsys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert found(parts) == []
        holder.kill()
        holder.wait(10)
    assert found(parts) == [("r1", [])]


def test_two_sessions_never_join_the_same_parts(parts: Path) -> None:
    killed(parts, "r1")
    killed(parts, "r2")
    first: Iterator[tuple[str, list[Path]]] = left_over(parts, "now")
    assert next(first)[0] == "r1"
    assert [name for name, _ in found(parts, "later")] == ["r2"]
    assert next(first)[0] == "r2"  # r1 is let go now
    assert [name for name, _ in found(parts, "later")] == ["r1"]
    assert list(first) == []


def test_a_part_that_has_not_begun_holds_up_nothing(parts: Path) -> None:
    (parts / "r1-gw0").mkdir(parents=True)
    killed(parts, "r1")
    assert found(parts) == [("r1", ["r1-gw0"])]


def test_without_the_folder_nothing_is_left_over(parts: Path) -> None:
    assert found(parts) == []
    assert parts_of(parts, "r1") == []


def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="file: "):
        hold(tmp_path / "file", "r1")


def test_one_run_is_held_once(parts: Path) -> None:
    with hold(parts, "r1"), pytest.raises(StoreError, match="in another process"):
        hold(parts, "r1")


def test_parts_fit_while_their_cases_are_as_they_were(parts: Path) -> None:
    folder = part(parts, "r1-gw0")
    changed = Case(id="a", hash="h2", source=Source("a.yaml", 1))
    other = Case(id="b", hash="h1", source=Source("a.yaml", 9))
    suites = [(CASE,), (CASE, other), (changed,), (other,), ()]
    told = [fits([folder], Suite(cases=cases, files=(), rules=())) for cases in suites]
    assert told == [True, True, False, False, False]


def test_of_several_parts_all_must_fit(parts: Path) -> None:
    other = Case(id="b", hash="h1", source=Source("a.yaml", 9))
    folders = [part(parts, "r1-gw0"), part(parts, "r1-gw1", other)]
    assert not fits(folders, Suite(cases=(CASE,), files=(), rules=()))
    assert fits(folders, Suite(cases=(CASE, other), files=(), rules=()))


def test_a_part_that_cannot_be_read_is_told(parts: Path) -> None:
    (parts / "r1-gw0").mkdir(parents=True)
    with pytest.raises(StoreError):
        fits([parts / "r1-gw0"], Suite(cases=(CASE,), files=(), rules=()))


def test_a_session_that_is_over_leaves_its_parts_to_the_next_one(parts: Path) -> None:
    folder = part(parts, "r1-gw0")
    killed(parts, "r1")
    forget(parts, "r1", all_of_it=False)
    assert folder.exists()
    assert found(parts) == [("r1", ["r1-gw0"])]


def test_all_of_a_run_is_taken_away_and_nothing_of_another(parts: Path) -> None:
    part(parts, "r1-gw0")
    part(parts, "r12-gw0")
    killed(parts, "r1")
    killed(parts, "r12")
    forget(parts, "r1", all_of_it=True)
    assert found(parts) == [("r12", ["r12-gw0"])]
    forget(parts, "r1", all_of_it=True)  # twice does no harm


def test_without_parts_nothing_tells_of_a_run_any_more(parts: Path) -> None:
    killed(parts, "r1")
    forget(parts, "r1", all_of_it=False)
    assert list(parts.iterdir()) == []
