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


def copy_of(suite: str, folder: Path) -> Path:
    unwanted = shutil.ignore_patterns(".fairtrial", "__pycache__")
    return Path(shutil.copytree(EXAMPLES / suite, folder / suite, ignore=unwanted))


def program(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fairtrial", *arguments],
        cwd=folder,
        env={**os.environ, "CI": "1", "COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def suite(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A fresh copy of the suite that the test names by parameter."""
    return copy_of(request.param, tmp_path)


@pytest.fixture(scope="module")
def ran(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A copy of the suite that the test names by parameter, run once with its report in it."""
    folder = copy_of(request.param, tmp_path_factory.mktemp("ran"))
    return folder, program(folder, "run", "--json", "run.json", "--quiet")


@pytest.fixture
def fairtrial() -> Program:
    """Run `fairtrial` in a folder, as in CI: nothing is accepted in passing."""
    return program
