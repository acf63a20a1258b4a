"""Names in a case that its world does not have."""

from pathlib import Path

import fairtrial as ft
from fairtrial.flow.names import notes_on_tools, unknown_fields_of
from fairtrial.worlds import Blueprint, prepare


class Desk(ft.World):
    """A lending desk."""

    loans: list[str] = []

    @ft.tool
    def lend(self, book: str) -> str:
        """Lend a book."""
        self.loans.append(book)
        return book


def case_of(folder: Path, text: str) -> ft.Case:
    file = folder / "cases.yaml"
    file.write_text(text, encoding="utf-8")
    return ft.load_cases(file)[0]


def prepared(case: ft.Case, world: type[ft.World] | None = Desk) -> Blueprint:
    return prepare(world, case)


STATE = """
- {id: a, input: Hi, expect: {state: {loan: [], loans: []}, unchanged: [lons]}}
"""


def test_a_field_that_the_world_does_not_have_is_a_mistake(tmp_path: Path) -> None:
    case = case_of(tmp_path, STATE)
    assert list(unknown_fields_of(case, prepared(case))) == [
        "expect.state.loan: the world has no field 'loan'; did you mean 'loans'?",
        "expect.unchanged[0]: the world has no field 'lons'; did you mean 'loans'?",
    ]


def test_without_a_class_a_field_may_be_missing(tmp_path: Path) -> None:
    case = case_of(tmp_path, "- {id: a, input: Hi, expect: {state: {emails: []}}}")
    assert list(unknown_fields_of(case, prepared(case, None))) == []


def test_a_misspelt_forbidden_or_guarded_tool_is_noted_with_its_place(tmp_path: Path) -> None:
    case = case_of(
        tmp_path,
        "- id: a\n  input: Hi\n  expect:\n    tools:\n      forbidden: [lendd]\n"
        "      before: [{tool: lend, needs: {name: check}}]\n      required: [lend, other]\n",
    )
    notes = notes_on_tools([case], {"a": prepared(case)})
    file = tmp_path / "cases.yaml"
    what = "which the world does not have"
    assert notes == [
        f"{file}:1: forbidden names the tool 'lendd', {what}; did you mean 'lend'?",
        f"{file}:1: before names the tool 'check', {what}; it has lend",
    ]


def test_a_world_without_tools_is_not_asked_for_any(tmp_path: Path) -> None:
    case = case_of(tmp_path, "- {id: a, input: Hi, expect: {tools: {forbidden: [lend]}}}")
    assert notes_on_tools([case], {"a": prepared(case, None)}) == []
