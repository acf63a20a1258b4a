"""Runs and baselines from a short notation, so that a situation is one readable line.

`a* 4/5` is the protected case a, of which 4 of 5 measured trials passed. After the counts: `+2`,
two more trials that could not be measured; `#fee`, a tag; `~`, the content is another one than
that of cases without it; `?`, informs only; `$10`, 10 steps, tokens and cost in each trial.
"""

import re
from collections.abc import Callable
from typing import Protocol

import pytest

from fairtrial.gate import Candidate, CaseOutcome, make_baseline
from fairtrial.records import Baseline, Mode, RunInfo, Scorecard, Selection, Status

_CASE = re.compile(
    r"(?P<id>\w+)(?P<protected>\*?) (?P<passed>\d+)/(?P<measured>\d+)(\+(?P<errors>\d+))?"
    r"(?P<tags>( #\w+)*)( \$(?P<amount>[\d.]+))?(?P<changed> ~)?(?P<informs> \?)?"
)


def _status(passed: int, measured: int) -> Status:
    if not measured:
        return "error"
    return "passed" if passed == measured else "flaky" if passed else "failed"


def _outcome(text: str) -> CaseOutcome:
    found = _CASE.fullmatch(text.strip())
    assert found, text
    passed, measured = int(found["passed"]), int(found["measured"])
    errors = int(found["errors"] or 0)
    amount = float(found["amount"]) if found["amount"] else None
    return CaseOutcome(
        id=found["id"],
        hash="other" if found["changed"] else f"hash of {found['id']}",
        tags=tuple(found["tags"].replace("#", "").split()),
        protected=bool(found["protected"]),
        informs=bool(found["informs"]),
        status=_status(passed, measured),
        passed=passed,
        measured=measured,
        planned=measured + errors,
        errors=errors,
        steps=amount,
        tokens=amount,
        cost=amount,
        reason="tools.before: cancel without get_booking" if passed < measured else None,
    )


def _ran(
    cases: str = "", *, mode: Mode = "scripted", selection: Selection | None = None, k: int = 5
) -> Candidate:
    parsed = tuple(_outcome(case) for case in cases.split(",") if case.strip())
    blank = dict.fromkeys(Scorecard.__struct_fields__)
    return Candidate(
        info=RunInfo(id="r1", folder=None, mode=mode, variant=None, selection=selection),
        scorecard=Scorecard(**(blank | {"k": k})),  # type: ignore[arg-type]  # the gate reads k
        cases=parsed,
    )


class Ran(Protocol):
    def __call__(
        self, cases: str = "", *, mode: Mode = ..., selection: Selection | None = ..., k: int = ...
    ) -> Candidate: ...


@pytest.fixture(scope="session")
def ran() -> Ran:
    """Give the candidate of a run in the notation above."""
    return _ran


@pytest.fixture(scope="session")
def accepted() -> Callable[..., Baseline]:
    """Give the baseline of a run in the notation above."""
    return lambda cases="", mode="scripted": make_baseline(_ran(cases, mode=mode))
