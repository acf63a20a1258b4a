"""What was not measured: what its reasons say and count."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from fairtrial.gate import Candidate, decide
from fairtrial.records import GateSettings, Reason

Ran: TypeAlias = Callable[..., Candidate]


def reasons(run: Candidate, settings: GateSettings | None = None) -> list[Reason]:
    return [r for r in decide(run, None, settings).reasons if r.rule == "not_measured"]


def test_an_empty_run_is_said_in_one_reason(ran: Ran) -> None:
    assert [(r.kind, r.text) for r in reasons(ran())] == [
        ("error", "nothing was measured: the run holds no case")
    ]


def test_every_case_without_a_measured_trial_is_named(ran: Ran) -> None:
    assert [reason.text for reason in reasons(ran("a 0/0+5, b 0/0, c 5/5"))] == [
        "a was not measured in any of its 5 planned trials",
        "b has no trial",
        "5 of 10 planned trials (50 %) were not measured; 5 % may be",
    ]


def test_a_protected_case_says_how_many_trials_are_missing(ran: Ran) -> None:
    assert reasons(ran("a* 4/4+1, b 40/40"))[0].text == (
        "a is protected and 1 of its 5 planned trials was not measured"
    )


def test_trials_that_never_ran_are_as_unmeasured_as_errors(ran: Ran) -> None:
    run = ran("a* 4/4, b 40/40")
    short = msgspec.structs.replace(run.cases[0], planned=5)
    run = msgspec.structs.replace(run, cases=(short, run.cases[1]))
    assert [reason.kind for reason in reasons(run)] == ["error", "warning"]


def test_few_unmeasured_trials_are_said_without_deciding(ran: Ran) -> None:
    assert [(r.kind, r.text) for r in reasons(ran("a 19/19+1"))] == [
        ("warning", "1 of 20 planned trials (5 %) was not measured; 5 % may be")
    ]


def test_cases_that_only_inform_are_in_no_share(ran: Ran) -> None:
    found = reasons(ran("a 5/5, b 0/0+5 ?"))
    assert [(reason.kind, reason.case) for reason in found] == [("warning", "b")]


def test_the_share_that_may_be_unmeasured_is_a_setting(ran: Ran) -> None:
    run = ran("a 9/9+1")
    assert reasons(run)[0].kind == "error"
    assert reasons(run, GateSettings(errors=0.1))[0].kind == "warning"
