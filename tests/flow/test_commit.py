import subprocess
from pathlib import Path

import pytest

from fairtrial.flow.commit import git_commit


def test_the_commit_is_that_of_the_folder_and_none_outside_a_repository(tmp_path: Path) -> None:
    assert git_commit(tmp_path) is None
    assert git_commit(tmp_path / "none") is None


def test_without_git_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*args: object, **kwargs: object) -> None:
        raise FileNotFoundError("git")

    (tmp_path / ".git").mkdir()
    monkeypatch.setattr(subprocess, "run", missing)
    assert git_commit(tmp_path) is None


def test_the_commit_is_found_from_a_folder_inside_the_repository(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run([*git, *command], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    inner = tmp_path / "evals" / "shop"
    inner.mkdir(parents=True)
    assert git_commit(inner) == head.stdout.strip()
