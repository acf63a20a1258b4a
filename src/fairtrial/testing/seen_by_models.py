"""How a tool is shown to a model: what providers refuse, and what leaves a model guessing."""

import re
from collections.abc import Iterator

from fairtrial.records import MAX_DEPTH, Json
from fairtrial.testing.finding import Finding
from fairtrial.text import cut

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PARAMETER = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_MOST_TEXT = 1024  # characters that OpenAI takes as a description
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_TELLS_KIND = frozenset({"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"})
_CHOICES = ("anyOf", "oneOf", "allOf")


def schema_findings(name: str, description: str, parameters: Json) -> Iterator[Finding]:
    """Give what is wrong with a tool as a model sees it.

    >>> for found in schema_findings("pay", "Pay.", {"type": "object", "properties": {"to": {}}}):
    ...     print(found.text)
    parameter to has no type, so a model cannot know what to give; annotate it
    parameter to has no description; write one under Args: in the docstring
    """
    if not _NAME.fullmatch(name):
        text = f"the name {cut(name)!r} is refused by providers; wanted 1 to 64 of a-z A-Z 0-9 _ -"
        yield Finding(rule="schema", about="", text=text)
    if not description.strip():
        text = "it has no description, which is all that a model chooses it by; write a docstring"
        yield Finding(rule="schema", about="", text=text)
    elif len(description) > _MOST_TEXT:
        text = f"its description has {len(description)} characters; OpenAI takes {_MOST_TEXT}"
        yield Finding(rule="schema", about="", text=text)
    if not isinstance(parameters, dict) or parameters.get("type") != "object":
        text = "its parameters are no JSON Schema of an object, and providers take nothing else"
        yield Finding(rule="schema", about="", text=text)
        return
    for key in _CHOICES:
        if key in parameters:
            text = f"its parameters have {key} at the top, which providers refuse; name each one"
            yield Finding(rule="schema", about="", text=text)
    for place, what in _invalid(parameters, "parameters", parameters, 0):
        yield Finding(rule="schema", about=place, text=f"{place}: {what}")
    properties = parameters.get("properties")
    for parameter, schema in (properties if isinstance(properties, dict) else {}).items():
        yield from _of_parameter(parameter, schema)


def _of_parameter(name: str, schema: Json) -> Iterator[Finding]:
    if not _PARAMETER.fullmatch(name):
        text = f"the parameter {cut(name)!r} is refused by Anthropic; wanted a-z A-Z 0-9 _ . -"
        yield Finding(rule="schema", about=name, text=text)
    said = schema if isinstance(schema, dict) else {}
    if not _TELLS_KIND & said.keys():
        text = (
            f"parameter {cut(name)} has no type, so a model cannot know what to give; annotate it"
        )
        yield Finding(rule="schema", about=name, text=text)
    if not str(said.get("description", "")).strip():
        text = f"parameter {cut(name)} has no description; write one under Args: in the docstring"
        yield Finding(rule="schema", about=name, text=text)


def _invalid(schema: Json, place: str, whole: Json, depth: int) -> Iterator[tuple[str, str]]:
    """Give what is no JSON Schema, or one that a provider refuses, each at its place."""
    if schema is True or schema is False or depth > MAX_DEPTH:
        return
    if not isinstance(schema, dict):
        yield place, "wanted a JSON Schema: a mapping"
        return
    yield from _kind(schema, place)
    yield from _reference(schema, place, whole)
    yield from _required(schema, place)
    for at, one in _inner(schema, place):
        yield from _invalid(one, at, whole, depth + 1)


def _required(schema: dict[str, Json], place: str) -> Iterator[tuple[str, str]]:
    if not isinstance(schema.get("properties", {}), dict):
        yield place, "properties: wanted a mapping"
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        yield place, "required: wanted a list of names"
        return
    for name in required:
        if name not in _mapping(schema, "properties"):
            yield place, f"required names {cut(name)!r}, which is no property"


def _inner(schema: dict[str, Json], place: str) -> Iterator[tuple[str, Json]]:
    """Give the schemas in a schema, each with its place; what should hold some and does not too."""
    for key in ("properties", "$defs"):
        for name, one in _mapping(schema, key).items():
            yield f"{place}.{name}", one
    for key in ("items", "not", "additionalProperties"):
        if key in schema:
            yield f"{place}.{key}", schema[key]
    for key in (*_CHOICES, "prefixItems"):
        options = schema.get(key)
        if isinstance(options, list) and options:
            for index, one in enumerate(options):
                yield f"{place}.{key}[{index}]", one
        elif options is not None:
            yield f"{place}.{key}", options or None


def _mapping(schema: dict[str, Json], key: str) -> dict[str, Json]:
    value = schema.get(key, {})
    return value if isinstance(value, dict) else {}


def _kind(schema: dict[str, Json], place: str) -> Iterator[tuple[str, str]]:
    kinds = schema.get("type", [])
    listed = kinds if isinstance(kinds, list) else [kinds]
    unknown = [kind for kind in listed if kind not in _TYPES]
    if unknown:
        yield place, f"type {unknown[0]!r} is none of {', '.join(sorted(_TYPES))}"
    if "array" in listed and not {"items", "prefixItems"} & schema.keys():
        yield place, "an array without items, which OpenAI refuses; say what is in the list"
    if "enum" in schema and not (isinstance(schema["enum"], list) and schema["enum"]):
        yield place, "enum: wanted a list of at least one value"


def _reference(schema: dict[str, Json], place: str, whole: Json) -> Iterator[tuple[str, str]]:
    reference = schema.get("$ref")
    if reference is None:
        return
    name = str(reference).removeprefix("#/$defs/")
    if name == reference or name not in _mapping(whole, "$defs"):
        yield place, f"$ref {cut(str(reference))!r} leads nowhere; wanted #/$defs/ and a name there"
