import json
from pathlib import Path

import msgspec
import pytest

from fairtrial.errors import StoreError
from fairtrial.records import RunInfo, Scorecard
from fairtrial.store import RunWriter, find_run, run_folder, write_report

IDS = ("20260101-000000-000-aa", "20260102-000000-000-aa", "20260102-000000-000-bb")


@pytest.fixture
def root(info: RunInfo, tmp_path: Path) -> Path:
    for run_id in IDS:
        own = msgspec.structs.replace(info, id=run_id)
        RunWriter.start(own, [], folder=run_folder(tmp_path, run_id)).close()
    (tmp_path / ".fairtrial" / "runs" / "stray").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "found"),
    [("latest", IDS[2]), (IDS[0], IDS[0]), ("20260101", IDS[0]), (IDS[1][:-1], IDS[1])],
)
def test_a_run_is_found_by_name(root: Path, name: str, found: str) -> None:
    assert find_run(name, root).info.id == found


def test_a_run_is_found_by_its_folder(root: Path) -> None:
    assert find_run(str(run_folder(root, IDS[1])), root).info.id == IDS[1]


def test_a_run_is_found_by_its_report(root: Path, info: RunInfo, scorecard: Scorecard) -> None:
    write_report(root / "out.json", info, scorecard, [])
    assert find_run(str(root / "out.json"), root).info == info


def test_an_ambiguous_start_lists_the_candidates(root: Path) -> None:
    with pytest.raises(StoreError, match=f"the start of 2 runs: {IDS[2]}, {IDS[1]}$"):
        find_run("20260102", root)


@pytest.mark.parametrize("name", ["nope", "", "2027", "x" * 5000, "a\0b"])
def test_an_unknown_name_lists_the_newest(root: Path, name: str) -> None:
    with pytest.raises(StoreError, match=f"the newest in .*: {IDS[2]}, {IDS[1]}, {IDS[0]}"):
        find_run(name, root)


@pytest.mark.parametrize("name", ["latest", "nope"])
def test_without_any_run_the_way_to_one_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="`fairtrial grade` makes one"):
        find_run(name, tmp_path)


def test_a_folder_that_is_no_run_is_refused(root: Path) -> None:
    with pytest.raises(StoreError, match=r"no run\.json in it"):
        find_run(str(root), root)


def test_a_run_of_a_later_format_still_opens_when_its_fields_fit(root: Path) -> None:
    file = run_folder(root, IDS[0]) / "run.json"
    file.write_text(json.dumps(json.loads(file.read_bytes()) | {"unheard": 1}))
    assert find_run(IDS[0], root).info.id == IDS[0]
