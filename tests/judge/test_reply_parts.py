from typing import Any

import pytest

from fairtrial.judge.reply_parts import joined_text, told_tokens
from fairtrial.records import Tokens


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Yes", "Yes"),
        ([{"type": "text", "text": "Y"}, {"type": "text", "text": "es"}], "Yes"),
        ([{"type": "thinking", "text": "Hm"}, {"type": "text", "text": None}, 7, "x"], ""),
        (7, ""),
        ({}, ""),
    ],
)
def test_the_text_of_a_message_is_its_text_parts(content: Any, text: str) -> None:
    assert joined_text(content) == text


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"in": 3, "cached": 4, "out": 1}, Tokens(input=7, output=1)),
        ({"in": 3, "out": "1"}, Tokens(input=3)),
        ({"cached": 4, "out": 1}, Tokens(output=1)),
        ({"in": 1.5, "out": False}, None),
        ({}, None),
        (7, None),
    ],
)
def test_tokens_are_what_the_provider_counts(usage: Any, tokens: Tokens | None) -> None:
    assert told_tokens(usage, ("in", "cached"), "out") == tokens
