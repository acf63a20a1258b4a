"""The fields of rubrics: binary items, and what a shared rubric holds beside them."""

from typing import Final

from fairtrial.cases.hints import nearest, wanted
from fairtrial.cases.located import Notes, Path
from fairtrial.cases.shapes import (
    BAD,
    Field,
    Fields,
    Flag,
    Many,
    Phrase,
    Real,
    Schema,
    Short,
    Text,
)
from fairtrial.cases.vacuous import ALWAYS
from fairtrial.records import (
    HIGHEST_SCORE,
    LOWEST_SCORE,
    Criterion,
    Json,
    Rubric,
    RubricExample,
    RubricItem,
)
from fairtrial.text import cut, normalise

_RANGE: Final = f"from {LOWEST_SCORE} to {HIGHEST_SCORE}"
_MOST_NAMED: Final = 5
"""Items that a message lists."""


class Distinct(Many):
    """A list whose items must differ in their text: the same question twice is a slip."""

    def __init__(self, item: Short, what: str) -> None:
        super().__init__(item, what, ALWAYS)
        self.key = item.key

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the items that could be read; each that comes again is a mistake."""
        read = super().read(value, path, notes)
        if not isinstance(value, list) or len(value) < 2:
            return read
        first: dict[str, int] = {}
        for index, item in enumerate(value):
            text = item.get(self.key) if isinstance(item, dict) else item
            if not isinstance(text, str):
                continue  # said already
            known = first.setdefault(normalise(text), index)
            if known != index and text.strip():
                notes.add((*path, index), f"the same as [{known}]; drop one")
        return read


ITEM: Final = Fields(
    {
        "item": Field(
            Phrase("text: a yes/no question"),
            "What must be true, as a sentence.",
            "wrong",
            required=True,
        ),
        "gate": Field(Flag(), "true: decides, once the judge is calibrated for it."),
    },
    build=RubricItem,
    what="text, or {item, gate}",
    local={"text": "item", "question": "item", "criterion": "item", "gates": "gate"},
)
ITEMS: Final = Distinct(Short("item", ITEM), "binary items")

CRITERION: Final = Fields(
    {
        "name": Field(Phrase("text: a name"), "What is scored.", "wrong", required=True),
        "description": Field(Text("text"), f"What the scores {_RANGE} mean."),
    },
    build=Criterion,
    what="a name, or {name, description}",
    local={
        "criterion": "name",
        "item": "name",
        "text": "description",
        "definition": "description",
        "weight": "nothing: each counts alike in the mean",
        "threshold": "threshold beside criteria: it is of the mean",
        "floor": "floor beside criteria: it is of each",
        "gate": "gate beside criteria: it is of all",
    },
)


class Criteria:
    """Names, names with descriptions, or a mapping of names to descriptions."""

    def __init__(self) -> None:
        self.listed = Distinct(Short("name", CRITERION), "criteria {name, description}")

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give a tuple of criteria."""
        if not isinstance(value, dict) or (
            "name" in value and value.keys() <= set(CRITERION.table)
        ):
            return self.listed.read(value, path, notes)
        if not value:
            notes.add(path, f"an empty mapping {ALWAYS}; wanted {self.listed.what}")
            return BAD
        read = [self._entry(name, said, path, notes) for name, said in value.items()]
        return tuple(one for one in read if one is not BAD)

    def _entry(self, name: str, said: Json, path: Path, notes: Notes) -> Json:
        where = (*path, name)
        if not normalise(name):
            notes.add(where, "an empty name", of_key=True)
            return BAD
        if said is None:
            return Criterion(name=name)
        read = _DESCRIPTION.read(said, where, notes)
        return BAD if read is BAD else Criterion(name=name, description=read)

    def schema(self) -> Schema:
        """Accept lists of criteria, and mappings of texts."""
        texts: Schema = {"anyOf": [_DESCRIPTION.schema(), {"type": "null"}]}
        named: Schema = {"type": "object", "minProperties": 1, "additionalProperties": texts}
        return {"anyOf": [self.listed.schema(), named]}


_DESCRIPTION: Final = Text("text: what the scores mean")


class Score(Real):
    """A number on the scale of criteria."""

    def __init__(self) -> None:
        super().__init__(positive=True)
        self.what = f"a number {_RANGE}"

    def _fits(self, value: Json) -> bool:
        return super()._fits(value) and LOWEST_SCORE <= value <= HIGHEST_SCORE

    def schema(self) -> Schema:
        """Accept numbers on the scale."""
        return {"type": "number", "minimum": LOWEST_SCORE, "maximum": HIGHEST_SCORE}


class Verdict:
    """PASS or FAIL, or a whole score."""

    what = f"PASS, FAIL or a whole score {_RANGE}"

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give True, False or the score."""
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value in _SAID:
            return _SAID[value]
        if isinstance(value, int) and LOWEST_SCORE <= value <= HIGHEST_SCORE:
            return value
        notes.add(path, wanted(self.what, value))
        return BAD

    def schema(self) -> Schema:
        """Accept both scales."""
        score: Schema = {"type": "integer", "minimum": LOWEST_SCORE, "maximum": HIGHEST_SCORE}
        return {"anyOf": [{"enum": list(_SAID)}, {"type": "boolean"}, score]}


_SAID: Final = {"PASS": True, "FAIL": False, "pass": True, "fail": False}

EXAMPLE: Final = Fields(
    {
        "answer": Field(
            Text("text: an answer", blank=True), "What was judged.", "wrong", required=True
        ),
        "verdict": Field(
            Verdict(),
            f"PASS or FAIL; of a criterion a whole score {_RANGE}.",
            "wrong",
            required=True,
        ),
        "item": Field(Text("text: an item"), "The item, goal or criterion; left out: each."),
        "reason": Field(Text("text"), "Why, in a sentence."),
        "case": Field(Text("text: an id"), "The labelled case that it was taken from."),
    },
    build=RubricExample,
    what="a mapping {answer, verdict, item, reason, case}",
    local={
        "output": "answer",
        "text": "answer",
        "label": "verdict",
        "score": "verdict",
        "criterion": "item",
        "explanation": "reason",
    },
)

RUBRIC: Final = Fields(
    {
        "description": Field(Text(), "What the rubric is for; the judge does not see it."),
        "items": Field(ITEMS, "Binary items."),
        "criteria": Field(Criteria(), f"What is scored {_RANGE}."),
        "threshold": Field(Score(), "The mean score to reach; 4 unless said otherwise."),
        "floor": Field(Score(), "The score that each criterion must reach."),
        "goal": Field(Phrase("text: a goal"), "One goal, reached or not."),
        "gate": Field(Flag(), "true: decides, once the judge is calibrated for it."),
        "reference": Field(Text("text: a good answer"), "For cases without one of their own."),
        "examples": Field(
            Many(EXAMPLE, "examples {answer, verdict}", None), "Judged answers for the judge."
        ),
    },
    build=Rubric,
    some=("items", "criteria", "goal"),
    what="a list of items, or a mapping {items, criteria, threshold, floor, goal, gate}",
    local={
        "rubric": "items",
        "rubrics": "the rubric itself, without its name around it",
        "questions": "items",
        "min_score": "threshold",
        "few_shot": "examples",
    },
)


class SharedRubric:
    """A list of binary items, or a mapping."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the rubric."""
        before = len(notes.mistakes)
        if not isinstance(value, dict) or "item" in value:
            items = ITEMS.read(value, path, notes)
            return BAD if items is BAD else Rubric(items=items)
        rubric = RUBRIC.read(value, path, notes)
        if rubric is BAD or len(notes.mistakes) > before:
            return BAD
        _agree(rubric, path, notes)
        return rubric

    def schema(self) -> Schema:
        """Accept items, and such mappings."""
        return {"anyOf": [ITEMS.schema(), RUBRIC.schema()]}


def _agree(rubric: Rubric, path: Path, notes: Notes) -> None:
    """Note what does not go together in a rubric whose fields are all sound."""
    if rubric.criteria:
        _reachable(rubric, path, notes)
    else:
        for name in ("threshold", "floor"):
            if getattr(rubric, name) is not None:
                text = "no criteria here that have scores; write criteria, or drop it"
                notes.add((*path, name), text, of_key=True)
    goal = None if rubric.goal is None else normalise(rubric.goal)
    if any(normalise(item.item) == goal for item in rubric.items):
        notes.add((*path, "goal"), "one of the items asks the same; drop one")
    for index, example in enumerate(rubric.examples):
        _fits_its_item(example, rubric, (*path, "examples", index), notes)


def _reachable(rubric: Rubric, path: Path, notes: Notes) -> None:
    floor = rubric.floor or LOWEST_SCORE
    if rubric.threshold is None or rubric.threshold > floor:
        return
    if floor == LOWEST_SCORE:
        notes.add((*path, "threshold"), "every score reaches this, so it would always be true")
    elif rubric.threshold < floor:
        text = f"below the floor of {floor:g}, which every criterion must reach; raise or drop it"
        notes.add((*path, "threshold"), text)


def _fits_its_item(example: RubricExample, rubric: Rubric, at: Path, notes: Notes) -> None:
    judged = {item.item for item in rubric.items} | {rubric.goal} - {None}
    scored = {criterion.name for criterion in rubric.criteria}
    is_score = not isinstance(example.verdict, bool)
    if example.item is None and judged and scored:
        notes.add((*at, "item"), "missing: this rubric has items and criteria; say which is meant")
    elif example.item is not None and example.item not in judged | scored:
        known = sorted(filter(None, judged | scored))
        close = nearest(example.item, known)
        listed = ", ".join(repr(cut(one)) for one in known[:_MOST_NAMED])
        hint = f"did you mean {close!r}?" if close else f"it has {listed}"
        notes.add((*at, "item"), f"no such item in this rubric; {hint}")
    elif is_score and (not scored or example.item in judged):
        notes.add(
            (*at, "verdict"), wanted("PASS or FAIL, since this has no score", example.verdict)
        )
    elif not is_score and (not judged or example.item in scored):
        notes.add((*at, "verdict"), wanted(f"a whole score {_RANGE}", example.verdict))
