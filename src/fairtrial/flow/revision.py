"""A revision of the team's repository, checked out beside the present tree while it is needed."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fairtrial.errors import UsageError
from fairtrial.text import cut

if TYPE_CHECKING:
    import subprocess

_SECONDS = 120  # a large tree takes long to write

_WITHOUT_HOOKS = ("-c", f"core.hooksPath={os.devnull}")
"""A team's hooks are for people who change branches."""


class Revision(NamedTuple):
    """A revision that is checked out."""

    suite: Path
    """The suite's folder as it was."""
    commit: str


@contextmanager
def checked_out(root: Path, revision: str) -> Iterator[Revision]:
    """Check a revision out into a temporary folder; it is gone again afterwards.

    The present tree is not touched: no branch is changed, and what is not committed stays.

    Args:
        root: The suite's folder, anywhere in a repository.
        revision: A commit, a branch, a tag, or whatever git takes for one.

    Raises:
        UsageError: No repository, no such revision, or the suite's folder was not there then.
    """
    import tempfile  # noqa: PLC0415 - slow to import, and few gates confirm against a revision

    top = Path(_asked(root, "rev-parse", "--show-toplevel", wanted="the repository's folder"))
    commit = _commit(root, revision)
    with tempfile.TemporaryDirectory(prefix="fairtrial-") as folder:
        tree = Path(folder) / "tree"
        try:
            _asked(
                root,
                *_WITHOUT_HOOKS,
                *("worktree", "add", "--quiet", "--detach", "--force", str(tree), commit),
                wanted=f"a worktree of {cut(revision)}",
            )
            below = root.resolve().relative_to(top.resolve())
            yield Revision(_suite_in(tree, below, revision), commit)
        finally:
            _git(root, "worktree", "remove", "--force", str(tree))
            _git(root, "worktree", "prune")


def has_commit(root: Path, revision: str) -> bool:
    """Say whether a revision is in the repository around a folder."""
    try:
        _commit(root, revision)
    except UsageError:
        return False
    return True


def _commit(root: Path, revision: str) -> str:
    # "--end-of-options": a revision that begins with a dash is no option.
    done = _git(
        root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    commit = done.stdout.strip()
    if done.returncode != 0 or not commit:
        raise UsageError(
            f"no revision {cut(revision)!r} in the repository of {root}; a shallow clone has few: "
            "fetch it (in CI, with the whole history), or name another with --baseline-rev"
        )
    return commit


def _suite_in(tree: Path, below: Path, revision: str) -> Path:
    suite = tree / below
    if not suite.is_dir():
        raise UsageError(
            f"revision {cut(revision)!r} has no folder {below}; name a later one with "
            "--baseline-rev, or a variant with --baseline-variant"
        )
    return suite


def _asked(root: Path, *words: str, wanted: str) -> str:
    """Ask git, and give what it said.

    Raises:
        UsageError: It would not.
    """
    done = _git(root, *words)
    if done.returncode != 0:
        said = cut(" ".join(done.stderr.split()), 300)
        raise UsageError(f"{root}: {wanted} cannot be had from git: {said or 'it said nothing'}")
    return done.stdout.strip("\n")


def _git(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    import subprocess  # noqa: PLC0415 - as slow to import as git is to start

    command: Sequence[str] = ["git", "-C", str(root), *words]
    try:
        return subprocess.run(  # noqa: S603 - a list of our own words, and no shell
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"git cannot be used: {error}; name a variant instead") from error
