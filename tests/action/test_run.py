"""The action's script that runs the suite: reports also where it is red, and its exit code."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

SCRIPT = Path(__file__).parents[2] / "action" / "run.py"

AGENT = """
def agent(task):
    print("::error::said by a model")
    return "no" if task.variant.name == "bad" else "done"
"""
SETTINGS = 'cases = ["cases.json"]\nagent = "agent:agent"\n[variants.bad]\n'
CASE = '[{"id": "greet", "input": "Hello?", "expect": {"answer": {"contains": "done"}}}]'


class Step(NamedTuple):
    """What a step of a build came to."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


class Suite:
    """A suite in a folder of a build."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "suite"
        self.temp = folder / "temp"

    def write(self) -> None:
        """Write the suite."""
        self.folder.mkdir()
        self.temp.mkdir()
        for name, text in (
            ("agent.py", AGENT), ("fairtrial.toml", SETTINGS), ("cases.json", CASE),
        ):  # fmt: skip
            (self.folder / name).write_text(text, encoding="utf-8")

    def step(self, arguments: str = "", **environment: str) -> Step:
        """Run the script as the action does."""
        outputs, summary = self.temp / "outputs", self.temp / "summary"
        outputs.write_text("", encoding="utf-8")
        summary.write_text("", encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(SCRIPT)],
            cwd=self.folder,
            env={
                **os.environ,
                "RUNNER_TEMP": str(self.temp),
                "GITHUB_OUTPUT": str(outputs),
                "GITHUB_STEP_SUMMARY": str(summary),
                "GITHUB_ACTIONS": "true",
                "FAIRTRIAL_ARGUMENTS": arguments,
                "FAIRTRIAL_GATE": "true",
                "FAIRTRIAL_ANNOTATIONS": "true",
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        told = dict(line.split("=", 1) for line in outputs.read_text(encoding="utf-8").splitlines())
        return Step(done.returncode, done.stdout, told, summary.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def green(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a build whose baseline is that of a green run."""
    made = Suite(tmp_path_factory.mktemp("green"))
    made.write()
    assert made.step(CI="").code == 0
    return made.folder.parent


@pytest.fixture
def suite(green: Path, tmp_path: Path) -> Suite:
    """Give a suite that has been green."""
    shutil.copytree(green, tmp_path / "build")
    return Suite(tmp_path / "build")


def test_a_green_run_is_kept_and_said(suite: Suite) -> None:
    step = suite.step()
    folder = Path(step.outputs.pop("folder"))
    assert step.outputs == {"exit-code": "0", "decision": "pass"}
    assert folder == (suite.folder / ".fairtrial").resolve()
    assert step.summary.startswith("### ✅ fairtrial: PASS")
    names = {file.name for file in (folder / "reports").iterdir()}
    assert names == {"scorecard.md", "junit.xml", "run.json"}


def test_a_red_run_has_all_its_reports_and_its_exit_code(suite: Suite) -> None:
    step = suite.step("--variant bad")
    assert (step.code, step.outputs["exit-code"], step.outputs["decision"]) == (1, "1", "fail")
    assert step.summary.startswith("### ❌ fairtrial: FAIL")
    reports = Path(step.outputs["folder"]) / "reports"
    assert (reports / "scorecard.md").read_text(encoding="utf-8") == step.summary
    assert json.loads((reports / "run.json").read_text(encoding="utf-8"))["run"]["variant"] == "bad"
    assert "<failure" in (reports / "junit.xml").read_text(encoding="utf-8")
    assert "\n::error file=cases.json,line=1,title=fairtrial%3A greet::" in step.log


def test_what_an_agent_prints_is_no_command(suite: Suite) -> None:
    """BL-68."""
    log = suite.step("--variant bad").log
    before, _, after = log.partition("::stop-commands::")
    token, _, rest = after.partition("\n")
    said, _, told = rest.partition(f"::{token}::")
    assert "::error::said by a model" in said
    assert "::error::said by a model" not in before + told
    assert "::error file=" in told


def test_what_was_measured_is_kept_also_where_the_build_is_cancelled(suite: Suite) -> None:
    told = suite.folder / "told"
    look = f"from os import environ as e; open({str(told)!r}, 'w').write(open(e['O']).read())"
    agent = f"def agent(task):\n    {look}\n    return 'done'\n"
    (suite.folder / "agent.py").write_text(agent, encoding="utf-8")
    suite.step(O=str(suite.temp / "outputs"))
    home = (suite.folder / ".fairtrial").resolve()
    assert told.read_text(encoding="utf-8") == f"folder={home}\n"


def test_without_the_gate_a_failing_trial_is_what_fails(suite: Suite) -> None:
    step = suite.step("--variant bad", FAIRTRIAL_GATE="false")
    assert (step.code, step.outputs["decision"]) == (1, "")
    assert "The gate was not asked" in step.summary


def test_annotations_come_only_where_they_are_asked_for(suite: Suite) -> None:
    assert "::error file" not in suite.step("--variant bad", FAIRTRIAL_ANNOTATIONS="false").log


@pytest.mark.parametrize(
    ("arguments", "words"),
    [("--no-such-option", "No such option"), ("'open", "No closing quotation")],
)
def test_where_nothing_could_be_run_that_is_what_is_said(
    suite: Suite, arguments: str, words: str
) -> None:
    step = suite.step(arguments)
    assert (step.code, step.outputs["exit-code"], step.outputs["decision"]) == (2, "2", "")
    assert words in step.log
    assert step.summary.startswith("### ❌ fairtrial: no run")


def test_arguments_are_words_and_no_program(suite: Suite) -> None:
    step = suite.step("--variant 'bad; touch owned' $(touch owned)")
    assert step.code == 2
    assert not (suite.folder / "owned").exists()


def test_settings_above_the_folder_keep_the_runs_above_too(suite: Suite) -> None:
    below = suite.folder / "below"
    below.mkdir()
    home = (suite.folder / ".fairtrial").resolve()
    suite.folder = below
    assert suite.step().outputs["folder"] == str(home)
