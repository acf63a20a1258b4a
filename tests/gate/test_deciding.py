"""The decision over whole situations: every sentence of the gate's contract."""

import re
from collections.abc import Callable
from typing import TypeAlias

import msgspec
import pytest

from fairtrial.gate import Candidate, decide, make_baseline
from fairtrial.records import Baseline, GateSettings

Ran: TypeAlias = Callable[..., Candidate]
Accepted: TypeAlias = Callable[..., Baseline]


OTHERS = ", ".join(f"c{number} 3/3" for number in range(19))

# What it shows; mode of both sides: baseline -> candidate -> decision, exit; rule and kind of the
# worst reason (nothing: not looked at) [settings]. The notation of cases is that of conftest.
SITUATIONS = """
all as before
    scripted: a 5/5, b* 5/5 -> a 5/5, b* 5/5 -> pass 0;
an empty run is an error
    scripted:  ->  -> error 3; not_measured error
a case without a trial
    scripted: a 5/5 -> a 5/5, b 0/0 -> error 3; not_measured error
no trial of a case was measured
    live: a 5/5, b 5/5 -> a 5/5, b 0/0+5 -> error 3; not_measured error
a protected case with an error trial
    live: others, b* 3/3 -> others, b* 2/2+1 -> error 3; not_measured error
more than 5 % unmeasured
    live: a 10/10, b 9/9 -> a 9/9+1, b 9/9+1 -> error 3; not_measured error
5 % unmeasured are no error
    live: a 20/20 -> a 19/19+1 -> pass 0; not_measured warning
a share of errors that settings allow
    scripted: no baseline -> a 3/3+1 -> pass 0; [errors=0.25]
fail beats error
    scripted: a 5/5, b 5/5 -> a 4/5, b 0/0+5 -> fail 1; case fail
error beats inconclusive
    live: a* 5/5, b 5/5 -> a* 4/5, b 0/0+5 -> error 3; not_measured error
a protected case with one failing trial
    none: a* 5/5 -> a* 4/5 -> fail 1; protected fail
a new protected case that fails
    scripted: a 5/5 -> a 5/5, b* 4/5 -> fail 1; protected fail
a protected case that failed before too
    scripted: a* 0/5 -> a* 0/5 -> fail 1; protected fail
protected in the baseline only
    scripted: a* 5/5 -> a 4/5 -> fail 1; protected fail
protected in the files only
    scripted: a 5/5 -> a* 4/5 -> fail 1; protected fail
protection taken off a passing case
    scripted: a* 5/5 -> a 5/5 -> pass 0; protected warning
protection hidden by informs
    scripted: a* 5/5 -> a* 0/5 ~ ? -> fail 1; protected fail
a changed protected case must pass
    scripted: a* 5/5 -> a* 4/5 ~ -> fail 1; protected fail
live, protected, one failure
    live: a* 5/5 -> a* 4/5 -> inconclusive 4; protected inconclusive
live, protected, none of 3 passes
    live: a* 5/5 -> a* 0/3 -> fail 1; protected fail
live, protected, none of 2 passes
    live: a* 5/5 -> a* 0/2 -> inconclusive 4; protected inconclusive
live, protected, none passes, flaky before
    live: a* 4/5 -> a* 0/5 -> inconclusive 4; protected inconclusive
live, protected and new, none passes
    live: b 5/5 -> b 5/5, a* 0/5 -> inconclusive 4; protected inconclusive
live, protected, changed, none passes
    live: a* 5/5 -> a* 0/5 ~ -> inconclusive 4; protected inconclusive
a new case that is protected and only informs
    none: b 5/5 -> b 5/5, a* 0/5 ? -> pass 0; new warning
protection taken off by informs
    scripted: a* 5/5, b 5/5 -> a* 5/5 ~ ?, b 5/5 -> pass 0; protected warning
a protected case gone
    scripted: a 5/5, b* 5/5 -> a 5/5 -> fail 1; protected fail
a protected case gone whatever is allowed
    scripted: a 5/5, b* 5/5 -> a 5/5 -> fail 1; protected fail [allow_removed=1]
a case that passed and fails
    scripted: a 5/5 -> a 0/5 -> fail 1; case fail
a case that turns flaky
    replayed: a 5/5 -> a 4/5 -> fail 1; case fail
one broken case among many
    none: others, r4 3/3 -> others, r4 0/3 -> fail 1; case fail [min_pass_rate=0.8]
a pass that became an error
    none: others, r4 3/3 -> others, r4 2/2+1 -> pass 0; case warning
fewer trials, all passed
    scripted: a 5/5 -> a 3/3 -> pass 0;
a case that fails as before
    scripted: a 0/5 -> a 0/5 -> pass 0; case note
a fix
    scripted: a 0/5 -> a 5/5 -> pass 0; case note
a fix that is flaky without a live model
    scripted: a 0/5 -> a 4/5 -> pass 0; case warning
live, a case lost
    live: a 5/5, b 0/5 -> a 3/5, b 2/5 -> pass 0; case warning
flaky in the baseline, so nothing is certain
    scripted: a 5/5, b 2/5 -> a 4/5, b 3/5 -> pass 0; case warning
a case gone
    scripted: a 5/5, b 5/5 -> a 5/5 -> fail 1; removed fail
a case gone, which is allowed
    scripted: a 5/5, b 5/5 -> a 5/5 -> pass 0; removed note [allow_removed=1]
live, the rate fell, no tolerance
    live: a 5/5 -> a 4/5 -> inconclusive 0; rate inconclusive
the same, strict
    live: a 5/5 -> a 4/5 -> inconclusive 4; rate inconclusive [strict=1]
live, the rate fell within the tolerance
    live: a 10/10 -> a 9/10 -> pass 0; case warning [tolerance=0.1]
live, the rate fell by more
    live: a 10/10 -> a 8/10 -> fail 1; rate fail [tolerance=0.1]
a tolerance does not soften a deterministic gate
    none: a 10/10 -> a 9/10 -> fail 1; case fail [tolerance=0.5]
live, errors hide the drop
    live: a 50/50, b 50/50 -> a 50/50, b 46/46+4 -> pass 0; not_measured warning [tolerance=0.01]
live, a tag fell and the suite did not
    live: a 5/5 #fee, b 0/5 -> a 4/5 #fee, b 1/5 -> fail 1; rate fail [tolerance=0.1]
below the bar
    live: no baseline -> a 4/5 -> fail 1; bar fail [min_pass_rate=0.9]
at the bar
    live: no baseline -> a 9/10 -> pass 0; new warning [min_pass_rate=0.9]
errors hide that the bar is not reached
    live: no baseline -> a 97/97+3 -> pass 0; not_measured warning [min_pass_rate=0.98]
below pass^k
    live: no baseline -> a 4/5 -> fail 1; bar fail [min_pass_hat_k=0.5]
errors hide that pass^k is not reached
    live: no baseline -> b 4/4+1, c 30/30 -> pass 0; not_measured warning [min_pass_hat_k=0.9]
pass^k with too few trials
    live: no baseline -> a 3/3 -> error 3; bar error [min_pass_hat_k=0.5]
amounts up by more than a quarter
    none: a 5/5 $100 -> a 5/5 $126 -> fail 1; growth fail
amounts up by a quarter
    none: a 5/5 $100 -> a 5/5 $125 -> pass 0;
amounts up, live
    live: a 5/5 $100 -> a 5/5 $200 -> pass 0; growth warning
amounts up where the case passes now alone
    none: a 0/5 $100 -> a 5/5 $200 -> pass 0; case note
amounts up where the case failed before
    none: a 0/5 $100 -> a 0/5 $200 -> pass 0; case note
a new case that fails
    none: a 5/5 -> a 5/5, b 0/5 -> pass 0; new warning
a new case that passes
    none: a 5/5 -> a 5/5, b 5/5 -> pass 0; new note
a changed case that passed and fails
    none: a 5/5, b 5/5 -> a 5/5, b 0/5 ~ -> pass 0; changed warning
a changed case that passes
    none: a 5/5 -> a 5/5 ~ -> pass 0; changed note
a changed case that grew
    none: a 5/5 $1, b 5/5 $1 -> a 5/5 $9 ~, b 5/5 $1 -> pass 0; changed note
a case that informs never gates
    none: a 5/5, b 5/5 ? -> a 5/5, b 0/5 ? -> pass 0; checks warning
nor does its error
    none: a 5/5, b 5/5 ? -> a 5/5, b 0/0+5 ? -> pass 0; not_measured warning
nor does it reach a bar
    none: no baseline -> a 5/5, b 0/5 ? -> pass 0; [min_pass_rate=1.0]
only cases that inform
    none: no baseline -> b 5/5 ? -> error 3; not_measured error
no baseline, all passed
    scripted: no baseline -> a 5/5, b* 5/5 -> pass 0; baseline note
no baseline, a case fails
    scripted: no baseline -> a 0/5 -> pass 0; new warning
no baseline, a protected case fails
    scripted: no baseline -> a* 0/5 -> fail 1; protected fail
no baseline, live, a protected case fails
    live: no baseline -> a* 4/5 -> inconclusive 4; protected inconclusive
no baseline, not measured
    scripted: no baseline -> a 0/0+5 -> error 3; not_measured error
"""


_SITUATION = re.compile(
    r"(?P<title>\S.*)\n    (?P<mode>\w+): (?P<before>.*) -> (?P<now>.*) -> "
    r"(?P<decision>\w+) (?P<exit>\d);(?P<worst>[\w ]*)(\[(?P<settings>.*)\])?"
)


def _settings(text: str | None) -> GateSettings:
    pairs = dict(part.split("=") for part in (text or "").split())
    return msgspec.convert(pairs, GateSettings, strict=False)


def _parsed() -> list[re.Match[str]]:
    found = list(_SITUATION.finditer(SITUATIONS))
    assert len(found) * 2 == len(SITUATIONS.strip().splitlines())
    return found


@pytest.mark.parametrize("case", [pytest.param(case, id=case["title"]) for case in _parsed()])
def test_each_situation_is_decided_as_the_contract_says(
    ran: Ran, accepted: Accepted, case: re.Match[str]
) -> None:
    before, now = (case[side].replace("others", OTHERS) for side in ("before", "now"))
    baseline = None if before == "no baseline" else accepted(before, case["mode"])
    got = decide(ran(now, mode=case["mode"]), baseline, _settings(case["settings"]))
    assert (got.decision, str(got.exit), got.spent) == (case["decision"], case["exit"], None)
    if worst := case["worst"].strip():
        assert f"{got.reasons[0].rule} {got.reasons[0].kind}" == worst


def test_nothing_is_said_of_a_run_that_is_as_before(ran: Ran, accepted: Accepted) -> None:
    assert decide(ran("a 5/5, b* 5/5 $3"), accepted("a 5/5, b* 5/5 $3")).reasons == ()


def test_all_reasons_are_given_not_the_first_alone(ran: Ran, accepted: Accepted) -> None:
    before, now = (
        "a 5/5 $1, b* 5/5, c 5/5, d 5/5, g 5/5 $1",
        "a 0/5, b* 1/5, d 0/0+5, e 0/5, g 5/5 $9",
    )
    reasons = decide(ran(now), accepted(before)).reasons
    assert {(reason.rule, reason.case) for reason in reasons if reason.case} == {
        ("protected", "b"),
        ("case", "a"),
        ("removed", "c"),
        ("not_measured", "d"),
        ("new", "e"),
    }
    assert {reason.rule for reason in reasons if not reason.case} == {
        "rate",
        "growth",
        "not_measured",
    }


def test_reasons_come_protected_first_then_by_loss_then_in_file_order(
    ran: Ran, accepted: Accepted
) -> None:
    before = "a 5/5, b 5/5, c 5/5, d 5/5, e* 5/5"
    decision = decide(ran("a 4/5, b 0/5, c 1/5, d 0/5, e* 4/5"), accepted(before))
    assert [reason.case for reason in decision.reasons if reason.case] == ["e", "b", "d", "c", "a"]


def test_kinds_come_worst_first(ran: Ran, accepted: Accepted) -> None:
    before = "a 5/5, b 5/5, c 5/5, d 0/5"
    now = "b 0/5, c 0/0+5, d 5/5, e 0/5"
    kinds = [reason.kind for reason in decide(ran(now), accepted(before)).reasons]
    assert kinds == sorted(kinds, key=["fail", "error", "inconclusive", "warning", "note"].index)
    assert {"fail", "error", "warning", "note"} <= set(kinds)


def test_a_changed_case_that_now_fails_leads_the_warnings(ran: Ran, accepted: Accepted) -> None:
    before = "a 5/5, b* 5/5, c 5/5"
    decision = decide(ran("a 4/5 ~, b 5/5, c 5/5, d 0/5"), accepted(before))
    assert [reason.case for reason in decision.reasons][:2] == ["a", "b"]


def test_control_characters_and_long_names_never_reach_a_reason(
    ran: Ran, accepted: Accepted
) -> None:
    run = ran("a 0/5")
    hostile = msgspec.structs.replace(run.cases[0], id="\x1b[2J" + "x" * 10_000, reason="\r\n\x07")
    for baseline in (None, make_baseline(msgspec.structs.replace(run, cases=(hostile,)))):
        decision = decide(msgspec.structs.replace(run, cases=(hostile,)), baseline)
        assert all(reason.text.isprintable() for reason in decision.reasons)
        assert all(len(reason.text) < 600 for reason in decision.reasons)
