"""Callables of every kind become agents, and what cannot be one is refused with words."""

import asyncio
import functools
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.agents import CommandAgent, callable_agent
from fairtrial.errors import PluginError
from fairtrial.records import Task

if TYPE_CHECKING:
    from tests.agents.conftest import TaskMaker


def plain_agent(task: Task) -> str:
    return f"plain {task.case}"


async def async_agent(task: Task) -> str:
    return f"async {task.case}"


def with_more(greeting: str, task: Task, *, mark: str = ".") -> str:
    return f"{greeting} {task.case}{mark}"


async def async_with_more(greeting: str, task: Task) -> str:
    return f"{greeting} {task.case}"


class Plain:
    def __call__(self, task: Task) -> str:
        return f"object {task.case}"

    def method(self, task: Task) -> str:
        return f"method {task.case}"

    async def async_method(self, task: Task) -> str:
        return f"async method {task.case}"

    @staticmethod
    def static(task: Task) -> str:
        return f"static {task.case}"

    @classmethod
    def of_class(cls, task: Task) -> str:
        return f"class {task.case}"


class Async:
    async def __call__(self, task: Task) -> str:
        return f"async object {task.case}"


@functools.wraps(async_agent)
def giving_the_coroutine(task: Task) -> Awaitable[str]:
    return async_agent(task)


@functools.wraps(async_agent)
def running_the_coroutine(task: Task) -> str:
    return asyncio.run(async_agent(task))


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (plain_agent, "plain c1"),
        (lambda task: f"lambda {task.case}", "lambda c1"),
        (functools.partial(with_more, "hello", mark="!"), "hello c1!"),
        (functools.partial(functools.partial(with_more, "twice")), "twice c1."),
        (Plain(), "object c1"),
        (Plain().method, "method c1"),
        (Plain.static, "static c1"),
        (Plain.of_class, "class c1"),
        (functools.partial(Plain()), "object c1"),
        (giving_the_coroutine, "async c1"),
        (running_the_coroutine, "async c1"),
        (lambda task: async_agent(task), "async c1"),
    ],
)
def test_a_plain_callable_blocks_and_gives_what_it_comes_to(
    target: object, said: str, make_task: "TaskMaker"
) -> None:
    agent = callable_agent(target, "m:a")
    assert (agent.name, agent.blocking, agent(make_task())) == ("m:a", True, said)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (async_agent, "async c1"),
        (functools.partial(async_with_more, "hello"), "hello c1"),
        (Async(), "async object c1"),
        (functools.partial(Async()), "async object c1"),
        (Plain().async_method, "async method c1"),
        (Async().__call__, "async object c1"),
    ],
)
def test_a_coroutine_function_does_not_block(
    target: object, said: str, make_task: "TaskMaker"
) -> None:
    agent = callable_agent(target, "m:a")
    assert agent.blocking is False

    async def ask() -> object:
        returned = agent(make_task())
        assert isinstance(returned, Awaitable)
        return await returned

    assert asyncio.run(ask()) == said


def generator(task: Task) -> Iterator[str]:
    yield task.case


async def async_generator(task: Task) -> AsyncIterator[str]:
    yield task.case


def takes_nothing() -> str:
    return ""


def takes_two(task: Task, other: str) -> str:
    return other


def by_keyword(*, task: Task) -> str:
    return task.case


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (Plain, "Plain is a class; wanted an instance: agent = Plain()"),
        (generator, "it is a generator: it yields; return the answer instead"),
        (async_generator, "it is a generator"),
        (functools.partial(generator), "it is a generator"),
        (takes_nothing, "it takes () -> str; wanted a function of one parameter, the task"),
        (takes_two, "wanted a function of one parameter"),
        (by_keyword, "wanted a function of one parameter"),
        (Plain.method, "wanted a function of one parameter"),
        ("text", "it is a str, which cannot be called"),
        (5, "it is an int, which cannot be called"),
        (None, "which cannot be called"),
        (math, "it is the module math, which cannot be called"),
        (object(), "it is an object, which cannot be called"),
    ],
)
def test_what_cannot_be_an_agent_is_refused_with_words(target: object, words: str) -> None:
    with pytest.raises(PluginError) as told:
        callable_agent(target, "shop:agent")
    assert str(told.value).startswith("agent 'shop:agent': ")
    assert words in str(told.value)


def test_making_an_agent_calls_nothing() -> None:
    called: list[Task] = []
    callable_agent(called.append, "m:a")
    callable_agent(lambda task: called.append(task), "m:a")
    assert called == []


def test_an_agent_by_itself_stays_as_it_is() -> None:
    agent = CommandAgent(["true"], cwd=Path(), env={})
    assert callable_agent(agent, "m:a") is agent


def test_an_optional_second_parameter_is_fine(make_task: "TaskMaker") -> None:
    def more(task: Task, hook: Callable[[], None] | None = None) -> str:
        return f"{task.case} {hook}"

    assert callable_agent(more, "m:a")(make_task()) == "c1 None"


def test_an_exception_passes_through_as_it_is(make_task: "TaskMaker") -> None:
    def broken(task: Task) -> str:
        raise KeyError(task.case)

    with pytest.raises(KeyError):
        callable_agent(broken, "m:a")(make_task())


def test_abandoning_and_closing_do_nothing(make_task: "TaskMaker") -> None:
    agent = callable_agent(plain_agent, "m:a")
    agent.abandon(make_task())
    agent.close()
    assert agent(make_task()) == "plain c1"
