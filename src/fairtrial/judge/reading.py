"""A judge's reply into a verdict, or into the reason why it is none. Nothing is guessed."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from fairtrial.records import (
    HIGHEST_SCORE,
    LOWEST_SCORE,
    Json,
    JudgeReply,
    Scale,
    VerdictFault,
)
from fairtrial.text import cut, normalise

_MOST_READ: Final = 200_000  # characters of a reply: no verdict is longer
_MOST_OBJECTS: Final = 200
_THINKING: Final = re.compile(r"\s*<(think|thinking|reasoning|thought)>", re.IGNORECASE)
_PIECES: Final = re.compile(r"\s*(?:\.{3,}|\u2026|\[\.\.\.\])\s*")
_LOUD: Final = re.compile(r"\b(PASS|FAIL)(?:ED|ES|S)?\b")
_BETTER: Final = re.compile(
    r"\b(FIRST|SECOND)\b(?:\s+(?:record|answer|agent))?\s+(?:is|was)\s+"
    r"(?:(?:clearly|slightly|much|far|by\s+far|the)\s+){0,2}better\b"
)
_REFUSALS: Final = re.compile(
    r"\b(?:i\s+can(?:no|')t|i\s+am\s+(?:not\s+able|unable)|i'm\s+(?:not\s+able|unable|sorry)|"
    r"i\s+won't|as\s+an\s+ai)\b",
    re.IGNORECASE,
)
_STRICT: Final = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|,(?=\s*[}\]])')
"""Comments and last commas, which are no JSON, outside strings, which are kept."""
_FIELDS: Final[dict[Scale, str]] = {"verdict": "verdict", "score": "score", "order": "better"}
"""By scale, the field of a reply that says it."""
_ORDERS: Final = frozenset({"FIRST", "SECOND", "TIE"})


class Reading(Struct, frozen=True, kw_only=True):
    """What a reply says."""

    verdict: bool | int | str | None
    """True or False, a score, or FIRST, SECOND or TIE; None: it is no verdict, and `fault` and
    `reason` say why."""
    reason: str
    evidence: str | None = None
    fault: VerdictFault | None = None


def read_reply(
    reply: JudgeReply, scale: Scale, marker: str, record: str, second: str | None = None
) -> Reading:
    r"""Read one reply.

    The verdict is the reply's one JSON object, whatever words or fences stand around it. Of several
    it is the one with the marker. An object that stands in the record as it does in the reply was
    quoted and is no verdict.

    Args:
        reply: What the model said.
        scale: What was asked for.
        marker: The marker of the prompt.
        record: What was judged: the evidence must stand in it.
        second: The other record, where there are two: the evidence may stand in it instead.

    >>> said = '{"verdict": "PASS", "reason": "It says so.", "evidence": "no fee"}'
    >>> read_reply(JudgeReply(text=said), "verdict", "m4rk", "There is **no  fee**.").verdict
    True
    >>> read_reply(JudgeReply(text=said), "verdict", "m4rk", "Pay 20.").fault
    'no evidence'
    """
    if reply.refused:
        return _none("refused", "the model refused to judge")
    if reply.cut_off:
        return _none("cut off", "the reply was cut off")
    records = (record,) if second is None else (record, second)
    found = _found(_said(reply.text[:_MOST_READ]), _FIELDS[scale], marker, records)
    if isinstance(found, Reading):
        return found
    return _read(found, scale, records)


def _said(text: str) -> str:
    """Give a reply without what the model thought aloud before it."""
    while begins := _THINKING.match(text):
        end = f"</{begins[1]}>"
        at = text.lower().find(end.lower(), begins.end())
        if at < 0:
            return ""  # it never came to its reply
        text = text[at + len(end) :]
    return text


def _found(text: str, field: str, marker: str, records: Sequence[str]) -> dict[str, Json] | Reading:
    """Give the one object that is the verdict, or why there is none."""
    everything = [*_objects(text)] or [*_objects(_STRICT.sub(r"\1", text))]
    objects = [one for one in everything if field in one]
    marked = [one for one in objects if one.get("marker") == marker]
    if objects and not marked:
        quoted = [one for record in records for one in _objects(record)]
        objects = [one for one in objects if one not in quoted]
        if not objects:
            return _none("unreadable", "the reply holds nothing but what it quotes from the record")
    candidates = marked or objects
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        return _without(text, field, some=bool(everything))
    if any(one[field] != candidates[0][field] for one in candidates):
        return _none("contradiction", "the reply holds several verdicts that differ")
    return _none("unreadable", "the reply holds several objects, and one is wanted")


def _without(text: str, field: str, *, some: bool) -> Reading:
    """Say why no object is a verdict."""
    if some:
        return _none("unreadable", f"the reply's object has no `{field}`")
    if "{" in text:
        return _none("cut off", "the reply's object does not come to its end, or is no JSON")
    if _REFUSALS.search(text.replace("\u2019", "'")):
        return _none("refused", "the model refused to judge")
    if not text.strip():
        return _none("unreadable", "the reply is empty")
    return _none("unreadable", "the reply holds no JSON object")


def _read(found: dict[str, Json], scale: Scale, records: Sequence[str]) -> Reading:
    verdict = _READERS[scale](found)
    if isinstance(verdict, Reading):
        return verdict
    reason, evidence = found.get("reason"), found.get("evidence")
    if not isinstance(reason, str) or not reason.strip():
        return _none("unreadable", "the reply gives no reason")
    if _contradicts(verdict, reason, found):
        return _none("contradiction", "the reply says one thing and its reason another")
    if not isinstance(evidence, str) or not any(is_quoted(evidence, one) for one in records):
        shown = f" {cut(evidence)!r}" if isinstance(evidence, str) and evidence.strip() else ""
        return _none("no evidence", f"the evidence{shown} does not stand in the record")
    return Reading(verdict=verdict, reason=cut(reason.strip(), 500), evidence=cut(evidence, 500))


def _verdict(found: dict[str, Json]) -> bool | Reading:
    said = found["verdict"]
    if isinstance(said, str) and said.strip().upper() in {"PASS", "FAIL"}:
        return said.strip().upper() == "PASS"
    return _none("out of range", f"`verdict` is {_shown(said)}; wanted PASS or FAIL")


def _score(found: dict[str, Json]) -> int | Reading:
    said = found["score"]
    if isinstance(said, str) and re.fullmatch(r"\s*[0-9]{1,3}(?:\.0)?\s*", said):
        said = int(float(said))
    if isinstance(said, float) and said.is_integer():
        said = int(said)
    if isinstance(said, int) and LOWEST_SCORE <= said <= HIGHEST_SCORE and said is not True:
        return said
    wanted = f"a whole number from {LOWEST_SCORE} to {HIGHEST_SCORE}"
    return _none("out of range", f"`score` is {_shown(said)}; wanted {wanted}")


def _order(found: dict[str, Json]) -> str | Reading:
    said = found["better"]
    if isinstance(said, str) and said.strip().upper() in _ORDERS:
        return said.strip().upper()
    return _none("out of range", f"`better` is {_shown(said)}; wanted FIRST, SECOND or TIE")


_READERS: Final[dict[Scale, Callable[[dict[str, Json]], bool | int | str | Reading]]] = {
    "verdict": _verdict,
    "score": _score,
    "order": _order,
}


def _contradicts(verdict: bool | int | str, reason: str, found: dict[str, Json]) -> bool:  # noqa: FBT001 - the subject
    """Say whether the rest of the reply says the opposite."""
    if isinstance(verdict, str):
        others = [found.get(name) for name in ("verdict", "winner", "preferred")]
        said = {str(other).strip().upper() for other in others} & _ORDERS
        return not said | {*_BETTER.findall(reason)} <= {verdict}
    if not isinstance(verdict, bool):
        return False
    for name in ("pass", "passed"):
        other = found.get(name)
        if isinstance(other, bool) and other != verdict:
            return True
    loud = set(_LOUD.findall(reason))
    return loud == {"FAIL" if verdict else "PASS"}


def is_quoted(evidence: str, record: str) -> bool:
    """Say whether evidence stands in the record, blanks, quotes and emphasis apart.

    Pieces that an ellipsis joins must stand in it one after the other.

    >>> is_quoted("no fee ... Get well", "There is no fee.  Get well soon."), is_quoted("", "a")
    (True, False)
    """
    whole = normalise(record)
    at = 0
    pieces = [normalise(piece) for piece in _PIECES.split(evidence)]
    pieces = [piece for piece in pieces if any(char.isalnum() for char in piece)]
    for piece in pieces:
        at = whole.find(piece, at)
        if at < 0:
            return normalise(evidence) in whole
        at += len(piece)
    return bool(pieces)


def _objects(text: str) -> Iterator[dict[str, Json]]:
    """Give the outermost JSON objects of a text, in order."""
    at = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Give an object whose names are all different.

    Raises:
        ValueError: They are not: which value counts could only be guessed.
    """
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name stands twice")
    return fields


def _refuse(constant: str) -> Json:
    """Take no NaN and no Infinity.

    Raises:
        ValueError: Always.
    """
    raise ValueError(constant)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)


def _shown(value: Json) -> str:
    return cut(repr(value), 40)


def _none(fault: VerdictFault, reason: str) -> Reading:
    return Reading(verdict=None, reason=reason, fault=fault)
