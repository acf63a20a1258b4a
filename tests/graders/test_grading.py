from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fairtrial.graders import CaseGrader, Graders, GradingSettings
from fairtrial.match import compile_matcher
from fairtrial.records import (
    AnswerExpectation,
    Case,
    Expectation,
    Limits,
    NumberExpectation,
    Rule,
    Source,
    Step,
    Tokens,
    ToolCall,
    ToolsExpectation,
    Trajectory,
    TrajectoryError,
    Trial,
)

Did = Callable[..., Trajectory]
Graded = Callable[..., Trial]

SAYS = Expectation(answer=AnswerExpectation(contains=(("done",),)))
DENIES = Expectation(answer=AnswerExpectation(contains=(("no",),)))


def failing(kind: Any) -> TrajectoryError:
    return TrajectoryError(kind=kind, message="429 too many\nrequests")


@pytest.mark.parametrize("kind", ["provider", "user", "script", "world"])
def test_an_error_that_is_not_the_agents_is_error_and_nothing_is_evaluated(
    grade: Graded, did: Did, kind: str
) -> None:
    trial = grade(did("refund", error=failing(kind)), expect=DENIES)
    assert (trial.verdict, trial.checks) == ("error", ())
    assert trial.error == f"{kind}: 429 too many\\nrequests"


def test_an_agent_that_crashed_has_failed_and_is_graded(grade: Graded, did: Did) -> None:
    trial = grade(did(error=failing("agent")), expect=SAYS)
    assert trial.verdict == "failed"
    assert trial.error == "agent: 429 too many\\nrequests"
    assert len(trial.checks) == 4


@pytest.mark.parametrize("stop", ["steps", "budget", "timeout", "error"])
def test_an_agent_that_was_cut_short_has_failed(grade: Graded, did: Did, stop: str) -> None:
    assert grade(did(stop=stop), expect=SAYS).verdict == "failed"


def test_a_dead_model_earns_no_points(grade: Graded) -> None:
    expect = Expectation(
        answer=AnswerExpectation(excludes=("refund",)),
        tools=ToolsExpectation(forbidden=("wipe_disk",)),
    )
    for trajectory in (Trajectory(case="c"), Trajectory(case="c", steps=())):
        trial = grade(trajectory, expect=expect, limits=Limits(steps=10))
        assert trial.verdict == "failed"


def test_false_beats_null(grade: Graded, did: Did) -> None:
    expect = Expectation(answer=DENIES.answer, state={"a": 1})
    assert grade(did(), expect=expect).verdict == "failed"


def test_null_beats_true(grade: Graded, did: Did) -> None:
    trial = grade(did(), expect=Expectation(answer=SAYS.answer, state={"a": 1}))
    assert trial.verdict == "error"
    assert (trial.error or "").startswith("state.a: the final state was not recorded")


def test_every_grader_runs_whatever_the_first_says(grade: Graded, did: Did) -> None:
    trial = grade(did("get", "get"), expect=DENIES)
    assert [(check.name, check.passed) for check in trial.checks] == [
        ("finished", True),
        ("answer.contains[no]", False),
        ("tools.repeats", False),
        ("text_tool_call", True),
    ]


def test_what_informs_is_shown_and_never_decides(grade: Graded, did: Did) -> None:
    expect = Expectation(answer=SAYS.answer, tools=ToolsExpectation(plan=["a"]), state={"a": 1})
    trial = grade(did("b", state={"a": 1}), expect=expect, informs=("tools.plan",))
    plan = next(check for check in trial.checks if check.name == "tools.plan")
    assert (trial.verdict, plan.passed, plan.decides) == ("passed", False, False)
    trial = grade(did("a"), expect=expect, informs=("state.a",))
    assert trial.verdict == "passed"


@pytest.mark.parametrize(
    "trajectory",
    [Trajectory(case="c", answer="x"), Trajectory(case="c", answer="x", steps=())],
)
def test_nothing_asked_is_nothing_measured(grade: Graded, trajectory: Trajectory) -> None:
    trial = grade(trajectory)
    assert (trial.verdict, trial.error) == ("error", "no check was asked for")


def test_no_asked_for_check_that_decides_is_an_error_with_the_reason(
    grade: Graded, did: Did
) -> None:
    limits = Limits(tokens=5, cost=5.0)
    trial = grade(did(model="scripted", tokens=Tokens(input=1, output=1)), limits=limits)
    assert (trial.verdict, trial.error) == (
        "error",
        "no check that was asked for decides: limits.tokens and 1 more: it only informs here",
    )


def test_what_nobody_asked_for_can_fail_a_trial_and_not_pass_it(grade: Graded, did: Did) -> None:
    assert grade(did("get", "get")).verdict == "failed"
    assert grade(did("get")).verdict == "error"


def test_a_case_that_only_informs_still_gets_its_verdicts(grade: Graded, did: Did) -> None:
    assert grade(did(), expect=SAYS, informs=True).verdict == "passed"
    assert grade(did(), expect=DENIES, informs=True).verdict == "failed"


def test_a_script_that_passes_all_other_checks_passes(grade: Graded, did: Did) -> None:
    trajectory = did(model="scripted", cost=9.0, seconds=9.0)
    trial = grade(trajectory, expect=SAYS, limits=Limits(cost=1.0, seconds=1.0, tokens=1))
    assert trial.verdict == "passed"


@pytest.mark.parametrize(
    ("informs", "silent"),
    [
        ("answer.contains[a]", ["answer.contains[a]"]),
        ("answer.contains[a] #2", ["answer.contains[a] #2"]),
        ("answer.contains", ["answer.contains[a]", "answer.contains[b]", "answer.contains[a] #2"]),
        ("answer.excludes", ["answer.excludes[a]"]),
        ("tools.forbidden", ["tools.forbidden", "tools.forbidden[rule 1]"]),
        ("tools.forbidden[rule 1]", ["tools.forbidden[rule 1]"]),
        ("finished", ["finished"]),
        ("limits", ["limits.steps"]),
        ("limits.st", []),
        ("answers", []),
        ("", []),
    ],
)
def test_informs_takes_a_full_name_a_bare_one_or_a_grader(
    grade: Graded, did: Did, informs: str, silent: list[str]
) -> None:
    answer = AnswerExpectation(contains=(("a",), ("b",), ("a", "c")), excludes=("a",))
    expect = Expectation(answer=answer, tools=ToolsExpectation(forbidden=("x",)))
    trial = grade(
        did(),
        expect=expect,
        rules=(Rule(number=1, forbidden=("y",)),),
        limits=Limits(steps=9),
        informs=(informs,),
    )
    assert [check.name for check in trial.checks if not check.decides] == silent


def test_informing_a_whole_grader_takes_all_its_checks(grade: Graded, did: Did) -> None:
    expect = Expectation(answer=DENIES.answer, tools=ToolsExpectation(required=("a",)))
    trial = grade(did("a"), expect=expect, informs=("answer", "limits.seconds"))
    assert trial.verdict == "passed"


def test_a_second_check_of_one_name_asks_the_same_need(grade: Graded) -> None:
    answer = AnswerExpectation(excludes=("sorry", "sorry", "sorry"))
    trial = grade(Trajectory(case="c", stop="refused"), expect=Expectation(answer=answer))
    told = {check.name: check.passed for check in trial.checks if check.name.startswith("answer")}
    assert told == {
        "answer.excludes[sorry]": False,
        "answer.excludes[sorry] #2": False,
        "answer.excludes[sorry] #3": False,
    }


def test_names_that_only_differ_behind_the_cut_are_numbered(grade: Graded, did: Did) -> None:
    phrases = (("x" * 70,), ("x" * 80,))
    trial = grade(did(), expect=Expectation(answer=AnswerExpectation(contains=phrases)))
    names = [check.name for check in trial.checks if check.name.startswith("answer")]
    assert names == [f"answer.contains[{'x' * 60}]", f"answer.contains[{'x' * 60}] #2"]


def test_the_trial_tells_what_was_done(grade: Graded, did: Did) -> None:
    calls = [ToolCall(name="get", error="boom"), ToolCall(name="pay", arguments="{")]
    steps = (Step(calls=tuple(calls), tokens=Tokens(input=5, output=1)), Step(text="Done."))
    trial = grade(did(*steps, cost=0.5, seconds=2.0, model="live"), expect=SAYS)
    assert (trial.case, trial.trial, trial.stop, trial.error) == ("c", 0, "answer", None)
    assert (trial.tools, trial.failed_calls, trial.tool_errors) == (("get", "pay"), (0, 1), 2)
    assert (trial.steps, trial.cost, trial.seconds, trial.model) == (2, 0.5, 2.0, "live")
    assert (trial.tokens, trial.known_tokens) == (None, 6)


def test_what_is_unknown_of_a_trial_is_null_and_not_zero(grade: Graded) -> None:
    trial = grade(Trajectory(case="c", answer="Done."), expect=SAYS)
    assert (trial.steps, trial.tokens, trial.cost, trial.seconds) == (None, None, None, None)
    assert (trial.tool_errors, trial.tools) == (None, ())
    assert trial.verdict == "passed"


def test_a_suite_says_which_results_are_errors_and_its_currency(grade: Graded, did: Did) -> None:
    suite = GradingSettings(tool_error=compile_matcher({"ok": False}), currency="EUR")
    trajectory = did(ToolCall(name="get", result={"ok": False}), cost=1.0, currency="EUR")
    trial = grade(trajectory, settings=suite, expect=SAYS)
    assert (trial.tool_errors, trial.cost) == (1, 1.0)
    assert grade(trajectory, expect=SAYS).cost is None


def test_a_tool_error_pattern_without_end_is_an_error_of_the_trial(grade: Graded, did: Did) -> None:
    suite = GradingSettings(tool_error=compile_matcher({"matches": "(a|aa)+$"}))
    trajectory = did(ToolCall(name="get", result="a" * 5000 + "b"))
    trial = grade(trajectory, settings=suite, expect=SAYS)
    assert (trial.verdict, trial.checks) == ("error", ())
    assert (trial.error or "").startswith("tool_error: the pattern ")


def test_a_huge_error_is_told_in_short(grade: Graded, did: Did) -> None:
    error = TrajectoryError(kind="world", message="x\ud800" * 10**6)
    trial = grade(did(error=error), expect=SAYS)
    assert len(trial.error or "") < 1100
    assert msgspec.json.encode(trial.error)


def test_trials_that_come_out_alike_share_their_checks() -> None:
    grader = CaseGrader(Case(id="c", hash="0", source=Source("a", 1), expect=DENIES))
    alike = [Trajectory(case="c", answer="x", cost=cost) for cost in (1.0, 2.0)]
    first, second = (grader.grade(one, 0) for one in alike)
    assert first.checks is second.checks
    other = grader.grade(Trajectory(case="c", answer="no"), 0)
    assert (first.verdict, other.verdict) == ("failed", "passed")


def test_many_kinds_of_trials_are_all_graded_right() -> None:
    expect = Expectation(answer=AnswerExpectation(numbers=(NumberExpectation(value=7),)))
    grader = CaseGrader(Case(id="c", hash="0", source=Source("a", 1), expect=expect))
    for number in [*range(300), *range(300)]:
        trial = grader.grade(Trajectory(case="c", answer=f"It is {number}."), 0)
        assert trial.verdict == ("passed" if number == 7 else "failed")
        assert str(number) in trial.checks[1].reason
    assert len(grader._alike._judged) <= 64


def test_trials_graded_together_come_out_as_one_by_one(did: Did) -> None:
    case = Case(id="c", hash="0", source=Source("a.yaml", 1), expect=SAYS, limits=Limits(steps=2))
    broken = TrajectoryError(kind="world", message="down")
    crashed = TrajectoryError(kind="agent", message="boom")
    trajectories = [
        did(answer="done"),
        did(answer="no"),
        did(answer="done", model="scripted"),
        did(answer="done", error=broken),
        did(answer="done", error=crashed),
        did(answer=None, steps=None),
        did(answer="done"),
    ]
    together = CaseGrader(case).grade_all([(one, at) for at, one in enumerate(trajectories)])
    apart = [CaseGrader(case).grade(one, at) for at, one in enumerate(trajectories)]
    assert together == apart
    assert [trial.verdict for trial in together][:4] == ["passed", "failed", "passed", "error"]
    assert CaseGrader(case).grade_all([]) == []


def test_cases_that_ask_alike_share_their_checks_and_come_out_as_if_alone(did: Did) -> None:
    expect = Expectation(
        answer=AnswerExpectation(contains=(("done",), ("done",)), excludes=("sorry",)),
        tools=ToolsExpectation(required=("pay",), forbidden=("wipe",), plan=["pay"]),
    )
    told: tuple[dict[str, Any], ...] = (
        {},
        {"informs": ("answer",)},
        {"limits": Limits(repeats={"pay": 1}, steps=2)},
        {},
    )
    cases = [
        Case(id=f"c{at}", hash="0", source=Source("a.yaml", 1), expect=expect, **more)
        for at, more in enumerate(told)
    ]
    graders = Graders()
    called = did(Step(calls=(ToolCall(name="pay"),)), answer="done")
    trajectories = [called, did(answer="no"), did(answer="done", model="scripted"), called]
    together = [[graders.of(case).grade(one, 0) for one in trajectories] for case in cases]
    assert together == [[CaseGrader(case).grade(one, 0) for one in trajectories] for case in cases]
    assert together[0][0].checks is together[-1][0].checks
    assert together[0][0].verdict == "passed"
    assert not any(check.decides for check in together[1][0].checks if "answer" in check.name)


def test_a_case_is_compiled_once() -> None:
    graders = Graders()
    case = Case(id="c", hash="0", source=Source("a.yaml", 1), expect=SAYS)
    assert graders.of(case) is graders.of(case)
