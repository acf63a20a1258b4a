import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records import (
    Baseline,
    BaselineCase,
    Decision,
    Gated,
    Json,
    RunDifference,
    ShownCase,
    ShownTrial,
    Trial,
    plain,
)
from fairtrial.report.html import Beside, RunPage

if TYPE_CHECKING:
    from tests.report.conftest import Run

MakeRun = Callable[..., "Run"]


def data_of(page: RunPage) -> Json:
    text = b"".join(page.pieces()).decode()
    found = re.search(r'id="data">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


def line_of(trial: Trial) -> bytes:
    return msgspec.json.encode(plain(msgspec.to_builtins(trial)))


def page_of(run: "Run", gated: Gated | None = None) -> RunPage:
    cases = [
        ShownCase(id=one.id, hash=one.hash, tags=one.tags, planned=one.planned)
        for one in run.results
    ]
    page = RunPage(run.info, run.scorecard, cases, gated=gated, version="1")
    number = 0
    for one in run.results:
        for trial in one.trials:
            number += 1
            page.add_trial(ShownTrial(trial=trial, number=number, line=line_of(trial)))
    return page


def case_of(**fields: Json) -> BaselineCase:
    known: dict[str, Json] = {
        "hash": "0", "protected": False, "tags": (), "passed": 1, "measured": 1, "planned": 1,
        "checks": {}, "steps": 2.0, "tokens": None, "cost": None,
    }  # fmt: skip
    return BaselineCase(**(known | fields))


def gated(**cases: BaselineCase) -> Gated:
    baseline = Baseline(suite=None, git=None, mode="none", k=1, cases=cases)
    decision = Decision(decision="pass", exit=0, spent=None, reasons=())
    return Gated(decision=decision, file="evals/baseline.json", baseline=baseline)


def test_an_empty_run_is_a_page(make_run: MakeRun) -> None:
    data = data_of(page_of(make_run([])))
    assert (data["cases"], data["gate"], data["compare"]) == ([], None, None)


def test_every_run_of_the_terminals_tests_is_a_page(small_run: "Run", hostile_run: "Run") -> None:
    for run in (small_run, hostile_run):
        data = data_of(page_of(run))
        listed = [case["i"] for case in data["cases"]]
        assert listed[: len(run.results)] == [one.id for one in run.results]
        assert data["packs"]["run"][0][0] == 1


def test_cases_are_held_against_the_baseline(small_run: "Run") -> None:
    first, second, third, *_ = small_run.results
    run = page_of(small_run, gated(**{
        first.id: case_of(passed=9, measured=9), second.id: case_of(hash="other"),
        third.id: case_of(passed=0, measured=0),
    }))  # fmt: skip
    changes = {case["i"]: case.get("x") for case in data_of(run)["cases"]}
    assert changes[second.id] == "changed"
    assert set(changes.values()) >= {"changed", "new"}


def test_a_baseline_is_summed_over_the_shared_cases(small_run: "Run") -> None:
    run = page_of(
        small_run, gated(**{small_run.results[0].id: case_of(), "gone": case_of(passed=0)})
    )
    baseline = data_of(run)["gate"]["baseline"]
    assert (baseline["rate"], baseline["shared"], baseline["cases"]) == (1.0, 1, 2)
    assert (baseline["steps"], baseline["tokens"]) == (2.0, None)


def test_states_are_kept_once_and_large_ones_left_out(make_run: MakeRun) -> None:
    page = page_of(make_run([]))
    page.add_state("aa", b'{"x":1}')
    page.add_state("aa", b'{"x":1}')
    page.add_state("bb", b"[" + b" " * 200_000 + b"]")
    data = data_of(page)
    assert (data["states"], data["packs"]["states"]) == ({"aa": 1}, [[1, 1]])


def test_another_run_gives_only_the_trials_that_are_compared(small_run: "Run") -> None:
    nothing = RunDifference(
        regressions=(), fixes=(), unmeasured=(), other_checks=(), changed=(), new=(), removed=(),
        unchanged=4, left_out=0, numbers=(),
    )  # fmt: skip
    page = page_of(small_run)
    page.set_beside(
        Beside(
            name="before", info=small_run.info, scorecard=small_run.scorecard, difference=nothing,
            trials=tuple,
        )
    )  # fmt: skip
    compared = data_of(page)["compare"]
    assert (compared["name"], compared["unchanged"], compared["partings"]) == ("before", 4, {})
