"""No report is written over what a suite lives on, a run, or another report."""

from typing import TYPE_CHECKING

import pytest

from tests.cli.test_written import lost

if TYPE_CHECKING:
    from tests.conftest import Desk

SETTINGS = 'cases = ["cases.json"]\nagent = "agent:agent"\n'


@pytest.mark.parametrize(
    "command",
    [
        ("report", "--html"),
        ("report", "--json"),
        ("report", "--markdown"),
        ("report", "--junit"),
        ("report", "--history", "--html"),
        ("gate", "--junit"),
        ("gate", "--json"),
        ("diff", "latest", "latest", "--json"),
        ("grade", "latest", "--json"),
        ("run", "--markdown"),
    ],
)
@pytest.mark.parametrize("file", ["cases.json", "evals/baseline.json", "fairtrial.toml"])
def test_the_suite_is_never_written_over(desk: "Desk", command: tuple[str, ...], file: str) -> None:
    lost(desk)
    desk.write("fairtrial.toml", SETTINGS)
    before = (desk.folder / file).read_bytes()
    ran = desk.run(*command, f"./{file}")
    assert (ran.code, ran.out) == (2, "")
    assert f"{command[-1]} {file}: that is read here, and would be lost" in ran.err
    assert (desk.folder / file).read_bytes() == before


@pytest.mark.parametrize("name", ["run.json", "trials.jsonl", "cases.jsonl", "scorecard.json"])
def test_the_files_of_a_run_are_never_written_over(desk: "Desk", name: str) -> None:
    lost(desk)
    file = desk.runs()[-1] / name
    before = file.read_bytes()
    ran = desk.run("report", "--html", str(file))
    assert ran.code == 2
    assert "that is read here, and would be lost" in ran.err
    assert file.read_bytes() == before
    assert desk.run("report", "--html", str(file.with_name("page.html"))).code == 0


@pytest.mark.parametrize(
    ("command", "first", "second"),
    [
        ("report", "--html", "--markdown"),
        ("report", "--json", "--junit"),
        ("gate", "--markdown", "--junit"),
    ],
)
def test_two_reports_do_not_go_into_one_file(
    desk: "Desk", command: str, first: str, second: str
) -> None:
    lost(desk)
    ran = desk.run(command, first, "x/out", second, "x/../x/out")
    assert ran.code == 2
    assert f"{first} and {second} both write" in ran.err
    assert not (desk.folder / "x/out").exists()


def test_a_history_is_no_markdown(desk: "Desk") -> None:
    lost(desk)
    for option in ("--markdown", "--junit"):
        ran = desk.run("report", "--history", option, "out")
        assert ran.code == 2
        assert "--history is written with --html or --json alone" in ran.err
    assert "--history is written" in desk.run("report", "--history", "--annotations").err
