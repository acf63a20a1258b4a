"""The built-in loop: asks, runs the calls, asks again."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents import AgentFailedError, LoopAgent, ProviderFailedError, failure_of
from fairtrial.errors import PluginError, TrialOverError
from fairtrial.records import Json, ModelAddress, Step, Task, Tokens, ToolCall, ToolReply

if TYPE_CHECKING:
    from tests.agents.conftest import Serve, Served, Shop, TaskMaker


class Talk:
    """A model that replies in order, and an agent that asks it."""

    def __init__(self, serve: "Serve", make_task: "TaskMaker") -> None:
        self._serve, self._make_task = serve, make_task
        self.server: Served
        self.agents: list[LoopAgent] = []

    def model(self, *replies: Json) -> "Talk":
        waiting = iter(replies)

        def answer(request: Json) -> Json:
            reply = next(waiting)
            return reply if isinstance(reply, tuple) else (200, reply)

        self.server = self._serve(answer)
        return self

    def ask(self, *, step_cap: int = 5, api: Json = "openai", **fields: Json) -> Json:
        agent = LoopAgent(model="m", system="Be brief.", step_cap=step_cap, api=api, timeout=10)
        self.agents.append(agent)
        return agent(self.task(**fields))

    def task(self, **fields: Json) -> Task:
        model = ModelAddress(base_url=self.server.url, anthropic_base_url=self.server.url)
        return self._make_task(**{"model": model, **fields})


@pytest.fixture
def talk(serve: "Serve", make_task: "TaskMaker") -> Iterator[Talk]:
    made = Talk(serve, make_task)
    yield made
    for agent in made.agents:
        agent.close()


def said(text: str | None = None, *calls: tuple[str, str], **more: Json) -> Json:
    listed = [
        {"id": f"i{number}", "type": "function", "function": {"name": name, "arguments": raw}}
        for number, (name, raw) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": listed} if calls else {})}
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    return {"choices": [{"message": {**message, **more}}], "usage": usage}


def test_it_answers_at_once_where_the_model_does(talk: Talk) -> None:
    trajectory = talk.model(said("Done.")).ask()
    assert (trajectory.case, trajectory.answer, trajectory.stop) == ("c1", "Done.", "answer")
    assert trajectory.steps == (Step(text="Done.", tokens=Tokens(input=10, output=2)),)
    (request,) = talk.server.requests
    assert request.path == "/chat/completions"
    assert request.json == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
        ],
    }


def test_calls_are_run_in_order_and_told(talk: Talk, shop: "Shop") -> None:
    calls = said("Wait.", ("get_order", '{"order": "o1"}'), ("cancel", "{}"))
    trajectory = talk.model(calls, said("Done.")).ask(tools=shop)
    assert shop.calls == [("get_order", '{"order": "o1"}'), ("cancel", "{}")]
    assert trajectory.steps[0].calls == (
        ToolCall(id="i0", name="get_order", arguments={"order": "o1"}),
        ToolCall(id="i1", name="cancel", arguments={}),
    )
    assert trajectory.tokens == Tokens(input=20, output=4)
    told = talk.server.requests[1].json["messages"][2:]
    assert [one["role"] for one in told] == ["assistant", "tool", "tool"]
    assert told[2] == {"role": "tool", "tool_call_id": "i1", "content": "Too late."}


def test_malformed_arguments_stay_as_they_are(talk: Talk, shop: "Shop") -> None:
    trajectory = talk.model(said(None, ("cancel", "{oops")), said("Done.")).ask(tools=shop)
    assert trajectory.steps[0].calls[0].arguments == "{oops"
    assert shop.calls == [("cancel", "{oops")]


def test_the_step_cap_ends_it(talk: Talk, shop: "Shop") -> None:
    call = said(None, ("cancel", "{}"))
    trajectory = talk.model(call, call, call).ask(tools=shop, step_cap=2)
    assert (trajectory.stop, trajectory.answer, len(trajectory.steps)) == ("steps", None, 2)


def test_the_runs_own_cap_ends_it_too(talk: Talk, shop: "Shop") -> None:
    over = (400, {"error": {"code": "fairtrial_trial_over", "message": "the cap of 8 steps"}})
    trajectory = talk.model(said(None, ("cancel", "{}")), over).ask(tools=shop)
    assert (trajectory.stop, len(trajectory.steps)) == ("steps", 1)


def test_a_refusal_ends_it(talk: Talk) -> None:
    trajectory = talk.model(said(None, refusal="I cannot.")).ask()
    assert (trajectory.stop, trajectory.answer) == ("refused", "I cannot.")


def test_nothing_said_is_no_answer(talk: Talk) -> None:
    trajectory = talk.model(said(None)).ask()
    assert (trajectory.stop, trajectory.answer) == (None, None)


def test_a_call_without_a_world_is_told_as_an_error(talk: Talk) -> None:
    trajectory = talk.model(said(None, ("pay", "{}")), said("Done.")).ask()
    assert "this world has no tools" in trajectory.steps[0].calls[0].error


def test_the_model_of_the_task_is_asked_for_where_none_is_set(talk: Talk) -> None:
    talk.model(said("a"), said("b"))
    agent = LoopAgent(model=None, system=None, step_cap=1)
    talk.agents.append(agent)
    url = talk.server.url
    agent(talk.task(model=ModelAddress(base_url=url, anthropic_base_url="", name="from-task")))
    agent(talk.task())
    assert [request.json.get("model") for request in talk.server.requests] == ["from-task", None]


def test_tokens_that_the_listener_counts_are_left_to_it(talk: Talk) -> None:
    talk.model(said("Done."))
    there = f"{talk.server.url}/t/k1"
    model = ModelAddress(base_url=f"{there}/openai/v1", anthropic_base_url=f"{there}/anthropic")
    trajectory = talk.ask(model=model, token="k1")
    assert (trajectory.tokens, trajectory.steps[0].tokens) == (None, None)


def test_anthropic_messages_work_alike(talk: Talk, shop: "Shop") -> None:
    use = {"type": "tool_use", "id": "c1", "name": "get_order", "input": {"order": "o1"}}
    talk.model({"content": [use]}, {"content": [{"type": "text", "text": "Done."}]})
    trajectory = talk.ask(tools=shop, api="anthropic")
    assert (trajectory.answer, trajectory.stop) == ("Done.", "answer")
    assert shop.calls == [("get_order", {"order": "o1"})]
    first, second = talk.server.requests
    assert (first.path, first.json["system"]) == ("/v1/messages", "Be brief.")
    assert [one["role"] for one in second.json["messages"]] == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        ((429, {}, {"retry-after": "2"}), "provider", "HTTP 429"),
        ((503, {}), "provider", "HTTP 503"),
        ((401, {"error": "bad key"}), "agent", "HTTP 401: .*bad key"),
        ((400, {"error": {"code": "fairtrial_script"}}), "script", "fairtrial_script"),
        ((200, b"<html>"), "provider", "the model's reply is not JSON"),
        ((200, b"[" * 100_000), "provider", "the model's reply is not JSON"),
        ((200, {"choices": []}), "provider", "the model's reply holds no completion"),
    ],
)
def test_what_goes_wrong_is_whose_fault(reply: Json, kind: str, words: str, talk: Talk) -> None:
    with pytest.raises((AgentFailedError, ProviderFailedError), match=words) as told:
        talk.model(reply).ask()
    assert failure_of(told.value).kind == kind
    if isinstance(reply[1], dict) and reply[0] == 429:
        assert getattr(told.value, "retry_after", None) == 2.0


def test_a_trial_that_is_over_ends_it(talk: Talk, shop: "Shop") -> None:
    def over(name: str, arguments: Json = None) -> ToolReply:
        raise TrialOverError("the trial has ended")

    shop.reply = over  # type: ignore[method-assign] # as a world does
    with pytest.raises(TrialOverError):
        talk.model(said(None, ("cancel", "{}"))).ask(tools=shop)


def test_an_abandoned_task_ends_before_its_next_step(talk: Talk, shop: "Shop") -> None:
    agent = LoopAgent(model="m", system=None, step_cap=3)
    talk.agents.append(agent)
    talk.model(said(None, ("cancel", "{}")))
    task = talk.task(tools=shop)

    def giving_up(name: str, arguments: Json = None) -> ToolReply:
        agent.abandon(task)
        return ToolReply("Too late.", failed=True)

    shop.reply = giving_up  # type: ignore[method-assign] # the engine does so from its thread
    with pytest.raises(TrialOverError):
        agent(task)


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"step_cap": 0}, "step_cap: wanted at least 1"), ({"api": "x"}, "api: wanted openai or")],
)
def test_a_setting_that_does_not_fit_is_refused(settings: Json, words: str) -> None:
    make: Callable[..., LoopAgent] = LoopAgent
    with pytest.raises(PluginError, match=words):
        make(**{"model": None, "system": None, "step_cap": 1, **settings})
