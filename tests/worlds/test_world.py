import datetime
from typing import Any

import pytest

from fairtrial.errors import ToolError, WorldError
from fairtrial.worlds import World, tool


class Hotel(World):
    """The example of the design."""

    bookings: dict[str, dict[str, Any]]
    cancellations: list[dict[str, Any]] = []

    @tool
    def cancel(self, booking: str, fee: float = 0) -> dict[str, Any]:
        """Cancel a booking of the guest who asks."""
        found = self.bookings[booking]
        if found["guest"] != self.context["guest"]["id"]:
            raise ToolError("That booking belongs to another guest.")
        found["state"] = "cancelled"
        row = {"id": self.new_id("C-"), "booking": booking, "fee": fee}
        self.cancellations.append(row)
        return row

    @tool
    def wait(self, seconds: float) -> str:
        self.clock.advance(seconds)
        return self.clock.now().isoformat()

    @tool
    def roll(self) -> float:
        return self.random.random()


CASE: Any = {
    "fixtures": {"bookings": {"H-204": {"guest": "g7"}, "H-205": {"guest": "g8"}}},
    "context": {"guest": {"id": "g7"}},
}


def test_tools_act_on_the_fields_and_the_state_shows_it(build: Any) -> None:
    hotel = build(Hotel, **CASE)
    row = hotel.cancel("H-204", fee=5)
    assert hotel.state["cancellations"] == [row]
    assert hotel.state["bookings"]["H-204"]["state"] == "cancelled"
    assert hotel.initial_state["cancellations"] == []
    assert "state" not in hotel.initial_state["bookings"]["H-204"]


def test_a_case_is_known_by_its_context(build: Any, refusal: Any) -> None:
    hotel = build(Hotel, **CASE)
    assert (
        refusal(hotel, "cancel", {"booking": "H-205"}) == "That booking belongs to another guest."
    )


def test_a_case_without_a_context_has_an_empty_one_of_its_own(build: Any) -> None:
    hotel = build(Hotel, fixtures=CASE["fixtures"])
    hotel.context["guest"] = 1
    assert hotel.context == {"guest": 1}
    assert build(Hotel, fixtures=CASE["fixtures"]).context == {}


def test_the_same_seed_gives_the_same_trial(build: Any) -> None:
    def trial(seed: bytes) -> list[Any]:
        hotel = build(Hotel, seed=seed, **CASE)
        return [hotel.roll(), hotel.cancel("H-204")["id"], hotel.roll()]

    assert trial(b"1") == trial(b"1")
    assert trial(b"1") != trial(b"2")


def test_time_is_the_worlds_own(build: Any) -> None:
    hotel = build(Hotel, **CASE)
    assert hotel.tools.call("wait", {"seconds": 60}) == "2026-01-05T09:01:00+00:00"
    assert build(Hotel, **CASE).clock.today() == datetime.date(2026, 1, 5)


def test_what_a_caller_gets_is_not_the_world(build: Any) -> None:
    hotel = build(Hotel, **CASE)
    row = hotel.cancel("H-204")
    row["fee"] = 1000
    state, start = hotel.state, hotel.initial_state
    state["bookings"].clear()
    start["bookings"].clear()
    assert hotel.state["cancellations"][0]["fee"] == 0
    assert len(hotel.state["bookings"]) == len(hotel.initial_state["bookings"]) == 2
    assert hotel.calls[0].result["fee"] == 0


def test_a_world_is_not_made_by_calling_its_class() -> None:
    with pytest.raises(WorldError, match=r"prepare\(Hotel, case\)\.build\(b'seed'\)"):
        Hotel()


def test_options_of_a_class_line_reach_its_other_bases() -> None:
    class Counting:
        def __init_subclass__(cls, count: int = 0, **options: Any) -> None:
            super().__init_subclass__(**options)
            cls.count = count  # type: ignore[attr-defined]

    class Desk(World, Counting, count=2):
        pass

    assert Desk.count == 2  # type: ignore[attr-defined]


class Older(World):
    @tool
    def say(self) -> str:
        return "old"

    @tool
    def shout(self) -> str:
        return "OLD"


class Newer(Older):
    shout = None  # type: ignore[assignment]  # takes the tool away

    @tool
    def say(self) -> str:
        return super().say() + " and new, not " + Older.shout(self)


def test_a_tool_may_use_those_of_its_base(build: Any) -> None:
    world = build(Newer)
    assert world.say() == "old and new, not OLD"
    assert len(world.calls) == 1
