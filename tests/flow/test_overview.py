"""What a reader is shown of a run, gathered: rates beside the baseline, places, the decision."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.flow.overview import overview_of, repository_of
from fairtrial.records import Json, Overview
from fairtrial.store import find_run

if TYPE_CHECKING:
    from tests.conftest import Desk


def graded(desk: "Desk", *answers: Sequence[str], **fields: Json) -> None:
    """Grade the cases a, b, c ...: each answer is a trial; done passes, and err is no answer."""
    cases, rows = [], []
    for name, told in zip("abcdef", answers, strict=False):
        cases.append(desk.case(name, tags=["t", f"only-{name}"], **fields))
        for answer in told:
            broken = {"error": {"kind": "provider", "message": "429"}} if answer == "err" else {}
            rows.append(desk.recording(name, answer, **broken))
    desk.cases(*cases)
    desk.record(*rows)
    desk.grade()


def page(desk: "Desk") -> Overview:
    return overview_of(find_run("latest", desk.folder), desk.folder)


def test_without_a_gate_there_are_rates_and_nothing_to_compare(desk: "Desk") -> None:
    graded(desk, ["done", "no"], ["done", "done"])
    got = page(desk)
    assert (got.gated, got.difference) == (None, None)
    whole, *tags = got.rates
    assert (whole.tag, whole.cases, whole.rate, whole.shared) == (None, 2, 0.75, 0)
    assert (whole.rate, whole.interval) == (got.scorecard.pass_rate, got.scorecard.interval)
    assert {one.tag: one.rate for one in tags} == {
        name: count.pass_rate for name, count in got.scorecard.tags.items()
    }
    assert [one.tag for one in tags] == ["only-a", "t", "only-b"]


def test_beside_a_baseline_each_rate_has_its_change_the_biggest_loss_first(desk: "Desk") -> None:
    graded(desk, ["done"], ["done"], ["no"])
    desk.run("accept")
    graded(desk, ["done"], ["no"], ["done"], ["done"])
    desk.run("gate")
    got = page(desk)
    assert got.gated is not None
    assert got.gated.decision.decision == "fail"
    whole, *tags = got.rates
    assert (whole.shared, whole.cases, whole.change, whole.change_interval) == (3, 4, 0.0, None)
    assert [(one.tag, one.change) for one in tags] == [
        ("only-b", -1.0), ("t", 0.0), ("only-a", 0.0), ("only-d", None), ("only-c", 1.0),
    ]  # fmt: skip
    assert got.difference is not None
    assert [case.id for case in got.difference.regressions] == ["b"]
    assert [case.id for case in got.difference.new] == ["d"]


def test_cases_that_only_inform_and_such_as_changed_are_in_no_comparison(desk: "Desk") -> None:
    graded(desk, ["done"], ["done"])
    desk.run("accept")
    desk.cases(desk.case("a", informs=True), desk.case("b", "done", "no"))
    desk.record(desk.recording("a", "no"), desk.recording("b", "no"))
    desk.grade()
    desk.run("gate")
    (whole,) = page(desk).rates
    assert (whole.cases, whole.shared, whole.change) == (1, 0, None)


def test_a_case_is_folded_to_its_counts_and_its_first_reason(desk: "Desk") -> None:
    graded(desk, ["done", "no", "err"], ["err"])
    a, b = page(desk).cases
    assert (a.status, a.passed, a.measured, a.planned, a.errors) == ("flaky", 1, 2, 3, 1)
    assert (a.reason or "").startswith("answer.contains[done]: ")
    assert (b.status, b.measured, b.errors) == ("error", 0, 1)
    assert "429" in (b.reason or "")


def test_protection_that_was_accepted_counts_though_the_file_has_lost_it(desk: "Desk") -> None:
    graded(desk, ["done"], protected=True)
    desk.run("accept")
    graded(desk, ["done"])
    assert [case.protected for case in page(desk).cases] == [False]
    desk.run("gate")
    assert [case.protected for case in page(desk).cases] == [True]


def test_places_are_told_from_the_top_of_the_repository(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk.folder / ".git").mkdir()
    below = desk.folder / "suites" / "shop"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    desk.folder = below
    graded(desk, ["done"])
    run = find_run("latest", below)
    assert overview_of(run, below).cases[0].source == "suites/shop/cases.json:1"
    top = below.parents[1]
    assert overview_of(run, top).cases[0].source == "suites/shop/cases.json:1"


def test_places_outside_any_repository_stay_as_they_are(desk: "Desk") -> None:
    graded(desk, ["done"])
    if repository_of(desk.folder) is None:
        assert page(desk).cases[0].source == "cases.json:1"
    assert repository_of(Path("/")) is None


def test_changes_of_a_live_run_have_an_interval_over_cases(desk: "Desk") -> None:
    graded(desk, *[["done"]] * 6)
    desk.run("accept")
    baseline = desk.read("evals/baseline.json")
    text = (desk.folder / "evals/baseline.json").read_text(encoding="utf-8")
    assert baseline["mode"] == "none"
    desk.write("evals/baseline.json", text.replace('"mode": "none"', '"mode": "live"'))
    graded(desk, *[["done"]] * 4, ["no"], ["no"])
    desk.run("gate")
    whole = page(desk).rates[0]
    assert whole.change is not None
    assert whole.change == pytest.approx(-1 / 3)
    assert whole.change_interval is not None
    low, high = whole.change_interval
    assert low < whole.change < high
