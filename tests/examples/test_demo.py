"""The demo shows a blocked change, and says so when it was not blocked."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the demo is a POSIX shell script")


def program(folder: Path, script: str) -> Path:
    """Put a `fairtrial` on the path; the script gets its arguments."""
    file = folder / "bin" / "fairtrial"
    file.parent.mkdir(parents=True)
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return file.parent


def demo(examples: Path, path: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{path}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
    return subprocess.run(
        ["sh", str(examples / "demo.sh")],
        cwd=examples.parent,
        env={**environment, "NO_COLOR": "1", "COLUMNS": "80", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    unwanted = shutil.ignore_patterns(".fairtrial", "__pycache__")
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=unwanted))


REAL = f'exec "{sys.executable}" -m fairtrial "$@"'


def files(folder: Path) -> dict[str, bytes]:
    found = sorted(folder.rglob("*"))
    return {str(file.relative_to(folder)): file.read_bytes() for file in found if file.is_file()}


def test_the_demo_blocks_the_change_and_leaves_no_trace(examples: Path, tmp_path: Path) -> None:
    before = files(examples)
    done = demo(examples, program(tmp_path, REAL))
    assert done.returncode == 0, done.stderr
    assert "FAIL: the run does not hold against evals/baseline.json" in done.stdout
    assert "was stopped with exit code 1" in done.stdout
    assert files(examples) == before


def test_the_demo_fails_when_the_gate_lets_the_change_pass(examples: Path, tmp_path: Path) -> None:
    lenient = f'[ "$1" = gate ] && {{ echo "PASS"; exit 0; }}\n{REAL}'
    done = demo(examples, program(tmp_path, lenient))
    assert done.returncode == 1
    assert "should have exited with 1, not with 0" in done.stderr


def test_the_demo_fails_without_a_baseline(examples: Path, tmp_path: Path) -> None:
    (examples / "operations" / "evals" / "baseline.json").unlink()
    done = demo(examples, program(tmp_path, REAL))
    assert done.returncode == 1
    assert "should have exited with 0, not with 3" in done.stderr


def test_the_demo_fails_where_the_program_does_not_run(examples: Path, tmp_path: Path) -> None:
    assert demo(examples, program(tmp_path, "exit 127")).returncode == 1
