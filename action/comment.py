"""Posts the scorecard to the pull request, or brings the one that is there up to date.

Reads FAIRTRIAL_SCORECARD, FAIRTRIAL_KEY, GITHUB_TOKEN and what GitHub sets. It never fails the
build: what could not be posted is in the step summary too. Needs Python's standard library alone.
"""

import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

MOST = 65_000
"""Characters; GitHub takes 65,536."""

PAGES = 30
"""Pages of a hundred comments each that are looked through."""

SECONDS = 20
WAITS = (1.0, 4.0)
"""Seconds before the second and the third attempt."""

NOT_ALLOWED = frozenset({401, 403, 404})


class RefusedError(Exception):
    """GitHub said no, or nothing. Its status; 0 where there was no answer."""

    def __init__(self, status: int, text: str) -> None:
        """Keep the status and a text for people."""
        super().__init__(text)
        self.status = status


class GitHub:
    """The few calls of GitHub's API that are needed."""

    def __init__(self, environ: Mapping[str, str], sleep: Callable[[float], None]) -> None:
        """Take the address, the repository and the token from the environment."""
        self._base = environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
        self._repository = environ["GITHUB_REPOSITORY"]
        self._token = environ["GITHUB_TOKEN"]
        self._sleep = sleep

    def mine(self, number: int, marker: str) -> tuple[int, str] | None:
        """Give the id and the text of the comment that begins with the marker and is our own."""
        me = self._me()
        for comment in self._comments(number):
            user = comment.get("user") or {}
            ours = user.get("login") == me if me else user.get("type") == "Bot"
            body = comment.get("body") or ""
            if ours and body.startswith(marker):
                return int(comment["id"]), body
        return None

    def post(self, number: int, body: str) -> None:
        """Post a new comment."""
        self._ask("POST", f"/repos/{self._repository}/issues/{number}/comments", {"body": body})

    def change(self, comment: int, body: str) -> None:
        """Give a comment another text."""
        self._ask("PATCH", f"/repos/{self._repository}/issues/comments/{comment}", {"body": body})

    def _me(self) -> str | None:
        """Give the name that the token has; None for the build's own, which may not ask.

        Raises:
            RefusedError: GitHub failed.
        """
        try:
            return str(self._ask("GET", "/user")["login"])
        except RefusedError as refused:
            if refused.status in NOT_ALLOWED:
                return None
            raise

    def _comments(self, number: int) -> Iterator[dict[str, Any]]:
        path = f"/repos/{self._repository}/issues/{number}/comments?per_page=100"
        for page in range(1, PAGES + 1):
            found = self._ask("GET", f"{path}&page={page}")
            yield from found
            if len(found) < 100:
                return

    def _ask(self, method: str, path: str, content: dict[str, str] | None = None) -> Any:
        """Ask once, and again where the answer was late or a server's fault; a post only once.

        Raises:
            RefusedError: The last answer was no answer to the question.
        """
        waits = WAITS if method != "POST" else ()
        for wait in waits:
            try:
                return self._once(method, path, content)
            except RefusedError as refused:
                if 0 < refused.status < 500:
                    raise
                self._sleep(wait)
        return self._once(method, path, content)

    def _once(self, method: str, path: str, content: dict[str, str] | None) -> Any:
        request = urllib.request.Request(
            self._base + path,
            data=None if content is None else json.dumps(content).encode(),
            method=method,
            headers={
                "Authorization": f"Bearer {self._token}",
                "Accept": "application/vnd.github+json",
                "Content-Type": "application/json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": "fairtrial",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise RefusedError(error.code, f"{error.code} {error.reason}") from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise RefusedError(0, type(error).__name__) from None


def marker_of(key: str) -> str:
    """Give what our comment of one suite begins with; it is not shown.

    >>> marker_of("suites/shop"), marker_of("a --> b")
    ('<!-- fairtrial: suites/shop -->', '<!-- fairtrial: a_b -->')
    """
    return f"<!-- fairtrial: {re.sub('[^A-Za-z0-9./]+', '_', key)[:100]} -->"


def pull_request(environ: Mapping[str, str]) -> int | None:
    """Give the number of the pull request that the build is for; None where it is for none."""
    try:
        event = json.loads(Path(environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
        return int(event["pull_request"]["number"])
    except (KeyError, OSError, TypeError, ValueError):
        return None


def body_of(scorecard: str, marker: str, environ: Mapping[str, str]) -> str:
    """Give the text of the comment: the marker, the scorecard, and where its log is."""
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, run = (environ.get(name, "") for name in names)
    log = f"\n[Log and artifacts]({server}/{repository}/actions/runs/{run})\n" if run else ""
    return f"{marker}\n{scorecard[: MOST - len(marker) - len(log)]}{log}"


def main(environ: Mapping[str, str], sleep: Callable[[float], None]) -> int:
    """Post or change the comment, say what was done, and give 0 whatever came of it."""
    number = pull_request(environ)
    if number is None:
        print("fairtrial: no pull request here, so there is nothing to comment on")
        return 0
    marker = marker_of(environ.get("FAIRTRIAL_KEY", "."))
    try:
        scorecard = Path(environ["FAIRTRIAL_SCORECARD"]).read_text(encoding="utf-8")
        body = body_of(scorecard, marker, environ)
        github = GitHub(environ, sleep)
        there = github.mine(number, marker)
        if there is None:
            github.post(number, body)
        elif there[1] != body:
            github.change(there[0], body)
    except RefusedError as refused:
        if refused.status in NOT_ALLOWED:
            print(
                f"::notice::fairtrial may not comment here ({refused}): a fork's build has no token"
                " that may, and others need `pull-requests: write`. The step summary has the same."
            )
        else:
            print(f"::warning::fairtrial could not comment ({refused}). The step summary has it.")
        return 0
    except Exception as error:  # noqa: BLE001 - whatever it is, it is no reason for a red build
        what = f"{type(error).__name__}: {error}".partition("\n")[0]
        print(f"::warning::fairtrial could not comment: {what}. The step summary has it.")
        return 0
    print(f"fairtrial: the comment on pull request {number} is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ, time.sleep))
