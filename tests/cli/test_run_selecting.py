"""Which cases a run takes, by what is said on the command line."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

MIXED = """
import fairtrial as ft

def agent(task):
    if task.case == "fails" or (task.case == "flaky" and task.trial == 1):
        return "no"
    if task.case == "errs":
        raise ft.ProviderError("overloaded")
    return "done"
"""
NAMES = ("passes", "fails", "flaky", "errs")


def chosen(bench: "Bench", *options: str) -> list[str]:
    """Give the ids of the cases that were run."""
    ran = bench.run("--json", "out.json", *options)
    assert ran.code in {0, 1, 3}, ran.err
    return [case["id"] for case in bench.desk.read("out.json")["cases"]]


@pytest.fixture
def mixed(bench: "Bench") -> "Bench":
    """A suite of one case of each kind, run once."""
    cases = [bench.desk.case(name, tags=["all", name[0]]) for name in NAMES]
    cases[1]["protected"] = True
    bench.suite(MIXED, *cases)
    return bench


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ([], list(NAMES)),
        (["errs", "passes"], ["passes", "errs"]),
        (["f*"], ["fails", "flaky"]),
        (["f*", "*s", "-k", "1"], list(NAMES)),
        (["--tag", "f"], ["fails", "flaky"]),
        (["--tag", "p", "--tag", "e"], ["passes", "errs"]),
        (["--protected"], ["fails"]),
        (["f*", "--protected"], ["fails"]),
        (["cases.json", "f*"], ["fails", "flaky"]),
        (["more.json"], ["other"]),
        (["cases.json", "more.json", "--tag", "x"], ["other"]),
    ],
)
def test_ids_globs_tags_protection_and_files_select(
    mixed: "Bench", options: list[str], ids: list[str]
) -> None:
    mixed.desk.cases(mixed.desk.case("other", tags=["x"]), name="more.json")
    assert chosen(mixed, *options) == ids


def test_the_filter_is_kept_in_the_run(mixed: "Bench") -> None:
    run = mixed.report("f*", "--tag", "all", "--protected", code=1)["run"]
    wanted: Json = {"ids": ["f*"], "tags": ["all"], "protected": True, "only": []}
    assert run["filter"] == wanted
    assert mixed.report("cases.json", "passes")["run"]["filter"]["ids"] == ["passes"]
    assert mixed.report("cases.json", code=3)["run"]["filter"] is None


@pytest.mark.parametrize(
    ("only", "ids"),
    [
        ("failed", ["fails"]),
        ("flaky", ["flaky"]),
        ("errored", ["errs"]),
        ("failed,flaky", ["fails", "flaky"]),
        (" errored , failed ", ["fails", "errs"]),
    ],
)
def test_only_takes_what_came_out_so_in_the_newest_run(
    mixed: "Bench", only: str, ids: list[str]
) -> None:
    mixed.run("-k", "2")
    assert chosen(mixed, "--only", only) == ids


def test_only_looks_at_the_newest_run_and_at_nothing_else(mixed: "Bench") -> None:
    mixed.run("passes", "fails")
    ran = mixed.run("--only", "flaky")
    assert (ran.code, ran.out) == (2, "")
    assert "no case is left: of 4, none has the outcome flaky in " in ran.err
    assert str(mixed.desk.runs()[0]) in ran.err


def test_only_without_a_run_says_that_there_is_none(mixed: "Bench") -> None:
    ran = mixed.run("--only", "failed")
    assert (ran.code, "no run in" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["passed"], "no case 'passed'; did you mean 'passes'?"),
        (["x*"], "no case 'x*'"),
        (["no-such.yaml"], "no-such.yaml"),
        (["./no-such.json"], "no-such.json:1:1: file: no such file"),
        (["--tag", "none"], "no case is left: of 4, none has a tag of none"),
        (["passes", "--protected"], "none has an id like passes and protection"),
    ],
)
def test_a_selection_that_leaves_nothing_is_told_and_nothing_is_run(
    mixed: "Bench", options: list[str], words: str
) -> None:
    ran = mixed.run(*options)
    assert (ran.code, ran.out, words in ran.err) == (2, "", True), ran.err
    assert mixed.desk.runs() == []


def test_a_file_without_cases_is_told(bench: "Bench") -> None:
    bench.suite()
    bench.desk.write("none.json", "[]")
    ran = bench.run("none.json")
    assert ran.code in {2, 3}
    assert "Traceback" not in ran.err
