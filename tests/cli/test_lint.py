"""fairtrial lint through its door."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk


def test_a_sound_suite_is_counted(desk: "Desk") -> None:
    desk.cases(desk.case("a", "cancelled", tags=["fee"], protected=True))
    for flags in ([], ["--strict"]):
        ran = desk.run("lint", "cases.json", *flags)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith("1 case, 1 protected")
        assert "answer.contains 1" in ran.out


def test_warnings_have_their_place_and_fail_only_a_strict_lint(desk: "Desk") -> None:
    desk.write("weak.yaml", "- id: a\n  input: Hi\n  expect:\n    answer: {excludes: [refund]}\n")
    ran = desk.run("lint", "weak.yaml")
    assert (ran.code, ran.out.startswith("weak.yaml:3:3: warning: expect: ")) == (0, True)
    assert "1 warning in 1 file" in ran.out
    strict = desk.run("lint", "weak.yaml", "--strict")
    assert (strict.code, strict.out) == (1, ran.out)


def test_the_files_of_the_settings_are_looked_at(desk: "Desk") -> None:
    desk.cases(name="evals/a.json")
    desk.write("fairtrial.toml", 'cases = "evals/*.json"')
    assert desk.run("lint").out.startswith("1 case")


@pytest.mark.parametrize("flags", [[], ["--strict"]])
def test_all_mistakes_of_all_files_are_told_and_exit_2(desk: "Desk", flags: list[str]) -> None:
    desk.write("a.yaml", "- {id: a, inputt: x, expect: {answer: {contains: [1]}}}\n")
    desk.write("b.json", "[{]")
    ran = desk.run("lint", "a.yaml", "b.json", "none.yaml", *flags)
    assert (ran.code, ran.out) == (2, "")
    starts = [line.split(": ")[0] for line in ran.err.splitlines() if not line.startswith(" ")]
    assert [start.partition(":")[0] for start in starts[:-1]] == [
        *("a.yaml", "a.yaml", "b.json", "none.yaml"),
    ]
    assert ran.err.splitlines()[-1] == "4 problems in 3 files"


def test_without_files_it_says_where_it_looked(desk: "Desk") -> None:
    ran = desk.run("lint")
    assert (ran.code, str(desk.folder) in ran.err) == (2, True)
