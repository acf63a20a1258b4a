"""The action's own file: inputs reach no shell as code, actions are pinned, red runs are kept."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from fairtrial.records import Json

ROOT = Path(__file__).parents[2]
ACTION: Json = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]


def test_every_step_that_runs_something_names_its_shell_and_holds_no_expression() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        if "run" in step:
            assert step["shell"] == "bash"
            assert "${{" not in step["run"]


def test_actions_of_others_are_pinned_by_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert len(used) == 2
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", name) for name in used)


def test_each_input_is_used_and_each_use_is_an_input() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(ACTION["inputs"])
    assert all(one["description"] for one in ACTION["inputs"].values())


def test_the_run_is_kept_and_told_also_where_it_is_red() -> None:
    later = [step for step in STEPS if "steps.run.outputs" in str(step)]
    assert len(later) == 2
    assert all(step["if"].startswith("always() && ") for step in later)


def test_each_output_is_one_that_the_script_gives() -> None:
    script = (ROOT / "action" / "run.py").read_text(encoding="utf-8")
    for name, output in ACTION["outputs"].items():
        assert output["value"] == f"${{{{ steps.run.outputs.{name} }}}}"
        assert f'"{name}":' in script


def test_each_script_of_a_step_is_there_and_reads_what_the_step_sets() -> None:
    for step in STEPS:
        for name in re.findall(r'\$GITHUB_ACTION_PATH/([^"]+)"', step.get("run", "")):
            script = (ROOT / name).read_text(encoding="utf-8")
            assert [key for key in step["env"] if key not in script] == []


@pytest.mark.parametrize(
    ("source", "install", "called"),
    [
        ("action", "", [f"-m pip install --quiet --disable-pip-version-check {ROOT}/action/.."]),
        ("", "", []),
        ("fairtrial==1; touch x", "", [
            "-m pip install --quiet --disable-pip-version-check fairtrial==1; touch x",
        ]),
        ("", "python -m pip install -r 'a b.txt'", ["-m pip install -r a b.txt"]),
    ],
)  # fmt: skip
def test_what_is_installed_is_what_was_asked_for(
    tmp_path: Path, source: str, install: str, called: list[str]
) -> None:
    fake = tmp_path / "bin" / "python"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\necho "$*" >> "{tmp_path}/called"\n', encoding="utf-8")
    fake.chmod(0o755)
    done = subprocess.run(
        ["sh", str(ROOT / "action" / "install.sh")],
        cwd=tmp_path,
        env={
            "PATH": f"{fake.parent}{os.pathsep}{os.environ['PATH']}",
            "FAIRTRIAL_FROM": source,
            "FAIRTRIAL_INSTALL": install,
        },
        check=False,
    )
    assert done.returncode == 0
    told = tmp_path / "called"
    assert (told.read_text(encoding="utf-8").splitlines() if told.exists() else []) == called
    assert not (tmp_path / "x").exists()


def test_an_install_that_fails_stops_the_build(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", str(ROOT / "action" / "install.sh")],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "FAIRTRIAL_INSTALL": "false; true"},
        check=False,
    )
    assert done.returncode == 1
