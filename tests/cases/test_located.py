import pytest

from fairtrial.cases.located import Notes, Path, spell


@pytest.mark.parametrize(
    ("path", "spelled"),
    [
        ((), ""),
        (("expect", "answer", "contains", 0, 1), "expect.answer.contains[0][1]"),
        (("expect", "contains-any"), "expect.contains-any"),
        (("state", "a.b"), "state['a.b']"),
        (("", "x"), "[''].x"),
        (("a\nb",), "['a\\nb']"),
        (("x" * 500,), "x" * 80),
    ],
)
def test_a_path_is_spelled_as_people_write_it(path: Path, spelled: str) -> None:
    assert spell(path) == spelled


def test_notes_keep_their_order() -> None:
    notes = Notes()
    notes.add(("b",), "one")
    notes.add(("a",), "two", of_key=True)
    assert [(note.text, note.of_key) for note in notes] == [("one", False), ("two", True)]
