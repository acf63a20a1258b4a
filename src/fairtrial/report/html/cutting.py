"""A trial too long for a page: its texts and lists cut, so that its course can still be read."""

from typing import Final

import msgspec

from fairtrial.records import MAX_DEPTH, Json

LONGEST_LINE: Final = 2**19
"""Bytes of one trial that a page holds whole."""
CUT_KEY: Final = "cut_for_page"
"""What a trial that was cut says of itself."""

_MOST_READ = 2**25  # bytes of a trial that is read to be cut: it takes some ten times as much
_TEXT = 4000  # characters of one text
_ITEMS = 300  # of one list or mapping
_DEPTH = 40
_VALUES = 20_000  # of one trial


def cut_line(line: bytes) -> bytes:
    r"""Give a trial's JSON with long texts, lists and mappings cut; nothing where that is no help.

    >>> cut_line(b'{"answer":"' + b"x" * 5000 + b'"}')[-50:]
    b'x\xe2\x80\xa6 (1,000 more characters)","cut_for_page":true}'
    """
    if len(line) > _MOST_READ:
        return b""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return b""
    if not isinstance(value, dict):
        return b""
    cut = _cut(value, 0, [_VALUES])
    cut[CUT_KEY] = True
    out = msgspec.json.encode(cut)
    return out if len(out) <= LONGEST_LINE else b""


def _cut(value: Json, depth: int, left: list[int]) -> Json:
    left[0] -= 1
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | dict) and value and (depth > min(_DEPTH, MAX_DEPTH) or left[0] < 0):
        return f"… ({len(value):,} more items)"
    if isinstance(value, list):
        more = [f"… ({len(value) - _ITEMS:,} more items)"] if len(value) > _ITEMS else []
        return [_cut(item, depth + 1, left) for item in value[:_ITEMS]] + more
    if isinstance(value, dict):
        kept = list(value.items())[:_ITEMS]
        out = {_text(key): _cut(item, depth + 1, left) for key, item in kept}
        if len(value) > _ITEMS:
            out["…"] = f"({len(value) - _ITEMS:,} more items)"
        return out
    return value


def _text(text: str) -> str:
    return (
        text if len(text) <= _TEXT else f"{text[:_TEXT]}… ({len(text) - _TEXT:,} more characters)"
    )
