"""The fields of a case, of a rule and of a file."""

from typing import Final

from fairtrial.cases.compiled import Compiled
from fairtrial.cases.expectation import EXPECT, LIMITS
from fairtrial.cases.hints import wanted
from fairtrial.cases.located import Notes, Path
from fairtrial.cases.rubric_fields import SharedRubric
from fairtrial.cases.shapes import (
    BAD,
    Anything,
    Data,
    Field,
    Fields,
    Flag,
    Many,
    Named,
    Schema,
    Text,
    Whole,
)
from fairtrial.cases.tool_fields import PATHS
from fairtrial.cases.world_fields import FAULTS, STUBS, USER, Messages, Script
from fairtrial.match import MODIFIERS, OPERATORS, compile_matcher
from fairtrial.records import Json

MAX_ID: Final = 200
"""Characters of an id: it stands in file names, baselines and tables."""

WHEN: Final = ("input", "messages", "context", "tags")
"""What a rule's `when` can look at."""


class Identifier(Text):
    """Text on one line that names a case."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the id as written."""
        if super().read(value, path, notes) is BAD:
            return BAD
        if len(value) > MAX_ID:
            notes.add(path, f"{len(value)} characters; wanted at most {MAX_ID}")
            return BAD
        if not value.isprintable() or value != value.strip():
            notes.add(
                path, f"{value!r} has control characters or outer spaces; wanted one plain line"
            )
            return BAD
        return value

    def schema(self) -> Schema:
        """Accept short strings."""
        return {"type": "string", "minLength": 1, "maxLength": MAX_ID}


class Informs:
    """True, or names of checks."""

    def __init__(self) -> None:
        self.names = Many(
            Text("a name of a check, such as limits.seconds"), "names of checks", None
        )

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give a tuple of names, or True; nothing for false."""
        if isinstance(value, bool):
            return value or ()
        return self.names.read(value, path, notes)

    def schema(self) -> Schema:
        """Accept names and truth values."""
        return {"anyOf": [{"type": "boolean"}, self.names.schema()]}


class When:
    """A matcher on what a case gives the agent."""

    def read(self, value: Json, path: Path, notes: Notes) -> Json:
        """Give the matcher as written."""
        if not isinstance(value, dict):
            what = f"a matcher on {{{', '.join(WHEN)}}}, such as {{input: {{phrase: lawyer}}}}"
            notes.add(path, wanted(what, value))
            return BAD
        if not value:
            notes.add(path, "an empty mapping matches every case; write a matcher, or drop `when`")
            return BAD
        before = len(notes.mistakes)
        if value.keys() <= {*OPERATORS, *MODIFIERS}:
            _MATCHER.read(value, path, notes)
        else:
            WHEN_FIELDS.fields(value, path, notes)
        return value if len(notes.mistakes) == before else BAD

    def schema(self) -> Schema:
        """Accept objects."""
        return {"type": "object", "minProperties": 1}


_MATCHER: Final = Compiled(compile_matcher, {"description": "A matcher."})
WHEN_FIELDS: Final = Fields(
    {
        "input": Field(_MATCHER, "A matcher on the last user text.", "value"),
        "messages": Field(_MATCHER, "A matcher on the conversation so far.", "value"),
        "context": Field(_MATCHER, "A matcher on the context.", "value"),
        "tags": Field(_MATCHER, "A matcher on the list of tags.", "value"),
    },
    local={"tag": "tags: {contains: ...}", "tool": "before, with tool and needs"},
)


RULE: Final = Fields(
    {
        "when": Field(
            When(), "Only for cases that match: a matcher on input, messages, context, tags."
        ),
        **PATHS,
    },
    some=tuple(PATHS),
    what="a mapping {when, required, forbidden, before}",
    local={
        "if": "when",
        "require": "required",
        "must": "required",
        "call": "required",
        "calls": "required",
        "forbid": "forbidden",
        "never": "forbidden",
        "must_not_call": "forbidden",
        "tool": "before: {tool: ..., needs: ...}",
        "needs": "before: {tool: ..., needs: ...}",
        "same": "before: {tool: ..., needs: ..., same: {...}}",
    },
)

CASE: Final = Fields(
    {
        "id": Field(
            Identifier("text: a name that stays"),
            "Unique in the suite, and stable.",
            "wrong",
            required=True,
        ),
        "tags": Field(
            Many(Text("text: a tag"), "tags", None), "Words to group cases by.", recurs=True
        ),
        "protected": Field(Flag(), "true: must pass and may never be lost."),
        "description": Field(Text(blank=True), "Why the case exists."),
        "input": Field(Text("text", blank=True), "What the user says."),
        "messages": Field(Messages(), "A conversation so far."),
        "context": Field(Anything(), "Handed to agent and world untouched.", merge="deep"),
        "fixtures": Field(
            Data("a mapping of the world's fields"), "What fills the world.", merge="deep"
        ),
        "faults": Field(FAULTS, "What goes wrong in the tools.", merge="keys"),
        "tools": Field(STUBS, "Stub tools of this case, beside the file's.", merge="keys"),
        "trials": Field(Whole(1), "Trials of this case; beats the configuration."),
        "expect": Field(EXPECT, "What a correct run must show.", merge="fields"),
        "limits": Field(LIMITS, "The most that a trial may use.", merge="fields", recurs=True),
        "informs": Field(
            Informs(), "Checks that are shown and never decide; true: the whole case."
        ),
        "script": Field(Script(), "What the model says offline.", merge="keys"),
        "user": Field(USER, "A simulated user.", merge="fields"),
    },
    what="a case: a mapping with id, input and expect",
)


RUBRICS: Final = Named(SharedRubric(), "a mapping of names to rubrics")
RULES: Final = Many(RULE, "rules {when, required, forbidden, before}", None)

FILE: Final = {
    "defaults": Field(CASE, "What holds for every case of the file that does not say otherwise."),
    "rules": Field(RULES, "What holds for every case of the file, and online."),
    "rubrics": Field(RUBRICS, "Rubrics that cases use by name."),
    "tools": Field(STUBS, "Stub tools, without Python."),
    "cases": Field(Anything(), "The cases."),
}
"""The fields of a file that is a mapping."""
