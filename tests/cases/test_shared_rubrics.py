"""What the name of a rubric in a case stands for."""

import pytest

from fairtrial.cases.located import Notes
from fairtrial.cases.shared_rubrics import SharedRubrics
from fairtrial.records import Json, RubricItem


@pytest.fixture
def shared() -> SharedRubrics:
    """Give the rubrics of a file without a folder beside it, one of them wrong."""
    written: dict[str, Json] = {"polite": ["Is kind"], "tone": {"criteria": ["warmth"]}, "bad": []}
    rubrics = SharedRubrics()
    rubrics.read(written, Notes())
    return rubrics


def test_items_take_the_place_of_a_name_and_what_is_more_keeps_it(shared: SharedRubrics) -> None:
    notes = Notes()
    assert shared.standing_for("polite", notes) == (RubricItem(item="Is kind"),)
    assert shared.standing_for("tone", notes) == "tone"
    assert shared.normal("tone") == {"tone": {"criteria": [{"name": "warmth"}]}}
    assert notes.mistakes == []


def test_a_rubric_that_is_wrong_is_told_of_where_it_stands_alone(shared: SharedRubrics) -> None:
    notes = Notes()
    assert shared.standing_for("bad", notes) == "bad"
    assert shared.normal("bad") == {"bad": None}
    assert notes.mistakes == []


def test_a_sentence_is_an_item_unless_it_is_nearly_a_name(shared: SharedRubrics) -> None:
    notes = Notes()
    assert shared.standing_for("Says sorry", notes) == (RubricItem(item="Says sorry"),)
    shared.standing_for("tome", notes)
    assert [text for _, _, text in notes] == [
        "no shared rubric 'tome': not under rubrics of this file (bad, polite, tone); did you mean "
        "tone?"
    ]


def test_of_many_names_only_some_are_listed() -> None:
    rubrics = SharedRubrics()
    rubrics.read({f"rubric-{number:02}": ["Is kind"] for number in range(30)}, Notes())
    notes = Notes()
    rubrics.standing_for("other", notes)
    assert "rubric-19 and 10 more)" in notes.mistakes[0].text
