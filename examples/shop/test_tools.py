"""The order desk's tools without any agent, and its agent on one more case: `pytest`."""

import pytest
from world import OrderDesk

import fairtrial as ft

FIXTURES = {
    "orders": {"S-1043": {"status": "shipped", "carrier": "NorthPost"}},
    "parcels": {"S-1043": {"status": "in transit", "arrives": "Thursday"}},
}


def test_get_order():
    """It only reads, and says which order it does not know."""
    ft.testing.assert_tool(
        OrderDesk, "get_order", fixtures=FIXTURES, arguments={"order": "S-1043"}, reads=True
    )


def test_track_parcel():
    """It asks the carrier that has the parcel, and no other."""
    ft.testing.assert_tool(
        OrderDesk,
        "track_parcel",
        fixtures=FIXTURES,
        arguments={"order": "S-1043", "carrier": "NorthPost"},
        reads=True,
        refuses=[{"order": "S-1043", "carrier": "SouthPost"}],
    )


def test_send_email():
    """A model is told what to give."""
    arguments = {"to": "ada@example.com", "text": "Your parcel is on its way."}
    ft.testing.assert_tool(OrderDesk, "send_email", fixtures=FIXTURES, arguments=arguments)


@pytest.mark.fairtrial(trials=2)
def test_an_order_that_nobody_made(fairtrial):
    """The agent looks, and finds nothing."""
    case = {
        "input": "Where is my order S-9?",
        "fixtures": FIXTURES,
        "expect": {"tools": {"required": [{"name": "get_order", "ok": False}]}},
        "script": [{"call": {"get_order": {"order": "S-9"}}}, {"say": "There is no order S-9."}],
    }
    ft.testing.assert_passed(fairtrial(case))
