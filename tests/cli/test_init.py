"""fairtrial init: a suite that is green at once, and nothing of anybody's written over."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

if TYPE_CHECKING:
    from tests.conftest import Desk

FILES = {
    "fairtrial.toml", "agent.py", "world.py", "evals/cases.yaml", "evals/README.md",
    "evals/baseline.json", ".github/workflows/fairtrial.yml",
    ".github/workflows/fairtrial-nightly.yml", ".github/workflows/fairtrial-weekly.yml",
}  # fmt: skip


def written(folder: Path) -> set[str]:
    """Give the files in a folder, save those of its runs and of Python."""
    files = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    return {str(file) for file in files if file.parts[0] not in {".fairtrial", "__pycache__"}}


def test_it_is_green_at_once_and_its_baseline_is_there(desk: "Desk") -> None:
    ran = desk.run("init", "shop")
    assert (ran.code, ran.err) == (0, "")
    assert written(desk.folder / "shop") == FILES
    baseline = desk.read("shop/evals/baseline.json")
    assert {row["passed"] / row["measured"] for row in baseline["cases"].values()} == {1}
    for name in FILES:
        assert f"  shop/{name}\n" in ran.out


def test_the_commands_that_it_prints_work_as_printed(desk: "Desk") -> None:
    out = desk.run("init", "my shop").out
    commands = [
        line.split("   ")[0].strip() for line in out.splitlines() if "fairtrial run" in line
    ]
    enter = next(line.strip() for line in out.splitlines() if line.startswith("  cd "))
    assert commands == ["fairtrial run", "fairtrial run --variant hasty --gate"]
    codes = []
    for command in commands:
        words = [sys.executable, "-m", *shlex.split(command)]
        script = f"{enter} && exec {shlex.join(words)}"
        done = subprocess.run(
            ["sh", "-c", script], cwd=desk.folder, capture_output=True, text=True, check=False,
            env={**os.environ, "CI": "1"},
        )  # fmt: skip
        assert "Traceback" not in done.stderr
        codes.append(done.returncode)
    assert codes == [0, 1]


def test_in_this_folder_there_is_nothing_to_enter(desk: "Desk") -> None:
    out = desk.run("init").out
    assert "  cd " not in out
    assert written(desk.folder) == FILES
    assert desk.run("run", "-q").out == "exit 0: everything was measured and passed\n"
    assert desk.run("gate").code == 0


def test_its_case_file_has_no_weak_spots(desk: "Desk") -> None:
    desk.run("init")
    ran = desk.run("lint", "--strict", "evals/cases.yaml")
    assert ran.code == 0, ran.out


@pytest.mark.parametrize("there", sorted(FILES - {"evals/baseline.json"}))
def test_nothing_is_written_where_one_file_is_there(desk: "Desk", there: str) -> None:
    desk.write(f"shop/{there}", "mine")
    ran = desk.run("init", "shop")
    assert (ran.code, ran.out) == (2, "")
    assert f"{there} is there already, and nothing is written over" in ran.err
    assert written(desk.folder / "shop") == {there}
    assert (desk.folder / "shop" / there).read_text(encoding="utf-8") == "mine"


def test_nothing_is_written_over_a_baseline_or_through_a_link(desk: "Desk") -> None:
    desk.write("a/evals/baseline.json", "mine")
    assert desk.run("init", "a").code == 2
    assert written(desk.folder / "a") == {"evals/baseline.json"}
    elsewhere = desk.folder / "elsewhere.py"
    (desk.folder / "b").mkdir()
    (desk.folder / "b" / "agent.py").symlink_to(elsewhere)
    assert desk.run("init", "b").code == 2
    assert not elsewhere.exists()


@pytest.mark.parametrize("place", ["file", "file/below", "evals is a file", "/proc/none/there"])
def test_a_folder_that_cannot_be_made_is_told_and_nothing_is_left(desk: "Desk", place: str) -> None:
    desk.write("file", "mine")
    if place == "evals is a file":
        desk.write(f"{place}/evals", "mine")
    before = written(desk.folder)
    ran = desk.run("init", place)
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be written" in ran.err
    assert "Traceback" not in ran.err
    assert written(desk.folder) == before


def test_it_is_green_below_another_project_too(desk: "Desk") -> None:
    desk.write("fairtrial.toml", "agent = 'nowhere:nothing'\n")
    desk.write("agent.py", "raise ValueError\n")
    assert desk.run("init", "below").code == 0
    assert desk.run("run", "--config", "below/fairtrial.toml", "-q").code == 0


def test_it_is_green_whatever_modules_and_keys_are_around(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-TEST-4711")
    monkeypatch.setenv("CI", "1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    ran = desk.run("init", "shop")
    assert ran.code == 0, ran.err
    assert written(desk.folder / "shop") == FILES


def step_of(desk: "Desk", job: str, word: str) -> str:
    """Give what a step of the workflow runs."""
    text = (desk.folder / ".github/workflows/fairtrial.yml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"][job]["steps"]
    run: str = next(step["run"] for step in steps if word in step.get("run", ""))
    return run


def built(desk: "Desk", script: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a step as a build does."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=desk.folder,
        env={**os.environ, "PATH": path, "CI": "true", "GITHUB_ACTIONS": "true", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_its_workflow_runs_on_a_pull_request_works_as_written(desk: "Desk") -> None:
    desk.run("init")
    summary = desk.write("summary.md", "")
    step = step_of(desk, "offline", "fairtrial run")
    done = built(desk, step, GITHUB_STEP_SUMMARY=str(summary))
    assert (done.returncode, summary.read_text(encoding="utf-8")[:23]) == (
        0, "### ✅ fairtrial: PASS\n\n",
    )  # fmt: skip
    assert (desk.folder / ".fairtrial" / "junit.xml").exists()
    hasty = built(desk, f"{step} --variant hasty", GITHUB_STEP_SUMMARY=str(summary))
    assert hasty.returncode == 1
    assert "::error file=evals/cases.yaml,line=" in hasty.stdout


def test_nothing_is_run_live_without_a_key_and_a_baseline_of_live_runs(desk: "Desk") -> None:
    desk.run("init")
    step = step_of(desk, "live", "ready=yes")
    output = desk.write("output", "")
    said = []
    for key, there in (("", False), ("sk-TEST-1", False), ("", True), ("sk-TEST-1", True)):
        if there:
            desk.write("evals/live.json", "{}")
        said.append(built(desk, step, KEY=key, GITHUB_OUTPUT=str(output)).stdout)
    assert ["no secret" in one for one in said] == [True, False, True, False]
    assert "no evals/live.json" in said[1]
    assert output.read_text(encoding="utf-8") == "ready=yes\n"
    assert "sk-TEST-1" not in "".join(said)
