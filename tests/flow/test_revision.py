"""A revision checked out beside the present tree."""

import subprocess
from pathlib import Path

import pytest

from fairtrial.errors import UsageError
from fairtrial.flow.revision import checked_out, has_commit


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Give a suite's folder in a repository: `word` is old at v1 and new in the present tree."""
    suite = tmp_path / "evals"
    suite.mkdir()
    git(tmp_path, "init", "-q")
    (suite / "word").write_text("old")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    git(tmp_path, "tag", "v1")
    (suite / "word").write_text("new")
    return suite


def test_a_revision_is_there_as_it_was_and_the_present_tree_is_not_touched(
    repository: Path,
) -> None:
    before = git(repository, "status", "--porcelain")
    with checked_out(repository, "v1") as revision:
        assert (revision.suite / "word").read_text() == "old"
        assert (repository / "word").read_text() == "new"
        assert revision.commit == git(repository, "rev-parse", "HEAD")
    assert not revision.suite.exists()
    assert git(repository, "status", "--porcelain") == before
    assert git(repository, "worktree", "list").count("\n") == 0


def test_it_is_gone_again_also_when_something_fails(repository: Path) -> None:
    with pytest.raises(RuntimeError), checked_out(repository, "HEAD") as revision:
        raise RuntimeError
    assert not revision.suite.exists()
    assert git(repository, "worktree", "list").count("\n") == 0


def test_no_hook_of_the_team_runs(repository: Path) -> None:
    hook = repository.parent / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ../ran ran\nexit 1\n")
    hook.chmod(0o755)
    with checked_out(repository, "v1") as revision:
        assert not list(revision.suite.parent.rglob("ran"))


@pytest.mark.parametrize("revision", ["v2", "", "--help", "-1", "v1 v1", "v1:evals"])
def test_a_revision_that_is_not_there_is_told_with_the_way_out(
    repository: Path, revision: str
) -> None:
    assert not has_commit(repository, revision)
    with (
        pytest.raises(UsageError, match="name another with --baseline-rev"),
        checked_out(repository, revision),
    ):
        pass


def test_a_suite_that_was_not_there_then_is_told(repository: Path) -> None:
    later = repository.parent / "later"
    later.mkdir()
    with pytest.raises(UsageError, match="has no folder later"), checked_out(later, "v1"):
        pass
    assert git(repository, "worktree", "list").count("\n") == 0


def test_outside_a_repository_git_says_so(tmp_path: Path) -> None:
    assert not has_commit(tmp_path, "HEAD")
    with (
        pytest.raises(UsageError, match="the repository's folder cannot be had from git"),
        checked_out(tmp_path, "HEAD"),
    ):
        pass


def test_without_git_a_variant_is_the_way_out(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="name a variant instead"), checked_out(repository, "v1"):
        pass
