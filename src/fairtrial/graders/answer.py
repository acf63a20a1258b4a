"""What the answer says: phrases, numbers, the whole text, patterns, JSON."""

import functools
import math
import re
from collections.abc import Callable, Iterator

import msgspec

from fairtrial.graders.fences import fences_of
from fairtrial.graders.question import ANSWER, HOLDS, SHARED, Outcome, Question
from fairtrial.graders.subject import Subject
from fairtrial.match import Matcher, compile_matcher
from fairtrial.records import AnswerExpectation, Json, NumberExpectation, clean_text
from fairtrial.text import Number, cut, label, normalise

_EXCERPT = 80  # characters of an answer in a reason
_EXACT = 1e-9  # relative: a plain number is exact up to what binary fractions can hold
_PLAIN = re.compile(r"[!-)+-^a-}]+(?: [!-)+-^a-}]+)*")  # ASCII words without any mark
_LARGEST = 1e300  # no figure of an answer is larger, and arithmetic with floats is still finite


def answer_questions(expected: AnswerExpectation) -> Iterator[Question]:
    """Give one question for each thing the answer must or must not say.

    >>> from fairtrial.records import Trajectory
    >>> expected = AnswerExpectation(contains=(("no fee", "fee waived"),), numbers=())
    >>> question = next(answer_questions(expected))
    >>> question.name, question.ask(Subject(Trajectory(case="c", answer="The fee waived!"))).passed
    ('answer.contains[no fee]', True)
    """
    for phrases in expected.contains:
        yield _contains(phrases)
    for phrase in expected.excludes:
        yield _excludes(phrase)
    for number in expected.numbers:
        yield _question("numbers", _figure(number.value), _numbers(number), "")
    if expected.equals is not None:
        yield _equals(expected.equals)
    for pattern in expected.matches:
        yield _matches(pattern)
    if expected.json is not msgspec.UNSET:
        matcher = compile_matcher(expected.json)
        yield Question(
            name="answer.json", ask=_json(matcher), holds="the JSON is as wanted", about=ANSWER
        )


def _question(kind: str, subject: str, ask: Callable[[Subject], Outcome], holds: str) -> Question:
    return Question(name=f"answer.{kind}[{label(subject)}]", ask=ask, holds=holds, about=ANSWER)


def _any_of(phrases: tuple[str, ...]) -> str:
    return " or ".join(repr(cut(phrase)) for phrase in phrases)


@functools.lru_cache(SHARED)
def _contains(phrases: tuple[str, ...]) -> Question:
    wanted = tuple(normalise(phrase) for phrase in phrases)
    plain = tuple(phrase for phrase in wanted if _PLAIN.fullmatch(phrase))
    missing = f"the answer does not say {_any_of(phrases)}"

    def ask(subject: Subject) -> Outcome:
        text = subject.lower if plain else ""
        for phrase in plain:  # seen at once, as a rule, before all of the answer is normalised
            if phrase in text:
                return HOLDS
        text = subject.text
        for phrase in wanted:
            if phrase in text:
                return HOLDS
        return Outcome(passed=False, reason=f"{missing}: {_excerpt(subject)}")

    return _question("contains", phrases[0], ask, f"says {_any_of(phrases)}")


def _excerpt(subject: Subject) -> str:
    return repr(cut(subject.answer or "", _EXCERPT))


@functools.lru_cache(SHARED)
def _excludes(phrase: str) -> Question:
    unwanted = normalise(phrase)

    def ask(subject: Subject) -> Outcome:
        at = subject.text.find(unwanted)
        if at < 0:
            return HOLDS
        around = subject.text[max(0, at - 20) : at + len(unwanted) + 20]
        return Outcome(
            passed=False, reason=f"the answer says {cut(phrase)!r}: …{cut(around, 100)}…"
        )

    return _question("excludes", phrase, ask, f"does not say {cut(phrase)!r}")


@functools.lru_cache(SHARED)
def _equals(wanted: str) -> Question:
    text = normalise(wanted)

    def ask(subject: Subject) -> Outcome:
        if subject.text == text:
            return HOLDS
        got = cut(subject.answer or "", 100)
        return Outcome(passed=False, reason=f"wanted {cut(wanted, 100)!r}, got {got!r}")

    return _question("equals", wanted, ask, "is the wanted text")


@functools.lru_cache(SHARED)
def _matches(pattern: str) -> Question:
    matcher = compile_matcher({"matches": pattern})
    missing = f"the pattern {cut(pattern)} is not in the answer"

    def ask(subject: Subject) -> Outcome:
        if matcher.matches(subject.answer):
            return HOLDS
        return Outcome(passed=False, reason=f"{missing}: {_excerpt(subject)}")

    return _question("matches", pattern, ask, "the pattern is found")


def _figure(value: float) -> str:
    whole = float(value).is_integer() if abs(value) < 1e16 else False
    return cut(str(int(value) if whole else value))


def _numbers(wanted: NumberExpectation) -> Callable[[Subject], Outcome]:
    target = _target(wanted.value)
    margin = _margin(wanted)
    signed = wanted.percent is True
    unit = None if wanted.unit is None else normalise(wanted.unit)

    def fits(number: Number) -> bool:
        return (
            abs(number.value - target) <= margin
            and (number.percent or not signed)
            and (unit is None or (number.unit is not None and normalise(number.unit) == unit))
        )

    def ask(subject: Subject) -> Outcome:
        found = subject.numbers(wanted.locale)
        if not found:
            return Outcome(passed=False, reason=f"no number in the answer, wanted {_said(wanted)}")
        graded = {"any": found, "first": found[:1], "last": found[-1:]}[wanted.take]
        for number in graded:
            if fits(number):
                return Outcome(passed=True, reason=f"graded {cut(number.text)!r}")
        nearest = min(graded, key=lambda number: abs(number.value - target))
        which = "nearest" if wanted.take == "any" else wanted.take
        beside = f" ({cut(nearest.unit)})" if nearest.unit and unit is not None else ""
        reason = f"wanted {_said(wanted)}, the {which} number is {cut(nearest.text)!r}{beside}"
        return Outcome(passed=False, reason=reason)

    return ask


def _target(value: float) -> float:
    return value if abs(value) <= _LARGEST else math.inf


def _margin(wanted: NumberExpectation) -> float:
    size = min(abs(wanted.value), _LARGEST)
    slack = _EXACT * size
    if wanted.tolerance is not None:
        return min(wanted.tolerance, _LARGEST) + slack
    if wanted.percent is not None and not isinstance(wanted.percent, bool):
        return size * wanted.percent / 100 + slack
    return slack


def _said(wanted: NumberExpectation) -> str:
    text = _figure(wanted.value)
    if wanted.percent is True:
        text += " %"
    if wanted.unit is not None:
        text += f" {cut(wanted.unit)}"
    if wanted.tolerance is not None:
        text += f" within {_figure(wanted.tolerance)}"
    if wanted.percent is not None and not isinstance(wanted.percent, bool):
        text += f" within {_figure(wanted.percent)} %"
    return text


def _json(matcher: Matcher) -> Callable[[Subject], Outcome]:
    def ask(subject: Subject) -> Outcome:
        document = _document(subject.answer or "")
        if isinstance(document, Outcome):
            return document
        found = matcher.mismatches(document.value)
        return Outcome(passed=False, reason=str(found[0])) if found else HOLDS

    return ask


class _Document(msgspec.Struct, frozen=True):
    value: Json


def _document(answer: str) -> _Document | Outcome:
    """Read the whole answer, or its one fenced block, as JSON."""
    try:
        return _Document(_parsed(answer))
    except (msgspec.DecodeError, RecursionError):
        blocks = fences_of(answer).blocks
    if len(blocks) != 1:
        count = "no" if not blocks else str(len(blocks))
        reason = f"the answer is not JSON and has {count} fenced blocks; wanted JSON or one block"
        return Outcome(passed=False, reason=reason)
    try:
        return _Document(_parsed(blocks[0]))
    except (msgspec.DecodeError, RecursionError) as error:
        return Outcome(passed=False, reason=f"the fenced block is not JSON: {error}")


def _parsed(text: str) -> Json:
    try:
        return msgspec.json.decode(text.strip())
    except UnicodeEncodeError:  # a lone surrogate, which the decoder cannot take in
        return msgspec.json.decode(clean_text(text.strip()))
