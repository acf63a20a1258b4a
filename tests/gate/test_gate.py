"""What always holds of the gate, whatever the run and the baseline."""

import random
from typing import TypeAlias

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.gate import Candidate, CaseOutcome, decide, make_baseline
from fairtrial.records import Baseline, Decision, GateSettings, Mode, RunInfo, Scorecard

Situation: TypeAlias = tuple[Candidate, Baseline | None, GateSettings]


@st.composite
def _cases(draw: st.DrawFn, *, errors: bool = True) -> tuple[CaseOutcome, ...]:
    ids = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1))
    return tuple(draw(_case(name, errors=errors)) for name in ids)


@st.composite
def _case(draw: st.DrawFn, name: str, *, errors: bool) -> CaseOutcome:
    measured = draw(st.integers(0 if errors else 1, 6))
    unmeasured = draw(st.integers(0, 2)) if errors else 0
    amount = draw(st.none() | st.floats(0, 1e6))
    return CaseOutcome(
        id=name,
        hash=draw(st.sampled_from(["h", "h", "h", "i"])),
        tags=tuple(draw(st.sets(st.sampled_from(["fee", "late"])))),
        protected=draw(st.booleans()),
        informs=draw(st.sampled_from([False, False, False, True])),
        status="passed",  # not looked at: the counts decide
        passed=draw(st.integers(0, measured)),
        measured=measured,
        planned=measured + unmeasured,
        errors=unmeasured,
        steps=amount,
        tokens=amount,
        cost=amount,
        reason="finished: stopped with steps",
    )


def _candidate(cases: tuple[CaseOutcome, ...], mode: Mode) -> Candidate:
    blank = dict.fromkeys(Scorecard.__struct_fields__)
    return Candidate(
        info=RunInfo(id="r1", folder=None, mode=mode, variant=None, selection=None),
        scorecard=Scorecard(**(blank | {"k": 3})),  # type: ignore[arg-type]  # the gate reads k
        cases=cases,
    )


MODES: st.SearchStrategy[Mode] = st.sampled_from(["live", "scripted", "replayed", "none"])
SETTINGS = st.builds(
    GateSettings,
    tolerance=st.none() | st.floats(0, 0.5),
    errors=st.floats(0, 1),
    min_pass_rate=st.none() | st.floats(0, 1),
    min_pass_hat_k=st.none() | st.floats(0, 1),
    strict=st.booleans(),
)


@st.composite
def _situations(draw: st.DrawFn) -> tuple[Candidate, Baseline | None, GateSettings]:
    baseline = make_baseline(_candidate(draw(_cases()), draw(MODES)))
    candidate = _candidate(draw(_cases()), draw(MODES))
    return candidate, draw(st.sampled_from([baseline, None])), draw(SETTINGS)


def _with(candidate: Candidate, cases: list[CaseOutcome]) -> Candidate:
    return msgspec.structs.replace(candidate, cases=tuple(cases))


def _said(decision: Decision) -> list[bytes]:
    return sorted(msgspec.json.encode(reason) for reason in decision.reasons)


@given(_cases(errors=False), st.sampled_from(["scripted", "replayed", "none"]))
def test_a_deterministic_run_passes_against_its_own_baseline(
    cases: tuple[CaseOutcome, ...], mode: Mode
) -> None:
    whole = [
        msgspec.structs.replace(
            case, passed=case.measured if case.protected or case.passed else 0, informs=False
        )
        for case in cases
    ]
    candidate = _candidate(tuple(whole), mode)
    decision = decide(candidate, make_baseline(candidate))
    assert (decision.decision, decision.exit) == ("pass", 0), decision


@given(_situations(), st.data())
def test_where_no_error_is_allowed_one_in_a_fails_place_never_turns_a_red_gate_green(
    situation: Situation, data: st.DataObject
) -> None:
    candidate, baseline, settings = situation
    settings = msgspec.structs.replace(settings, errors=0.0)
    failing = [index for index, case in enumerate(candidate.cases) if case.failed]
    if not failing or decide(candidate, baseline, settings).exit == 0:
        return
    cases = list(candidate.cases)
    for index in data.draw(st.sets(st.sampled_from(failing), min_size=1)):
        case = cases[index]
        turned = data.draw(st.integers(1, case.failed))
        cases[index] = msgspec.structs.replace(
            case, measured=case.measured - turned, errors=case.errors + turned
        )
    assert decide(_with(candidate, cases), baseline, settings).exit != 0


@given(_situations(), st.data())
def test_removing_an_accepted_case_never_turns_a_red_gate_green(
    situation: Situation, data: st.DataObject
) -> None:
    candidate, baseline, settings = situation
    known = [case for case in candidate.cases if baseline and case.id in baseline.cases]
    if not known or decide(candidate, baseline, settings).exit == 0:
        return
    gone = data.draw(st.sampled_from(known))
    fewer = [case for case in candidate.cases if case is not gone]
    assert decide(_with(candidate, fewer), baseline, settings).exit != 0


@given(_situations(), st.randoms(use_true_random=False))
def test_the_order_of_cases_changes_nothing(situation: Situation, shuffler: random.Random) -> None:
    candidate, baseline, settings = situation
    cases = list(candidate.cases)
    shuffler.shuffle(cases)
    one = decide(candidate, baseline, settings)
    other = decide(_with(candidate, cases), baseline, settings)
    assert (one.decision, one.exit, _said(one)) == (other.decision, other.exit, _said(other))


@given(_situations())
def test_the_decision_is_that_of_its_worst_reason_and_fits_its_exit_code(
    situation: Situation,
) -> None:
    decision = decide(*situation)
    worst = decision.reasons[0].kind if decision.reasons else "note"
    assert decision.decision == {"warning": "pass", "note": "pass"}.get(worst, worst)
    codes = {"pass": {0}, "fail": {1}, "error": {3}, "inconclusive": {0, 4}}
    assert decision.exit in codes[decision.decision]
