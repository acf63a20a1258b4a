"""JSON and JSON lines into located values: sound text fast, the rest through the scanner."""

import json
import math
import re
from functools import cached_property
from typing import Final, NoReturn

import msgspec

from fairtrial.cases.json_scanner import Lines, Spot, scan
from fairtrial.cases.located import Document, Fault, Parsed, Path, Position
from fairtrial.records import MAX_DEPTH, Json, too_deep

_SPACE = re.compile(r"[ \t\n\r]*")
_NO_STARTS: Final[dict[Path, int]] = {}


class JsonDocument:
    """One JSON value; where its parts stand is worked out when somebody asks."""

    def __init__(
        self,
        value: Json,
        text: str,
        first: int = 1,
        *,
        spot: Spot | None = None,
        starts: dict[Path, int] | None = None,
    ) -> None:
        self.value = value
        self._text = text
        self._first = first
        self._known = spot
        self._starts = starts or _NO_STARTS
        """Offsets that are known without a scan: of the cases, whose lines are always asked for."""

    @cached_property
    def _spot(self) -> Spot:
        return self._known or scan(self._text, self._first)[1] or Spot(0)

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self._text, self._first)

    def position(self, path: Path, *, of_key: bool = False) -> Position:
        """Give the place of what stands at `path`, or of its key; if missing, of its parent."""
        if not path:
            at = _after_space(self._text, 0) if self._text[:1].isspace() else 0
            return self._lines.position(at) if at else Position(self._first, 1)
        if path in self._starts and not of_key:
            return self._lines.position(self._starts[path])
        spot = self._spot
        for index, part in enumerate(path):
            if part not in spot.items:
                break
            if of_key and index == len(path) - 1 and isinstance(part, str):
                return self._lines.position(spot.keys[part])
            spot = spot.items[part]
        return self._lines.position(spot.offset)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


class _NotStrictError(ValueError):
    """What the fast reader leaves to the scanner."""


def _finite(token: str) -> float:
    value = float(token)
    if math.isinf(value):
        raise _NotStrictError
    return value


def _refused(token: str) -> NoReturn:
    raise _NotStrictError(token)


_AT_ANY_PLACE: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_refused)
_DECODE: Final = msgspec.json.Decoder().decode
_ENCODE: Final = msgspec.json.Encoder().encode


def strict(text: str) -> Json:
    """Decode sound JSON fast.

    Raises:
        _NotStrictError: Something is or may be wrong: the scanner says what and where. (A
            ValueError, as what the decoder itself raises.)

    >>> strict('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    value: Json = _DECODE(text)
    if text.count("[") + text.count("{") > MAX_DEPTH and too_deep(value):
        raise _NotStrictError
    _no_duplicates(value, text)
    return value


def _no_duplicates(value: Json, text: str) -> None:
    """See that every key of the text is in the value: both hold as many quotes.

    The quotes of a duplicate key are not in the value any more. An escaped quote may be written as
    a code, of which rather too many are counted, which leaves the text to the scanner.

    Raises:
        _NotStrictError: There is or may be a duplicate key. (The encoder raises a ValueError too:
            for half a character.)
    """
    quotes = text.count('"') + text.count("\\u0022")
    if quotes != _ENCODE(value).count(b'"'):
        raise _NotStrictError


def _strict_file(text: str) -> JsonDocument:
    """Decode a sound file case by case, which tells where each begins.

    Raises:
        _NotStrictError: Something is or may be wrong; so does a ValueError of the decoder.
    """
    starts: dict[Path, int] = {}
    value: Json
    at = _after_space(text, 0)
    if text.startswith("[", at):
        value, at = _strict_list(text, at, (), starts)
    elif text.startswith("{", at):
        value, at = _strict_sections(text, at, starts)
    else:
        raise _NotStrictError
    if _after_space(text, at) != len(text):
        raise _NotStrictError
    _no_duplicates(value, text)
    return JsonDocument(value, text, starts=starts)


def _strict_list(text: str, at: int, path: Path, starts: dict[Path, int]) -> tuple[list[Json], int]:
    items: list[Json] = []
    at = _after_space(text, at + 1)
    while not text.startswith("]", at):
        starts[(*path, len(items))] = at
        value, end = _strict_at(text, at)
        items.append(value)
        at = _next_item(text, end, "]")
    return items, at + 1


def _strict_sections(text: str, at: int, starts: dict[Path, int]) -> tuple[dict[str, Json], int]:
    sections: dict[str, Json] = {}
    at = _after_space(text, at + 1)
    while not text.startswith("}", at):
        name, end = _strict_at(text, at)
        at = _after_space(text, end)
        if not isinstance(name, str) or not text.startswith(":", at):
            raise _NotStrictError
        at = _after_space(text, at + 1)
        if text.startswith("[", at):
            value, end = _strict_list(text, at, (name,), starts)
        else:
            value, end = _strict_at(text, at)
        sections[name] = value
        at = _next_item(text, end, "}")
    return sections, at + 1


def _strict_at(text: str, at: int) -> tuple[Json, int]:
    value, end = _AT_ANY_PLACE.raw_decode(text, at)
    # Two levels stand around a case. (The count is cheap, and nearly always enough.)
    brackets = text.count("[", at, end) + text.count("{", at, end)
    if brackets > MAX_DEPTH - 2 and too_deep(value, MAX_DEPTH - 2):
        raise _NotStrictError
    return value, end


def _next_item(text: str, at: int, close: str) -> int:
    at = _after_space(text, at)
    if text.startswith(close, at):
        return at
    after = _after_space(text, at + 1)
    if not text.startswith(",", at) or text.startswith(close, after):
        raise _NotStrictError
    return after


def read_json(text: str) -> Parsed:
    """Read a `.json` file.

    >>> read_json('[{"id": "c1"}]').documents[0].position((0, "id"))
    Position(line=1, column=9)
    """
    try:
        return Parsed([_strict_file(text)], [])
    except (ValueError, RecursionError):
        value, spot, faults = scan(text)
        return Parsed([] if spot is None else [JsonDocument(value, text, spot=spot)], faults)


def read_jsonl(text: str) -> Parsed:
    r"""Read a `.jsonl` file: a value a line; a bad line does not hide the others.

    >>> source = read_jsonl('{"id": "c1"}\n{"id"\n\n{"id": "c3"}')
    >>> [document.value["id"] for document in source.documents], source.faults[0].position
    (['c1', 'c3'], Position(line=2, column=6))
    """
    documents: list[Document] = []
    faults: list[Fault] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.removesuffix("\r")
        if not line.strip(" \t\r"):
            continue
        try:
            documents.append(JsonDocument(strict(line), line, number))
        except (ValueError, RecursionError):
            value, spot, found = scan(line, number)
            faults += found
            if spot is not None:
                documents.append(JsonDocument(value, line, number, spot=spot))
    return Parsed(documents, faults)
