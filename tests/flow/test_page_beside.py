from typing import TYPE_CHECKING

from fairtrial.flow.page_beside import beside_of
from fairtrial.store import find_run

if TYPE_CHECKING:
    from tests.conftest import Desk


def graded(desk: "Desk", answer: str, out: str, *options: str) -> None:
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(desk.recording("a", answer), desk.recording("b", "done"))
    desk.grade(*options, out=out)


def test_only_the_trials_that_are_compared_are_read(desk: "Desk") -> None:
    graded(desk, "done", "old.json")
    graded(desk, "no", "new.json")
    new, old = find_run("new.json", desk.folder), find_run("old.json", desk.folder)
    found = beside_of(new, old, name="old")
    assert [case.id for case in found.difference.regressions] == ["a"]
    assert [(one.trial.case, one.trial.verdict) for one in found.trials()] == [("a", "passed")]


def test_without_transcripts_there_are_none(desk: "Desk") -> None:
    graded(desk, "done", "old.json", "--no-save")
    graded(desk, "no", "new.json")
    new, old = find_run("new.json", desk.folder), find_run("old.json", desk.folder)
    assert list(beside_of(new, old, name="old").trials()) == []
