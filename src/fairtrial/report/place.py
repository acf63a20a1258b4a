"""Where a case stands: as file and line, and as an address on GitHub."""

import re
from collections.abc import Mapping
from urllib.parse import quote

_SERVER = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?")
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


def place_of(source: str | None) -> tuple[str | None, int | None]:
    """Give file and line of a `file:line`; None of what is not known.

    >>> place_of("evals/orders.yaml:24"), place_of("cases.json"), place_of(None)
    (('evals/orders.yaml', 24), ('cases.json', None), (None, None))
    """
    if not source:
        return None, None
    file, colon, line = source.rpartition(":")
    if colon and file and line.isascii() and line.isdigit() and len(line) < 10:
        return file, int(line)
    return source, None


def blob_of(environ: Mapping[str, str]) -> str | None:
    """Give the address below which GitHub shows the files of a build; None outside of one.

    >>> known = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "octo/shop"}
    >>> blob_of({"GITHUB_ACTIONS": "true", "GITHUB_SHA": "0" * 40} | known)[:36]
    'https://github.com/octo/shop/blob/00'
    >>> blob_of(known) is None
    True
    """
    if environ.get("GITHUB_ACTIONS") != "true":
        return None
    server = environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    repository = environ.get("GITHUB_REPOSITORY", "")
    commit = environ.get("GITHUB_SHA", "")
    known = ((_SERVER, server), (_REPOSITORY, repository), (_COMMIT, commit))
    if not all(shape.fullmatch(text) for shape, text in known):
        return None
    return f"{server}/{repository}/blob/{commit}"


def address_of(source: str, blob: str) -> str | None:
    """Give the address of a `file:line`; None of a file that is not in the repository.

    >>> address_of("evals/a (b).yaml:24", "https://x/blob/1")
    'https://x/blob/1/evals/a%20%28b%29.yaml#L24'
    >>> address_of("/elsewhere/a.yaml:1", "https://x/blob/1") is None
    True
    """
    file, line = place_of(source)
    if file is None or file.startswith("/") or ":" in file or ".." in file.split("/"):
        return None
    return f"{blob}/{quote(file, errors='replace')}" + ("" if line is None else f"#L{line}")
