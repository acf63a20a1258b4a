"""Call patterns: which calls are meant."""

import pytest

from fairtrial.match import Call, MatcherError, closest_call, compile_pattern
from fairtrial.records import Json, ToolCall


def call(name: str = "refund", arguments: Json = None, index: int = 0, **fields: Json) -> Call:
    return Call.of(index, index, ToolCall(name=name, arguments=arguments, **fields))


@pytest.mark.parametrize("spec", ["refund", {"name": "refund"}])
def test_a_name_means_every_call_of_the_tool(spec: Json) -> None:
    pattern = compile_pattern(spec)
    calls = [call(), call(error="no"), call(arguments='{"broken'), call(executed=False)]
    assert all(pattern.matches(one) and pattern.names(one) for one in calls)
    assert not pattern.matches(call("Refund"))


def test_a_failed_call_counts_as_made_unless_it_must_have_succeeded() -> None:
    worked, broke, malformed = call(), call(error="no"), call(arguments='{"broken')
    wants_ok = compile_pattern({"name": "refund", "ok": True})
    wants_failure = compile_pattern({"name": "refund", "ok": False})
    assert [wants_ok.matches(one) for one in (worked, broke, malformed)] == [True, False, False]
    assert [wants_failure.names(one) for one in (worked, broke, malformed)] == [False, True, True]


@pytest.mark.parametrize(
    "args", [{}, {"a": {"absent": True}}, {"exactly": {}}, {"a": {"ignore": True}}]
)
def test_malformed_arguments_meet_no_matcher_on_arguments(args: Json) -> None:
    pattern = compile_pattern({"name": "refund", "args": args})
    assert pattern.matches(call(arguments=""))
    assert not pattern.matches(call(arguments='{"broken'))
    (found,) = pattern.mismatches(call(arguments='{"broken'))
    assert str(found) == 'arguments: wanted a JSON object, got malformed arguments "{\\"broken"'


def test_arguments_and_result_are_told_apart() -> None:
    pattern = compile_pattern({"name": "refund", "args": {"amount": 5}, "result": {"ok": True}})
    made = call(arguments={"amount": "5"}, result={"ok": False})
    assert [str(found) for found in pattern.mismatches(made)] == [
        'amount: wanted 5 (a number), got "5" (text)',
        "result.ok: wanted true, got false",
    ]
    assert not pattern.matches(call(arguments={"amount": 5}))


def test_what_differs_is_told_in_all_its_parts() -> None:
    pattern = compile_pattern({"name": "refund", "ok": True})
    assert [str(found) for found in pattern.mismatches(call("pay", error="no"))] == [
        "name: wanted refund, got pay",
        "wanted a call that succeeded, got a call that failed",
    ]
    assert pattern.mismatches(call()) == []


def test_which_picks_after_ok() -> None:
    calls = [
        call(index=0, error="no"),
        call(index=1, arguments='{"broken'),
        call(index=2),
        call("pay", index=3),
        call(index=4),
        call(index=5, error="no"),
    ]

    def chosen(which: str, **more: Json) -> list[int]:
        pattern = compile_pattern({"name": "refund", "which": which, **more}, which=True)
        return [one.index for one in pattern.chosen(calls)]

    assert chosen("first") == [0]
    assert chosen("first", ok=True) == [2]
    assert chosen("last") == [5]
    assert chosen("last", ok=True) == [4]
    assert chosen("every", ok=False) == [0, 1, 5]
    assert chosen("any") == [0, 1, 2, 4, 5]


def test_first_is_the_first_whose_arguments_parse() -> None:
    pattern = compile_pattern({"name": "refund", "which": "first"}, which=True)
    calls = [call(arguments="{", index=0), call(arguments={}, index=1)]
    assert [one.index for one in pattern.chosen(calls)] == [1]
    assert pattern.chosen(calls[:1]) == []


def test_the_closest_call_of_the_tool_is_the_one_that_differs_least() -> None:
    pattern = compile_pattern({"name": "refund", "args": {"a": 1, "b": 2, "c": 3}})
    calls = [
        call("pay", {"a": 1, "b": 2, "c": 3}),
        call(arguments={"a": 1}, index=1),
        call(arguments={"a": 1, "b": 2}, index=2),
        call(arguments={"b": 2, "c": 3}, index=3),
    ]
    closest = closest_call(pattern, calls)
    assert closest is not None
    assert closest.index == 2
    assert closest_call(pattern, calls[:1]) is None


@pytest.mark.parametrize(
    ("spec", "path", "text"),
    [
        ("", (), "wanted a tool's name"),
        (5, (), "quote it"),
        (None, (), "wanted a tool's name"),
        ([], (), "wanted a tool's name or a mapping"),
        ({}, (), "name: missing"),
        ({"name": ""}, ("name",), "wanted a tool's name"),
        ({"name": 5}, ("name",), "quote it"),
        ({"name": "a", "ok": 1}, ("ok",), "ok: wanted true or false, got 1"),
        ({"name": "a", "ok": None}, ("ok",), "ok: wanted true or false, got null"),
        ({"name": "a", "arguments": {}}, ("arguments",), "did you mean args?"),
        ({"tool": "a"}, ("tool",), "did you mean name?"),
        ({"name": "a", "amount": 5}, ("amount",), "parameters stand under args"),
        ({"name": "a", "which": "first"}, ("which",), "only under `required`"),
        ({"any_order": ["a"]}, ("any_order",), "a group stands only in a plan"),
        ({"name": "a", "args": 5}, ("args",), "wanted a mapping of names"),
        ({"name": "a", "args": {"n": {"min": "x"}}}, ("args", "n", "min"), "wanted a number"),
        ({"name": "a", "result": {"type": "x"}}, ("result", "type"), "write has: {type: \"x\"}"),
    ],
)  # fmt: skip
def test_a_pattern_that_cannot_be_is_refused_in_its_place(
    spec: Json, path: tuple[str, ...], text: str
) -> None:
    with pytest.raises(MatcherError) as caught:
        compile_pattern(spec)
    assert caught.value.path == path
    assert text in caught.value.text


def test_which_is_one_of_four() -> None:
    with pytest.raises(MatcherError, match="which: wanted one of any, first, every, last, got"):
        compile_pattern({"name": "a", "which": "second"}, which=True)
    assert compile_pattern("a", which=True).which == "any"


def test_a_pattern_is_shown_as_a_call() -> None:
    assert str(compile_pattern("a")) == "a"
    shown = str(compile_pattern({"name": "a", "args": {"n": {"min": 1}}, "result": {"ok": True}}))
    assert shown == "a({n: at least 1}, result: {ok: true})"


def test_a_call_that_was_never_run_was_made_and_neither_succeeded_nor_failed() -> None:
    call = Call.of(0, 0, ToolCall(name="pay", executed=False))
    assert compile_pattern("pay").matches(call)
    for ok in (True, False):
        pattern = compile_pattern({"name": "pay", "ok": ok})
        assert not pattern.matches(call)
        assert "a call that was never run" in str(pattern.mismatches(call)[0])
    raw = Call.of(0, 0, ToolCall(name="pay", arguments="{", executed=False))
    assert compile_pattern({"name": "pay", "ok": False}).matches(raw)  # refused for its arguments
