"""The fields under `expect` and `limits`: one table for the loader, the hints and the schema."""

from math import inf
from typing import Final, get_args

from fairtrial.cases.answer_fields import ANSWER, ValueMatcher
from fairtrial.cases.compiled import Compiled
from fairtrial.cases.hints import wanted
from fairtrial.cases.located import Notes, Path
from fairtrial.cases.mistakes import slips
from fairtrial.cases.rubric_fields import ITEMS
from fairtrial.cases.shapes import (
    BAD,
    Choice,
    Field,
    Fields,
    Many,
    Named,
    Real,
    Schema,
    Shape,
    Short,
    Text,
    Whole,
)
from fairtrial.cases.tool_fields import (
    PATTERN_SCHEMA,
    PLAN_SCHEMA,
    TOOLS,
    refuse_impossible_items,
    surely_sound_calls,
)
from fairtrial.cases.vacuous import (
    ALWAYS,
    COUNTS,
    NEVER,
    VALUES,
    matches_every,
    refuse_impossible,
)
from fairtrial.match import (
    MatcherError,
    compile_matcher,
    compile_next,
    compile_state,
    impossible,
    surely_sound,
)
from fairtrial.records import (
    AnswerExpectation,
    Expectation,
    Json,
    Limits,
    SpanExpectation,
    Stop,
    ToolsExpectation,
)

_NO_DEFAULT: Final = "wrong"


def _state(value: Json) -> None:
    compile_state(value)
    never = impossible(value, names=True, tables=True)
    if never is not None:
        raise MatcherError(NEVER, never)


class State:
    """A matcher whose top keys are fields of the world."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the matcher as written."""
        if not isinstance(value, dict):
            notes.add(path, wanted("a mapping of the world's fields", value))
            return BAD
        if not value:
            notes.add(path, f"an empty mapping {ALWAYS}; wanted at least one field of the world")
            return BAD
        if surely_sound(value, names=True):
            return value
        found = list(slips(_state, value))
        for error in found:
            notes.add((*path, *error.path), error.text)
        if found:
            return BAD
        state = compile_state(value)
        for name, matcher in state.fields.items():
            if matches_every(matcher, VALUES):
                where = (*path, name) if name in value else path
                notes.add(where, f"every value of {name!r} meets this, so it is always true")
        return value

    def schema(self) -> Schema:
        """Accept objects."""
        return {"type": "object", "minProperties": 1}


def _next(value: Json) -> None:
    compile_next(value)
    alone = isinstance(value, str) or (isinstance(value, dict) and "name" in value)
    if alone:
        refuse_impossible(value, NEVER)
    else:
        refuse_impossible_items(value)


class Next(Compiled):
    """The calls of the first step; a lone call stands for a list of one."""

    def __init__(self) -> None:
        what = "a list of calls, or {any: [...]}"
        types = (str, list, dict)
        super().__init__(_next, PLAN_SCHEMA, kinds=what, types=types, sound=surely_sound_calls)

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give a list of calls, or the alternatives."""
        read = super().read(value, path, notes)
        alone = isinstance(read, str) or (isinstance(read, dict) and "name" in read)
        return [read] if alone else read

    def schema(self) -> Schema:
        """Accept what a plan may be, and a call alone."""
        return {"anyOf": [PATTERN_SCHEMA, PLAN_SCHEMA]}


class Unchanged:
    """True, or names of fields of the world."""

    def __init__(self) -> None:
        self.names = Many(Text("a name of a field of the world"), "names, or true", ALWAYS)

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give a tuple of names, or True; nothing for false."""
        if isinstance(value, bool):
            return value or ()
        return self.names.read(value, path, notes)

    def schema(self) -> Schema:
        """Accept names and truth values."""
        return {"anyOf": [{"type": "boolean"}, self.names.schema()]}


class Rubric:
    """Binary items, or the name of a shared rubric."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give a tuple of items, or the text (a name, or a lone item: the file decides)."""
        if isinstance(value, str):
            return Text("text: an item, or the name of a shared rubric").read(value, path, notes)
        return ITEMS.read(value, path, notes)

    def schema(self) -> Schema:
        """Accept items and names."""
        return ITEMS.schema()


_ON_SHARES: Final = ValueMatcher(within=(0, 1))
DOCUMENTS: Final = Fields(
    {
        "recall": Field(_ON_SHARES, "A matcher on the share of the listed ids that came back."),
        "precision": Field(_ON_SHARES, "A matcher on the share of what came back that is listed."),
        "of": Field(
            Many(Text("text: an id"), "ids", "leaves nothing to find", data=True),
            "The ids of the documents that should come back.",
            "wrong",
            required=True,
        ),
    },
    some=("recall", "precision"),
    what="a mapping {recall, precision, of}",
)


class Count(ValueMatcher):
    """A matcher on a number of spans that not every number meets."""

    def __init__(self) -> None:
        super().__init__(within=(0, inf))

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the matcher as written."""
        read = super().read(value, path, notes)
        if read is BAD or not matches_every(compile_matcher(read), COUNTS):
            return read
        notes.add(path, "every number of spans meets this, so it is always true")
        return BAD


SPAN: Final = Fields(
    {
        "name": Field(Text("a name of a span"), "The spans of this name.", "wrong", required=True),
        "kind": Field(Text("text: a kind of span"), "Only spans of this kind."),
        "seconds": Field(
            ValueMatcher(within=(0, inf)), "A matcher on the seconds of every such span."
        ),
        "count": Field(
            Count(),
            "A matcher on how many such spans there are; without it, at least one.",
        ),
        "attributes": Field(ValueMatcher(), "A matcher on the attributes of every such span."),
        "documents": Field(DOCUMENTS, "How well what a retriever gave fits the listed ids."),
    },
    build=SpanExpectation,
    what="a mapping {name, kind, seconds, count, attributes, documents}",
)


def _expectation(**fields: Json) -> Expectation:
    # Parts that ask for nothing (their defaults were taken away) are as if not written.
    for name, nothing in _NOTHING:
        if fields.get(name) == nothing:
            del fields[name]
    return Expectation(**fields)


_NOTHING: Final = (("answer", AnswerExpectation()), ("tools", ToolsExpectation()))

EXPECT: Final = Fields(
    {
        "answer": Field(ANSWER, "What the answer must say.", merge="fields"),
        "tools": Field(TOOLS, "What must be true of the calls.", merge="fields"),
        "state": Field(
            State(),
            "The world at the end; a list of rows means exactly these, in any order.",
            _NO_DEFAULT,
        ),
        "unchanged": Field(
            Unchanged(),
            "Fields of the world that end as they began; true: all that state does not name.",
            _NO_DEFAULT,
        ),
        "spans": Field(
            Many(Short("name", SPAN), "spans", ALWAYS), "What must be true of spans.", _NO_DEFAULT
        ),
        "stop": Field(Choice(*get_args(Stop)), "How it must end; answer unless said otherwise."),
        "rubric": Field(
            Rubric(), "Binary items for a judge, or the name of a shared rubric.", _NO_DEFAULT
        ),
        "reference": Field(Text("text: a good answer"), "A good answer, for the judge to see."),
        "next": Field(
            Next(),
            "The calls of the first step, exactly and in any order; [] means an answer.",
            _NO_DEFAULT,
        ),
    },
    build=_expectation,
    what="a mapping {answer, tools, state, unchanged, spans, stop, rubric, reference, next}",
    local={
        "output": "answer.equals (the whole answer) or answer.contains",
        "trajectory": "tools.plan",
    },
)


class Repeats:
    """A number of calls, or numbers by tool."""

    def __init__(self) -> None:
        self.total: Shape = Whole(0)
        self.by_tool = Named(Whole(0), "{tool: number}", empty="asks for nothing")

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the number, or the mapping."""
        if isinstance(value, dict):
            return self.by_tool.read(value, path, notes)
        return self.total.read(value, path, notes)

    def schema(self) -> Schema:
        """Accept a number or a mapping of numbers."""
        return {"anyOf": [self.total.schema(), self.by_tool.schema()]}


LIMITS: Final = Fields(
    {
        "steps": Field(Whole(0), "Model completions, the answer's included.", _NO_DEFAULT),
        "tool_calls": Field(Whole(0), "Calls in all.", _NO_DEFAULT),
        "tokens": Field(Whole(0), "Input plus output tokens.", _NO_DEFAULT),
        "cost": Field(Real(), "Money, in the suite's currency.", _NO_DEFAULT),
        "seconds": Field(Real(), "Seconds in all.", _NO_DEFAULT),
        "repeats": Field(
            Repeats(),
            "Calls that may repeat an earlier one that succeeded: in all, or {tool: number}.",
            _NO_DEFAULT,
        ),
        "retries": Field(
            Whole(0), "Times that one call may be repeated after its own error.", _NO_DEFAULT
        ),
        "path_factor": Field(
            Real(positive=True), "Calls, as a multiple of the shortest plan.", _NO_DEFAULT
        ),
    },
    build=Limits,
    what="a mapping such as {steps: 8}",
    local={
        "max_steps": "steps",
        "max_turns": "steps",
        "turns": "steps",
        "max_calls": "tool_calls",
        "calls": "tool_calls",
        "tools": "tool_calls",
        "max_tool_calls": "tool_calls",
        "max_tokens": "tokens",
        "max_cost": "cost",
        "usd": "cost",
        "dollars": "cost",
        "budget": "cost",
        "time": "seconds",
        "timeout": "seconds",
        "latency": "seconds",
        "duration": "seconds",
        "max_retries": "retries",
    },
)
