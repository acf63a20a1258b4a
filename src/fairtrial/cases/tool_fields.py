"""The fields under `expect.tools`, some of which a rule has too."""

from typing import Final

from fairtrial.cases.compiled import Compiled
from fairtrial.cases.located import Path
from fairtrial.cases.shapes import Field, Fields, Flag, Many, Schema
from fairtrial.cases.vacuous import ALWAYS, NEVER, NO_VALUE, refuse_impossible
from fairtrial.match import (
    MatcherError,
    compile_before,
    compile_pattern,
    compile_plan,
    surely_sound_call,
)
from fairtrial.records import Json, ToolsExpectation

_NO_DEFAULT: Final = "wrong"

PATTERN_SCHEMA: Final[Schema] = {
    "description": "A call: the tool's name, or what its arguments and result must be.",
    "anyOf": [
        {"type": "string", "minLength": 1},
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "args": {"description": "A matcher on the arguments."},
                "result": {"description": "A matcher on the result."},
                "ok": {"type": "boolean"},
                "which": {"enum": ["any", "first", "every", "last"]},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
    ],
}

_ITEMS_SCHEMA: Final[Schema] = {
    "type": "array",
    "items": {
        "anyOf": [
            PATTERN_SCHEMA,
            {
                "type": "object",
                "properties": {"any_order": {"type": "array", "items": PATTERN_SCHEMA}},
                "required": ["any_order"],
                "additionalProperties": False,
            },
        ]
    },
}

_ONE_PLAN: Final[dict[str, Json]] = {
    "mode": {"enum": ["in_order", "exact", "any_order"]},
    "min_score": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
}

PLAN_SCHEMA: Final[Schema] = {
    "description": "The calls that must happen: a list, {mode, steps, min_score}, or {any: [...]}.",
    "anyOf": [
        _ITEMS_SCHEMA,
        {
            "type": "object",
            "properties": {
                **_ONE_PLAN,
                "steps": _ITEMS_SCHEMA,
                "any": {"type": "array", "minItems": 1, "items": {"type": ["array", "object"]}},
            },
            "additionalProperties": False,
        },
    ],
}

_BEFORE_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {
        "tool": PATTERN_SCHEMA,
        "needs": PATTERN_SCHEMA,
        "same": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["tool", "needs"],
    "additionalProperties": False,
}


_ALWAYS_TRUE: Final = f"{NO_VALUE} no call does and the check would always be true"


def _required(value: Json) -> None:
    compile_pattern(value, which=True)
    refuse_impossible(value, NEVER)


def _forbidden(value: Json) -> None:
    compile_pattern(value)
    refuse_impossible(value, _ALWAYS_TRUE)


_NO_NEED: Final = f"{NO_VALUE} no call of `tool` would ever be right; write forbidden"


def _before(value: Json) -> None:
    compile_before(value)
    for field, told in (("tool", _ALWAYS_TRUE), ("needs", _NO_NEED)):
        _refuse_inside(value[field], (field,), told)


def _refuse_inside(pattern: Json, path: Path, told: str = NEVER) -> None:
    try:
        refuse_impossible(pattern, told)
    except MatcherError as error:
        raise error.inside(path) from None


def surely_sound_calls(value: Json) -> bool:
    """Say, at a quick look, that this is a list of calls, which compile and which can be made.

    >>> surely_sound_calls(["find", "pay"]), surely_sound_calls([{"any_order": ["find", "pay"]}])
    (True, False)
    """
    return isinstance(value, list) and all(map(surely_sound_call, value))


def _plan(value: Json) -> None:
    plan = compile_plan(value)
    if plan.min_score <= 0:
        path = ("min_score",) if "min_score" in value else ()
        raise MatcherError("min_score: 0 is always reached; wanted a number above 0", path)
    if plan.min_score == 1:  # with less, an item that nothing meets leaves the others
        refuse_impossible_items(value)


def refuse_impossible_items(plan: Json) -> None:
    """Refuse a plan without alternatives, which compiles, that has an item no call can meet.

    Raises:
        MatcherError: There is such an item.

    >>> refuse_impossible_items(["a", {"name": "b", "args": {"n": {"above": 3, "max": 3}}}])
    Traceback (most recent call last):
    fairtrial.match.matcher.MatcherError: [1].args.n: no value can meet this, so the check could \
never be true
    """
    path: Path = ()
    if isinstance(plan, dict):
        if "any" in plan:
            return
        plan, path = plan["steps"], ("steps",)
    for index, item in enumerate(plan):
        if isinstance(item, dict) and "any_order" in item:
            for place, member in enumerate(item["any_order"]):
                _refuse_inside(member, (*path, index, "any_order", place))
        else:
            _refuse_inside(item, (*path, index))


_KINDS = "a tool's name, or {name, args, result, ok}"
_CALLED: Final = Many(
    Compiled(_required, PATTERN_SCHEMA, kinds=_KINDS, types=(str, dict), sound=surely_sound_call),
    "tool names or call patterns",
    ALWAYS,
)
_NOT_CALLED: Final = Many(
    Compiled(_forbidden, PATTERN_SCHEMA, kinds=_KINDS, types=(str, dict), sound=surely_sound_call),
    "tool names or call patterns",
    ALWAYS,
)
_ORDER: Final = Many(
    Compiled(_before, _BEFORE_SCHEMA, kinds="a mapping {tool, needs, same}", types=(dict,)),
    "mappings {tool, needs, same}",
    ALWAYS,
)

PATHS: Final = {
    "required": Field(
        _CALLED, "Calls that must happen; a name listed twice needs two.", _NO_DEFAULT
    ),
    "forbidden": Field(_NOT_CALLED, "Calls that must not happen.", _NO_DEFAULT, recurs=True),
    "before": Field(
        _ORDER,
        "Never `tool` without a succeeded `needs` in an earlier step; `same` binds parameters.",
        _NO_DEFAULT,
    ),
}
"""What `expect.tools` and a rule have in common."""

_TOOLS_LOCAL: Final = {
    "expected": "required",
    "must_call": "required",
    "called": "required",
    "include": "required",
    "includes": "required",
    "contains": "required",
    "tools_required": "required",
    "call": "required",
    "calls": "required (in any order) or plan (in order)",
    "tool": "required",
    "tools": "required",
    "name": "required: [{name: ...}]",
    "must": "required",
    "arguments": "required: [{name: ..., args: {...}}]",
    "args": "required: [{name: ..., args: {...}}]",
    "parameters": "required: [{name: ..., args: {...}}]",
    "input": "required: [{name: ..., args: {...}}]",
    "result": "required: [{name: ..., result: ...}]",
    "output": "required: [{name: ..., result: ...}]",
    "needs": "before: [{tool: ..., needs: ...}]",
    "after": "before: [{tool: ..., needs: ...}]",
    "never": "forbidden",
    "forbid": "forbidden",
    "must_not_use": "forbidden",
    "disallowed": "forbidden",
    "must_not_call": "forbidden",
    "not_called": "forbidden",
    "excludes": "forbidden",
    "exclude": "forbidden",
    "denied": "forbidden",
    "order": "plan",
    "sequence": "plan",
    "trajectory": "plan",
    "steps": "plan",
    "in_order": "plan",
    "exact": "plan: {mode: exact, steps: [...]}",
    "any_order": "plan: {mode: any_order, steps: [...]}",
    "allowed": "only: true, beside required or plan",
    "max_calls": "limits.tool_calls",
}

TOOLS: Final = Fields(
    {
        **PATHS,
        "plan": Field(
            Compiled(
                _plan,
                PLAN_SCHEMA,
                kinds="a list of calls, or {mode, steps, min_score}, or {any: [...]}",
                types=(list, dict),
                sound=surely_sound_calls,
            ),
            "The calls in order; extra calls are allowed. [] expects no call.",
            _NO_DEFAULT,
            recurs=True,
        ),
        "only": Field(Flag(), "true: no call outside the required and planned ones."),
    },
    build=ToolsExpectation,
    what="a mapping such as {required: [a_tool]} (called), {plan: [a_tool, another]} (in order)",
    local=_TOOLS_LOCAL,
)
