"""How a tool is shown to a model: a JSON Schema of its arguments, in each provider's form."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec

from fairtrial.records import Json, NotJsonError
from fairtrial.worlds.copies import snapshot
from fairtrial.worlds.kinds import Kind

REQUIRED: Final[Any] = object()
"""Stands for the default of a parameter that has none."""


class Parameter(NamedTuple):
    """One parameter of a tool."""

    name: str
    kind: Kind
    default: object = REQUIRED
    text: str = ""
    """What it is, for the model."""


class Shown(NamedTuple):
    """A tool as a model sees it. Each form is made anew, so nobody can change another's."""

    name: str
    description: str
    parameters: Json

    def openai(self) -> Json:
        """Give the form of Chat Completions."""
        return {"type": "function", "function": snapshot(self._asdict())}

    def openai_responses(self) -> Json:
        """Give the form of Responses; not strict, since strict schemas have no optional fields."""
        return {"type": "function", **snapshot(self._asdict()), "strict": False}

    def anthropic(self) -> Json:
        """Give the form of Messages."""
        return self._named("input_schema")

    def mcp(self) -> Json:
        """Give the form of the Model Context Protocol."""
        return self._named("inputSchema")

    def _named(self, key: str) -> Json:
        parameters = snapshot(self.parameters)
        return {"name": self.name, "description": self.description, key: parameters}


def object_schema(parameters: Iterable[Parameter]) -> Json:
    """Give the JSON Schema of an object with these parameters and no others.

    >>> object_schema([Parameter("fee", float, 0.0, "In euros.")])["properties"]
    {'fee': {'type': 'number', 'description': 'In euros.', 'default': 0.0}}
    """
    parameters = list(parameters)
    definitions: dict[str, Json] = {}

    def model(kind: Kind) -> Json:
        if not hasattr(kind, "model_json_schema"):
            return {"title": "anything"}  # `object`; an empty schema is refused by msgspec
        schema = dict(kind.model_json_schema(ref_template="#/$defs/{model}"))
        definitions.update(schema.pop("$defs", {}))
        return schema

    schemas, own = msgspec.json.schema_components(
        [one.kind for one in parameters], schema_hook=model, ref_template="#/$defs/{name}"
    )
    properties = {
        one.name: dict(schema) | _besides(one)
        for one, schema in zip(parameters, schemas, strict=True)
    }
    out: dict[str, Json] = {"type": "object", "properties": properties}
    required = [one.name for one in parameters if one.default is REQUIRED]
    if required:
        out["required"] = required
    out["additionalProperties"] = False
    if own or definitions:
        out["$defs"] = {**definitions, **own}
    return out


def _besides(parameter: Parameter) -> dict[str, Json]:
    out: dict[str, Json] = {"description": parameter.text} if parameter.text else {}
    if parameter.default is not REQUIRED:
        try:
            out["default"] = snapshot(parameter.default)
        except NotJsonError:
            return out  # an object of Python's: that it is optional says enough
    return out
