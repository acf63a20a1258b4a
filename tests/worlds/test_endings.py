"""How a world comes to its end: whatever its tools did, it can be read, and nothing keeps it."""

import gc
import threading
import weakref
from typing import Any

import pydantic
import pytest

from fairtrial.errors import ToolError
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


def test_a_tool_that_hangs_does_not_hang_who_looks_at_the_state(build: Any) -> None:
    world = build(Desk)
    world.add(1)
    thread = threading.Thread(target=world.hang)
    thread.start()
    try:
        assert STUCK.wait(10)
        assert world.state == {"rows": [1]}
        assert len(world.calls) == 1
    finally:
        GO_ON.set()
        thread.join()
    assert world.state == {"rows": [1, -1]}


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
