import threading
from typing import TYPE_CHECKING, Any

import pytest

from fairtrial.errors import ToolError, TrialOverError
from fairtrial.records import Json

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.serve.conftest import Stage


def say_no(**_: Json) -> Json:
    raise ToolError("That booking belongs to another guest.")


def test_a_tool_is_called_with_the_body_as_its_arguments(stage: "Stage") -> None:
    tools = stage.tools(cancel=lambda booking, fee: {"cancelled": booking, "fee": fee})
    shown = stage.trial(tools=tools)
    reply = stage.ask(f"{shown.at.tools}/cancel", {"booking": "H-204", "fee": 0})
    assert (reply.status, reply.json) == (
        200,
        {"result": {"cancelled": "H-204", "fee": 0}},
    )


@pytest.mark.parametrize("body", [b"", b" \n", b"{}"])
def test_an_empty_body_means_no_arguments(stage: "Stage", body: bytes) -> None:
    tools = stage.tools(now=lambda: "noon")
    reply = stage.ask(f"{stage.trial(tools=tools).at.tools}/now", body, method="POST")
    assert reply.json == {"result": "noon"}
    assert tools.called == [("now", {})]


def test_a_tool_that_says_no_is_an_error_in_its_own_words(stage: "Stage") -> None:
    reply = stage.ask(f"{stage.trial(tools=stage.tools(pay=say_no)).at.tools}/pay", {})
    assert (reply.status, reply.json) == (
        422,
        {"error": "That booking belongs to another guest."},
    )


def test_an_unknown_tool_is_recorded_and_the_nearest_is_named(stage: "Stage") -> None:
    tools = stage.tools(get_booking=say_no, cancel=say_no)
    reply = stage.ask(f"{stage.trial(tools=tools).at.tools}/get_bookings", {})
    assert reply.status == 404
    assert reply.json == {"error": "there is no tool 'get_bookings'; did you mean get_booking?"}
    assert tools.called == [("get_bookings", {})]


def test_a_tool_that_resembles_none_is_answered_as_the_world_answers(stage: "Stage") -> None:
    reply = stage.ask(f"{stage.trial(tools=stage.tools(pay=say_no)).at.tools}/a%2Fb", {})
    assert (reply.status, reply.json) == (404, {"error": "there is no tool 'a/b'"})


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"a": ', '{"a": '),
        (b"[1]", "[1]"),
        (b"null", "null"),
        (b"\xff", "\ufffd"),
        (b"[" * 100_000, "[" * 100_000),
    ],
)
def test_malformed_arguments_reach_the_world_as_they_are(
    stage: "Stage", body: bytes, told: str
) -> None:
    tools = stage.tools(pay=say_no)
    reply = stage.ask(f"{stage.trial(tools=tools).at.tools}/pay", body)
    assert (reply.status, reply.json) == (422, {"error": "malformed arguments"})
    assert tools.called == [("pay", told)]


def test_the_schemas_of_all_tools_are_listed_in_every_shape(stage: "Stage") -> None:
    tools = stage.tools(pay=say_no)
    at = stage.trial(tools=tools).at.tools
    assert stage.ask(at).json == {
        "openai": tools.openai,
        "openai_responses": tools.openai_responses,
        "anthropic": tools.anthropic,
        "mcp": tools.mcp,
    }
    assert stage.ask(f"{at}/").status == 200


def test_a_trial_without_a_world_says_that_it_has_no_tools(stage: "Stage") -> None:
    for reply in (stage.ask(stage.trial().at.tools), stage.ask(f"{stage.trial().at.tools}/a", {})):
        assert reply.status == 404
        assert "names no world" in reply.json["error"]


def test_a_trial_that_is_over_calls_no_tool(stage: "Stage") -> None:
    def over() -> Json:
        raise TrialOverError

    reply = stage.ask(f"{stage.trial(tools=stage.tools(pay=over)).at.tools}/pay", {})
    assert (reply.status, reply.json) == (
        400,
        {"error": "this trial has ended", "code": "fairtrial_trial_over"},
    )


@pytest.mark.parametrize("error", [KeyError("guest"), SystemExit(1)])
def test_a_tool_that_breaks_is_told_in_words(stage: "Stage", error: BaseException) -> None:
    def broken() -> Json:
        raise error

    shown = stage.trial(tools=stage.tools(pay=broken))
    reply = stage.ask(f"{shown.at.tools}/pay", {})
    assert (reply.status, reply.json["code"]) == (500, "fairtrial_failure")
    assert type(error).__name__ in reply.json["error"]
    assert b"Traceback" not in reply.body


def test_a_tool_that_waits_holds_nobody_else_up(
    stage: "Stage", together: "Callable[[list[Callable[[], Any]]], list[Any]]"
) -> None:
    met = threading.Barrier(3)  # two calls and one completion, all at the same time

    def meet() -> Json:
        return met.wait(20) >= 0

    shown = stage.trial("Hi", tools=stage.tools(meet=meet))

    def chat() -> int:
        status = stage.chat(shown).status
        met.wait(20)
        return status

    url = f"{shown.at.tools}/meet"
    first, second, status = together([lambda: stage.ask(url, {})] * 2 + [chat])
    assert (first.json, second.json, status) == ({"result": True}, {"result": True}, 200)


def test_tools_are_only_posted_to(stage: "Stage") -> None:
    at = stage.trial(tools=stage.tools(pay=say_no)).at.tools
    for url, method, allowed in ((f"{at}/pay", "GET", "POST"), (at, "POST", "GET")):
        reply = stage.ask(url, method=method)
        assert (reply.status, reply.headers["allow"]) == (405, allowed)
