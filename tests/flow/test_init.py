"""Writing the starter suite: all of it or nothing."""

import re
from pathlib import Path

import pytest
import yaml

from fairtrial.errors import UsageError
from fairtrial.flow.init import BASELINE, STARTER, WORKFLOWS, write_starter
from fairtrial.records import Json


def test_all_files_are_written_in_their_order(tmp_path: Path) -> None:
    files = write_starter(tmp_path / "a" / "b")
    assert [str(file.relative_to(tmp_path / "a" / "b")) for file in files] == list(STARTER)
    assert all(file.read_text(encoding="utf-8").strip() for file in files)


@pytest.mark.parametrize("there", [*STARTER, BASELINE])
def test_one_file_that_is_there_stops_all(tmp_path: Path, there: str) -> None:
    file = tmp_path / there
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(tmp_path / "nowhere")  # a link that leads nowhere is there too
    with pytest.raises(UsageError, match="is there already"):
        write_starter(tmp_path)
    assert [one for one in tmp_path.rglob("*") if not one.is_dir()] == [file]


def test_all_that_are_there_are_named(tmp_path: Path) -> None:
    (tmp_path / "agent.py").touch()
    (tmp_path / "world.py").touch()
    with pytest.raises(UsageError, match=r"agent\.py, world\.py are there already"):
        write_starter(tmp_path)


def test_what_was_written_before_it_failed_is_taken_back(tmp_path: Path) -> None:
    (tmp_path / ".github").touch()  # a file where the last folder should be
    with pytest.raises(UsageError, match="cannot be written"):
        write_starter(tmp_path)
    assert list(tmp_path.iterdir()) == [tmp_path / ".github"]


def test_folders_that_were_made_are_taken_back_and_those_above_stay(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError):
        write_starter(tmp_path / "file" / "below")
    long = tmp_path / "new" / ("x" * 300)
    with pytest.raises(UsageError, match="cannot be written"):
        write_starter(long)
    assert not (tmp_path / "new").exists()


WORKFLOW_NAMES = [name for name in STARTER if name.startswith(WORKFLOWS)]


def workflow(folder: Path, name: str) -> Json:
    """Give a workflow as GitHub reads it: its `on` is no boolean."""
    text = (folder / name).read_text(encoding="utf-8")
    return yaml.safe_load(text.replace("\non:\n", '\n"on":\n'))


@pytest.fixture(params=[".", "suites/shop"])
def below(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Give a folder with a starter in it, in a repository."""
    (tmp_path / ".git").mkdir()
    folder = tmp_path / str(request.param)
    write_starter(folder)
    return folder


@pytest.mark.parametrize("name", WORKFLOW_NAMES)
def test_a_workflow_may_read_and_nothing_else_and_pins_what_it_uses(below: Path, name: str) -> None:
    read = workflow(below, name)
    assert read["permissions"] == {"contents": "read"}
    for job in read["jobs"].values():
        assert job["timeout-minutes"] <= 180
        for step in job["steps"]:
            used = step.get("uses")
            assert used is None or re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", used)
            if used and "checkout" in used:
                assert step["with"]["persist-credentials"] is False
            if used and "upload" in used:
                assert step["if"].startswith("always()")


@pytest.mark.parametrize("name", WORKFLOW_NAMES)
def test_a_secret_is_seen_by_the_step_that_needs_it_alone(below: Path, name: str) -> None:
    for job in workflow(below, name)["jobs"].values():
        assert "secrets" not in str({key: job[key] for key in job if key != "steps"})
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if "secrets." in str(step):
                assert step.get("id") == "live" or "fairtrial run --live" in step["run"]
            if "--live" in step.get("run", ""):
                assert "--max-cost " in step["run"]
                assert step["if"] == "steps.live.outputs.ready == 'yes'"


def test_paths_are_those_of_the_folder(below: Path, tmp_path: Path) -> None:
    read = workflow(below, ".github/workflows/fairtrial.yml")
    where = below.relative_to(tmp_path).as_posix()
    prefix = "" if where == "." else f"{where}/"
    assert f"{prefix}**.py" in read["on"]["pull_request"]["paths"]  # packages' modules too
    assert f"{prefix}evals/**" in read["on"]["pull_request"]["paths"]
    assert read["defaults"]["run"]["working-directory"] == where
    assert read["jobs"]["offline"]["steps"][-1]["with"]["path"] == f"{prefix}.fairtrial"
    assert "FOLDER" not in str(read)
    assert "BELOW" not in str(read)


def test_a_fork_runs_nothing_live(below: Path) -> None:
    job = workflow(below, ".github/workflows/fairtrial.yml")["jobs"]["live"]
    assert job["if"] == "github.event.pull_request.head.repo.full_name == github.repository"
