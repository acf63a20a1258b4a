"""Whatever an agent or a model hands to a world, it is a call, or a call with an error."""

import json
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import ToolError
from fairtrial.records import Case, Json, Source, plain
from fairtrial.worlds import World, prepare, tool


class Desk(World):
    rows: list[Any]

    @tool
    def add(self, row: Any, fee: float = 0, names: list[str] | None = None) -> Any:
        self.rows.append(row)
        return row


BLUEPRINT = prepare(Desk, Case(id="c", hash="", source=Source("a.yaml", 1)))

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.text(st.characters(categories=["Cs", "Cc"]))
    | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.sampled_from(["row", "fee", "names", "x", 5]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(ANYTHING, ANYTHING)
def test_any_call_is_recorded_as_json_and_never_crashes(name: Json, arguments: Json) -> None:
    world = BLUEPRINT.build(b"")
    for tool_name in ("add", name):
        with suppress(ToolError):
            world.tools.call(tool_name, arguments)
    assert len(world.calls) == 2
    assert world.failure is None
    json.dumps(plain(world.calls), allow_nan=False).encode()


@given(st.text())
def test_any_raw_text_is_kept_or_read(text: str) -> None:
    world = BLUEPRINT.build(b"")
    assert world.tools.reply("add", text) != ""
    (call,) = world.calls
    assert call.error is not None
    assert call.arguments in ({}, text) or isinstance(json.loads(text), dict)


@given(st.dictionaries(st.sampled_from(["row", "fee"]), ANYTHING, min_size=1))
def test_a_call_that_succeeds_shows_in_state_and_result_alike(arguments: dict[str, Json]) -> None:
    world = BLUEPRINT.build(b"")
    world.tools.reply("add", arguments)
    (call,) = world.calls
    rows = world.state["rows"]
    assert rows == ([] if call.error is not None else [call.result])
    assert call.changed is (call.error is None)
