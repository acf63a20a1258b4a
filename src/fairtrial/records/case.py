"""A case: one situation and what a correct run must show, with defaults and shorthands resolved."""

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from fairtrial.records.json import Json
from fairtrial.records.trajectory import Stop

Take: TypeAlias = Literal["any", "first", "last"]


class Source(Struct, frozen=True, gc=False):
    """Where something was written."""

    file: str
    line: int
    """1 and up."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class NumberExpectation(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A number that the answer must hold."""

    value: int | float
    tolerance: float | None = None
    """How far off, in the number's own unit; None with no `percent`: 1e-9 of the value."""
    percent: float | bool | None = None
    """A number: how far off, in percent of the value. True: the figure must carry a percent
    sign."""
    unit: str | None = None
    """The unit or currency that must stand beside the figure; None: any or none."""
    locale: str | None = None
    """How figures are grouped, such as `de`; None: commas group and the dot is decimal."""
    take: Take = "any"


class AnswerExpectation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the answer must say."""

    contains: tuple[tuple[str, ...], ...] = ()
    """Each entry is a list of alternatives, one of which must occur."""
    excludes: tuple[str, ...] = ()
    numbers: tuple[NumberExpectation, ...] = ()
    equals: str | None = None
    matches: tuple[str, ...] = ()
    json: Json | UnsetType = UNSET
    """A matcher."""


class ToolsExpectation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What must be true of the path. Patterns and plans are as written; `match` compiles them."""

    required: tuple[Json, ...] = ()
    forbidden: tuple[Json, ...] = ()
    before: tuple[Json, ...] = ()
    """Mappings of tool, needs and same."""
    plan: Json | UnsetType = UNSET
    only: bool = False


class SpanExpectation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What must be true of the spans of one name."""

    name: str
    kind: str | None = None
    seconds: Json | UnsetType = UNSET
    """A matcher on the seconds of every such span."""
    count: Json | UnsetType = UNSET
    """A matcher on how many such spans there are; unset: at least one."""
    attributes: Json | UnsetType = UNSET
    """A matcher on the attributes of every such span."""
    documents: dict[str, Json] | None = None
    """`recall` and `precision` (matchers) of the retrieved ids against those listed under `of`."""


class RubricItem(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One yes/no question for a judge."""

    item: str
    gate: bool = False
    """True: decides, once the judge is calibrated for it."""


class Expectation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that a case expects of a trial."""

    answer: AnswerExpectation | None = None
    tools: ToolsExpectation | None = None
    state: Json | UnsetType = UNSET
    """A matcher whose top keys are fields of the world."""
    unchanged: tuple[str, ...] | bool = ()
    """Fields that must end as they began; True: all that `state` does not name."""
    spans: tuple[SpanExpectation, ...] = ()
    stop: Stop | None = None
    """None: not asked for, which means `answer`."""
    rubric: tuple[RubricItem, ...] | str = ()
    """Items, or the name of a shared rubric."""
    reference: str | None = None
    next: Json | UnsetType = UNSET
    """A plan for the first step alone."""


class Limits(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The most a trial may use. None: not asked for."""

    steps: int | None = None
    tool_calls: int | None = None
    tokens: int | None = None
    """Input plus output."""
    cost: float | None = None
    """In the suite's currency."""
    seconds: float | None = None
    repeats: int | dict[str, int] | None = None
    """Calls that may repeat an earlier one that succeeded: in all, or by tool (others 0). None: 0,
    not asked for."""
    retries: int | None = None
    """Times that one call may be repeated after its own error. None: 2, not asked for."""
    path_factor: float | None = None
    """Calls, as a multiple of the shortest plan."""


class Rule(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule of the case's file that holds for this case."""

    number: int
    """1 and up, in the order of the file."""
    required: tuple[Json, ...] = ()
    forbidden: tuple[Json, ...] = ()
    before: tuple[Json, ...] = ()


class Case(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One situation and what a correct run must show.

    >>> Case(id="c1", hash="0", source=Source("a.yaml", 1), input="Hello").protected
    False
    """

    id: str
    hash: str
    """Over what the agent meets and what is asked; a change of id, tags, protection or script
    leaves it alone."""
    source: Source
    tags: tuple[str, ...] = ()
    protected: bool = False
    description: str | None = None
    input: str | None = None
    messages: tuple[Json, ...] | None = None
    context: Json = None
    fixtures: dict[str, Json] | None = None
    faults: dict[str, Json] | None = None
    tools: dict[str, Json] | None = None
    """Stub tools by name."""
    trials: int | None = None
    expect: Expectation = Expectation()
    limits: Limits = Limits()
    informs: tuple[str, ...] | bool = ()
    """Checks that are shown and never decide: full names, names without brackets, or graders. True:
    the case never gates."""
    rules: tuple[Rule, ...] = ()
    rubrics: dict[str, Json] | None = None
    script: Json | UnsetType = UNSET
    user: Json | UnsetType = UNSET
