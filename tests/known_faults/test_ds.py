"""Dataset identity and file parsing: what is written is what is run."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk


def test_equal_cases_under_two_ids_are_two_cases(desk: "Desk") -> None:
    """BL-43."""
    desk.cases(desk.case("x1"), desk.case("x2"))
    desk.record(desk.recording("x1"), desk.recording("x2"))
    ran = desk.grade()
    assert "2 cases, 2 trials" in ran.out
    report = desk.read("out.json")
    assert [(one["id"], len(one["trials"])) for one in report["cases"]] == [("x1", 1), ("x2", 1)]
    assert report["cases"][0]["hash"] == report["cases"][1]["hash"]
    desk.run("accept")
    assert list(desk.read("evals/baseline.json")["cases"]) == ["x1", "x2"]


def test_equal_recordings_are_as_many_trials(desk: "Desk") -> None:
    """BL-43."""
    desk.cases()
    desk.record(*[desk.recording()] * 7)
    assert desk.graded()["scorecard"]["trials"] == 7


YAML = """
- id: a
  input: x
  expect:
    answer: {contains: no}
    state:
      row: {due: 2026-03-05, version: 1.10, code: 01234, time: 12:30, amount: 1_000, note: null}
"""


def test_plain_words_of_yaml_are_text_and_no_value_is_changed(desk: "Desk") -> None:
    """BL-44."""
    desk.write("cases.yaml", YAML)
    row = {
        "due": "2026-03-05", "version": 1.1, "code": "01234", "time": "12:30", "amount": "1_000",
        "note": None,
    }  # fmt: skip
    desk.record(desk.recording("a", "oh, no!", state={"row": row}))
    flags = ["--recordings", "runs.jsonl", "--json", "out.json"]
    ran = desk.run("grade", "cases.yaml", *flags)
    assert (ran.code, ran.err) == (0, "")
    for name, changed in (("due", None), ("code", 668), ("time", 750), ("amount", 1000)):
        desk.record(desk.recording("a", "oh, no!", state={"row": row | {name: changed}}))
        assert desk.run("grade", "cases.yaml", *flags).code == 1


@pytest.mark.parametrize("phrase", ["1.10", "2", "true", "null"])
def test_where_text_is_wanted_another_value_is_an_error_that_says_quote_it(
    desk: "Desk", phrase: str
) -> None:
    """BL-44."""
    case = f"- id: a\n  input: x\n  expect:\n    answer: {{contains: [{phrase}]}}\n"
    desk.write("cases.yaml", case)
    ran = desk.run("lint", "cases.yaml")
    assert ran.code == 2
    assert ran.err.startswith("cases.yaml:4:")
    desk.write("cases.yaml", case.replace(phrase, f'"{phrase} and more"'))
    assert desk.run("lint", "cases.yaml").code == 0
