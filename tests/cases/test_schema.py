import json
from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.cases import Suite, case_schema
from fairtrial.cases.case_fields import CASE, FILE
from fairtrial.cases.shapes import Fields
from fairtrial.cases.yaml_source import read_yaml
from fairtrial.records import Json

Load = Callable[..., Suite]

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float),
    "array": (list,), "object": (dict,), "null": (type(None),),
}  # fmt: skip


def is_type(value: Json, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def fits(value: Json, schema: Json, root: Json) -> bool:
    """Say whether a value fits; knows the keywords that the schema uses, and no others."""
    known = {
        "$schema", "$defs", "title", "description", "type", "properties", "required", "items",
        "additionalProperties", "anyOf", "enum", "const", "minimum", "exclusiveMinimum", "maximum",
        "minItems", "minLength", "maxLength", "minProperties", "$ref",
    }  # fmt: skip
    assert schema.keys() <= known, schema.keys() - known
    if "$ref" in schema:
        target: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return fits(value, target, root)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_type(value, name) for name in names):
            return False
    if "anyOf" in schema and not any(fits(value, one, root) for one in schema["anyOf"]):
        return False
    return in_bounds(value, schema) and parts_fit(value, schema, root)


def in_bounds(value: Json, schema: Json) -> bool:
    if ("enum" in schema and value not in schema["enum"]) or (
        "const" in schema and value is not schema["const"]
    ):
        return False
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, above = schema.get("minimum", value), schema.get("exclusiveMinimum", value - 1)
        return bool(low <= value <= schema.get("maximum", value) and value > above)
    if isinstance(value, str):
        return bool(schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9))
    least = schema.get("minItems" if isinstance(value, list) else "minProperties", 0)
    return not isinstance(value, list | dict) or len(value) >= least


def parts_fit(value: Json, schema: Json, root: Json) -> bool:
    if isinstance(value, list) and "items" in schema:
        return all(fits(item, schema["items"], root) for item in value)
    if not isinstance(value, dict):
        return True
    if not set(schema.get("required", ())) <= value.keys():
        return False
    named = schema.get("properties", {})
    rest = schema.get("additionalProperties", True)
    for key, item in value.items():
        under = named.get(key, rest)
        if under is False or (under is not True and not fits(item, under, root)):
            return False
    return True


ACCEPTED = [
    """
defaults: {limits: {steps: 8, path_factor: 2}, tags: [a]}
rules:
  - {before: {tool: waive_fee, needs: get_booking}}
  - {when: {input: {phrase: lawyer}}, required: [escalate]}
rubrics: {polite: [Is polite, {item: Is kind, gate: true}], tone: {criteria: [x], threshold: 4}}
tools: {look: {when: {a: 1}, returns: null}, pay: [{raises: down, appends: {rows: {a: 1}}}]}
cases:
  - id: everything
    tags: [fee, "lang:en"]
    protected: true
    description: "Ticket 4512"
    input: "I am ill, please cancel H-204"
    messages: [{role: user, content: Hi}]
    context: {guest: {id: g7}}
    fixtures: {bookings: {H-204: {price: 320}}}
    faults: {get_booking: [{error: "503 upstream", times: 1}], pay: {latency: 0.5}}
    trials: 5
    expect:
      answer:
        contains: [cancelled, ["no fee", "fee waived"]]
        excludes: no way
        numbers:
          - 320
          - {value: 27.78, tolerance: 0.01, unit: lbs, percent: true, locale: de, take: last}
        matches: ['C-\\d{4}']
        json: {refund: {min: 1}}
      tools:
        required: [get_booking, {name: cancel, args: {booking: H-204}, which: first}]
        forbidden: {name: refund, args: {amount: {above: 320}}}
        before: [{tool: cancel, needs: {name: get_booking, ok: true}, same: {booking: id}}]
        plan: {mode: exact, min_score: 0.5, steps: [a, {any_order: [b, c]}]}
        only: true
      state: {cancellations: [{booking: H-204, fee: 0}], emails: []}
      unchanged: [guests]
      spans: [find, {name: retriever, seconds: {max: 2}, documents: {recall: {min: 0.8}, of: [d1]}}]
      stop: answer
      rubric: [Says sorry, {item: No fee, gate: true}]
      reference: "H-204 is cancelled."
      next: [a]
    limits:
      {steps: 6, tool_calls: 8, tokens: 40, cost: 0.05, seconds: 3, repeats: {a: 1}, retries: 2}
    informs: [limits.seconds]
    script:
      default:
        - {say: "Let me look.", call: {get_booking: {booking: H-204}}}
        - {status: 429, times: 2}
    user: {persona: annoyed, goal: x, knows: {phone: "9"}, withholds: {phone: 2}, max_turns: 8}
  - id: short
    tags: null
    input: x
    expect: {answer: {contains: yes}, unchanged: true, spans: find}
  - id: plans
    expect: {tools: {plan: {any: [[a], {steps: [b]}]}}, rubric: polite, next: {any: [[a]]}}
""",
    "- {id: a, limits: {repeats: 0}, informs: true, script: [{refuse: No}]}",
    "defaults:\ncases: [{id: a, limits: {steps: 1}}]",
    """
rubrics:
  listed: {criteria: [warmth, {name: clarity, description: can be read}], threshold: 3, floor: 2}
  mapped: {criteria: {warmth: 1 cold, clarity: }, gate: true, reference: Get well soon.}
  shown:
    description: how it ends
    items: [Is kind]
    goal: The guest is calm
    examples:
      - {answer: Go away., verdict: FAIL, item: Is kind, reason: it is rude, case: c-7}
      - {answer: Well., verdict: true}
  scored: {criteria: warmth, examples: {answer: Well., verdict: 5, item: warmth}}
cases: [{id: a, limits: {steps: 1}}]
""",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_the_schema_accepts_what_the_loader_accepts(text: str, load: Load) -> None:
    assert load(text).cases
    schema = case_schema()
    assert fits(read_yaml(text).documents[0].value, schema, schema)


REFUSED = [
    "[]",
    "{rules: []}",
    "- {input: x, limits: {steps: 1}}",
    "- {id: 5, limits: {steps: 1}}",
    "- {id: a, inptu: x}",
    "- {id: a, input: 5}",
    "- {id: a, trials: 0}",
    "- {id: a, limits: {steps: true}}",
    "- {id: a, limits: {steps: 1.5}}",
    "- {id: a, limits: {cost: -1}}",
    "- {id: a, expect: {answer: text}}",
    "- {id: a, expect: {answer: {contains: []}}}",
    "- {id: a, expect: {answer: {contains: ['']}}}",
    "- {id: a, expect: {answer: {contains: [5]}}}",
    "- {id: a, expect: {answer: {numbers: [true]}}}",
    "- {id: a, expect: {tools: [a]}}",
    "- {id: a, expect: {tools: {required: [{nam: a}]}}}",
    "- {id: a, expect: {tools: {plan: a}}}",
    "- {id: a, expect: {stop: done}}",
    "- {id: a, expect: {state: {}}}",
    "- {id: a, faults: {a: [{eror: x}]}}",
    "- {id: a, script: [{sya: x}]}",
    "{cases: [{id: a}], rules: [{befor: x}]}",
    "{cases: [{id: a}], rubrics: {r: {criteria: []}}}",
    "{cases: [{id: a}], rubrics: {r: {criteria: {x: 5}}}}",
    "{cases: [{id: a}], rubrics: {r: {criteria: [{name: x, weight: 1}]}}}",
    "{cases: [{id: a}], rubrics: {r: {criteria: [x], threshold: 6}}}",
    "{cases: [{id: a}], rubrics: {r: {criteria: [x], floor: 0}}}",
    "{cases: [{id: a}], rubrics: {r: {items: ['']}}}",
    "{cases: [{id: a}], rubrics: {r: {items: [x], examples: [{answer: a, verdict: 6}]}}}",
    "{cases: [{id: a}], rubrics: {r: {items: [x], examples: [{answer: a, verdict: maybe}]}}}",
    "{cases: [{id: a}], rubrics: {r: {items: [x], examples: [{verdict: PASS}]}}}",
    "{cases: [{id: a}], defaults: {id: b}}",
    "{cases: [{id: a}], tests: []}",
]


@pytest.mark.parametrize("text", REFUSED)
def test_the_schema_refuses_slips_that_the_loader_refuses(
    text: str, problems: Callable[..., list[str]]
) -> None:
    assert problems(text)
    schema = case_schema()
    assert not fits(read_yaml(text).documents[0].value, schema, schema)


def described(schema: Json, fields: Fields) -> None:
    assert set(schema["properties"]) == set(fields.table)
    assert schema["additionalProperties"] is False
    for name, field in fields.table.items():
        assert schema["properties"][name]["description"] == field.doc
        if isinstance(field.shape, Fields):
            described(schema["properties"][name]["anyOf"][0], field.shape)


def test_the_schema_has_every_field_of_the_loader_with_its_description() -> None:
    schema = case_schema()
    described(schema["$defs"]["case"], CASE)
    assert set(schema["anyOf"][1]["properties"]) == set(FILE)
    assert set(schema["$defs"]["defaults"]["properties"]) == set(CASE.table) - {"id"}


def test_the_schema_is_plain_json() -> None:
    assert json.loads(json.dumps(case_schema())) == case_schema()
    assert case_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
