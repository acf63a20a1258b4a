"""The JSON Schema of case files, for editors: made from the same tables as the loader."""

from typing import Final

from fairtrial.cases.case_fields import CASE, FILE, RULES
from fairtrial.cases.shapes import Schema
from fairtrial.records import Json

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def case_schema() -> dict[str, Json]:
    """Give the JSON Schema (2020-12) of a `.yaml` or `.json` case file.

    A line of a `.jsonl` file is what stands under `$defs`, `case`.

    >>> schema = case_schema()
    >>> sorted(schema["$defs"]["case"]["properties"])[:3]
    ['context', 'description', 'expect']
    """
    case = CASE.schema()
    defaults: Schema = {
        **case,
        "properties": {name: s for name, s in case["properties"].items() if name != "id"},
    }
    del defaults["required"]
    cases: Schema = {"type": "array", "items": {"$ref": "#/$defs/case"}, "minItems": 1}
    sections: dict[str, Schema] = {
        "defaults": {"$ref": "#/$defs/defaults"},
        "rules": RULES.schema(),
        "rubrics": FILE["rubrics"].shape.schema(),
        "tools": FILE["tools"].shape.schema(),
    }
    properties: dict[str, Schema] = {
        name: {"description": FILE[name].doc, "anyOf": [section, {"type": "null"}]}
        for name, section in sections.items()
    }
    properties["cases"] = {"description": FILE["cases"].doc, **cases}
    return {
        "$schema": _DIALECT,
        "title": "fairtrial case file",
        "description": "A list of cases, or a mapping with defaults, rules, rubrics, tools, cases.",
        "anyOf": [
            cases,
            {
                "type": "object",
                "properties": properties,
                "required": ["cases"],
                "additionalProperties": False,
            },
        ],
        "$defs": {"case": case, "defaults": defaults},
    }
