"""Warnings about case files that load: what is probably not meant."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import UNSET, Struct

from fairtrial.cases.case_fields import CASE
from fairtrial.cases.checks import asked_checks
from fairtrial.cases.coverage import Coverage, coverage_of, tools_of
from fairtrial.cases.defaults import hidden_lists, merged
from fairtrial.cases.foreign import FOREIGN_OPERATORS
from fairtrial.cases.grouped import grouped_figures
from fairtrial.cases.hints import distance, nearest, snake
from fairtrial.cases.lint_rubrics import gates, rubric_warnings, shared_rubric_warnings
from fairtrial.cases.loading import collector_paused
from fairtrial.cases.located import Path, Position, spell
from fairtrial.cases.placed import Placed, Warned, placed_cases
from fairtrial.cases.suite import Suite
from fairtrial.match import OPERATORS
from fairtrial.records import Case, Json
from fairtrial.text import cut

_NEGATIVE: Final = frozenset(
    {
        "answer.excludes",
        "tools.forbidden",
        "tools.before",
        "tools.only",
        "tools.repeats",
        "unchanged",
    }
)
"""Checks that an agent passes by doing nothing; limits are too."""

SHORT_PHRASE: Final = 3
"""Phrases below this many characters occur in too many answers."""


MOST_NAMES: Final = 500
"""More names than this are data rather than a vocabulary, and comparing them all takes too long."""


class Lint(Struct, frozen=True, kw_only=True):
    """What there is to say about a suite that loads."""

    warnings: tuple[str, ...]
    """Each `file:line:column: warning: field: what`, in the order of the files."""
    coverage: Coverage

    def lines(self) -> tuple[str, ...]:
        """Give the warnings and the coverage, as lines to print.

        >>> lint_suite(Suite(cases=(), files=())).lines()
        ('0 cases, 0 protected',)
        """
        seen = self.coverage
        counted = [f"{seen.cases} cases, {seen.protected} protected"]
        for what, counts in (("tags", seen.tags), ("checks", seen.checks), ("tools", seen.tools)):
            if counts:
                listed = ", ".join(f"{cut(name)} {count}" for name, count in counts.items())
                counted.append(f"{what}: {listed}")
        return (*self.warnings, *counted)


def lint_suite(suite: Suite, known_tools: Iterable[str] | None = None) -> Lint:
    """Say what is probably not meant, and what the suite looks at.

    Args:
        suite: What `load_suite` gave; its files are read again for the places.
        known_tools: The names of the world's tools; None: the names that the suite itself uses.

    >>> lint_suite(Suite(cases=(), files=())).warnings
    ()
    """
    with collector_paused():
        placed = list(placed_cases(suite))
    warned = [(item, warning) for item in placed for warning in _of_case(item)]
    warned += _equal_content(placed)
    warned += _misspelt_tags(placed)
    warned += _tools(placed, known_tools)
    told = [item.told(warning) for item, warning in warned]
    told += _idle_rules(suite)
    told += _grouped_in_rules(placed)
    told += shared_rubric_warnings(suite, placed)
    order = {file.name: number for number, file in enumerate(suite.files)}
    # What stands in no case file, such as a rubric in a file of its own, comes last.
    told.sort(key=lambda one: (order.get(one[0], len(order)), one))
    texts = (f"{file}:{line}:{column}: warning: {text}" for file, line, column, text in told)
    return Lint(warnings=tuple(dict.fromkeys(texts)), coverage=coverage_of(suite))


def _of_case(item: Placed) -> Iterator[Warned]:
    case = item.case
    for path in hidden_lists(item.raw, item.defaults, CASE):
        text = "this list replaces the one of the defaults, whose entries no longer hold here"
        yield Warned(path, text, of_key=True)
    kinds = {name.partition("[")[0].partition(" #")[0] for name in asked_checks(case)}
    if kinds == {"rubric"}:
        text = "nothing but a rubric: a judge decides only once it is calibrated; add a check"
        yield Warned(("expect", "rubric"), text, of_key=True)
    elif all(kind in _NEGATIVE or kind.startswith("limits.") for kind in kinds):
        text = (
            "every check passes for an agent that does nothing; add what a correct run must show, "
            "such as contains, required or state"
        )
        yield Warned(("expect",), text, of_key=True)
    elif gates(case) and not _looks_hard(kinds):
        text = (
            "gates, and no other check looks at the answer, the calls or the state: while the "
            "judge is not trusted nothing of them is checked"
        )
        yield Warned(("expect", "rubric"), text, of_key=True)
    if case.protected and not _looks_hard(kinds):
        text = "protected, and nothing looks at its answer, calls or state"
        yield Warned(("id",), text)
    if case.input is None and case.messages is None:
        text = (
            "nothing is said to the agent: neither input nor messages; that suits a case for "
            "recordings alone"
        )
        yield Warned(("id",), text)
    yield from _of_expectation(case)
    yield from rubric_warnings(item)
    written = merged(item.raw, item.defaults, CASE)
    yield from _foreign_operators(written)
    if _is_yaml(item.file):
        yield from _grouped(item, written.get("expect"))


def _is_yaml(file: str) -> bool:
    return file.lower().endswith((".yaml", ".yml"))


def _grouped(item: Placed, expect: Json) -> Iterator[Warned]:
    def position(path: Path) -> Position:
        at, inside = item.written_at(path)
        return item.document.position((*at, *inside))

    for path, figure in grouped_figures(expect, ("expect",), position):
        yield Warned(path, _several_numbers(figure))


def _several_numbers(figure: str) -> str:
    whole = figure.replace(",", "")
    return (
        f"{figure} is {figure.count(',') + 1} numbers here; write {whole} for one number, or a "
        "space after the comma"
    )


def _looks_hard(kinds: set[str]) -> bool:
    return any(kind == "next" or kind.startswith(("answer.", "tools.", "state.")) for kind in kinds)


def _of_expectation(case: Case) -> Iterator[Warned]:
    answer, tools = case.expect.answer, case.expect.tools
    if answer is not None:
        for index, phrases in enumerate(answer.contains):
            short = [phrase for phrase in phrases if len(phrase.strip()) < SHORT_PHRASE]
            if short:
                path = ("expect", "answer", "contains", index)
                yield Warned(path, f"{short[0]!r} is short enough to occur by chance")
    if tools is not None and tools.only and not tools.required and tools.plan is UNSET:
        text = "nothing is required or planned, so no call at all is right; write plan: []"
        yield Warned(("expect", "tools", "only"), text)


_MATCHERS: Final[tuple[Path, ...]] = (
    ("expect", "answer", "json"),
    ("expect", "tools"),
    ("expect", "state"),
    ("expect", "spans"),
    ("expect", "next"),
)


def _foreign_operators(written: dict[str, Json]) -> Iterator[Warned]:
    for path in _MATCHERS:
        value: Json = written
        for part in path:
            value = value.get(part) if isinstance(value, dict) else None
        todo: list[tuple[Path, Json]] = [(path, value)]
        while todo:
            at, value = todo.pop()
            if isinstance(value, list):
                todo += [((*at, index), item) for index, item in enumerate(value)]
            elif isinstance(value, dict):
                todo += [((*at, key), item) for key, item in value.items()]
                yield from _foreign_keys(at, value)


def _is_group(at: Path, value: dict[str, Json]) -> bool:
    """Say whether this is a group of a plan, whose `any_order` is a word of ours."""
    in_plan = at[:3] == ("expect", "tools", "plan") or at[:2] == ("expect", "next")
    return in_plan and list(value) == ["any_order"] and "args" not in at


def _foreign_keys(at: Path, value: dict[str, Json]) -> Iterator[Warned]:
    if _is_group(at, value):
        return
    alone = all(snake(key.lstrip("$")) in FOREIGN_OPERATORS for key in value)
    for key in value:
        folded = snake(key.lstrip("$"))
        meant = FOREIGN_OPERATORS.get(folded)
        if meant is None and key.startswith("$") and folded in OPERATORS:
            meant = folded
        # Those that stand among themselves, or with a $, are operators of another tool; else names.
        if meant is not None and (alone or key.startswith("$")):
            text = f"{key!r} is no operator, so it is read as a name; did you mean {meant}?"
            yield Warned((*at, key), text, of_key=True)


def _equal_content(placed: list[Placed]) -> Iterator[tuple[Placed, Warned]]:
    first: dict[str, Placed] = {}
    for item in placed:
        other = first.setdefault(item.case.hash, item)
        if other is not item:
            text = f"asks the same as {other.case.id!r} ({other.case.source})"
            yield item, Warned(("id",), text)


def _misspelt_tags(placed: list[Placed]) -> Iterator[tuple[Placed, Warned]]:
    counts = Counter(tag for item in placed for tag in item.case.tags)
    often = [tag for tag, count in counts.items() if count > 1]
    for item in placed:
        for tag in item.case.tags:
            if counts[tag] == 1 and (close := _misspelling(tag, often)):
                text = f"the tag {tag!r} is used once; did you mean {close!r}?"
                yield item, Warned(_tag_path(item, tag), text)


def _tag_path(item: Placed, tag: str) -> Path:
    tags = item.raw.get("tags", item.defaults.get("tags"))
    return ("tags", tags.index(tag)) if isinstance(tags, list) else ("tags",)


def _misspelling(name: str, known: Iterable[str]) -> str | None:
    """Give the known name of which `name` is probably a misspelling; digits tell names apart."""
    listed = list(known)
    if len(listed) > MOST_NAMES:
        return None
    close = nearest(name, listed)
    if close is None or len(name) < 4 or close == name:
        return None
    letters = [char for char in name if not char.isdigit()]
    if letters == [char for char in close if not char.isdigit()]:
        return None  # step1 and step2 are two names
    return close if distance(name, close, 2) <= 2 else None


def _tools(
    placed: list[Placed], known_tools: Iterable[str] | None
) -> Iterator[tuple[Placed, Warned]]:
    by_case = {id(item): Counter(tools_of(item.case)) for item in placed}
    counts: Counter[str] = Counter()
    for names in by_case.values():
        counts.update(names.keys())
    stubs = {name for item in placed for name in item.case.tools or ()}
    known = stubs | set(known_tools or ())
    for item in placed:
        for name in by_case[id(item)]:
            if name in known:
                continue
            if known_tools is not None:
                close = nearest(name, known)
                hint = f"; did you mean {close!r}?" if close else ""
                yield item, Warned(_tool_path(item, name), f"no tool {name!r}{hint}")
            elif counts[name] == 1:
                others = known | {other for other, count in counts.items() if count > 1}
                if close := _misspelling(name, others):
                    text = f"no other case names the tool {name!r}; did you mean {close!r}?"
                    yield item, Warned(_tool_path(item, name), text)


def _tool_path(item: Placed, name: str) -> Path:
    """Find where the case names the tool."""
    expect = merged(item.raw, item.defaults, CASE).get("expect") or {}
    todo: list[tuple[Path, Json]] = [
        (("expect", part), expect[part]) for part in ("next", "tools") if part in expect
    ]
    while todo:
        at, value = todo.pop()
        if value == name:
            return at
        if isinstance(value, list):
            todo += [((*at, index), one) for index, one in reversed(list(enumerate(value)))]
        elif isinstance(value, dict):
            parts = [(key, one) for key, one in value.items() if key not in {"args", "result"}]
            todo += [((*at, key), one) for key, one in reversed(parts)]
    return ("expect",)


def _grouped_in_rules(placed: list[Placed]) -> Iterator[tuple[str, int, int, str]]:
    for file, document in {item.file: item.document for item in placed}.items():
        if not (_is_yaml(file) and isinstance(document.value, dict)):
            continue
        rules = document.value.get("rules")
        for path, figure in grouped_figures(rules, ("rules",), document.position):
            text = f"{spell(path)}: {_several_numbers(figure)}"
            yield file, *document.position(path), text


def _idle_rules(suite: Suite) -> Iterator[tuple[str, int, int, str]]:
    used: defaultdict[str, set[int]] = defaultdict(set)
    for case in suite.cases:
        used[case.source.file].update(rule.number for rule in case.rules)
    for rule in suite.rules:
        if rule.rule.number not in used[rule.source.file]:
            text = f"rules[{rule.rule.number - 1}]: this rule holds for no case of the file"
            yield rule.source.file, rule.source.line, 1, text
