"""Types of JSON in words."""

import pytest

from fairtrial.text import type_mismatch


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Expected `int`, got `str`", "wanted a whole number, got text"),
        ("Expected `array | null`, got `object`", "wanted a list or null, got an object"),
        ("Expected `float`", "wanted a number, got something else"),
        ("Expected `datetime`, got `bool`", "wanted datetime, got true or false"),
        ("Object missing required field `case`", None),
    ],
)
def test_a_wrong_type_is_told_in_words(said: str, words: str | None) -> None:
    assert type_mismatch(said) == words
