"""Secrets out of what is written: known values anywhere, and values under telling names.

Nothing here is called on what graders see; it is applied where records leave memory.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from msgspec import Struct

from fairtrial.records import (
    CaseResult,
    Check,
    ErrorKind,
    JudgeReply,
    JudgeVerdict,
    KeptReply,
    Mode,
    Pairing,
    RunInfo,
    Scorecard,
    Selection,
    Span,
    Status,
    Step,
    Stop,
    Tokens,
    ToolCall,
    Trajectory,
    TrajectoryError,
    Trial,
    Turn,
    Verdict,
)
from fairtrial.store.secret_names import is_secret_name, may_hold_secret_name

MARK = "[redacted]"
"""What stands in a secret's place."""

_ENVIRONMENT = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_SHORTEST_FOUND = 8  # shorter values in the environment are as likely to be words
_SHORTEST_GIVEN = 4
_NEVER_ESCAPED = re.compile(r"[A-Za-z0-9 _.:;,=+*@#%$!?~^|(){}\[\]-]+")
_TOKEN = re.compile(r'"((?:[^"\\]++|\\.)*)("|\\?\Z)|[\[\]{}]', re.DOTALL)
_COLON = re.compile(r"\s*:\s*")
_NUMBER = re.compile(r"-?[0-9][0-9.eE+-]*")
_SINGLE_QUOTED = re.compile(r"'([A-Za-z_-]{1,40})'(\s*:\s*)'((?:[^'\\]++|\\.)*)'", re.DOTALL)
_SCHEME = re.compile(r"(?:bearer|basic|token)\s+", re.IGNORECASE)

_WRITTEN: tuple[type[Struct], ...] = (
    CaseResult, Check, JudgeReply, JudgeVerdict, KeptReply, Pairing, RunInfo, Scorecard, Selection,
    Span, Step, Tokens, ToolCall, Trajectory, TrajectoryError, Trial, Turn,
)  # fmt: skip
_OWN_WORDS = {MARK, *(name for kind in _WRITTEN for name in kind.__struct_encode_fields__)} | {
    word for kind in (Stop, Mode, ErrorKind, Verdict, Status) for word in get_args(kind)
}


def known_secrets(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Give the secret values of an environment.

    Those are the values of 8 characters and more whose variable's name ends in KEY, TOKEN, SECRET
    or PASSWORD.

    >>> known_secrets({"OPENAI_API_KEY": "sk-0123456789", "HOME": "/home/me", "KEY": "short"})
    ('sk-0123456789',)
    """
    return tuple(
        value.strip()
        for name, value in environ.items()
        if _ENVIRONMENT.search(name) and len(value.strip()) >= _SHORTEST_FOUND
    )


class Redactor:
    """Takes secrets out of JSON and out of text.

    Values: each known value is replaced wherever it stands inside a text or a key, JSON in a text
    included. Values below 4 characters and those that are part of the records' own words are left
    alone. Names: what stands under one of `SECRET_NAMES` is replaced whole, and a text of 8
    characters or more found there (unless it is all letters) is replaced in the rest of the line.
    Numbers, true, false and null elsewhere are never touched.

    >>> redactor = Redactor(["sk-0123456789"])
    >>> redactor.line(b'{"answer":"use sk-0123456789","args":{"Api-Key":"abc"}}')
    b'{"answer":"use [redacted]","args":{"Api-Key":"[redacted]"}}'
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        """Take the known secret values, as `known_secrets` gives them, and others."""
        kept = {value for value in values if len(value) >= _SHORTEST_GIVEN and not _is_own(value)}
        self._values = _any_of(kept)
        self.knows_values = bool(kept)
        """There are known values to look for, besides what stands under telling names."""
        self._needles = tuple({needle for value in kept for needle in _needles(value)})

    def is_clean(self, piece: bytes, *, names: bool = True) -> bool:
        """Say, at a quick look, that a piece of a JSON document holds no secret.

        Never wrongly yes, where the pieces were cut between values. No means: perhaps.

        >>> Redactor(["sk-0123456789"]).is_clean(b'{"answer":"done"')
        True
        """
        for needle in self._needles:
            if needle in piece:
                return False
        return not (names and may_hold_secret_name(piece))

    def line(self, line: bytes, *, names: bool = True) -> bytes:
        """Give a JSON document without its secrets; the same object where there are none.

        Args:
            line: Valid JSON in UTF-8.
            names: False: known values only, for documents whose keys are people's own words.
        """
        if self.is_clean(line, names=names):
            return line
        text = line.decode("utf-8", "replace")
        found: set[str] = set()
        clean = _clean_json(text, self._values, found if names else None)
        echoes = {value for value in found if not _is_own(value) and value in clean}
        if echoes:
            clean = _clean_json(clean, _any_of(echoes), None)
        return line if clean == text else clean.encode()

    def text(self, text: str) -> str:
        """Give a text without its secrets.

        >>> Redactor(["sk-0123456789"]).text("401 for sk-0123456789")
        '401 for [redacted]'
        """
        return _clean_text(text, self._values, set())


def _any_of(values: Iterable[str]) -> re.Pattern[str] | None:
    longest_first = sorted(values, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None


def _is_own(value: str) -> bool:
    """Say whether taking the value out could break the records' own keys and words."""
    return any(value in word for word in _OWN_WORDS)


def _needles(value: str) -> list[bytes]:
    """Give bytes one of which is in any JSON that holds the value, however it is escaped."""
    plain = max(_NEVER_ESCAPED.findall(value), key=len, default="")
    if len(plain) >= _SHORTEST_GIVEN:
        return [plain.encode()]
    return [value.encode("utf-8", "replace"), b"\\"]


def _clean_json(text: str, values: re.Pattern[str] | None, found: set[str] | None) -> str:
    """Redact inside the strings of a text that is JSON or holds pieces of it.

    `found` gathers the texts under secret names; None: names do not matter.
    """
    out: list[str] = []
    done = 0
    tokens = _TOKEN.finditer(text)
    for token in tokens:
        inside = token[1]
        if not inside:
            continue
        clean = _clean_string(inside, values, found)
        if clean is not inside:
            out += (text[done : token.start(1)], clean)
            done = token.end(1)
        if found is None or not is_secret_name(inside):
            continue
        colon = _COLON.match(text, token.end())
        end = _value_end(text, colon.end(), tokens, found) if colon else None
        if colon and end:
            out += (text[done : colon.end()], f'"{MARK}"')
            done = end
    out.append(text[done:])
    return "".join(out)


def _value_end(
    text: str, start: int, tokens: Iterator[re.Match[str]], found: set[str]
) -> int | None:
    """Give where the value at `start` ends, taking its tokens; None for true, false, null."""
    if number := _NUMBER.match(text, start):
        return number.end()
    if text[start : start + 1] not in {'"', "{", "["}:
        return None
    depth = 0
    for token in tokens:
        if token[1] is not None:
            _remember(_unescaped(token[1]), found)
        else:
            depth += 1 if token[0] in "[{" else -1
        if depth <= 0:
            return token.end()
    return len(text)


def _remember(value: str | None, found: set[str]) -> None:
    value = _SCHEME.sub("", value or "", count=1).strip()
    if len(value) >= _SHORTEST_FOUND and not value.isalpha() and value != MARK:
        found.add(value)


def _clean_string(inside: str, values: re.Pattern[str] | None, found: set[str] | None) -> str:
    """Redact what stands between a JSON string's quotes, and give it escaped again."""
    if "\\" not in inside and (found is None or "'" not in inside):
        return values.sub(MARK, inside) if values else inside
    text = _unescaped(inside)
    if text is None:
        return inside
    clean = _clean_text(text, values, found)
    return inside if clean == text else json.dumps(clean)[1:-1]


def _unescaped(inside: str) -> str | None:
    try:
        text = json.loads(f'"{inside}"', strict=False)
    except ValueError:
        return None
    return text if isinstance(text, str) else None


def _clean_text(text: str, values: re.Pattern[str] | None, found: set[str] | None) -> str:
    """Redact a text that may hold JSON, whole or in pieces, or a Python mapping as printed."""
    if '"' in text:
        text = _clean_json(text, values, found)
    if found is not None and "'" in text:
        text = _SINGLE_QUOTED.sub(lambda match: _clean_pair(match, found), text)
    return values.sub(MARK, text) if values else text


def _clean_pair(match: re.Match[str], found: set[str]) -> str:
    if not is_secret_name(match[1]):
        return match[0]
    _remember(match[3], found)
    return f"'{match[1]}'{match[2]}'{MARK}'"
