"""Running an agent from Python, with everything in memory."""

from pathlib import Path
from threading import Event
from typing import Any

import httpx2
import msgspec
import pytest

import fairtrial as ft
from fairtrial.errors import PluginError, ProblemsError
from fairtrial.flow.course import RunOptions
from fairtrial.graders import GradingSettings
from fairtrial.models import Prices
from fairtrial.records import (
    AnswerExpectation,
    Case,
    Expectation,
    Json,
    Limits,
    Report,
    Source,
    Trial,
    Variant,
)
from fairtrial.trials import Bounds


class Bank(ft.World):
    """Accounts, and transfers between them."""

    accounts: dict[str, float]
    transfers: list[dict[str, Any]] = []

    @ft.tool
    def balance(self, account: str) -> float:
        """Give what is in an account."""
        return self.accounts[account]

    @ft.tool
    def transfer(self, to: str, amount: float) -> str:
        """Move money."""
        if amount > 1000:
            raise ft.ToolError("Over the limit.")
        self.transfers.append({"to": to, "amount": amount})
        return self.new_id("T-")


def case_of(name: str = "pay", says: str = "done", **fields: Any) -> Case:
    expect = fields.pop("expect", Expectation(answer=AnswerExpectation(contains=((says,),))))
    fields.setdefault("fixtures", {"accounts": {"a": 100}})
    return Case(
        id=name, hash="0", source=Source("a.yaml", 1), input="Pay.", expect=expect, **fields
    )


def options(**fields: Any) -> RunOptions:
    said: dict[str, Any] = {
        "root": Path(),
        "settings": GradingSettings(),
        "bounds": Bounds(timeout=10),
    }
    return RunOptions(**said | {"prices": Prices(), "save": False} | fields)


def only(report: Report) -> Trial:
    (result,) = report.cases
    (trial,) = result.trials
    return trial


def test_an_agent_acts_on_its_world_and_the_state_is_what_became_true() -> None:
    expect = Expectation(state={"transfers": [{"to": "b", "amount": 40}]})

    def agent(task: ft.Task) -> str:
        assert task.world.balance(account="a") == 100
        task.tools.call("transfer", {"to": "b", "amount": 40})
        return "done"

    report = ft.run([case_of(expect=expect)], agent, world=Bank)
    trial = only(report)
    assert (trial.verdict, trial.tools, trial.model) == ("passed", ("balance", "transfer"), "none")


def test_every_trial_has_a_world_of_its_own() -> None:
    expect = Expectation(state={"transfers": [{"to": "b", "amount": 1}]})

    async def agent(task: ft.Task) -> str:
        task.world.transfer("b", 1)
        task.world.accounts["a"] -= 1
        return f"done {task.world.accounts['a']}"

    cases = [case_of(name, expect=expect) for name in "xyz"]
    report = ft.run(cases, agent, world=Bank, trials=20)
    assert (report.scorecard.passed, report.scorecard.trials) == (60, 60)


def test_the_same_seed_gives_the_same_whatever_the_order_and_the_number_at_once() -> None:
    seen: list[dict[tuple[str, int], tuple[object, ...]]] = []

    def agent(task: ft.Task) -> str:
        drawn = task.world.random.random(), task.world.transfer("b", 1), task.seed
        seen[-1][task.case, task.trial] = (*drawn, task.world.clock.now())
        return "done"

    cases = [case_of(name) for name in ("x", "y", "z")]
    for at_once, order in [(1, cases), (50, cases[::-1]), (3, cases[:1])]:
        seen.append({})
        ft.run(
            order, agent, world=Bank, trials=8,
            options=options(bounds=Bounds(concurrency=at_once, timeout=10)),
        )  # fmt: skip
    assert seen[0] == seen[1]
    assert seen[2] == {key: value for key, value in seen[0].items() if key[0] == "x"}
    assert len(set(seen[0].values())) == 24


def test_an_agent_that_raises_has_failed_and_a_provider_that_fails_is_not_measured() -> None:
    def crash(task: ft.Task) -> str:
        raise KeyError("booking")

    def outage(task: ft.Task) -> str:
        raise ft.ProviderError("overloaded")

    crashed = only(ft.run([case_of()], crash, world=Bank))
    assert (crashed.verdict, crashed.stop) == ("failed", "error")
    assert "KeyError: 'booking'" in (crashed.error or "")
    once = options(bounds=Bounds(retries=0))
    out = only(ft.run([case_of()], outage, world=Bank, options=once))
    assert (out.verdict, out.checks) == ("error", ())


def test_a_model_that_has_no_script_is_not_measured_and_says_what_to_do() -> None:
    def agent(task: ft.Task) -> str:
        body = {"model": "m", "messages": list(task.messages)}
        httpx2.post(f"{task.model.base_url}/chat/completions", json=body, trust_env=False)
        return "done"

    trial = only(ft.run([case_of()], agent, world=Bank))
    assert (trial.verdict, trial.model) == ("error", "scripted")
    assert "case pay has no script (a.yaml:1)" in (trial.error or "")


def test_the_worlds_own_bug_is_no_fault_of_the_agent() -> None:
    class Broken(ft.World):
        @ft.tool
        def look(self) -> int:
            return 1 // 0

    def agent(task: ft.Task) -> str:
        return f"done {task.tools.reply('look', '{}')}"

    trial = only(ft.run([case_of(fixtures=None)], agent, world=Broken))
    assert trial.verdict == "error"
    assert "ZeroDivisionError" in (trial.error or "")


def test_fixtures_that_do_not_fit_stop_everything_before_it_begins() -> None:
    def agent(task: ft.Task) -> str:
        raise AssertionError("nothing may run")

    cases = [
        case_of("x", fixtures={"accounts": {"a": "much"}}),
        case_of("y", fixtures={"acounts": {}}),
    ]
    with pytest.raises(ProblemsError) as raised:
        ft.run(cases, agent, world=Bank)
    first, second = raised.value.problems
    assert first.startswith("a.yaml:1: case x: fixtures.accounts.a: ")
    assert second.startswith("a.yaml:1: case y: fixtures.acounts: ")
    assert "accounts" in second


def test_what_is_no_agent_is_refused_before_anything_runs() -> None:
    with pytest.raises(PluginError):
        ft.run([case_of()], lambda: "done", world=Bank)


def test_an_agent_that_goes_on_and_on_is_stopped_past_its_limit() -> None:
    def agent(task: ft.Task) -> str:
        while True:
            task.tools.reply("balance", {"account": "a"})

    case = case_of(limits=Limits(steps=2))
    trial = only(ft.run([case], agent, world=Bank))
    assert (trial.verdict, trial.stop) == ("failed", "steps")
    assert len(trial.tools) == 80


def test_an_agent_that_hangs_is_a_failure_and_holds_nobody_up() -> None:
    forever = Event()

    def agent(task: ft.Task) -> str:
        if task.trial == 0:
            forever.wait()
        return "done"

    report = ft.run(
        [case_of()], agent, world=Bank, trials=5,
        options=options(bounds=Bounds(timeout=0.3, concurrency=2)),
    )  # fmt: skip
    forever.set()
    first, *others = report.cases[0].trials
    assert (first.verdict, first.stop) == ("failed", "timeout")
    assert [trial.verdict for trial in others] == ["passed"] * 4


def test_a_variant_reaches_the_agent_and_leaves_the_world_alone() -> None:
    seen = []

    def agent(task: ft.Task) -> str:
        seen.append((task.variant.name, task.variant.settings, task.seed))
        return "done"

    for variant in (Variant(), Variant(name="terse", settings={"words": 5})):
        ft.run([case_of()], agent, options=options(variant=variant))
    assert seen[0][:2] == (None, {})
    assert seen[1][:2] == ("terse", {"words": 5})
    assert seen[0][2] == seen[1][2]


def test_a_case_with_messages_hands_them_all_on_and_its_last_user_text() -> None:
    seen: list[tuple[str | None, tuple[Json, ...]]] = []

    def agent(task: ft.Task) -> str:
        seen.append((task.input, tuple(task.messages)))
        return "done"

    said: tuple[Json, ...] = (
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello!"},
    )
    case = case_of()
    ft.run([msgspec.structs.replace(case, messages=said)], agent)
    ft.run([msgspec.structs.replace(case, input=None, messages=said[:1])], agent)
    assert seen[0] == ("Pay.", (*said, {"role": "user", "content": "Pay."}))
    assert seen[1] == ("Hi", said[:1])


def test_a_failure_of_the_provider_that_the_script_played_is_not_tried_again() -> None:
    asked = []

    def agent(task: ft.Task) -> str:
        asked.append(task.trial)
        url = f"{task.model.base_url}/chat/completions"
        body = {"model": "m", "messages": task.messages}
        httpx2.post(url, json=body, trust_env=False).raise_for_status()
        return "done"

    down = case_of(script=[{"status": 503}, {"say": "done"}])
    assert (only(ft.run([down], agent, world=Bank)).verdict, asked) == ("error", [0])
