"""Two agents as one."""

import asyncio
from collections.abc import Awaitable
from typing import cast

import fairtrial as ft
from fairtrial.agents import callable_agent
from fairtrial.flow.both import BothAgents
from fairtrial.records import ModelAddress, Task


def task(token: str) -> Task:
    address = ModelAddress(base_url="", anthropic_base_url="")
    return Task(case="a", input="Hi", messages=[], model=address, trial=0, seed=1, token=token)


def plain(task: ft.Task) -> str:
    return f"plain {task.token}"


async def awaited(task: ft.Task) -> str:
    await asyncio.sleep(0)
    return f"awaited {task.token}"


def both(**targets: object) -> BothAgents[str]:
    agents = {name: callable_agent(target, name) for name, target in targets.items()}
    made = BothAgents(agents)
    for token in ("one", "two"):
        made.take(task(token), token)
    return made


def test_each_task_goes_to_the_agent_it_was_made_for() -> None:
    made = both(one=plain, two=lambda task: "two")
    assert (made.blocking, made(task("one")), made(task("two"))) == (True, "plain one", "two")
    assert made.name == "one and two"


def test_agents_that_are_awaited_stay_so() -> None:
    made = both(one=awaited, two=awaited)
    assert made.blocking is False

    async def answer() -> object:
        return await cast("Awaitable[object]", made(task("two")))

    assert asyncio.run(answer()) == "awaited two"


def test_where_one_blocks_the_other_is_waited_for() -> None:
    made = both(one=plain, two=awaited)
    assert (made.blocking, made(task("two"))) == (True, "awaited two")


def test_abandoning_reaches_the_right_one_and_getting_ready_both() -> None:
    told: list[str] = []

    class Told:
        blocking = True

        def __init__(self, name: str) -> None:
            self.name = name

        def __call__(self, task: Task) -> object:
            return self.name

        def warm(self, count: int) -> None:
            told.append(f"warm {self.name} {count}")

        def abandon(self, task: Task) -> None:
            told.append(f"abandon {self.name}")

        def close(self) -> None:
            told.append("closed")

    made = BothAgents({"a": Told("a"), "b": Told("b")})
    made.take(task("x"), "b")
    made.warm(3)
    made.abandon(task("x"))
    made.close()
    assert told == ["warm a 3", "warm b 3", "abandon b"]
