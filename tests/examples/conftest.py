"""The example suites, each in a copy of its own, and the program as a reader would run it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def suite(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A fresh copy of the suite that the test names by parameter."""
    unwanted = shutil.ignore_patterns(".fairtrial", "__pycache__")
    return Path(
        shutil.copytree(EXAMPLES / request.param, tmp_path / request.param, ignore=unwanted)
    )


@pytest.fixture
def fairtrial() -> Program:
    """Run `fairtrial` in a folder, as in CI: nothing is accepted in passing."""

    def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "fairtrial", *arguments],
            cwd=folder,
            env={**os.environ, "CI": "1", "COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return run
