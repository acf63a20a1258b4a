"""One attempt: what the agent is handed, when it is stopped, and what is known when it is done."""

from collections.abc import Iterator, Sequence
from typing import Any

import httpx2
import pytest

import fairtrial as ft
from fairtrial.errors import PluginError, TrialOverError
from fairtrial.flow.attempt import Attempt, Job, Setting, refuse_setup
from fairtrial.flow.endpoints import OFFLINE_KEY, Endpoints, open_endpoints
from fairtrial.flow.run import prepare_worlds
from fairtrial.records import (
    Case,
    Expectation,
    Json,
    Limits,
    Mode,
    Source,
    Step,
    Tokens,
    Trajectory,
    TrajectoryError,
    Variant,
)
from fairtrial.trials import Outcome, seed_of, whole_seed


class Bank(ft.World):
    """One account."""

    left: int = 100

    @ft.tool
    def take(self, amount: int) -> int:
        """Take money out."""
        self.left -= amount
        return self.left

    @ft.tool
    def break_down(self) -> None:
        """Fail, as a world of one's own may."""
        raise RuntimeError("the vault is jammed")


@pytest.fixture
def endpoints() -> Iterator[Endpoints]:
    """Give an offline run's listener."""
    with open_endpoints(live=False) as opened:
        yield opened


def case_of(**fields: Any) -> Case:
    said: dict[str, Any] = {"id": "pay", "hash": "0", "source": Source("a.yaml", 7)}
    return Case(**said | {"input": "Pay."} | fields)


def attempt_at(
    endpoints: Endpoints,
    case: Case,
    *,
    trial: int = 0,
    world: type[ft.World] | None = Bank,
    **setting: Any,
) -> Attempt:
    said: dict[str, Any] = {
        "variant": Variant(),
        "seed": 0,
        "step_cap": None,
        "model": None,
        "unseen": False,
    }
    return Attempt(
        Job(case, trial),
        Setting(endpoints=endpoints, blueprints=prepare_worlds(world, [case]), **said | setting),
    )


def ask(attempt: Attempt) -> httpx2.Response:
    """Ask the trial's model, as an agent would."""
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
    url = f"{attempt.task.model.base_url}/chat/completions"
    return httpx2.post(url, json=body, trust_env=False)


def stopped(attempt: Attempt, most: int = 100) -> int:
    """Call a tool until the trial is over, and give how many calls went through."""
    for number in range(most):
        try:
            attempt.task.tools.call("take", {"amount": 0})
        except TrialOverError:
            return number
    raise AssertionError(f"still going on after {most} calls")


SCRIPT: Json = [{"say": "One."}, {"say": "Two."}, {"say": "Three."}]


# The task.


def test_the_task_tells_the_situation_and_where_everything_is(endpoints: Endpoints) -> None:
    context: Json = {"guest": ["G-1"]}
    case = case_of(context=context, limits=Limits(steps=4))
    variant = Variant(name="terse", settings={"words": 5})
    task = attempt_at(endpoints, case, trial=2, seed=9, variant=variant, model="small").task
    assert (task.case, task.trial, task.limits) == ("pay", 2, Limits(steps=4))
    assert (task.input, task.messages) == ("Pay.", [{"role": "user", "content": "Pay."}])
    assert task.context == context
    assert task.context is not context
    assert sorted(task.tools) == ["break_down", "take"]
    assert (task.world.left, task.variant) == (100, variant)
    assert (task.model.name, task.model.api_key) == ("small", OFFLINE_KEY)
    assert task.token is not None
    for address in (task.model.base_url, task.model.anthropic_base_url, task.tools_url):
        assert f":{endpoints.listener.port}/t/{task.token}/" in (address or "")


def test_the_seed_depends_on_the_suites_seed_the_case_and_the_trial_alone(
    endpoints: Endpoints,
) -> None:
    def seed(name: str = "pay", trial: int = 0, **setting: Any) -> int:
        return attempt_at(endpoints, case_of(id=name), trial=trial, **setting).task.seed

    assert seed() == whole_seed(seed_of(0, "pay", 0))
    assert seed() == seed(variant=Variant(name="terse"), model="small", step_cap=3)
    assert len({seed(), seed("other"), seed(trial=1), seed(seed=1)}) == 4


def test_every_attempt_at_the_same_trial_has_a_clean_world_and_a_token_of_its_own(
    endpoints: Endpoints,
) -> None:
    first, second = (attempt_at(endpoints, case_of()).task for _ in range(2))
    first.tools.call("take", {"amount": 30})
    assert (first.world.left, second.world.left) == (70, 100)
    assert first.token != second.token


HI: Json = {"role": "user", "content": "Hi"}
HELLO: Json = {"role": "assistant", "content": "Hello!"}
PARTS: Json = {
    "role": "user",
    "content": [{"type": "text", "text": "See"}, {"type": "image"}, {"text": "this"}, "odd"],
}


@pytest.mark.parametrize(
    ("said", "text", "messages", "wanted"),
    [
        ("only an input", "Pay.", None, ("Pay.", ({"role": "user", "content": "Pay."},))),
        ("only messages", None, (HELLO, HI), ("Hi", (HELLO, HI))),
        ("the last user text", None, (HI, HELLO), ("Hi", (HI, HELLO))),
        ("both", "Pay.", (HI,), ("Pay.", (HI, {"role": "user", "content": "Pay."}))),
        ("parts", None, (PARTS,), ("See\nthis", (PARTS,))),
        ("a picture", None, ({"role": "user", "content": [{"type": "image"}]},), (None, None)),
        ("no content", None, ({"role": "user"},), (None, None)),
        ("nobody asks", None, (HELLO,), (None, None)),
        ("odd messages", None, ("Hi", {"content": "x"}), (None, None)),
        ("nothing", None, None, (None, ({"role": "user", "content": ""},))),
    ],
)
def test_the_conversation_ends_with_what_is_to_be_answered(
    endpoints: Endpoints,
    said: str,
    text: str | None,
    messages: tuple[Json, ...] | None,
    wanted: tuple[str | None, tuple[Json, ...] | None],
) -> None:
    task = attempt_at(endpoints, case_of(input=text, messages=messages)).task
    assert task.input == wanted[0], said
    assert tuple(task.messages) == (messages if wanted[1] is None else wanted[1]), said


def test_what_an_agent_does_to_its_messages_reaches_no_other_trial(endpoints: Endpoints) -> None:
    case = case_of(input=None, messages=({"role": "user", "content": "Hi"},))
    attempt_at(endpoints, case).task.messages[0]["content"] = "changed"
    assert attempt_at(endpoints, case).task.messages == [{"role": "user", "content": "Hi"}]


def test_without_a_world_there_are_no_tools_and_nothing_is_said_of_a_state(
    endpoints: Endpoints,
) -> None:
    attempt = attempt_at(endpoints, case_of(), world=None)
    assert [*attempt.task.tools] == []
    got = attempt.trajectory(Outcome(returned="Done."))
    assert (got.state, got.initial_state, got.answer) == (None, None, "Done.")


# Stopped.


@pytest.mark.parametrize(
    ("case", "override", "calls"),
    [
        (case_of(limits=Limits(steps=5)), None, 100),
        (case_of(limits=Limits(steps=1)), None, 80),
        (case_of(limits=Limits(steps=5)), 2, 20),
        (case_of(expect=Expectation(next=["take"])), None, 10),
        (case_of(expect=Expectation(next=["take"]), limits=Limits(steps=5)), 4, 10),
    ],
)
def test_an_agent_that_goes_on_is_stopped_past_its_steps_and_a_next_decision_after_one(
    endpoints: Endpoints, case: Case, override: int | None, calls: int
) -> None:
    attempt = attempt_at(endpoints, case, step_cap=override)
    assert stopped(attempt, 101) == calls
    got = attempt.trajectory(Outcome(error=TrialOverError("over")))
    assert (got.stop, got.error, len(got.steps or ())) == ("steps", None, calls)


def test_what_an_agent_raises_once_it_is_stopped_is_no_failure_of_its_own(
    endpoints: Endpoints,
) -> None:
    attempt = attempt_at(endpoints, case_of(), step_cap=1)
    stopped(attempt)
    got = attempt.trajectory(Outcome(error=RuntimeError("cannot go on")))
    assert (got.stop, got.error) == ("steps", None)


def test_a_next_decision_is_one_reply_of_the_model(endpoints: Endpoints) -> None:
    case = case_of(script=SCRIPT, expect=Expectation(next=["take"]))
    attempt = attempt_at(endpoints, case)
    first, second = ask(attempt), ask(attempt)
    assert first.json()["choices"][0]["message"]["content"] == "One."
    assert second.is_error
    got = attempt.trajectory(Outcome(returned=None))
    assert (got.stop, len(got.steps or ()), got.model) == ("steps", 1, "scripted")


def test_a_closed_attempt_answers_nobody_and_may_be_closed_twice(endpoints: Endpoints) -> None:
    attempt = attempt_at(endpoints, case_of(script=SCRIPT))
    attempt.task.tools.call("take", {"amount": 1})
    attempt.close()
    attempt.close()
    with pytest.raises(TrialOverError, match="the trial has ended"):
        attempt.task.tools.call("take", {"amount": 1})
    assert ask(attempt).status_code == 404
    assert endpoints.listener.refused == 1
    got = attempt.trajectory(Outcome(returned="Done."))
    assert (got.stop, got.state, got.steps and len(got.steps)) == ("answer", {"left": 99}, 1)


# What is known when it is done.


def test_what_the_agent_returned_stands_beside_what_its_world_saw(endpoints: Endpoints) -> None:
    attempt = attempt_at(endpoints, case_of(), trial=3)
    attempt.task.tools.call("take", {"amount": 30})
    got = attempt.trajectory(Outcome(returned="Taken.", seconds=1.5))
    assert (got.case, got.trial, got.answer, got.stop) == ("pay", 3, "Taken.", "answer")
    assert (got.state, got.initial_state) == ({"left": 70}, {"left": 100})
    assert [call.name for step in got.steps or () for call in step.calls] == ["take"]
    assert (got.seconds, got.inferred, got.error) == (1.5, True, None)


def test_what_a_model_was_seen_to_say_is_a_step_with_its_tokens(endpoints: Endpoints) -> None:
    script: Json = [{"say": "One.", "tokens": {"input": 10, "output": 2}}]
    attempt = attempt_at(endpoints, case_of(script=script))
    ask(attempt)
    got = attempt.trajectory(Outcome(returned="One."))
    assert (got.model, got.inferred) == ("scripted", False)
    assert got.tokens == Tokens(input=10, output=2)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (KeyError("booking"), "agent", "KeyError: 'booking'"),
        (ft.ProviderError("overloaded"), "provider", "overloaded"),
        (ConnectionResetError("reset by peer"), "provider", "reset by peer"),
    ],
)
def test_what_the_agent_raised_is_told_with_whose_fault_it_was(
    endpoints: Endpoints, error: BaseException, kind: str, words: str
) -> None:
    got = attempt_at(endpoints, case_of()).trajectory(Outcome(error=error))
    assert got.error is not None
    assert (got.error.kind, got.stop, got.answer) == (kind, "error", None)
    assert words in got.error.message


def test_what_cannot_be_read_is_the_agents_failure(endpoints: Endpoints) -> None:
    got = attempt_at(endpoints, case_of()).trajectory(Outcome(returned=4))
    assert got.error == TrajectoryError(
        kind="agent",
        message="the agent returned int; wanted a text, a list of messages, or a Trajectory",
    )


def test_the_conversation_that_was_handed_over_is_no_part_of_what_came_back(
    endpoints: Endpoints,
) -> None:
    given: tuple[Json, ...] = (HI, {"role": "assistant", "content": "done?"}, HI)
    attempt = attempt_at(endpoints, case_of(input=None, messages=given), world=None)
    got = attempt.trajectory(Outcome(returned=[*given, HELLO]))
    assert (got.answer, len(got.steps or ())) == ("Hello!", 1)


def test_what_was_left_out_is_noted_but_not_for_ever(endpoints: Endpoints) -> None:
    messages: list[Json] = [{"role": "tool", "content": f"{number}"} for number in range(500)]
    got = attempt_at(endpoints, case_of()).trajectory(Outcome(returned=[*messages, HELLO]))
    notes = (got.extra or {})["notes"]
    assert notes[0].startswith("messages[0]: a result that belongs to no open call")
    assert (got.answer, 20 <= len(notes) <= 21) == ("Hello!", True)


def test_out_of_time_is_told_by_the_stop_with_all_that_was_done_till_then(
    endpoints: Endpoints,
) -> None:
    attempt = attempt_at(endpoints, case_of())
    attempt.task.tools.call("take", {"amount": 1})
    got = attempt.trajectory(Outcome(stop="timeout", seconds=9.0))
    assert (got.stop, got.answer, got.error) == ("timeout", None, None)
    assert (got.state, len(got.steps or ())) == ({"left": 99}, 1)


def test_what_came_back_too_late_is_kept_and_out_of_time_all_the_same(
    endpoints: Endpoints,
) -> None:
    got = attempt_at(endpoints, case_of()).trajectory(Outcome(stop="timeout", returned="Late."))
    assert (got.stop, got.answer) == ("timeout", "Late.")


def test_a_model_without_a_reply_is_told_whatever_the_agent_made_of_it(
    endpoints: Endpoints,
) -> None:
    outcomes: Sequence[Outcome] = [Outcome(returned="Done."), Outcome(error=KeyError("choices"))]
    for outcome in outcomes:
        attempt = attempt_at(endpoints, case_of())
        assert ask(attempt).is_error
        got = attempt.trajectory(outcome)
        assert got.error is not None
        assert (got.error.kind, got.model) == ("script", "scripted")
        assert "case pay has no script (a.yaml:7)" in got.error.message


def test_the_worlds_own_failure_stands_above_all_others(endpoints: Endpoints) -> None:
    attempt = attempt_at(endpoints, case_of())
    assert ask(attempt).is_error
    attempt.task.tools.reply("break_down", {})
    got = attempt.trajectory(Outcome(error=KeyError("x")))
    assert got.error is not None
    assert (got.error.kind, "the vault is jammed" in got.error.message) == ("world", True)


@pytest.mark.parametrize("said", ["none", "replayed", "live"])
def test_where_no_model_was_seen_the_mode_is_what_the_agent_says(
    endpoints: Endpoints, said: Mode
) -> None:
    returned = Trajectory(case="pay", answer="Done.", model=said, steps=(Step(),))
    assert attempt_at(endpoints, case_of()).trajectory(Outcome(returned=returned)).model == said


def test_a_model_that_is_not_seen_here_is_live(endpoints: Endpoints) -> None:
    attempt = attempt_at(endpoints, case_of(), unseen=True)
    assert attempt.trajectory(Outcome(returned="Done.")).model == "live"


def test_live_the_providers_address_is_handed_on_and_no_script_speaks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "the-key")
    with open_endpoints(live=True) as live:
        attempt = attempt_at(live, case_of(script=SCRIPT), model="small")
        model = attempt.task.model
        assert (model.base_url, model.api_key) == ("https://models.example/v1", "the-key")
        assert attempt.trajectory(Outcome(error=KeyError("x"))).model == "live"


# What ends the run.


def test_an_agent_that_cannot_be_started_ends_the_run_and_nothing_else_does() -> None:
    refuse_setup(KeyError("x"))
    refuse_setup(ft.ProviderError("overloaded"))
    with pytest.raises(PluginError, match="no such program"):
        refuse_setup(PluginError("agent: no such program"))
