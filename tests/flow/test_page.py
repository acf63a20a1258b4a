import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.errors import StoreError
from fairtrial.flow.page import write_page
from fairtrial.records import Json
from fairtrial.store import find_run

if TYPE_CHECKING:
    from tests.conftest import Desk


def data_in(file: Path) -> Json:
    found = re.search(r'id="data">(.*?)</script>', file.read_text(encoding="utf-8"), re.S)
    assert found is not None
    return json.loads(found[1])


def graded(desk: "Desk", *options: str) -> None:
    desk.cases(desk.case("a", tags=["t"], description="about"), desk.case("b"))
    state = {"initial_state": {"x": 1}, "state": {"x": 2}}
    desk.record(desk.recording("a", "done", **state), desk.recording("a", "no", **state))
    desk.grade(*options)


def test_a_run_folder_becomes_a_page(desk: "Desk") -> None:
    graded(desk)
    write_page(desk.folder / "p.html", find_run("latest", desk.folder))
    data = data_in(desk.folder / "p.html")
    first, second = data["cases"]
    assert (first["i"], first["s"], first["a"], first["d"]) == ("a", "flaky", "Hello?", "about")
    assert (second["s"], "t" in second) == ("error", False)
    assert (data["packs"]["run"], len(data["states"])) == ([[1, 2]], 1)


def test_a_report_without_its_folder_becomes_a_page_without_transcripts(desk: "Desk") -> None:
    graded(desk, "--no-save")
    write_page(desk.folder / "p.html", find_run("out.json", desk.folder))
    data = data_in(desk.folder / "p.html")
    assert (data["packs"]["run"], data["cases"][0]["t"]["v"]) == ([], "pf")


def test_further_trials_are_read_from_the_folder_within(desk: "Desk") -> None:
    graded(desk)
    folder = desk.runs()[0]
    (folder / "extra").mkdir()
    line = (folder / "trials.jsonl").read_bytes().splitlines()[0]
    (folder / "extra" / "trials.jsonl").write_bytes(
        line.replace(b'"trial":0', b'"trial":7') + b"\n"
    )
    write_page(desk.folder / "p.html", find_run("latest", desk.folder))
    assert data_in(desk.folder / "p.html")["cases"][0]["e"]["n"] == [7]


def test_a_trial_of_a_case_that_is_not_listed_is_said(desk: "Desk") -> None:
    graded(desk)
    cases = desk.runs()[0] / "cases.jsonl"
    cases.write_bytes(cases.read_bytes().splitlines(keepends=True)[1])
    with pytest.raises(StoreError, match="a trial of 'a', which is no case of the run"):
        write_page(desk.folder / "p.html", find_run("latest", desk.folder))
    assert not (desk.folder / "p.html").exists()


def test_a_page_that_cannot_be_written_is_said(desk: "Desk") -> None:
    graded(desk)
    with pytest.raises(StoreError, match="cannot be written"):
        write_page(Path("/proc/none/p.html"), find_run("latest", desk.folder))
