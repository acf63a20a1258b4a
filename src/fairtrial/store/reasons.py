"""What is wrong with a line that is no record, in words for people."""

import re

import msgspec

from fairtrial.text import cut, type_mismatch

_AT = re.compile(r" - at `\$\.?(.*?)`$", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.+?)`$")
_VALUE = re.compile(r"Invalid enum value (.*)$", re.DOTALL)
_BYTE = re.compile(r"JSON is malformed: (.*) \(byte (\d+)\)$")

_NOT_JSON = {
    b"NaN": "NaN is not JSON; write null",
    b"nan": "NaN is not JSON; write null",
    b"Infinity": "Infinity is not JSON; write null",
    b"inf": "Infinity is not JSON; write null",
    b"None": "None is Python, not JSON; write null",
    b"True": "True is Python, not JSON; write true",
    b"False": "False is Python, not JSON; write false",
    b"undefined": "undefined is not JSON; write null",
}
_CHOICES = {
    "stop": "answer, steps, budget, timeout, refused, error",
    "model": "live, scripted, replayed, none",
    "error.kind": "agent, provider, user, script, world",
}


def decode_reason(error: Exception, line: bytes) -> str:
    """Say in plain words why msgspec refused a line: where in it, what was wanted, what was found.

    >>> line = b'{"case": "c1", "cost": NaN}'
    >>> try:
    ...     msgspec.json.decode(line)
    ... except msgspec.DecodeError as error:
    ...     decode_reason(error, line)
    'NaN is not JSON; write null (byte 24)'
    """
    text = str(error)
    if isinstance(error, RecursionError):
        return "nested far too deeply"
    if isinstance(error, msgspec.ValidationError):
        return _misfit(text)
    if "truncated" in text:
        return "the line ends before its JSON does"
    if "UTF-8" in text:
        return utf8_reason(line)
    return _malformed(text, line)


def utf8_reason(line: bytes) -> str:
    r"""Say where a line stops being UTF-8.

    >>> utf8_reason(b'{"case": "\xff"}')
    'not UTF-8 from byte 11 on; write the file as UTF-8'
    """
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8 from byte {error.start + 1} on; write the file as UTF-8"
    return "not UTF-8; write the file as UTF-8"


def _malformed(text: str, line: bytes) -> str:
    found = _BYTE.match(text)
    if found is None:
        return f"not JSON: {cut(text)}"
    start = int(found[2])
    for word, reason in _NOT_JSON.items():
        if line.startswith(word, start):
            return f"{reason} (byte {start + 1})"
    # Never a piece of the line: it may hold a secret, and a cut one is not known for one.
    return f"not JSON: {found[1]} (byte {start + 1})"


def _misfit(text: str) -> str:
    at = _AT.search(text)
    path, text = (at[1], text[: at.start()]) if at else ("", text)
    where = f"{cut(path)}: " if path else ""
    if missing := _MISSING.match(text):
        return f"{where}`{missing[1]}` is missing"
    if types := type_mismatch(text):
        return f"{where}{types}"
    if value := _VALUE.match(text):
        choices = f"; one of {_CHOICES[path]}" if path in _CHOICES else ""
        return f"{where}{cut(value[1])} is not known{choices}"
    return f"{where}{cut(text)}"
