"""Assertions whose text is what went wrong."""

import pytest

import fairtrial as ft
from fairtrial.cases import read_case
from fairtrial.records import Case, Json, Report, Task


def case(name: str, **fields: Json) -> Case:
    expect = {"answer": {"contains": ["done"]}}
    return read_case({"id": name, "input": "x", "expect": expect} | fields, "test.py")


def run(*cases: Case) -> Report:
    def agent(task: Task) -> str:
        if task.case == "down":
            raise ft.ProviderError("the model is away")
        return "no" if task.case == "bad" or task.trial == 1 else "done"

    return ft.run(cases, agent, trials=2 if cases[0].id == "flaky" else 1)


def test_what_passed_says_nothing() -> None:
    ft.testing.assert_passed(run(case("a"), case("b"), case("bad", informs=True)))


@pytest.mark.parametrize(
    ("name", "words"),
    [("bad", "bad: 0 of 1 measured trial passed"), ("flaky", "flaky: 1 of 2 measured trials")],
)
def test_what_failed_is_told_by_its_checks(name: str, words: str) -> None:
    with pytest.raises(AssertionError) as error:
        ft.testing.assert_passed(run(case(name)))
    assert str(error.value).startswith(words)
    assert "failed answer.contains[done]" in str(error.value)


def test_only_informing_cases_are_nothing_measured() -> None:
    with pytest.raises(AssertionError, match=r"^nothing was measured$"):
        ft.testing.assert_passed(run(case("bad", informs=True)))


def test_findings_are_a_line_each() -> None:
    def pay(amount):  # type: ignore[no-untyped-def]
        return amount

    with pytest.raises(AssertionError) as error:
        ft.testing.assert_tool(pay)
    lines = str(error.value).splitlines()
    assert lines[0] == "pay: 3 findings"
    assert all(line.startswith("schema: ") for line in lines[1:])
