"""The conversation that the agent was handed is no part of what it did."""

from typing import Any

from fairtrial.traces import Returned, read_returned

HI: dict[str, Any] = {"role": "user", "content": "Hi"}
HELLO: dict[str, Any] = {"role": "assistant", "content": "Hello. Which box?"}
BOX: dict[str, Any] = {"role": "user", "content": "A7"}
LOOK: dict[str, Any] = {
    "role": "assistant",
    "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": "{}"}}],
}
FOUND: dict[str, Any] = {"role": "tool", "tool_call_id": "c1", "content": "4"}
DONE: dict[str, Any] = {"role": "assistant", "content": "In bay 4."}


def texts(returned: Returned) -> list[str | None]:
    assert returned.trajectory is not None, returned.refusal
    return [step.text for step in returned.trajectory.steps or ()]


def test_the_replies_that_were_handed_over_are_no_steps() -> None:
    given = [HI, HELLO, BOX]
    returned = read_returned([*given, LOOK, FOUND, DONE], "c", given)
    assert (texts(returned), returned.notes) == ([None, "In bay 4."], ())


def test_a_system_prompt_before_them_and_an_edited_message_do_not_hide_them() -> None:
    edited = [{"role": "system", "content": "Help."}, HI, HELLO, BOX | {"content": "Box A7"}]
    assert texts(read_returned([*edited, DONE], "c", [HI, HELLO, BOX])) == ["In bay 4."]


def test_replies_in_another_spelling_are_the_same() -> None:
    blocks = {"role": "assistant", "content": [{"type": "text", "text": HELLO["content"]}]}
    assert texts(read_returned([HI, blocks, BOX, DONE], "c", [HI, HELLO, BOX])) == ["In bay 4."]


def test_calls_that_were_handed_over_go_with_their_results() -> None:
    given = [HI, LOOK, FOUND, DONE, BOX]
    returned = read_returned([*given, DONE], "c", given)
    assert (texts(returned), returned.notes) == (["In bay 4."], ())


def test_an_agent_that_gives_only_its_own_messages_loses_none() -> None:
    assert texts(read_returned([LOOK, FOUND, DONE], "c", [HI, HELLO, BOX])) == [None, "In bay 4."]


def test_own_messages_stay_when_the_agent_was_handed_no_replies() -> None:
    nudged = [HI, HELLO, {"role": "user", "content": "Go on."}, DONE]
    returned = read_returned(nudged, "c", [HI])
    assert texts(returned) == ["Hello. Which box?", "In bay 4."]
    assert returned.trajectory is not None
    assert [turn.user for turn in returned.trajectory.turns or ()] == ["Hi", "Go on."]


def test_without_knowing_it_is_guessed_and_noted() -> None:
    returned = read_returned([HI, HELLO, BOX, LOOK, FOUND, DONE], "c")
    assert texts(returned) == [None, "In bay 4."]
    assert returned.notes == (
        "messages[2]: the replies before this user message were taken for the conversation so far",
    )


def test_nothing_behind_a_call_is_guessed_away() -> None:
    assert len(texts(read_returned([HI, LOOK, FOUND, HELLO, BOX, DONE], "c"))) == 3


def test_what_was_handed_over_in_a_form_that_nobody_reads_is_passed_over() -> None:
    assert texts(read_returned([HI, DONE], "c", [{"role": "model"}, 5])) == ["In bay 4."]
