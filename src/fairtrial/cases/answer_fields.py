"""The fields under `expect.answer`."""

from typing import Final, get_args

from fairtrial.cases.compiled import Compiled
from fairtrial.cases.hints import wanted
from fairtrial.cases.located import Notes, Path
from fairtrial.cases.shapes import (
    BAD,
    Choice,
    Field,
    Fields,
    Many,
    Phrase,
    Real,
    Schema,
    Short,
    Text,
)
from fairtrial.cases.vacuous import ALWAYS, NEVER, TEXTS, matches_every
from fairtrial.match import MatcherError, compile_matcher, impossible, surely_sound
from fairtrial.records import AnswerExpectation, Json, NumberExpectation, Take
from fairtrial.text import LOCALES

_NO_DEFAULT: Final = "wrong"
ANY_MATCHER: Final[Schema] = {"description": "A matcher: a plain value, or a mapping of operators."}


class Alternatives:
    """A phrase, or a list of phrases of which one must occur."""

    def __init__(self) -> None:
        self.phrase = Phrase("a phrase")

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give a tuple of phrases."""
        if not isinstance(value, list):
            if isinstance(value, dict):
                notes.add(path, wanted("a phrase, or a list of which one must occur", value))
                return BAD
            phrase = self.phrase.read(value, path, notes)
            return BAD if phrase is BAD else (phrase,)
        if not value:
            notes.add(path, "an empty any-of list is never met; wanted at least one phrase")
            return BAD
        read = [self.phrase.read(item, (*path, i), notes) for i, item in enumerate(value)]
        return BAD if BAD in read else tuple(read)

    def schema(self) -> Schema:
        """Accept a phrase or a list of phrases."""
        phrase = self.phrase.schema()
        return {"anyOf": [phrase, {"type": "array", "items": phrase, "minItems": 1}]}


class ValueMatcher(Compiled):
    """A matcher on a value that is there: one that no value meets is a mistake.

    With `within` the value is a number between these two, or one of them.
    """

    def __init__(self, within: tuple[float, float] | None = None) -> None:
        sound = surely_sound if within is None else None
        super().__init__(self._compile, ANY_MATCHER, sound=sound)
        self.within = within

    def _compile(self, value: Json) -> None:
        compile_matcher(value)
        never = impossible(value, present=True, within=self.within)
        if never is not None:
            raise MatcherError(NEVER, never)


class SearchPattern(Text):
    """A regular expression that does not match everything."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the pattern as written."""
        if super().read(value, path, notes) is BAD:
            return BAD
        try:
            matcher = compile_matcher({"matches": value})
        except MatcherError as error:
            notes.add(path, error.text)
            return BAD
        # A negative look-around matches the empty text and yet says something.
        if "(?!" not in value and "(?<!" not in value and matches_every(matcher, TEXTS):
            notes.add(
                path,
                f"the pattern {value!r} matches every text, the empty one too, so the check is "
                "always true; write what must occur",
            )
            return BAD
        return value


class Percent(Real):
    """True, or a number of percent."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the number, or True."""
        if value is True:
            return True
        if value is False:
            notes.add(path, "false says nothing; wanted true (a percent sign) or a number")
            return BAD
        return super().read(value, path, notes)

    def schema(self) -> Schema:
        """Accept true and numbers from 0."""
        return {"anyOf": [{"const": True}, super().schema()]}


def _check_number(out: dict[str, Json], path: Path, notes: Notes) -> None:
    percent = out.get("percent")
    if percent is not None and percent is not True and "tolerance" in out:
        notes.add(
            (*path, "percent"),
            "tolerance and a number of percent exclude each other; keep one "
            "(percent: true, a percent sign, may stand beside tolerance)",
        )


NUMBER: Final = Fields(
    {
        "value": Field(
            Real(signed=True), "The number that the answer must hold.", "wrong", required=True
        ),
        "tolerance": Field(Real(), "How far off it may be, in its own unit."),
        "percent": Field(
            Percent(), "A number: how far off, in percent. true: a percent sign must stand there."
        ),
        "unit": Field(Text("text: a unit or a currency"), "What must stand beside the figure."),
        "locale": Field(Choice(*sorted(LOCALES)), "How figures are grouped, such as de."),
        "take": Field(Choice(*get_args(Take)), "Which figure of the answer: any, first or last."),
    },
    build=NumberExpectation,
    check=_check_number,
    what="a number, or {value, tolerance, percent, unit, locale, take}",
)

ANSWER: Final = Fields(
    {
        "contains": Field(
            Many(Alternatives(), "phrases", ALWAYS),
            "Phrases that must occur; an inner list is any-of.",
            _NO_DEFAULT,
        ),
        "excludes": Field(
            Many(Phrase("a phrase"), "phrases", ALWAYS),
            "Phrases that must not occur.",
            _NO_DEFAULT,
        ),
        "numbers": Field(
            Many(Short("value", NUMBER, (int, float)), "numbers", ALWAYS),
            "Numbers that must occur.",
            _NO_DEFAULT,
        ),
        "equals": Field(
            Phrase("text: the whole answer"), "The whole answer, once normalised.", _NO_DEFAULT
        ),
        "matches": Field(
            Many(SearchPattern("a pattern in text"), "patterns", ALWAYS),
            "Regular expressions, searched in the raw answer.",
            _NO_DEFAULT,
        ),
        "json": Field(
            ValueMatcher(),
            "A matcher on the answer, or on its one fenced block, read as JSON.",
            _NO_DEFAULT,
        ),
    },
    build=AnswerExpectation,
    what="a mapping such as {equals: the whole answer} or {contains: [a phrase]}",
    local={
        "text": "equals (the whole answer) or contains",
        "exact": "equals",
        "is": "equals",
        "contain": "contains",
        "includes": "contains",
        "include": "contains",
        "any": "contains: [[a, b]] (an inner list is any-of)",
        "contains_any": "contains: [[a, b]] (an inner list is any-of)",
        "icontains_any": "contains: [[a, b]] (an inner list is any-of)",
        "contains_all": "contains",
        "icontains": "contains (letter case never counts)",
        "not_contains": "excludes",
        "exclude": "excludes",
        "regex": "matches",
        "pattern": "matches",
        "phrase": "contains",
        "schema": "json, a matcher",
    },
)
