"""The shop's tools and its cases as tests of pytest."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("suite", ["shop"], indirect=True)
def test_the_tools_and_the_cases_of_the_shop_pass_in_one_session(suite: Path) -> None:
    plugins = ("-p", "fairtrial", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-q", "--fairtrial", "--fairtrial-gate", "."],
        cwd=suite,
        env={**os.environ, "CI": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "11 passed" in done.stdout
    assert "PASS: the run holds against evals/baseline.json" in done.stdout
