import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fairtrial.errors import PluginError
from fairtrial.graders import GradingSettings, grader, yes_no
from fairtrial.records import (
    Case,
    Check,
    Expectation,
    Json,
    Limits,
    Trajectory,
    TrajectoryError,
    Trial,
)

Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]


@pytest.fixture
def judged(grade: Graded, did: Did) -> Callable[..., Any]:
    """Give what grades a trial with one own grader that gives this, or does this."""

    def judge(given: Any, trajectory: Trajectory | None = None, **fields: Any) -> Trial:
        @grader
        def polite(case: Case, trajectory: Trajectory, state: Json) -> Any:
            return given(case, trajectory, state) if callable(given) else given

        settings = GradingSettings(graders=(polite,))
        return grade(trajectory or did(state={"a": [1]}), settings=settings, **fields)

    return judge


def own(trial: Trial) -> list[Check]:
    return [check for check in trial.checks if check.asked is not False]


def only(trial: Trial) -> Check:
    (one,) = own(trial)
    return one


def made(**fields: Any) -> Check:
    told: dict[str, Any] = {
        "name": "polite",
        "passed": True,
        "score": 1.0,
        "decides": True,
        "reason": "so",
    }
    return Check(**told | fields)


@pytest.mark.parametrize(("passed", "verdict"), [(True, "passed"), (False, "failed")])
def test_an_own_check_decides(judged: Any, passed: bool, verdict: str) -> None:
    trial = judged(yes_no("polite", passed, "says please"))
    assert (only(trial).passed, only(trial).decides, trial.verdict) == (passed, True, verdict)
    assert only(trial).score == float(passed)


def test_an_own_check_that_cannot_be_told_is_an_error(judged: Any) -> None:
    trial = judged(yes_no("polite", None, "no transcript"))
    assert (trial.verdict, trial.error) == ("error", "polite: no transcript")
    assert only(trial).score is None


def test_an_own_check_may_only_inform(judged: Any) -> None:
    trial = judged(made(passed=False, score=0.0, decides=False))
    assert (only(trial).decides, trial.verdict) == (False, "error")
    assert trial.error == "no check that was asked for decides: polite: it only informs here"


@pytest.mark.parametrize("informs", ["polite", "polite.tone"])
def test_informs_reaches_own_checks(judged: Any, informs: str) -> None:
    both = [yes_no("tone", False), yes_no("polite", True)]
    trial = judged(both, informs=(informs,), expect=Expectation(stop="answer"))
    tone = next(check for check in trial.checks if check.name == "polite.tone")
    assert (tone.decides, trial.verdict) == (False, "passed")


def test_a_list_or_a_tuple_of_checks_will_do(judged: Any) -> None:
    both = (yes_no("polite.tone", True), yes_no("polite.words", True))
    assert [check.name for check in own(judged(list(both)))] == ["polite.tone", "polite.words"]
    assert [check.name for check in own(judged(both))] == ["polite.tone", "polite.words"]


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("polite", "polite"),
        ("polite.tone", "polite.tone"),
        ("polite[de]", "polite[de]"),
        ("tone", "polite.tone"),
        ("politeness", "polite.politeness"),
        ("finished", "polite.finished"),
        ("", "polite"),
    ],
)
def test_a_check_is_named_after_its_grader(judged: Any, name: str, full: str) -> None:
    assert only(judged(yes_no(name, True))).name == full


def test_equal_names_are_numbered(judged: Any) -> None:
    names = [check.name for check in own(judged([yes_no("polite[a]", True)] * 3))]
    assert names == ["polite[a]", "polite[a] #2", "polite[a] #3"]


def test_numbers_begin_anew_with_each_trial(judged: Any, grade: Graded, did: Did) -> None:
    first, second = judged(yes_no("polite", True)), judged(yes_no("polite", True))
    assert only(first).name == only(second).name == "polite"


def test_informs_reaches_a_numbered_check_by_its_bare_name(judged: Any) -> None:
    trial = judged([yes_no("polite", False)] * 2, informs=("polite",))
    assert [check.decides for check in own(trial)] == [False, False]


def test_it_gets_case_trajectory_and_state(judged: Any, did: Did) -> None:
    def look(case: Case, trajectory: Trajectory, state: Json) -> Check:
        assert case.limits.steps == 9
        assert trajectory.steps is not None
        assert trajectory.steps[0].calls[0].name == "get"
        return yes_no("polite", state == {"a": [1]})

    trial = judged(look, did("get", state={"a": [1]}), limits=Limits(steps=9))
    assert trial.verdict == "passed"
    assert judged(lambda *seen: yes_no("polite", seen[2] is None), did()).verdict == "passed"


def test_it_gets_copies(judged: Any, did: Did) -> None:
    def spoil(case: Case, trajectory: Trajectory, state: Json) -> Check:
        state["a"].append(2)
        assert case.fixtures is not None
        case.fixtures["a"].append(2)
        assert trajectory.extra is not None
        trajectory.extra["seen"].clear()
        return yes_no("polite", True)

    trajectory, fixtures = did(state={"a": [1]}, extra={"seen": [1]}), {"a": [1]}
    trial = judged(spoil, trajectory, fixtures=fixtures)
    assert trial.verdict == "passed"
    assert (trajectory.state, trajectory.extra, fixtures) == ({"a": [1]}, {"seen": [1]}, {"a": [1]})


class SilentError(Exception):
    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    "error",
    [KeyError("fee"), SystemExit(3), RecursionError(), SilentError(), ValueError("x" * 10**6)],
    ids=lambda error: type(error).__name__,
)
def test_an_exception_is_an_error_with_its_traceback(judged: Any, error: BaseException) -> None:
    def look(case: Case, trajectory: Trajectory, state: Json) -> Check:
        raise error

    trial = judged(look)
    one = only(trial)
    assert (trial.verdict, one.passed, one.decides, one.name) == ("error", None, True, "polite")
    assert one.reason.startswith("the grader raised ")
    assert type(error).__name__ in one.reason
    assert isinstance(one.detail, str)
    assert "in look" in one.detail
    assert len(one.detail) <= 20_010
    assert len(one.reason) <= 2000


def test_the_traceback_leads_to_the_line(judged: Any) -> None:
    detail = only(judged(lambda *seen: seen[9])).detail
    assert isinstance(detail, str)
    assert detail.startswith("Traceback")
    assert "IndexError" in detail
    assert "test_own.py" in detail


def test_an_interrupt_is_not_swallowed(judged: Any) -> None:
    def look(case: Case, trajectory: Trajectory, state: Json) -> Check:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judged(look)


@pytest.mark.parametrize("given", [None, True, "yes", {"polite": True}, 0.5, [None], object()])
def test_what_is_no_check_is_an_error(judged: Any, given: Any) -> None:
    trial = judged(given if not callable(given) else lambda *seen: given)
    assert trial.verdict == "error"
    assert "wanted a fairtrial Check or a list of them" in only(trial).reason


def test_a_grader_that_returns_nothing_is_an_error_that_says_so(judged: Any) -> None:
    trial = judged(None)
    assert (trial.verdict, only(trial).passed, only(trial).decides) == ("error", None, True)
    assert "the grader gave None, wanted" in trial.error
    assert trial.error.endswith("does it `return` its check?")


def test_a_grader_that_returns_nothing_may_inform(judged: Any) -> None:
    trial = judged(None, informs=("polite",))
    assert only(trial).decides is False


def test_an_empty_list_is_an_error(judged: Any) -> None:
    assert judged([]).error == "polite: the grader gave no check"


class Odd:
    def __repr__(self) -> str:
        raise ValueError

    __str__ = __bool__ = __repr__


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"passed": 1}, "passed is 1 (int), wanted True, False or None"),
        ({"passed": "x" * 10**6}, "wanted True, False or None"),
        ({"passed": float("nan")}, "passed is NaN (float)"),
        ({"score": float("nan")}, "score is NaN (float), wanted 0 to 1"),
        ({"score": float("inf")}, "wanted 0 to 1"),
        ({"score": 1.5}, "score is 1.5 (float)"),
        ({"score": -0.1}, "wanted 0 to 1"),
        ({"score": True}, "wanted 0 to 1"),
        ({"score": [0.5]}, "score is list, wanted 0 to 1"),
        ({"reason": None}, "reason is NoneType, wanted text"),
        ({"reason": b"x"}, "reason is bytes"),
        ({"decides": "no"}, "decides is"),
        ({"decides": Odd()}, "decides is Odd"),
        ({"passed": Odd()}, "passed is Odd"),
        ({"name": None}, "name is NoneType, wanted text"),
        ({"name": Odd()}, "name is Odd"),
    ],
)
def test_a_check_that_cannot_be_is_an_error(judged: Any, fields: dict[str, Any], said: str) -> None:
    trial = judged(made(**fields))
    assert trial.verdict == "error"
    assert only(trial).passed is None
    assert said in only(trial).reason
    assert len(only(trial).reason) < 300


def test_one_bad_check_costs_the_others_nothing(judged: Any) -> None:
    trial = judged([made(name="polite.a"), made(name="polite.b", passed=2), made(name="polite.c")])
    assert [check.passed for check in own(trial)] == [True, None, True]


@pytest.mark.parametrize(
    ("passed", "score", "kept"),
    [(True, None, 1.0), (False, None, 0.0), (True, 0.25, 0.25), (False, 1, 1.0), (None, 0.5, None)],
)
def test_a_score_is_kept_and_else_follows_from_yes_and_no(
    judged: Any, passed: bool | None, score: float | None, kept: float | None
) -> None:
    assert only(judged(made(passed=passed, score=score))).score == kept


def test_an_own_check_may_name_calls_and_steps(judged: Any) -> None:
    check = only(judged(made(calls=[2, 0], steps=(1,))))
    assert (check.calls, check.steps) == ((2, 0), (1,))
    odd = only(judged(made(calls=[-1, True, "2", None, 0], steps="12")))
    assert (odd.calls, odd.steps) == ((0,), msgspec.UNSET)
    assert only(judged(made(calls=tuple(range(10**6))))).calls == tuple(range(20))


def test_whatever_comes_back_can_be_written_as_json(judged: Any) -> None:
    odd = made(
        name="polite.\ud800\x00", reason="a\ud800" * 10**5, score=1, detail=b"x", extra=set()
    )
    check = only(judged(odd))
    assert msgspec.json.decode(msgspec.json.encode(check))["passed"] is True
    assert len(check.reason) <= 2000
    assert len(only(judged(made(name="polite." + "x" * 10**6))).name) <= 120


def test_a_trial_that_cannot_be_copied_is_an_error(judged: Any, did: Did) -> None:
    trial = judged(yes_no("polite", True), did(state={"a": object()}))
    assert trial.verdict == "error"
    assert "cannot be copied" in only(trial).reason


def test_a_broken_trial_is_not_graded_by_own_graders(judged: Any, did: Did) -> None:
    broken = did(error=TrajectoryError(kind="provider", message="429"))
    trial = judged(lambda *seen: 1 / 0, broken)
    assert (trial.verdict, trial.checks) == ("error", ())


def test_a_grader_needs_a_name_of_its_own() -> None:
    with pytest.raises(PluginError, match="needs a name"):
        grader(lambda case, trajectory, state: yes_no("x", True))

    def finished(case: Case, trajectory: Trajectory, state: Json) -> Check:
        return yes_no("finished", True)

    with pytest.raises(PluginError, match="'finished' has the name of a built-in one"):
        grader(finished)


def test_a_grader_is_not_async() -> None:
    async def polite(case: Case, trajectory: Trajectory, state: Json) -> Check:
        return yes_no("polite", True)

    with pytest.raises(PluginError, match="'polite' is async"):
        grader(polite)  # type: ignore[arg-type]  # that is the point


def test_a_marked_function_is_still_itself() -> None:
    def polite(case: Case, trajectory: Trajectory, state: Json) -> Check:
        return yes_no("polite", True)

    assert grader(polite) is polite


def test_a_grader_that_raised_says_where(judged: Callable[..., Any]) -> None:
    def given(case: Case, trajectory: Trajectory, state: Json) -> Any:
        return 1 / 0

    (check,) = (check for check in judged(given).checks if check.name == "polite")
    assert re.search(r"ZeroDivisionError: division by zero \(.*test_own\.py:\d+\)", check.reason)
