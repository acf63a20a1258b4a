"""The fields of the final state."""

import pytest

from fairtrial.match import MISSING, MatcherError, compile_state
from fairtrial.records import Json


def test_the_top_keys_are_fields_and_never_operators() -> None:
    state = compile_state({"min": [1], "type": "x", "emails": []})
    assert list(state.fields) == ["min", "type", "emails"]
    assert not state.exact
    assert state.fields["type"].matches("x")


def test_a_lone_exactly_at_the_top_allows_no_other_field() -> None:
    state = compile_state({"exactly": {"emails": [], "log": ["a"]}})
    assert (list(state.fields), state.exact) == (["emails", "log"], True)
    assert compile_state({"exactly": {}}).exact


def test_a_lone_has_at_the_top_holds_the_fields() -> None:
    state = compile_state({"has": {"exactly": 1}})
    assert (list(state.fields), state.exact) == (["exactly"], False)


def test_has_beside_other_fields_is_a_field() -> None:
    assert list(compile_state({"has": {"a": 1}, "b": 2}).fields) == ["has", "b"]


def test_a_missing_field_meets_only_absent_ignore_and_one_of_them() -> None:
    state = compile_state({
        "a": [], "b": None, "c": {}, "d": {"not": 1}, "e": {"absent": True}, "f": {"ignore": True},
        "g": {"one_of": [1, {"absent": True}]},
    })  # fmt: skip
    met = [name for name, matcher in state.fields.items() if matcher.matches(MISSING)]
    assert met == ["e", "f", "g"]


@pytest.mark.parametrize(
    ("spec", "path", "text"),
    [
        ([], (), "wanted a mapping of the world's fields, got []"),
        (None, (), "got null"),
        ({"exactly": 5}, ("exactly",), "write has: {exactly: ...}"),
        ({"a": {"rows": [{"n": {"min": "x"}}]}}, ("a", "rows", 0, "n", "min"), "wanted a number"),
        ({"exactly": {"a": {"min": "x"}}}, ("exactly", "a", "min"), "wanted a number"),
        ({5: 1}, (), "the field 5 is not text"),
    ],
)
def test_what_cannot_be_is_refused_in_its_place(
    spec: Json, path: tuple[str | int, ...], text: str
) -> None:
    with pytest.raises(MatcherError) as caught:
        compile_state(spec)
    assert caught.value.path == path
    assert text in caught.value.text
