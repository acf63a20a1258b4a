import dataclasses
import datetime
from typing import Any

import pydantic
import pytest

from fairtrial.errors import ToolError
from fairtrial.records import Json
from fairtrial.worlds.method import MethodTool


@dataclasses.dataclass
class Row:
    fee: float


class Guest(pydantic.BaseModel):
    name: str


class Desk:
    def pay(self, booking: str, fee: float, row: Row | None = None, note: str = None) -> Any:  # type: ignore[assignment]  # noqa: RUF013 - as people write it
        """Pay for a booking.

        Args:
            booking: Its id.
        """
        return booking, fee, row, note

    def meet(self, guest: Guest, day: datetime.date, anything=5) -> Any:  # type: ignore[no-untyped-def]  # as people write it
        return guest, day, anything

    def gather(self, rows: list[int] = []) -> list[int]:  # noqa: B006 - the trap that is tested
        rows.append(1)
        return rows

    def ping(self) -> str:
        return "pong"


PAY = MethodTool("pay", Desk.pay, None)
TAKES = ". It takes booking, fee, row (optional), note (optional)"


def run(tool: MethodTool, **arguments: Json) -> object:
    return tool.run(Desk(), tool.accept(arguments))


def test_arguments_become_what_the_annotations_say() -> None:
    assert run(PAY, booking="b", fee=1, row={"fee": 2}) == ("b", 1.0, Row(2.0), None)
    meet = MethodTool("meet", Desk.meet, None)
    assert run(meet, guest={"name": "Ann"}, day="2026-01-05", anything=[1]) == (
        Guest(name="Ann"),
        datetime.date(2026, 1, 5),
        [1],
    )


def test_null_is_taken_where_none_is_the_default() -> None:
    assert run(PAY, booking="b", fee=1, note=None) == ("b", 1.0, None, None)


def test_a_tool_without_parameters_takes_nothing() -> None:
    ping = MethodTool("ping", Desk.ping, None)
    assert run(ping) == "pong"
    with pytest.raises(ToolError, match=r"unknown argument 'a'. It takes nothing"):
        ping.accept({"a": 1})


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "pay: missing argument 'booking'; missing argument 'fee'"),
        ({"booking": "b"}, "pay: missing argument 'fee'"),
        ({"booking": 5, "fee": 1}, "pay: booking: wanted text, got the number 5"),
        ({"booking": "b", "fee": "1"}, "pay: fee: wanted a number, got '1'"),
        ({"booking": "b", "fee": True}, "pay: fee: wanted a number, got true"),
        ({"booking": "b", "fee": None}, "pay: fee: wanted a number, got null"),
        ({"booking": "b", "fee": 1, "row": {"fee": "x"}}, "pay: row.fee: wanted a number, got 'x'"),
        (
            {"boking": "b", "fee": 1},
            "pay: unknown argument 'boking'; did you mean booking?; missing argument 'booking'",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_told_in_words_to_act_on(
    arguments: dict[str, Json], text: str
) -> None:
    with pytest.raises(ToolError) as caught:
        PAY.accept(arguments)
    assert str(caught.value) == text + TAKES


def test_a_thousand_unknown_arguments_are_not_all_told() -> None:
    with pytest.raises(ToolError) as caught:
        PAY.accept({f"x{number}": "y" * 10**4 for number in range(1000)})
    assert "and 994 more" in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_arguments_by_position_get_their_names() -> None:
    assert PAY.bind(("b",), {"fee": 1}) == {"booking": "b", "fee": 1}
    with pytest.raises(ToolError, match="given twice: booking"):
        PAY.bind(("b",), {"booking": "c"})
    with pytest.raises(ToolError, match="5 arguments; it takes 4 at most"):
        PAY.bind((1, 2, 3, 4, 5), {})


def test_a_default_that_can_be_changed_is_new_for_each_call() -> None:
    gather = MethodTool("gather", Desk.gather, None)
    assert [run(gather), run(gather), gather.join(Desk(), (), {}, None)] == [[1], [1], [1]]
    assert gather.join(Desk(), ([5],), {}, Desk.gather) == [5, 1]


def test_a_model_is_told_what_the_docstring_says() -> None:
    assert PAY.shown.description == "Pay for a booking."
    assert PAY.shown.parameters["properties"]["booking"]["description"] == "Its id."
    assert PAY.shown.parameters["required"] == ["booking", "fee"]
    assert MethodTool("pay", Desk.pay, "Other words.").shown.description == "Other words."


def test_a_parameter_that_no_json_can_fill_is_told() -> None:
    class Odd:
        def pay(self, amount: complex) -> None: ...

    assert (
        MethodTool("pay", Odd.pay, None)
        .problems()[0]
        .startswith("tool pay: parameter amount: complex is no JSON type")
    )
