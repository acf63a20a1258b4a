"""Tools looked at without any agent."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

import fairtrial as ft
from fairtrial.errors import UsageError, WorldError
from fairtrial.records import Json


@dataclass
class Booking:
    guest: str
    state: str = "confirmed"


class Hotel(ft.World):
    bookings: dict[str, Booking]
    log: list[dict[str, str]] = []

    @ft.tool
    def get_booking(self, booking: str) -> Booking:
        """Look up a booking.

        Args:
            booking: Its id, such as H-204.
        """
        if booking not in self.bookings:
            raise ft.ToolError(f"no booking {booking}; ids look like H-204")
        return self.bookings[booking]

    @ft.tool
    def cancel(self, booking: str) -> dict[str, str]:
        """Cancel a booking.

        Args:
            booking: Its id, such as H-204.
        """
        self.get_booking(booking).state = "cancelled"
        return {"booking": booking}

    @ft.tool
    def careless(self, booking: str, note: str = "") -> int:
        """Note something.

        Args:
            booking: Its id.
            note: What.
        """
        self.log.append({"booking": booking, "note": note})
        found = self.bookings[booking]
        return found.guest  # type: ignore[return-value]

    @ft.tool
    def broken(self, booking: str) -> str:
        """Break.

        Args:
            booking: Its id.
        """
        return self.bookings.get(booking).guest  # type: ignore[union-attr]

    @ft.tool
    def touch(self, booking: str) -> object:
        """Look, and leave a trace.

        Args:
            booking: Its id.
        """
        self.log.append({"booking": booking, "note": "seen"})
        return {"at": object()} if booking == "H-1" else booking


FIXTURES: dict[str, Json] = {"bookings": {"H-204": {"guest": "g7"}, "H-1": {"guest": "g1"}}}
ONE: dict[str, Json] = {"booking": "H-204"}


def found(name: str, **how: Json) -> list[tuple[str, str]]:
    given: dict[str, Json] = {"arguments": ONE, "fixtures": FIXTURES} | how
    return [(one.rule, one.text) for one in ft.testing.check_tool(Hotel, name, **given)]


def test_nothing_is_found_in_a_good_tool() -> None:
    assert found("get_booking", reads=True, refuses=[{"booking": "H-9"}]) == []
    assert found("cancel", idempotent=True) == []
    ft.testing.assert_tool(Hotel, "cancel", fixtures=FIXTURES, arguments=ONE, idempotent=True)


def test_a_careless_tool_is_told_what_to_mend() -> None:
    told = found("careless", idempotent=True)
    assert [rule for rule, _ in told] == ["result", "idempotent", "errors", "errors"]
    result, again, error, half = (text for _, text in told)
    assert result.startswith("result: wanted a whole number, got 'g7'; give back what")
    assert again.startswith("called again with the same arguments it changed log[1]: added ")
    assert error == (
        "with a booking that does not exist: the agent hears "
        "\"KeyError: 'no-such-booking'\": an exception of Python, and no way out; raise "
        "ft.ToolError that says what there is"
    )
    assert half.startswith("with a booking that does not exist: it says no, and has changed log")


def test_a_tool_that_only_reads_leaves_no_trace() -> None:
    assert [rule for rule, _ in found("touch", reads=True)] == ["reads"]


def test_a_tool_that_breaks_is_told_apart_from_one_that_says_no() -> None:
    ((rule, text),) = found("broken")
    assert rule == "errors"
    assert text.startswith("with a booking that does not exist: the tool breaks: World Hotel: ")
    ((rule, text),) = found("touch", arguments={"booking": "H-1"})
    assert rule == "call"
    assert "its result is not JSON" in text


def test_an_example_that_fails_is_told_and_nothing_else_of_it() -> None:
    rules = [rule for rule, _ in found("get_booking", arguments={"booking": "H-9"}, reads=True)]
    assert rules == ["call"]


def test_what_must_be_refused_and_is_not_is_told() -> None:
    ((rule, text),) = found("cancel", refuses=[ONE])
    assert rule == "errors"
    assert text == "cancel(booking='H-204') is not refused; raise ft.ToolError that says why not"


def test_plain_functions_are_tools_too() -> None:
    def pay(amount: float, to: str, note: str = "") -> str:
        """Pay.

        Args:
            amount: In euros.
            to: Whom.
            note: For the books.
        """
        if to != "g7":
            raise ft.ToolError(f"there is nobody called {to}")
        return "paid"

    assert ft.testing.check_tool(pay, arguments={"amount": 5, "to": "g7"}) == []
    ((found),) = ft.testing.check_tool(pay, "pay", arguments={"amount": 5, "to": "g8"})
    assert found.rule == "call"


def test_without_an_example_only_the_schema_is_looked_at() -> None:
    def pay(amount, to: list):  # type: ignore[no-untyped-def, type-arg]
        raise RuntimeError

    assert {one.rule for one in ft.testing.check_tool(pay)} == {"schema"}


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: ft.testing.check_tool(Hotel, "cancle"), "Hotel: no tool 'cancle'; its tools"),
        (lambda: ft.testing.check_tool(Hotel), "Hotel: which tool? its tools are get_booking"),
        (lambda: ft.testing.check_tool(Hotel, "cancel", reads=True, fixtures=FIXTURES), "give arg"),
        (lambda: ft.testing.check_tool(print, reads=True), "the state of a plain function is not"),
        (lambda: ft.testing.check_tool(5), "5 is no tool; give a World and a name"),  # type: ignore[arg-type]
        (lambda: ft.testing.check_tool(Hotel.cancel), "cancel is a method; give its World and"),
        (lambda: ft.testing.check_tool(len), "len: obj is given by its place alone"),
        (lambda: ft.testing.check_tool(dict.fromkeys), "fromkeys: iterable is given by its place"),
        (lambda: ft.testing.check_tool(max), "max: its parameters cannot be read; wrap it"),
        (
            lambda: ft.testing.check_tool(Hotel, "cancel", arguments=["H-1"]),  # type: ignore[arg-type]
            "arguments: wanted a mapping of names to values, got ['H-1']",
        ),
        (
            lambda: ft.testing.check_tool(Hotel, "cancel", refuses={"booking": 1}),  # type: ignore[arg-type]
            'refuses: wanted a list of mappings, such as [{"amount": -1}], got {',
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call: Callable[[], object], told: str) -> None:
    with pytest.raises(UsageError) as error:
        call()
    assert told in str(error.value)


def test_fixtures_that_do_not_fit_are_told() -> None:
    with pytest.raises(WorldError, match="did you mean bookings"):
        ft.testing.check_tool(Hotel, "cancel", fixtures={"bokings": {}}, arguments=ONE)


def test_an_async_function_is_refused() -> None:
    async def pay() -> None:
        """Pay."""

    with pytest.raises(UsageError, match="pay is async"):
        ft.testing.check_tool(pay)
