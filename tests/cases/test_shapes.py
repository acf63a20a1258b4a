import pytest

from fairtrial.cases.located import Notes
from fairtrial.cases.shapes import (
    BAD,
    Anything,
    Choice,
    Data,
    Field,
    Fields,
    Flag,
    Many,
    Named,
    Phrase,
    Real,
    Shape,
    Short,
    Text,
    Whole,
)
from fairtrial.records import Json

NAMES = Fields(
    {"name": Field(Text(), "A name.", required=True), "size": Field(Whole(1), "A size.")}
)

SHAPES: list[tuple[Shape, list[Json], list[Json]]] = [
    (Anything(), [None, 1, "x", [], {}], []),
    (Data("a mapping"), [{}, {"a": None}], [None, [], "x"]),
    (Text(), ["x", " x"], ["", "  ", 1, None, True, []]),
    (Text(blank=True), ["", "x"], [1, None]),
    (Phrase(), ["x", "0"], ["", " ", "\u200b", 1]),
    (Flag(), [True, False], [0, 1, "true", None]),
    (Whole(1), [1, 10**30], [0, -1, 1.0, True, "1", None]),
    (Real(), [0, 0.5, 3], [-0.1, True, "1", float("nan"), float("inf"), None]),
    (Real(positive=True), [0.1, 2], [0, -1, float("inf")]),
    (Real(signed=True), [-5, 0, 0.5], ["x", float("-inf"), False]),
    (Choice("a", "b"), ["a"], ["c", 1, None, ["a"]]),
    (Many(Text(), "texts", "is empty"), ["x", ["x", "y"]], [[], [1], 1]),
    (Named(Whole(0), "numbers"), [{}, {"a": 1}], [{"a": "x"}, [], {" ": 1}]),
    (NAMES, [{"name": "x"}, {"name": "x", "size": 2}, {"name": "x", "size": None}],
     [{}, {"nmae": "x"}, {"name": "x", "size": 0}, "x"]),
    (Short("name", NAMES), ["x", {"name": "x"}], [1, {}, ""]),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "good", "bad"), SHAPES)
def test_a_shape_notes_what_it_cannot_read_and_nothing_else(
    shape: Shape, good: list[Json], bad: list[Json]
) -> None:
    for value in good:
        notes = Notes()
        assert shape.read(value, ("at",), notes) is not BAD
        assert notes.mistakes == []
    for value in bad:
        notes = Notes()
        shape.read(value, ("at",), notes)
        assert notes.mistakes
        assert all(mistake.path[0] == "at" for mistake in notes)


def test_all_mistakes_of_a_mapping_come_at_once() -> None:
    notes = Notes()
    NAMES.read({"nmae": 1, "size": 0, "other": 2}, (), notes)
    assert [mistake.path for mistake in notes] == [("nmae",), ("size",), ("other",), ("name",)]


def test_what_can_be_read_is_kept_beside_what_cannot() -> None:
    assert Many(Text(), "texts", "is empty").read(["a", 1, "b"], (), Notes()) == ("a", "b")
