"""Plans: what they score, and which cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.match import Call, MatcherError, Plan, compile_next, compile_plan
from fairtrial.records import Json, ToolCall

NINE = "abcdefghi"


def calls_named(names: str, *, at_once: int = 1) -> list[Call]:
    return [Call.of(i, i // at_once, ToolCall(name=name)) for i, name in enumerate(names)]


def told(plan: Plan, names: str) -> tuple[float, float, float, int]:
    result = plan.align(calls_named(names))
    return result.score, result.precision, result.recall, result.extra


@pytest.mark.parametrize(
    ("plan", "names", "numbers"),
    [
        (["a", "b"], "ab", (1, 1, 1, 0)),
        (["a", "b"], "axb", (1, 2 / 3, 1, 1)),
        (["a", "b"], "ba", (0.5, 0.5, 0.5, 1)),
        (["a", "a"], "aa", (1, 1, 1, 0)),
        (["a", "a"], "a", (0.5, 1, 0.5, 0)),
        (["a"], "aaa", (1, 1 / 3, 1, 2)),
        (["a"], "", (0, 0, 0, 0)),
        ([], "", (1, 1, 1, 0)),
        ([], "ab", (0, 0, 0, 2)),
        ({"mode": "any_order", "steps": ["a", "b"]}, "xba", (1, 2 / 3, 1, 1)),
        ({"mode": "any_order", "steps": ["a", "b", "a"]}, "abc", (2 / 3, 2 / 3, 2 / 3, 1)),
        ({"mode": "any_order", "steps": [{"any_order": [*NINE]}]}, NINE[::-1], (1, 1, 1, 0)),
        ({"mode": "any_order", "steps": []}, "", (1, 1, 1, 0)),
        ({"mode": "exact", "steps": ["a", "b"]}, "ab", (1, 1, 1, 0)),
        ({"mode": "exact", "steps": ["a", "b"]}, "ba", (0, 0.5, 0.5, 1)),
        ({"mode": "exact", "steps": ["a", "b"]}, "axb", (0, 2 / 3, 1, 1)),
        ({"mode": "exact", "steps": ["a", "b", "c"]}, "ab", (0, 1, 2 / 3, 0)),
        ({"mode": "exact", "steps": []}, "", (1, 1, 1, 0)),
        ({"mode": "exact", "steps": []}, "a", (0, 0, 0, 1)),
        ({"mode": "exact", "steps": ["a", {"any_order": ["b", "c"]}]}, "acb", (1, 1, 1, 0)),
        ({"any": [["a"], ["b"]]}, "b", (1, 1, 1, 0)),
        ({"any": [["a", "b"], ["c"]]}, "ax", (0.5, 0.5, 0.5, 1)),
        ({"any": [["a"], ["a", "b"]]}, "ab", (1, 1, 1, 0)),  # both 1: the better precision
        ({"any": [[], ["a"]]}, "", (1, 1, 1, 0)),
        ({"any": [["b", "a"]], "mode": "any_order"}, "ab", (1, 1, 1, 0)),
        ({"any": [{"mode": "exact", "steps": ["b"]}, ["a", "b"]]}, "ab", (1, 1, 1, 0)),
    ],
)  # fmt: skip
def test_what_a_plan_scores(plan: Json, names: str, numbers: tuple[float, ...]) -> None:
    assert told(compile_plan(plan), names) == pytest.approx(numbers)


@given(
    st.lists(st.sampled_from("abc"), max_size=5),
    st.text("abc", max_size=6),
    st.sampled_from(["in_order", "any_order", "exact"]),
)
def test_scores_stay_within_bounds_and_fit_each_other(
    steps: list[str], names: str, mode: str
) -> None:
    result = compile_plan({"mode": mode, "steps": steps}).align(calls_named(names))
    paired = len(result.items) - result.pairs.count(None)
    assert 0 <= result.score <= 1
    assert 0 <= result.precision <= 1
    assert result.extra + paired == len(names)
    if steps:
        assert result.recall == paired / len(steps)
    if names and steps:
        assert result.precision == paired / len(names)
    if mode == "exact":
        assert result.score == (list(names) == steps)
    else:
        assert result.score == result.recall


def test_an_earlier_alternative_wins_a_tie() -> None:
    result = compile_plan({"any": [["a", "x"], ["b", "x"]]}).align(calls_named("ab"))
    assert [item.name for item in result.items] == ["a", "x"]


def test_an_alternative_that_is_met_counts_before_one_that_is_not() -> None:
    plan = compile_plan({"any": [["a", "b", "c", "d"], {"steps": ["a", "x"], "min_score": 0.5}]})
    result = plan.align(calls_named("abc"))
    assert (result.score, result.min_score, plan.min_score) == (0.5, 0.5, 0.5)


def test_min_score_beside_any_holds_for_all() -> None:
    plan = compile_plan({"any": [["a", "b"], {"steps": ["c"]}], "min_score": 0.5})
    assert plan.align(calls_named("a")).min_score == 0.5
    assert {one.min_score for one in plan.alternatives} == {0.5}


def test_the_shortest_alternative_and_all_tools_are_known() -> None:
    plan = compile_plan({"any": [["a", {"any_order": ["b", "c"]}], ["d", "d"]]})
    assert plan.shortest == 2
    assert plan.tools() == {"a", "b", "c", "d"}
    assert compile_plan([]).shortest == 0


def test_pairs_are_positions_among_the_calls_given() -> None:
    calls = [Call.of(7, 3, ToolCall(name="x")), Call.of(9, 4, ToolCall(name="a"))]
    assert compile_plan(["a"]).align(calls).pairs == (1,)


def test_a_retry_never_pushes_a_score_past_one() -> None:
    calls = [
        Call.of(0, 0, ToolCall(name="fx", error="timeout")),
        Call.of(1, 1, ToolCall(name="fx")),
        Call.of(2, 2, ToolCall(name="fx")),
    ]
    assert compile_plan(["fx"]).align(calls).score == 1
    assert compile_plan({"mode": "exact", "steps": ["fx"]}).align(calls).score == 0
    assert compile_plan([{"name": "fx", "ok": True}]).align(calls).pairs == (1,)


REFUSED: list[tuple[Json, tuple[str | int, ...], str]] = [
    ("a", (), "wanted a list of calls or {mode, steps, min_score}, got \"a\"; write [a]"),
    (None, (), "wanted a list of calls"),
    ({"name": "a"}, ("name",), "a call stands in a list"),
    ({"mode": "exact"}, (), "steps: missing"),
    ({"mode": "strict", "steps": []}, ("mode",), "wanted one of in_order, exact, any_order"),
    ({"mode": ["exact"], "steps": []}, ("mode",), "wanted one of"),
    ({"steps": [], "min_score": 1.5}, ("min_score",), "wanted a number from 0 to 1"),
    ({"steps": [], "min_score": True}, ("min_score",), "wanted a number from 0 to 1"),
    ({"steps": "a"}, ("steps",), "write [a]"),
    ({"steps": [], "order": 1}, ("order",), "unknown field 'order'"),
    (["a", 5], (1,), "quote it"),
    ([["a"]], (0,), "wanted a tool's name"),
    ([{"name": "a", "which": "first"}], (0, "which"), "only under `required`"),
    ([{"any_order": []}], (0, "any_order"), "at least one call"),
    ({"mode": "exact", "steps": [{"any_order": []}]}, ("steps", 0, "any_order"), "at least one"),
    ([{"any_order": "a"}], (0, "any_order"), "wanted a list"),
    ([{"any_order": list("abcdefghi")}], (0, "any_order"), "{mode: any_order, steps: [...]}"),
    ([{"any_order": ["a"], "min_score": 1}], (0,), "a group is {any_order: [...]} alone"),
    ([{"any_order": [{"any_order": ["a"]}]}], (0, "any_order", 0, "any_order"), "not in another"),
    ({"steps": [{"name": "a", "result": {"min": "x"}}]}, ("steps", 0, "result", "min"), "a number"),
    ({"any": []}, ("any",), "at least one alternative"),
    ({"any": "a"}, ("any",), "at least one alternative"),
    ({"any": [["a"]], "steps": ["b"]}, ("steps",), "each alternative has its own"),
    ({"any": ["a"]}, ("any", 0), "write [a]"),
    ({"any": [{"any": [["a"]]}]}, ("any", 0, "any"), "has no alternatives"),
    ({"any": [{"steps": [], "mode": "exact"}], "mode": "exact"}, ("any", 0, "mode"), "one place"),
    ({"any": [["a", {"tool": "b"}]]}, ("any", 0, 1, "tool"), "did you mean name?"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "path", "text"), REFUSED, ids=[str(row[0]) for row in REFUSED])
def test_a_plan_that_cannot_be_is_refused_in_its_place(
    spec: Json, path: tuple[str | int, ...], text: str
) -> None:
    with pytest.raises(MatcherError) as caught:
        compile_plan(spec)
    assert caught.value.path == path
    assert text in caught.value.text


@pytest.mark.parametrize(
    ("spec", "names", "score"),
    [
        (["a", "b"], "ba", 1), (["a", "b"], "a", 0), (["a"], "ab", 0), ([], "", 1), ([], "a", 0),
        ("a", "a", 1), ({"name": "a"}, "a", 1), ("a", "", 0), ({"steps": ["a"]}, "a", 1),
        ({"any": [["a"], ["b", "c"]]}, "cb", 1), ({"any": [["a"], []]}, "", 1),
        ({"any": [["a"], {"steps": ["b"]}]}, "b", 1), ([{"any_order": ["a", "b"]}], "ba", 1),
    ],
)  # fmt: skip
def test_a_decision_is_met_exactly_and_in_any_order(spec: Json, names: str, score: int) -> None:
    assert compile_next(spec).align(calls_named(names, at_once=10)).score == score


@pytest.mark.parametrize(
    ("spec", "path", "text"),
    [
        (None, (), "wanted a list of calls"),
        ({"steps": ["a"], "mode": "exact"}, ("mode",), "unknown field 'mode'"),
        ({"any": [["a"]], "min_score": 0.5}, ("min_score",), "unknown field 'min_score'"),
        ({"any": []}, ("any",), "at least one alternative"),
        ({"any": [["a", 5]]}, ("any", 0, 1), "quote it"),
    ],
)
def test_a_decision_has_no_mode_and_no_part_score(
    spec: Json, path: tuple[str | int, ...], text: str
) -> None:
    with pytest.raises(MatcherError) as caught:
        compile_next(spec)
    assert caught.value.path == path
    assert text in caught.value.text


def test_an_allowed_set_that_takes_two_calls_leaves_each_call_its_own() -> None:
    spec = [
        {"name": "f", "args": {"n": {"one_of": [1, 2]}}},
        {"name": "f", "args": {"n": {"one_of": [1]}}},
    ]
    for order in ([1, 2], [2, 1]):
        calls = [Call.of(i, 0, ToolCall(name="f", arguments={"n": n})) for i, n in enumerate(order)]
        assert compile_next(spec).align(calls).score == 1
