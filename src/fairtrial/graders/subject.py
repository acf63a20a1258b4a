"""One trial as graders see it: the trajectory, with what several of them need worked out once."""

import math
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from fairtrial.match import Call, Matcher, calls_of
from fairtrial.records import JudgeVerdict, Step, Stop, Tokens, Trajectory
from fairtrial.text import Number, find_numbers, normalise


class Amount(Struct, frozen=True, gc=False):
    """An amount that may be known only in part."""

    known: float
    """The known part: the whole amount is at least this."""
    unknown: int
    """How many parts are not known; 0: `known` is the whole."""
    estimated: bool = False
    note: str = ""
    """What the reader should know, such as a stated total that differs from its parts."""


class Subject:
    """A trajectory under grading. Everything is read, nothing is changed.

    >>> subject = Subject(Trajectory(case="c", answer="Done, **no fee**."))
    >>> subject.stop, subject.text, subject.calls is None
    ('answer', 'done, no fee.', True)
    """

    __slots__ = (
        "_numbers", "_text", "_tokens", "answer", "called", "calls", "currency", "decision",
        "failing", "known", "made", "names", "scripted", "spans", "state", "stop", "trajectory",
        "verdicts",
    )  # fmt: skip

    def __init__(
        self,
        trajectory: Trajectory,
        *,
        decision: bool = False,
        tool_error: Matcher | None = None,
        currency: str = "USD",
        known: Callable[[], frozenset[str]] = frozenset,
        verdicts: Mapping[str, JudgeVerdict] | None = None,
    ) -> None:
        """Look at a trajectory.

        Args:
            trajectory: What the agent did.
            decision: The case asks for a single step (`expect.next`), so no loop was to finish.
            tool_error: Says which results count as errors, besides what the tool layer said.
            currency: The suite's currency; a cost in another one is unknown.
            known: Gives the tools that the case names; few trials ever ask.
            verdicts: What the judge says, by item; None: there is no judge.
        """
        self.trajectory = trajectory
        self.decision = decision
        self.currency = currency
        self.known = known
        self.verdicts = verdicts
        self.answer = trajectory.answer
        self.spans = trajectory.spans
        self.state = trajectory.state
        self.scripted = trajectory.model == "scripted"
        self.stop: Stop = trajectory.stop or _stop_of(trajectory, decision=decision)
        """Why it ended: as recorded, else `answer` if there is one, else `error`."""
        self.calls: list[Call] | None = None
        """None where the steps are not known."""
        self.names: tuple[str, ...] = ()
        """The tools of the calls, in order."""
        self.failing: list[Call] = []
        """The calls that did not succeed."""
        self.made: list[Call] = []
        """The calls that came to a tool: what the model only wrote down was not made."""
        if trajectory.steps is not None:
            self.calls = self.made = calls_of(trajectory, tool_error)
            self.names = tuple([call.name for call in self.calls])
            self.failing = [call for call in self.calls if call.failed]
            if self.failing and not all(call.reached for call in self.failing):
                self.made = [call for call in self.calls if call.reached]
        self.called = frozenset(self.names)
        self._text: str | None = None
        self._tokens: Amount | None = None
        self._numbers: dict[str | None, list[Number]] = {}

    @property
    def lower(self) -> str:
        """The answer in lower case where it is ASCII, else empty.

        Words between which nothing but single blanks stand are in it only if they are in `text`.
        """
        answer = self.answer
        return answer.lower() if answer is not None and answer.isascii() else ""

    @property
    def text(self) -> str:
        """The answer, normalised; empty without one."""
        if self._text is None:
            self._text = normalise(self.answer or "")
        return self._text

    def numbers(self, locale: str | None) -> list[Number]:
        """The numbers in the answer, as the locale writes them."""
        found = self._numbers.get(locale)
        if found is None:
            found = self._numbers[locale] = find_numbers(self.answer or "", locale)
        return found

    def tokens(self) -> Amount:
        """Input plus output tokens: the stated total, else the sum over the steps."""
        if self._tokens is None:
            self._tokens = self._all_tokens()
        return self._tokens

    def _all_tokens(self) -> Amount:
        stated = self.trajectory.tokens
        if stated is None:
            return self._step_tokens()
        if stated.input is not None and stated.output is not None:
            return Amount(stated.input + stated.output, 0, stated.estimated)
        return self._completed(stated)

    def token_note(self) -> str:
        """Say how a stated total of tokens differs from the sum over the steps; else empty.

        An estimate is not compared with what a provider told.
        """
        steps, stated = self.trajectory.steps, self.trajectory.tokens
        if stated is None or not steps or steps[0].tokens is None:
            return ""
        total, summed = self.tokens(), self._step_tokens()
        if summed.unknown or total.unknown or summed.known == total.known:
            return ""
        if summed.estimated is not total.estimated:
            return ""
        return f"{total.known:.0f} are stated, the steps sum to {summed.known:.0f}"

    def _step_tokens(self) -> Amount:
        steps = self._known_steps()
        return Amount(0, 1) if steps is None else _tokens(steps)

    def _completed(self, stated: Tokens) -> Amount:
        """Take what a stated total leaves out from the steps."""
        steps = self._known_steps()
        told: list[Tokens | None] = [None] if steps is None else [step.tokens for step in steps]
        inputs = [one and one.input for one in told] if stated.input is None else [stated.input]
        outputs = [one and one.output for one in told] if stated.output is None else [stated.output]
        parts = [*inputs, *outputs]
        estimated = stated.estimated or any(one is not None and one.estimated for one in told)
        known = sum(part for part in parts if part is not None)
        return Amount(known, parts.count(None), estimated)

    def _known_steps(self) -> Sequence[Step] | None:
        """Give the steps; None where it is not known how many there were."""
        trajectory = self.trajectory
        return None if trajectory.inferred and not trajectory.steps else trajectory.steps

    def cost(self) -> Amount:
        """Money in the suite's currency."""
        trajectory = self.trajectory
        if trajectory.cost is None:
            return Amount(0.0, 1)
        if trajectory.currency is not None and trajectory.currency != self.currency:
            note = f"it is in {trajectory.currency}, the suite counts in {self.currency}"
            return Amount(0.0, 1, note=note)
        return _finite(trajectory.cost)

    def seconds(self) -> Amount:
        """Duration: the stated total, else the sum over the steps."""
        if self.trajectory.seconds is not None:
            return _finite(self.trajectory.seconds)
        steps = self._known_steps()
        if steps is None:
            return Amount(0.0, 1)
        known = [step.seconds for step in steps if step.seconds is not None]
        total = _finite(sum(known, 0.0))
        return replace(total, unknown=total.unknown + len(steps) - len(known))

    def step_count(self) -> int | None:
        """How many steps there were; None when unknown or only inferred from the calls."""
        steps = self.trajectory.steps
        return None if steps is None or self.trajectory.inferred else len(steps)


def _stop_of(trajectory: Trajectory, *, decision: bool) -> Stop:
    if trajectory.answer is not None:
        return "answer"
    # A single decision whose stop was not recorded ended after its step, which is no error.
    return "steps" if decision and trajectory.steps else "error"


def _finite(amount: float) -> Amount:
    """Give an amount that somebody stated; NaN and infinity are none."""
    if math.isfinite(amount):
        return Amount(amount, 0)
    return Amount(0.0, 1, note=f"{amount} is no amount")


def _tokens(steps: Sequence[Step]) -> Amount:
    known = unknown = 0
    estimated = False
    for step in steps:
        part = step.tokens
        if part is None:
            unknown += 1
            continue
        read, written = part.input, part.output
        if read is None or written is None:
            unknown += 1
        known += (read or 0) + (written or 0)
        estimated = estimated or part.estimated
    return Amount(known, unknown, estimated)
