"""Schemas that providers refuse, or that leave a model guessing."""

import pytest

from fairtrial.records import Json
from fairtrial.testing.seen_by_models import schema_findings

FINE: dict[str, Json] = {"type": "string", "description": "What."}


def told(parameters: Json, name: str = "pay", description: str = "Pay.") -> list[str]:
    return [found.text for found in schema_findings(name, description, parameters)]


def of(schema: Json) -> list[str]:
    return told({"type": "object", "properties": {"a": schema}})


def test_a_sound_schema_has_nothing_said_of_it() -> None:
    inner = {"type": "array", "items": {"$ref": "#/$defs/Row"}, "description": "Rows."}
    parameters = {
        "type": "object",
        "properties": {"a": FINE, "rows": inner, "b": {"enum": [1], "description": "One."}},
        "required": ["a"],
        "additionalProperties": False,
        "$defs": {"Row": {"type": ["object", "null"], "properties": {"x": {"anyOf": [FINE]}}}},
    }
    assert told(parameters) == []


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "strnig", "description": "x"}, "parameters.a: type 'strnig' is none of array"),
        ({"type": "array", "description": "x"}, "an array without items, which OpenAI refuses"),
        ({"enum": [], "description": "x"}, "enum: wanted a list of at least one value"),
        ({"$ref": "#/$defs/Row", "description": "x"}, "leads nowhere"),
        ({"anyOf": [], "description": "x"}, "parameters.a.anyOf: wanted a JSON Schema"),
        ({"anyOf": [5], "description": "x"}, "parameters.a.anyOf[0]: wanted a JSON Schema"),
        ({"type": "array", "items": 5, "description": "x"}, "parameters.a.items: wanted a JSON"),
        (
            {"type": "object", "required": ["x"], "description": "x"},
            "required names 'x', which is no property",
        ),
        ({"type": "object", "required": "x", "description": "x"}, "required: wanted a list"),
        ({"type": "object", "properties": [], "description": "x"}, "properties: wanted a mapping"),
        ({"description": "x"}, "parameter a has no type"),
        ({"type": "string"}, "parameter a has no description"),
        ({"type": "string", "description": " "}, "parameter a has no description"),
    ],
)
def test_what_is_wrong_with_a_parameter_is_told_with_its_place(schema: Json, words: str) -> None:
    (text,) = of(schema)
    assert words in text


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (told({"type": "object"}, name="pay now"), "the name 'pay now' is refused"),
        (told({"type": "object"}, name="x" * 65), "is refused by providers"),
        (told({"type": "object"}, description=" \n"), "it has no description"),
        (told({"type": "object"}, description="x" * 1025), "has 1025 characters"),
        (told({"type": "array"}), "no JSON Schema of an object"),
        (told([]), "no JSON Schema of an object"),
        (told({"type": "object", "anyOf": [{"type": "object"}]}), "anyOf at the top"),
        (told({"type": "object", "properties": {"ä b": FINE}}), "is refused by Anthropic"),
    ],
)
def test_what_is_wrong_with_the_tool_is_told(texts: list[str], words: str) -> None:
    (text,) = texts
    assert words in text


def test_a_schema_within_a_thousand_others_ends() -> None:
    deep: Json = FINE
    for _ in range(1000):
        deep = {"type": "array", "items": deep}
    assert len(of({**deep, "description": "x"})) == 0
