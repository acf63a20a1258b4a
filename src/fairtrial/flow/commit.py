"""Which commit of a repository a run was made from."""

import os
from collections.abc import Iterator
from pathlib import Path


def git_commit(folder: Path) -> str | None:
    """Give the commit of the repository around a folder; None outside one or without git.

    >>> git_commit(Path("/"))
    """
    if not os.environ.get("GIT_DIR") and not any(map(os.path.exists, _marks(folder))):
        return None
    import subprocess  # noqa: PLC0415 - as slow to import as git is to start: only where it helps

    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(  # noqa: S603 - a list of our own words and a folder, and no shell
            command, capture_output=True, text=True, check=False, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def _marks(folder: Path) -> Iterator[Path]:
    """Give what a repository around the folder would have: `.git`, a folder or a file."""
    whole = Path(os.path.realpath(folder))
    return (above / ".git" for above in (whole, *whole.parents))
