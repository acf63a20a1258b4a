"""Rules of a file: which cases they hold for."""

from msgspec import UNSET, Struct, UnsetType

from fairtrial.cases.case_fields import RULE, RULES
from fairtrial.cases.located import Notes, Path
from fairtrial.cases.shapes import BAD
from fairtrial.match import Matcher, MatchTimeoutError, compile_matcher
from fairtrial.records import Case, Json, Rule, Source


class SuiteRule(Struct, frozen=True, kw_only=True):
    """A rule as it stands in its file."""

    source: Source
    rule: Rule
    when: Json | UnsetType = UNSET
    """A matcher on {input, messages, context, tags}; unset: every case."""


class Rulebook:
    """The rules of one file, compiled once and asked for each case."""

    def __init__(self) -> None:
        self._rules: list[tuple[Rule, Matcher | None]] = []

    def add(self, rule: Rule, when: Json | UnsetType = UNSET) -> None:
        """Keep one rule."""
        self._rules.append((rule, None if when is UNSET else compile_matcher(when)))

    def holding(self, subject: dict[str, Json]) -> tuple[Rule, ...]:
        """Give the rules that hold for what a case gives the agent.

        A `when` that runs out of time holds: a rule too many is seen, one too few is not.
        """
        return tuple(rule for rule, when in self._rules if when is None or _holds(when, subject))


def _holds(when: Matcher, subject: dict[str, Json]) -> bool:
    try:
        return when.matches(subject)
    except MatchTimeoutError:
        return True


def read_rules(value: Json, path: Path, notes: Notes) -> list[tuple[int, Rule, Json | UnsetType]]:
    """Give each rule with its index in the file and its `when`."""
    items = value if isinstance(value, list) else [value]
    if not items:
        RULES.read(value, path, notes)
    out: list[tuple[int, Rule, Json | UnsetType]] = []
    for index, item in enumerate(items):
        where = (*path, index) if isinstance(value, list) else path
        read = RULE.read(item, where, notes)
        if read is not BAD:
            when = read.pop("when", UNSET)
            out.append((index, Rule(number=index + 1, **read), when))
    return out


def subject_of(case: Case) -> dict[str, Json]:
    """Give what a rule's `when` looks at; what the case does not have is missing.

    >>> subject_of(Case(id="a", hash="", source=Source("a.yaml", 1), input="Hi"))
    {'tags': [], 'input': 'Hi'}
    """
    out: dict[str, Json] = {"tags": list(case.tags)}
    said = case.input if case.input is not None else last_user_text(case.messages or ())
    if said is not None:
        out["input"] = said
    if case.messages is not None:
        out["messages"] = list(case.messages)
    if case.context is not None:
        out["context"] = case.context
    return out


def last_user_text(messages: tuple[Json, ...]) -> str | None:
    """Give the text of the last user message, its text blocks joined by line breaks.

    >>> last_user_text(({"role": "user", "content": [{"type": "text", "text": "Hi"}]},))
    'Hi'
    """
    for message in reversed(messages):
        if not isinstance(message, dict) or message.get("role") != "user":
            continue
        content = message.get("content")
        if isinstance(content, str):
            return content
        if isinstance(content, list):
            texts = [block["text"] for block in content if _is_text(block)]
            if texts:
                return "\n".join(texts)
    return None


def _is_text(block: Json) -> bool:
    return isinstance(block, dict) and isinstance(block.get("text"), str)
