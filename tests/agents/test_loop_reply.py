"""What the formats of the built-in loop share."""

import pytest

from fairtrial.agents.loop_reply import said_text, told_tokens
from fairtrial.records import Json, Tokens


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Hi", "Hi"),
        ("", ""),
        (None, None),
        (5, None),
        ([], None),
        ([{"text": "a"}, {"text": 5}, "x", {"text": "b"}], "ab"),
    ],
)
def test_text_is_found_in_any_content(content: Json, text: str | None) -> None:
    assert said_text(content) == text


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, None),
        ([], None),
        ({}, None),
        ({"in": "5"}, None),
        ({"in": True, "out": -1}, None),
        ({"in": 5}, Tokens(input=5)),
        ({"in": 5, "cached": 2, "out": 1}, Tokens(input=7, output=1)),
        ({"cached": 2, "out": 1}, Tokens(output=1)),
    ],
)
def test_tokens_are_those_told(usage: Json, tokens: Tokens | None) -> None:
    assert told_tokens(usage, ("in", "cached"), "out") == tokens
