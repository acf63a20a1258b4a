import dataclasses
from typing import Annotated, Literal

import msgspec
import pydantic

from fairtrial.worlds.schema import Parameter, Shown, object_schema


@dataclasses.dataclass
class Row:
    fee: float


class Room(pydantic.BaseModel):
    beds: int


class Guest(pydantic.BaseModel):
    rooms: list[Room]


def test_parameters_become_an_object_that_takes_no_others() -> None:
    schema = object_schema(
        [
            Parameter("booking", str, text="Its id."),
            Parameter("fee", Annotated[float, msgspec.Meta(ge=0, description="In euros.")], 0.0),
            Parameter("kind", Literal["a", "b"] | None, None),
        ]
    )
    assert schema == {
        "type": "object",
        "properties": {
            "booking": {"type": "string", "description": "Its id."},
            "fee": {"type": "number", "minimum": 0, "description": "In euros.", "default": 0.0},
            "kind": {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}], "default": None},
        },
        "required": ["booking"],
        "additionalProperties": False,
    }


def test_records_and_models_are_defined_at_the_top() -> None:
    schema = object_schema([Parameter("row", Row), Parameter("guest", list[Guest])])
    assert set(schema["$defs"]) == {"Row", "Room"}
    assert schema["properties"]["row"] == {"$ref": "#/$defs/Row"}
    assert schema["properties"]["guest"]["items"]["properties"]["rooms"]["items"] == {
        "$ref": "#/$defs/Room"
    }


def test_a_default_that_is_no_json_is_left_out() -> None:
    assert object_schema([Parameter("a", object, object())])["properties"] == {
        "a": {"title": "anything"}
    }


def test_every_provider_gets_its_form() -> None:
    parameters = object_schema([])
    shown = Shown("pay", "Pay.", parameters)
    named = {"name": "pay", "description": "Pay."}
    assert shown.openai() == {"type": "function", "function": {**named, "parameters": parameters}}
    assert shown.openai_responses() == {
        "type": "function",
        **named,
        "parameters": parameters,
        "strict": False,
    }
    assert shown.anthropic() == {**named, "input_schema": parameters}
    assert shown.mcp() == {**named, "inputSchema": parameters}


def test_a_form_can_be_changed_without_changing_the_next() -> None:
    shown = Shown("pay", "Pay.", object_schema([]))
    shown.openai()["function"]["parameters"]["properties"]["x"] = 1
    assert shown.openai()["function"]["parameters"]["properties"] == {}
