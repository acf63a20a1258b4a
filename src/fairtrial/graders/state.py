"""What became true in the world: fields of the final state, and what must be as it was."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import UNSET

from fairtrial.graders.question import HOLDS, STATE, Outcome, Question
from fairtrial.graders.subject import Subject
from fairtrial.graders.wording import bounded, few, names
from fairtrial.match import MISSING, Matcher, compile_state, difference
from fairtrial.records import Case, Json
from fairtrial.text import cut

_SHOWN = 6  # differences in one reason: more hide the first
_LONGEST = 300  # characters of one difference


def state_questions(case: Case) -> Iterator[Question]:
    """Give a question for each field that `expect.state` names, and one for `expect.unchanged`."""
    expected = case.expect.state
    named: frozenset[str] = frozenset()
    if expected is not UNSET:
        state = compile_state(expected)
        named = frozenset(state.fields)
        for field, matcher in state.fields.items():
            yield _question(f"state.{cut(field)}", _field(field, matcher), "as wanted")
        if state.exact:
            yield _question("state.exactly", _exactly(named), "no field besides those named")
    unchanged = case.expect.unchanged
    if unchanged is True or (not isinstance(unchanged, bool) and unchanged):
        fields = None if isinstance(unchanged, bool) else unchanged
        ask = _unchanged(fields, named, case.fixtures or {})
        yield _question("unchanged", ask, "as it was at the start")


def _question(name: str, ask: Callable[[Subject], Outcome], holds: str) -> Question:
    return Question(name=name, ask=ask, holds=holds, about=STATE)


def _field(field: str, matcher: Matcher) -> Callable[[Subject], Outcome]:
    def ask(subject: Subject) -> Outcome:
        value = (subject.state or {}).get(field, MISSING)
        if matcher.matches(value):
            return HOLDS
        return Outcome(passed=False, reason=_listed(matcher.mismatches(value, cut(field))))

    return ask


def _listed(found: Sequence[object]) -> str:
    return few(found, _SHOWN, "; ", said=lambda one: bounded(str(one), _LONGEST))


def _exactly(named: frozenset[str]) -> Callable[[Subject], Outcome]:
    def ask(subject: Subject) -> Outcome:
        others = [field for field in subject.state or () if field not in named]
        if not others:
            return HOLDS
        return Outcome(passed=False, reason=f"fields that are not wanted: {names(others)}")

    return ask


def _unchanged(
    fields: tuple[str, ...] | None, named: frozenset[str], fixtures: dict[str, Json]
) -> Callable[[Subject], Outcome]:
    def ask(subject: Subject) -> Outcome:
        state = subject.state or {}
        start = fixtures | (subject.trajectory.initial_state or {})
        watched = fields
        if watched is None:
            watched = tuple(field for field in start | state if field not in named)
        found = [line for field in watched for line in _changes(field, start, state)]
        return Outcome(passed=False, reason=_listed(found)) if found else HOLDS

    return ask


def _changes(field: str, start: dict[str, Json], state: dict[str, Json]) -> list[str]:
    after = state.get(field, MISSING)
    if field in start:
        return difference(start[field], after, cut(field))
    # Nobody said how the field began, so it began empty: only a filled one is a change.
    if after is MISSING or after is None or after in ([], {}):
        return []
    return difference(MISSING, after, cut(field))
