"""Rules of order."""

import pytest

from fairtrial.match import Call, MatcherError, compile_before
from fairtrial.records import Json, ToolCall

Made = tuple[int, str, Json] | tuple[int, str, Json, str | None]


def violations(spec: Json, *made: Made) -> list[int]:
    calls = [
        Call.of(index, step, ToolCall(name=name, arguments=arguments, error=(*error, None)[0]))
        for index, (step, name, arguments, *error) in enumerate(made)
    ]
    return [call.index for call in compile_before(spec).violations(calls)]


RULE = {"tool": "cancel", "needs": "get"}
BOUND = {**RULE, "same": {"booking": "id"}}


def test_the_needed_call_must_lie_in_an_earlier_step() -> None:
    assert violations(RULE, (0, "get", {}), (1, "cancel", {})) == []
    assert violations(RULE, (0, "cancel", {}), (1, "get", {})) == [0]
    assert violations(RULE, (0, "get", {}), (0, "cancel", {})) == [1]


def test_one_needed_call_serves_many() -> None:
    assert (
        violations(RULE, (0, "get", {}), (1, "cancel", {}), (1, "cancel", {}), (5, "cancel", {}))
        == []
    )


def test_a_needed_call_that_failed_does_not_count() -> None:
    assert violations(RULE, (0, "get", {}, "down"), (1, "cancel", {})) == [1]
    assert violations(RULE, (0, "get", "{broken"), (1, "cancel", {})) == [1]


def test_a_guarded_call_counts_though_it_failed() -> None:
    assert violations(RULE, (0, "cancel", {}, "down")) == [0]
    assert violations(RULE, (0, "cancel", "{broken")) == [0]


def test_a_rule_whose_tool_is_never_called_holds() -> None:
    assert violations(RULE, (0, "get", {})) == []
    assert violations(RULE) == []


def test_bound_parameters_must_be_equal() -> None:
    get = (0, "get", {"id": 7, "more": 1})
    assert violations(BOUND, get, (1, "cancel", {"booking": 7.0})) == []
    assert violations(BOUND, get, (1, "cancel", {"booking": "7"})) == [1]
    assert violations(BOUND, get, (1, "cancel", {"booking": 8})) == [1]
    assert violations(BOUND, (0, "get", {"id": 1}), (1, "cancel", {"booking": True})) == [1]


def test_a_bound_parameter_that_is_missing_on_either_side_is_no_match() -> None:
    assert violations(BOUND, (0, "get", {}), (1, "cancel", {})) == [1]
    assert violations(BOUND, (0, "get", {"id": None}), (1, "cancel", {})) == [1]
    assert violations(BOUND, (0, "get", {"id": None}), (1, "cancel", {"booking": None})) == []
    assert violations(BOUND, (0, "get", {"id": 1}), (1, "cancel", "{broken")) == [1]


def test_all_bound_parameters_come_from_one_call() -> None:
    rule = {**RULE, "same": {"a": "x", "b": "y"}}
    split = [(0, "get", {"x": 1, "y": 0}), (0, "get", {"x": 0, "y": 2})]
    assert violations(rule, *split, (1, "cancel", {"a": 1, "b": 2})) == [2]
    assert violations(rule, *split, (1, "cancel", {"a": 0, "b": 2})) == []


def test_structured_values_can_be_bound() -> None:
    get = (0, "get", {"id": {"a": [1, 2], "b": None}})
    assert violations(BOUND, get, (1, "cancel", {"booking": {"b": None, "a": [1.0, 2]}})) == []


def test_patterns_narrow_both_sides() -> None:
    rule = {
        "tool": {"name": "refund", "args": {"amount": {"above": 100}}},
        "needs": {"name": "check", "args": {"deep": True}},
    }
    assert violations(rule, (0, "refund", {"amount": 50})) == []
    assert violations(rule, (0, "check", {"deep": False}), (1, "refund", {"amount": 500})) == [1]
    assert violations(rule, (0, "check", {"deep": True}), (1, "refund", {"amount": 500})) == []


def test_a_tool_may_need_itself() -> None:
    rule = {
        "tool": {"name": "pay", "args": {"amount": {"above": 10}}},
        "needs": {"name": "pay", "args": {"amount": 1}},
    }
    assert violations(rule, (0, "pay", {"amount": 1}), (1, "pay", {"amount": 50})) == []
    assert violations(rule, (0, "pay", {"amount": 50}), (1, "pay", {"amount": 1})) == [0]


@pytest.mark.parametrize(
    ("spec", "path", "text"),
    [
        ("a", (), "wanted a mapping {tool, needs, same}"),
        ({"tool": "a"}, (), "needs: missing"),
        ({"needs": "a"}, (), "tool: missing"),
        ({**RULE, "need": "x"}, ("need",), "unknown field 'need'"),
        ({**RULE, "same": ["id"]}, ("same",), "same: wanted a mapping"),
        ({**RULE, "same": "id"}, ("same",), "write same: {id: id}"),
        ({**RULE, "same": {"a": 1}}, ("same", "a"), "same: wanted a mapping"),
        ({"tool": "a", "needs": {"name": "b", "ok": False}}, ("needs", "ok"), "is never met"),
        ({"tool": {"name": "a", "which": "first"}, "needs": "b"}, ("tool", "which"), "only under"),
        (
            {"tool": "a", "needs": {"name": "b", "result": {"min": "x"}}},
            ("needs", "result", "min"),
            "wanted a number",
        ),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_is_refused_in_its_place(
    spec: Json, path: tuple[str, ...], text: str
) -> None:
    with pytest.raises(MatcherError) as caught:
        compile_before(spec)
    assert caught.value.path == path
    assert text in caught.value.text


def test_a_binding_that_looks_into_a_result_says_that_only_parameters_bind() -> None:
    with pytest.raises(MatcherError, match="looks into a result"):
        compile_before({"tool": "reserve", "needs": "find", "same": {"book": "result.id"}})
