"""The path: which tools were called and how, which must not be, and what comes before what."""

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from fairtrial.graders.question import CALLS, HOLDS, SHARED, Outcome, Question, decided_by
from fairtrial.graders.subject import Subject
from fairtrial.graders.wording import few, names
from fairtrial.match import (
    BeforeRule,
    Call,
    CallPattern,
    Which,
    brief,
    closest_call,
    compile_before,
    compile_pattern,
    maximum_pairing,
)
from fairtrial.records import Json
from fairtrial.text import cut

_SHOWN = 3
_SHOWN_ARGS = 20  # more do not fit into a line


def _question(name: str, ask: Callable[[Subject], Outcome], holds: str) -> Question:
    """Ask of the calls; where the steps are not known nothing is asked."""
    return Question(name=name, ask=ask, holds=holds, about=CALLS)


def required_questions(specs: Sequence[Json], place: str = "") -> Iterator[Question]:
    """Ask whether every required tool was called, and with the required arguments and results.

    Args:
        specs: Call patterns as written.
        place: Put behind the checks' names, such as `[rule 2]`.
    """
    if not specs:
        return
    patterns = tuple([compile_pattern(spec, which=True) for spec in specs])
    called = _called(tuple([(pattern.name, pattern.which, pattern.ok) for pattern in patterns]))
    yield _called_question(called, place)
    if any(map(_is_demanding, patterns)):
        yield _arguments_question(patterns, called, place)


@functools.lru_cache(SHARED)
def _called_question(called: "_Called", place: str) -> Question:
    return _question(f"tools.required{place}", called.ask, "every required tool was called")


def _is_demanding(pattern: CallPattern) -> bool:
    return pattern.args is not None or pattern.result is not None


def _arguments_question(patterns: Sequence[CallPattern], called: "_Called", place: str) -> Question:
    arguments = _Arguments([one for one in patterns if _is_demanding(one)], called)
    holds = "every required call was made with its arguments"
    return _question(f"tools.arguments{place}", arguments.ask, holds)


@functools.lru_cache(SHARED)
def _called(tools: tuple[tuple[str, Which, bool | None], ...]) -> "_Called":
    return _Called([CallPattern(name, which=which, ok=ok) for name, which, ok in tools])


class _Called:
    """Required calls, each by its tool alone: how often each tool must be called."""

    def __init__(self, patterns: Sequence[CallPattern]) -> None:
        self._by_name: dict[str, list[CallPattern]] = {}
        for pattern in patterns:
            self._by_name.setdefault(pattern.name, []).append(pattern)
        self._any = {
            name: [pattern for pattern in own if pattern.which == "any"]
            for name, own in self._by_name.items()
        }
        plain = all(pattern.which == "any" and pattern.ok is None for pattern in patterns)
        self._once = plain and len(self._by_name) == len(patterns)
        self._names = frozenset(self._by_name)

    def ask(self, subject: Subject) -> Outcome:
        if self._once and self._names <= subject.called and subject.made is subject.calls:
            return HOLDS  # the common case, which needs no pairing
        missing = self._missing(subject.made)
        if not missing:
            return HOLDS
        called = names(list(dict.fromkeys(call.name for call in subject.made)), 10) or "nothing"
        reason = f"not called: {few(missing, 10)} (called: {called}{_unrun(subject)})"
        return Outcome(passed=False, reason=reason)

    def _missing(self, calls: list[Call]) -> list[str]:
        """Say which tools were called too seldom."""
        missing: dict[str, str] = {}
        for name, patterns in self._by_name.items():
            own = [call for call in calls if call.name == name]
            if lacking := self.lacking(name, own):
                missing[name] = _too_seldom(self._any[name], lacking)
            for pattern in patterns:
                if pattern.which != "any" and not any(map(pattern.names, own)):
                    missing.setdefault(name, _too_seldom([pattern], 1))
        return list(missing.values())

    def lacking(self, name: str, calls: list[Call]) -> int:
        """Give how many more calls of a tool its patterns that take one each need."""
        return _pairs(self._any[name], calls, CallPattern.names).count(None)


class _Arguments:
    """Required calls that ask for more than the tool: which calls must be of what kind."""

    def __init__(self, patterns: Sequence[CallPattern], called: _Called) -> None:
        self._counted = [pattern for pattern in patterns if pattern.which == "any"]
        self._chosen = [pattern for pattern in patterns if pattern.which != "any"]
        self._called = called

    def ask(self, subject: Subject) -> Outcome:
        calls = subject.made
        pairs = _pairs(self._counted, calls, CallPattern.matches)
        if None not in pairs and not self._chosen:
            return HOLDS
        wrong: list[_Wrong] = []
        absent: list[str] = []
        taken = {pair for pair in pairs if pair is not None}
        free = [call for index, call in enumerate(calls) if index not in taken]
        for pattern, pair in zip(self._counted, pairs, strict=True):
            if pair is None:
                lacks = self._called.lacking(pattern.name, calls)
                if lacks:
                    absent.append(pattern.name)
                else:
                    wrong.append(_closest(pattern, free))
        for pattern in self._chosen:
            if not any(map(pattern.names, calls)):
                absent.append(pattern.name)
            else:
                wrong += _wrong_of_chosen(pattern, calls)
        if wrong:
            reason = few(wrong, _SHOWN, "; ", said=lambda one: one.text)
            blamed = decided_by(one.call for one in wrong if one.call is not None)
            return Outcome(passed=False, reason=reason, calls=blamed)
        if absent:
            tools = names(list(dict.fromkeys(absent)))
            return Outcome(passed=None, reason=f"not called often enough to tell: {tools}")
        return HOLDS


def _unrun(subject: Subject) -> str:
    """Name the calls that the model wrote and that never came to a tool."""
    unrun = [call.name for call in subject.calls or () if not call.reached]
    return f"; never run: {names(list(dict.fromkeys(unrun)), 10)}" if unrun else ""


def _too_seldom(patterns: Sequence[CallPattern], lacking: int) -> str:
    name = cut(patterns[0].name)
    kind = {True: " (without an error)", False: " (failing)", None: ""}[patterns[0].ok]
    wanted = len(patterns)
    times = f" {wanted} times, only {wanted - lacking}" if lacking < wanted else ""
    return f"{name}{kind}{times}"


def _pairs(
    patterns: Sequence[CallPattern],
    calls: Sequence[Call],
    fits: Callable[[CallPattern, Call], bool],
) -> list[int | None]:
    if len(patterns) == 1:
        pattern = patterns[0]
        for index, call in enumerate(calls):
            if call.name == pattern.name and fits(pattern, call):
                return [index]
        return [None]
    if not patterns:
        return []
    return maximum_pairing(
        len(patterns), len(calls), lambda left, right: fits(patterns[left], calls[right])
    )


class _Wrong(NamedTuple):
    """How a required call was missed, and the call that came closest; None where none could."""

    text: str
    call: Call | None


def _closest(pattern: CallPattern, calls: Sequence[Call]) -> _Wrong:
    call = closest_call(pattern, calls)
    if call is None:
        text = f"{cut(pattern.name)}: every call of it already stands for another requirement"
        return _Wrong(text, None)
    return _Wrong(_differs(pattern, call), call)


def _wrong_of_chosen(pattern: CallPattern, calls: list[Call]) -> list[_Wrong]:
    """Say how the calls that `which` picks miss the pattern, of which some call has the name."""
    chosen = pattern.chosen(calls)
    if not chosen:  # `first` looks for one whose arguments parse
        return [_Wrong(f"{cut(pattern.name)}: every call has malformed arguments", None)]
    return [_Wrong(text, call) for call in chosen if (text := _differs(pattern, call))]


def _differs(pattern: CallPattern, call: Call) -> str:
    """Say how a call misses its pattern; empty when it does not."""
    found = pattern.mismatches(call)
    if not found:
        return ""
    if call.malformed:
        return f"{cut(call.name)}: malformed arguments {cut(str(call.raw), 80)!r}"
    return f"{cut(call.name)}: {found[0]}"


def calls_needed(*required: Sequence[Json]) -> int:
    """Give the fewest calls that meet lists of required patterns; a call may serve every list.

    >>> last = {"name": "pay", "which": "last", "args": {"fee": 0}}
    >>> calls_needed(["get", "pay"], ["pay", "pay"]), calls_needed([last])
    (3, 1)
    """
    needed: Counter[str] = Counter()
    for specs in required:
        patterns = [compile_pattern(spec, which=True) for spec in specs]
        own = Counter(pattern.name for pattern in patterns if pattern.which == "any")
        needed |= own | Counter({pattern.name for pattern in patterns})
    return needed.total()


def forbidden_question(specs: Sequence[Json], place: str = "") -> Question:
    """Ask whether any call is a forbidden one."""
    return _forbidden(tuple([compile_pattern(spec) for spec in specs]), place)


@functools.lru_cache(SHARED)
def _forbidden(patterns: tuple[CallPattern, ...], place: str) -> Question:
    tools = frozenset(pattern.name for pattern in patterns)

    def ask(subject: Subject) -> Outcome:
        if tools.isdisjoint(subject.called):
            return HOLDS
        hits = [
            call
            for call in subject.calls or ()
            if call.name in tools and any(pattern.matches(call) for pattern in patterns)
        ]
        if not hits:
            return HOLDS
        texts = few(hits, _SHOWN, said=lambda call: f"{described(call)} in step {call.step + 1}")
        return Outcome(passed=False, reason=f"called: {texts}", calls=decided_by(hits))

    return _question(f"tools.forbidden{place}", ask, "no forbidden call")


def described(call: Call) -> str:
    """Write a call as people do: `refund(amount=40)`, cut to a reasonable length."""
    if call.malformed:
        return f"{cut(call.name)}({cut(str(call.raw), 40)})"
    arguments = ", ".join(
        f"{cut(key)}={brief(value)}" for key, value in islice(call.arguments.items(), _SHOWN_ARGS)
    )
    return f"{cut(call.name)}({cut(arguments, 60) if arguments else ''})"


def before_question(specs: Sequence[Json], place: str = "") -> Question:
    """Ask whether each guarded call had the call that it needs in an earlier step."""
    return _before(tuple([compile_before(spec) for spec in specs]), place)


@functools.lru_cache(SHARED)
def _before(rules: tuple[BeforeRule, ...], place: str) -> Question:
    def ask(subject: Subject) -> Outcome:
        calls = subject.calls or []
        wrong = [(rule, call) for rule in rules for call in rule.violations(calls)]
        if not wrong:
            return HOLDS
        reason = few(wrong, _SHOWN, "; ", said=lambda one: _unguarded(*one, calls))
        blamed = decided_by(call for _, call in wrong)
        return Outcome(passed=False, reason=reason, calls=blamed)

    return _question(f"tools.before{place}", ask, "every guarded call came after")


def _unguarded(rule: BeforeRule, call: Call, calls: list[Call]) -> str:
    needs = cut(rule.needs.name)
    earlier = [other for other in calls if other.step < call.step and other.name == rule.needs.name]
    if not earlier:
        how = f"without an earlier {needs}"
    elif all(other.failed for other in earlier):
        how = f"though the earlier {needs} had failed"
    elif any(rule.needs.matches(other) and not other.failed for other in earlier):
        how = f"without an earlier {needs} for the same {', '.join(rule.same)}"
    else:
        how = f"though the earlier {needs} was not as needed"
    return f"{described(call)} in step {call.step + 1} {how}"


def only_question(
    required: Sequence[Json], planned: Callable[[list[Call]], Sequence[CallPattern]]
) -> Question:
    """Ask whether every call is a required or a planned one.

    Args:
        required: Call patterns as written.
        planned: Gives the items of the plan (the best alternative) for the calls made.
    """
    patterns = [compile_pattern(spec, which=True) for spec in required]

    def ask(subject: Subject) -> Outcome:
        calls = subject.calls or []
        allowed = [*patterns, *planned(calls)]
        others = [call for call in calls if not any(pattern.matches(call) for pattern in allowed)]
        if not others:
            return HOLDS
        counts = list(Counter(call.name for call in others).items())
        listed = few(counts, 10, said=lambda one: cut(one[0]) + (f" x{one[1]}" * (one[1] > 1)))
        reason = f"calls besides the required and planned: {listed}"
        return Outcome(passed=False, reason=reason, calls=decided_by(others))

    return _question("tools.only", ask, "no other call")
