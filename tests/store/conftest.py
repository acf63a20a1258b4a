from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.records import Case, CaseResult, Check, RunInfo, Scorecard, Source, Trial, Verdict

MakeTrial = Callable[..., Trial]


@pytest.fixture
def info() -> RunInfo:
    return RunInfo(
        id="20261130-141905-123-a1b2c3", folder=None, mode="none", variant=None, selection=None
    )


@pytest.fixture
def scorecard() -> Scorecard:
    return Scorecard(
        trials=1,
        passed=1,
        failed=0,
        errors=0,
        pass_rate=1.0,
        k=1,
        pass_at_k=1.0,
        pass_hat_k=1.0,
        curve={},
        interval=(0.2, 1.0),
        pass_at_k_interval=None,
        pass_hat_k_interval=None,
        statuses={"passed": 1},
        checks={},
        tags={},
        protected_failed=(),
        mean_plan_score=None,
        mean_precision=None,
        mean_recall=None,
        tool_errors=0,
        stops={"answer": 1},
        mean_steps=1.0,
        mean_tokens=None,
        total_tokens=0,
        mean_cost=None,
        total_cost=None,
        unknown={"tokens": 1},
        currency="USD",
        not_measured=(),
    )


@pytest.fixture
def cases() -> list[Case]:
    return [
        Case(id="a", hash="ha", source=Source("s.yaml", 1), tags=("fee",), protected=True),
        Case(id="b", hash="hb", source=Source("s.yaml", 9), informs=True),
    ]


@pytest.fixture
def make_trial() -> MakeTrial:
    def make(
        case: str = "a", trial: int = 0, verdict: Verdict = "passed", reason: str = "as it should"
    ) -> Trial:
        check = Check(name="finished", passed=True, score=1.0, decides=True, reason=reason)
        return Trial(
            case=case,
            trial=trial,
            verdict=verdict,
            stop="answer",
            error=None,
            steps=1,
            tokens=None,
            cost=None,
            seconds=None,
            tool_errors=0,
            tools=("pay",),
            failed_calls=(),
            checks=(check,),
        )

    return make


@pytest.fixture
def results() -> list[CaseResult]:
    return [
        CaseResult(
            id=name,
            tags=(),
            protected=False,
            hash="h",
            status="passed",
            pass_rate=1.0,
            trials=(),
            planned=1,
        )
        for name in ("a", "b")
    ]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / ".fairtrial" / "runs"
