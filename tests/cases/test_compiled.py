"""A matcher, a pattern or a plan in a case file: compiled to see that it can be."""

from fairtrial.cases.compiled import Compiled
from fairtrial.cases.located import Notes
from fairtrial.cases.shapes import BAD
from fairtrial.match import compile_matcher
from fairtrial.records import Json


def read(compiled: Compiled, value: Json) -> tuple[Json, list[str]]:
    notes = Notes()
    got = compiled.read(value, ("args",), notes)
    return got, [mistake.text for mistake in notes]


def test_what_can_be_compiled_is_kept_as_written() -> None:
    matcher = {"fee": {"min": 1}}
    assert read(Compiled(compile_matcher, {}), matcher) == (matcher, [])


def test_what_cannot_be_compiled_is_a_mistake_at_its_place() -> None:
    got, texts = read(Compiled(compile_matcher, {}), {"min": "x"})
    assert got is BAD
    assert len(texts) == 1


def test_what_is_known_to_be_sound_is_not_compiled() -> None:
    def refuse(value: Json) -> object:
        raise AssertionError(value)

    assert read(Compiled(refuse, {}, sound=lambda _: True), 5) == (5, [])


def test_other_types_than_those_wanted_are_refused_before_anything_is_compiled() -> None:
    _, texts = read(Compiled(compile_matcher, {}, kinds="a mapping", types=(dict,)), 5)
    assert texts == ["wanted a mapping, got the number 5"]
