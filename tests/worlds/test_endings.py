"""How a world comes to its end: whatever its tools did, it can be read, and nothing keeps it."""

import gc
import threading
import time
import weakref
from typing import Any

import pydantic
import pytest

from fairtrial.errors import ToolError
from fairtrial.records import ToolCall
from fairtrial.worlds import World, tool

GO_ON = threading.Event()
STUCK = threading.Event()


class Guest(pydantic.BaseModel):
    name: str


class Desk(World):
    rows: list[int]

    @tool
    def add(self, row: int) -> int:
        self.rows.append(row)
        return row

    @tool
    def meet(self, guest: Guest) -> None: ...

    @tool
    def hang(self) -> None:
        self.rows.append(-1)
        STUCK.set()
        GO_ON.wait(20)

    @tool
    def fail(self, how: str) -> None:
        raise {"no": ToolError("no"), "bug": ZeroDivisionError("bug"), "key": KeyError("k")}[how]


@pytest.fixture
def hanging(build: Any) -> Any:
    """Give a world with a tool that hangs, the thread that called it, and what lets it go on."""
    GO_ON.clear()
    STUCK.clear()
    world = build(Desk)
    world.add(1)
    thread = threading.Thread(target=world.hang)
    thread.start()
    assert STUCK.wait(10)
    return world, thread, GO_ON


def test_a_tool_that_hangs_does_not_hang_who_looks_at_the_state(hanging: Any) -> None:
    world, thread, go_on = hanging
    try:
        start = time.perf_counter()
        assert world.state == {"rows": [1]}
        assert time.perf_counter() - start < 0.5
    finally:
        go_on.set()
        thread.join()
    assert world.state == {"rows": [1, -1]}


def test_a_call_that_runs_and_one_that_waits_for_it_stand_once_each(hanging: Any) -> None:
    world, thread, go_on = hanging
    waiting = threading.Thread(target=world.tools.call, args=("add", '{"row": 2}'))
    try:
        waiting.start()
        while len(world.calls) < 3:
            waiting.join(0.001)
        assert world.calls[1:] == (
            ToolCall(name="hang", arguments={}, error="the call did not end"),
            ToolCall(name="add", arguments={"row": 2}, error="the call did not end"),
        )
    finally:
        go_on.set()
        thread.join()
        waiting.join()
    assert [(one.name, one.error) for one in world.calls] == [
        ("add", None),
        ("hang", None),
        ("add", None),
    ]


def test_a_call_that_is_refused_waits_for_no_tool(hanging: Any) -> None:
    world, thread, go_on = hanging
    try:
        assert world.tools.reply("nothing").failed
        assert [one.name for one in world.calls] == ["add", "nothing", "hang"]
    finally:
        go_on.set()
        thread.join()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("add", {"row": 1}),
        ("add", {"row": "x"}),
        ("add", "{"),
        ("meet", {"guest": {"name": 1}}),
        ("nothing", {}),
        ("fail", {"how": "no"}),
        ("fail", {"how": "bug"}),
        ("fail", {"how": "key"}),
    ],
)
def test_a_world_that_nobody_holds_is_gone_at_once(build: Any, name: str, arguments: Any) -> None:
    world = build(Desk)
    seen = weakref.ref(world)
    gc.disable()
    try:
        world.tools.reply(name, arguments)
        del world
        assert seen() is None
    finally:
        gc.enable()
