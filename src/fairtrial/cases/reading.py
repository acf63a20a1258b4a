"""One parsed file into cases: sections first, then case by case over the file's defaults."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from msgspec import structs

from fairtrial.cases.case_fields import CASE, FILE
from fairtrial.cases.contradictions import Contradiction, contradictions_of, idle_expectations
from fairtrial.cases.defaults import from_defaults, merged
from fairtrial.cases.hints import describe, unknown_field
from fairtrial.cases.identity import content_hash
from fairtrial.cases.located import Document, Fault, Mistake, Notes, Path, spell
from fairtrial.cases.rubric_files import RubricFolder
from fairtrial.cases.rules import Rulebook, SuiteRule, read_rules, subject_of
from fairtrial.cases.shapes import BAD
from fairtrial.cases.shared_rubrics import SharedRubrics
from fairtrial.cases.world_fields import STUBS
from fairtrial.records import Case, Expectation, Json, Source

_CASE_LIKE: Final = frozenset({"id", "input", "messages", "expect", "limits"})


class Parts(NamedTuple):
    """What a file holds, before its cases are read."""

    cases: list[Json]
    at: Path
    """Where the list of cases stands."""
    shared: dict[str, Json]
    """The file's mapping; empty where it is a bare list."""


def parts_of(value: Json, notes: Notes) -> Parts:
    """Take a file's value apart.

    >>> parts_of({"defaults": {}, "cases": [{"id": "a"}]}, Notes()).at
    ('cases',)
    """
    if isinstance(value, list):
        if not value:
            notes.add(("cases",), "no case in it; wanted a list of cases")
        return Parts(value, (), {})
    if not isinstance(value, dict):
        what = f"wanted a list of cases, or a mapping with cases, got {describe(value)}"
        notes.add(("cases",), what)
        return Parts([], (), {})
    if "cases" not in value and _CASE_LIKE & value.keys():
        notes.add(("cases",), "a single case; put it in a list: - id: ...")
        return Parts([value], (), {})
    for name in value:
        if name not in FILE:
            notes.add((name,), unknown_field(name, FILE, _FILE_LOCAL), of_key=True)
    cases = value.get("cases")
    if not isinstance(cases, list) or not cases:
        got = describe(cases) if cases != [] else "an empty list"
        missing = f"wanted a list of at least one case, got {got}" if "cases" in value else None
        notes.add(("cases",), missing or "missing: the file holds no case; wanted a list of cases")
        cases = []
    return Parts(cases, ("cases",), value)


_FILE_LOCAL: Final = {
    "tasks": "cases",
    "samples": "cases",
    "prompts": "nothing: the agent has its own prompt",
    "providers": "agent and model in fairtrial.toml",
    "stubs": "tools",
}


class Shared:
    """What the readers of all files of a suite have in common."""

    def __init__(self, protected_tags: frozenset[str] = frozenset()) -> None:
        self.protected_tags = protected_tags
        self.ids: dict[str, Source] = {}
        """The ids met so far, and where."""


class FileReader:
    """Reads what one file holds; what is wrong is in `faults` afterwards."""

    document: Document
    """What is being read."""

    def __init__(self, name: str, shared: Shared, folder: RubricFolder | None = None) -> None:
        self.name = name
        self.suite = shared
        self.faults: list[Fault] = []
        self.rules: list[SuiteRule] = []
        self._rulebook = Rulebook()
        self._rubrics = SharedRubrics(folder)
        self._tools: dict[str, Json] = {}
        self._defaults: dict[str, Json] = {}
        self._idle: dict[int, int] = {}
        """Of the default `informs`, by index: cases of which it names no check."""
        self._inheriting = 0
        """Cases that have the default `informs`."""

    def lines(self, documents: Iterable[Document]) -> Iterator[Case]:
        """Read documents each of which is one case."""
        for document in documents:
            self.document = document
            case = self._case(document.value, ())
            if case is not None:
                yield case

    def whole(self, document: Document) -> Iterator[Case]:
        """Read a document that is a whole file, shared sections first."""
        self.document = document
        notes = Notes()
        parts = parts_of(document.value, notes)
        self._shared(parts.shared, notes)
        self._keep(notes, ())
        for index, raw in enumerate(parts.cases):
            case = self._case(raw, (*parts.at, index))
            if case is not None:
                yield case
        self._idle_informs()

    def _shared(self, shared: dict[str, Json], notes: Notes) -> None:
        defaults = shared.get("defaults")
        if isinstance(defaults, dict):
            self._defaults = defaults
            CASE.fields({k: v for k, v in defaults.items() if k != "id"}, ("defaults",), notes)
            if "id" in defaults:
                text = "every case has an id of its own; take it out of the defaults"
                notes.add(("defaults", "id"), text, of_key=True)
        elif defaults is not None:
            text = f"wanted a mapping such as {{limits: {{steps: 8}}}}, got {describe(defaults)}"
            notes.add(("defaults",), text)
        if shared.get("rules") is not None:
            self._read_rules(shared["rules"], notes)
        if shared.get("rubrics") is not None:
            self._rubrics.read(shared["rubrics"], notes)
        if shared.get("tools") is not None:
            read = STUBS.read(shared["tools"], ("tools",), notes)
            self._tools = {} if read is BAD else read

    def _read_rules(self, written: Json, notes: Notes) -> None:
        before = len(notes.mistakes)
        for index, rule, when in read_rules(written, ("rules",), notes):
            where: Path = ("rules", index) if isinstance(written, list) else ("rules",)
            line = self.document.position(where).line
            self.rules.append(SuiteRule(source=Source(self.name, line), rule=rule, when=when))
            if len(notes.mistakes) == before:
                self._rulebook.add(rule, when)

    def _keep(self, notes: Notes, at: Path, own: Json = None) -> None:
        for mistake in notes:
            self.faults.append(self._located(mistake, at, own))

    def _located(self, mistake: Mistake, at: Path, own: Json) -> Fault:
        """Find the place of a mistake: in the case, or in the default that it comes from."""
        path = mistake.path
        if at and self._defaults and from_defaults(path, own, self._defaults):
            path, at = ("defaults", *path), ()
        position = self.document.position((*at, *path), of_key=mistake.of_key)
        return Fault(position, spell(path) or "case", mistake.text)

    def _case(self, raw: Json, at: Path) -> Case | None:
        """Read one case, or note what is wrong with it."""
        notes = Notes()
        if not isinstance(raw, dict):
            CASE.read(raw, (), notes)
            self._keep(notes, at)
            return None
        source = Source(self.name, self.document.position(at).line)
        self._take_id(raw.get("id"), source, notes)
        written = merged(raw, self._defaults, CASE)
        fields = CASE.read(written, (), notes)
        if fields is not BAD:
            self._resolve_rubric(fields, notes)
        self._keep(notes, at, raw)
        if fields is BAD:
            return None
        case = self._built(fields, source)
        if notes.mistakes:
            self._contradict(contradictions_of(case), at)
            return None
        self._inheriting += "informs" not in raw
        found = [*contradictions_of(case), *idle_expectations(case)]
        found = [item for item in found if not self._is_idle(item.path, raw)]
        self._contradict(found, at)
        return None if found else structs.replace(case, hash=content_hash(case))

    def _contradict(self, found: Iterable[Contradiction], at: Path) -> None:
        for item in found:
            # The case is at fault, even where the other half stands in the defaults.
            place = self.document.position((*at, *item.path))
            self.faults.append(Fault(place, spell(item.path), item.text))

    def _take_id(self, name: Json, here: Source, notes: Notes) -> None:
        if not isinstance(name, str):
            return
        first = self.suite.ids.setdefault(name, here)
        if first is not here:
            notes.add(("id",), f"{name!r} is taken by {first}; ids are unique in the suite")

    def _built(self, fields: dict[str, Json], source: Source) -> Case:
        tags = tuple(dict.fromkeys(fields.pop("tags", ())))
        protected = fields.pop("protected", False) or not self.suite.protected_tags.isdisjoint(tags)
        expect: Expectation = fields.get("expect", Expectation())
        rubrics = None
        if isinstance(expect.rubric, str):
            rubrics = self._rubrics.normal(expect.rubric)
        tools = {**self._tools, **fields.pop("tools", {})} or None
        case = Case(
            **fields,
            hash="",
            source=source,
            tags=tags,
            protected=protected,
            tools=tools,
            rubrics=rubrics,
        )
        if not self.rules:
            return case
        return structs.replace(case, rules=self._rulebook.holding(subject_of(case)))

    def _resolve_rubric(self, fields: dict[str, Json], notes: Notes) -> None:
        """Put what the name of a shared rubric stands for in its place."""
        expect = fields.get("expect")
        if expect is None or not isinstance(expect.rubric, str):
            return
        rubric = self._rubrics.standing_for(expect.rubric, notes)
        if rubric is not expect.rubric:
            fields["expect"] = structs.replace(expect, rubric=rubric)

    def _is_idle(self, path: Path, raw: dict[str, Json]) -> bool:
        """Count a default `informs` that names no check of this case; others may have the check."""
        if path[0] != "informs" or "informs" in raw or len(path) == 1:
            return False
        index = int(path[1])
        self._idle[index] = self._idle.get(index, 0) + 1
        return True

    def _idle_informs(self) -> None:
        for index, cases in sorted(self._idle.items()):
            if cases == self._inheriting:
                path: Path = ("defaults", "informs", index)
                text = "no case of the file has this check; write the name as the report shows it"
                self.faults.append(Fault(self.document.position(path), spell(path), text))
