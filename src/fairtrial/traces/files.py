"""The JSON documents of a file: whole or a line each, gzipped or not, damaged or not."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

import msgspec

from fairtrial.errors import ImportFormatError
from fairtrial.records import MAX_DEPTH, Json, NotJsonError, plain, too_deep

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_BEGINNINGS = frozenset('{["-0123456789tfn \t\r\n')  # the first characters that JSON can have
_NO_JSON = (msgspec.DecodeError, RecursionError, UnicodeEncodeError, ValueError)
_DAMAGE = (OSError, EOFError, zlib.error)


class Document(NamedTuple):
    """One JSON value of a file, or the reason why there is none."""

    line: int | None
    """1 and up; None where the file is one document."""
    value: Json
    refusal: str | None = None


def decode(data: bytes) -> Json:
    r"""Read one JSON value; NaN becomes null and a lone surrogate U+FFFD, since logs hold both.

    Raises:
        NotJsonError: Not JSON, not UTF-8, infinite numbers, or nested deeper than 100.

    >>> decode(b'{"a": [1, NaN], "b": "\\ud800"}') == {"a": [1, None], "b": "\ufffd"}
    True
    """
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return _patient(data)
    if too_deep(value):
        raise NotJsonError(f"nested deeper than {MAX_DEPTH}")
    return value


def _patient(data: bytes) -> Json:
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise NotJsonError(f"not UTF-8: byte {error.start + 1}") from error
    except json.JSONDecodeError as error:
        raise NotJsonError(f"not JSON: {error}") from error
    except RecursionError as error:
        raise NotJsonError(f"nested deeper than {MAX_DEPTH}") from error
    except ValueError as error:  # a whole number of thousands of digits
        raise NotJsonError(f"not JSON that can be read: {error}") from error
    return plain(value)


def _constant(name: str) -> None:
    if name != "NaN":
        raise NotJsonError(f"{name} is not a JSON number")


def decode_text(text: str) -> Json:
    """Read JSON that stands in a text, strictly.

    Raises:
        NotJsonError: The text is anything but one JSON value, or nests deeper than 100.

    >>> decode_text('{"id": "A7"}')
    {'id': 'A7'}
    """
    try:
        value = msgspec.json.decode(text)
    except _NO_JSON as error:
        raise NotJsonError(f"not JSON: {error}") from error
    if _nests_too_deep(text, value):
        raise NotJsonError(f"nested deeper than {MAX_DEPTH}")
    return value


def value_in(text: str) -> Json:
    """Read JSON that stands in a text, as `decode_text` does; else give the text as it is.

    >>> value_in('{"id": "A7"}'), value_in("It is in bay 4.")
    ({'id': 'A7'}, 'It is in bay 4.')
    """
    if text[:1] not in _BEGINNINGS:  # prose, as most tools answer: not worth an error
        return text
    try:
        value = msgspec.json.decode(text)
    except _NO_JSON:
        return text
    return text if _nests_too_deep(text, value) else value


def _nests_too_deep(text: str, value: Json) -> bool:
    # Few brackets cannot nest deeply, and to count them is quicker than to look.
    return text.count("[") + text.count("{") > MAX_DEPTH and too_deep(value)


def documents(path: Path) -> Iterator[Document]:
    """Give the JSON documents of a file in order.

    A name that ends in `.jsonl` or `.ndjson` (`.gz` apart) is read line by line and never held
    whole. Any other file is one document, or a document a line when its first line is one.
    Gzip is known by its first bytes. Blank lines and a byte order mark are skipped.

    Raises:
        ImportFormatError: The file is missing, unreadable, empty, damaged, or not JSON at all.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    try:
        with _opened(path) as file:
            if suffixes[-1:] in ([".jsonl"], [".ndjson"]):
                yield from _lines(file)
            else:
                yield from _whole(file.read(), path)
    except _DAMAGE as error:
        raise ImportFormatError(f"{path}: cannot be read: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or "damaged gzip").strip()


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    return cast(IO[bytes], gzip.open(path, "rb")) if packed else path.open("rb")


def _lines(lines: Iterable[bytes]) -> Iterator[Document]:
    for number, line in enumerate(lines, start=1):
        text = (line.removeprefix(_BOM) if number == 1 else line).strip()
        if not text:
            continue
        try:
            yield Document(number, decode(text))
        except NotJsonError as error:
            yield Document(number, None, str(error))


def _whole(data: bytes, path: Path) -> Iterator[Document]:
    data = data.removeprefix(_BOM).strip()
    try:
        value = decode(data)
    except NotJsonError as error:
        if not _starts_with_a_document(data):
            raise ImportFormatError(f"{path}: {error if data else 'empty file'}") from error
        yield from _lines(data.splitlines())
        return
    yield Document(None, value)


def _starts_with_a_document(data: bytes) -> bool:
    first, _, rest = data.partition(b"\n")
    try:
        decode(first)
    except NotJsonError:
        return False
    return bool(rest)
