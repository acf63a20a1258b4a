"""Pieces of completions, joined."""

from fairtrial.records import Tokens
from fairtrial.traces.completions import Completions


def test_what_stands_between_two_results_is_one_message() -> None:
    pieces = Completions()
    pieces.say({"type": "text", "text": "I look."}, "messages[0]")
    pieces.call({"name": "a"}, "messages[1]")
    pieces.call({"name": "b"}, "messages[2]")
    pieces.add({"role": "tool"}, "messages[3]")
    pieces.say({"type": "text", "text": "Done."}, "messages[4]")
    pieces.close(Tokens(input=1))
    first, result, last = pieces.uttered
    assert [call["name"] for call in first.message["tool_calls"]] == ["a", "b"]
    assert (first.place, result.place, last.place) == ("messages[0]", "messages[3]", "messages[4]")
    assert last.tokens == Tokens(input=1)


def test_an_open_completion_without_words_is_a_message_and_a_closed_one_is_none() -> None:
    pieces = Completions()
    pieces.close()
    pieces.open("messages[0]")
    pieces.close()
    pieces.close()
    assert len(pieces.uttered) == 1
