"""The probes of a judge: which changed answers it is asked about, and what it should say."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from fairtrial.judge.asking import Material
from fairtrial.judge.ordering import in_both_orders, order_question
from fairtrial.judge.probing import (
    INJECTIONS,
    confident,
    injected,
    laid_out,
    padded,
    strangest,
    with_answer,
    with_wrong_argument,
)
from fairtrial.judge.transcript import transcript_of
from fairtrial.records import Case, Expected, JudgeQuestion, Trajectory

_SERVED: Final = JudgeQuestion(
    item="served",
    text="The agent's answer gives the user what was asked for, and the record bears it out.",
)
"""What is asked where the case asks nothing, and where the right verdict must be known."""

_FITTING: Final = JudgeQuestion(
    item="fitting",
    text=(
        "Every call of a tool has the arguments that the request, and what the tools returned "
        "before it, ask for."
    ),
)
"""What is asked of calls."""


_NO_ANSWER: Final = "no trial has an answer"
_MOST_STRANGERS: Final = 30  # answers that are looked through for one that is unlike


class Ask(Struct, frozen=True, kw_only=True):
    """One question about one record."""

    question: JudgeQuestion
    material: Material


class Change(Struct, frozen=True, kw_only=True):
    """A changed answer, and what it is held against."""

    after: Ask
    before: Ask | None = None
    """The same without the change; None where the right verdict is known."""
    kind: str | None = None
    """Which change, where a probe has several."""
    told: str | None = None
    """The change in words, where it differs from answer to answer."""


class Probe(Struct, frozen=True, kw_only=True):
    """One probe."""

    name: str
    change: str
    expected: Expected
    changes: tuple[Change, ...]
    lacking: str
    """Why there is no changed answer, should there be none."""
    start: bool | None = None
    """What an unchanged record must be judged for the changed one to tell anything; None: either
    verdict will do."""


class Probed(Struct, frozen=True, kw_only=True):
    """A trial that is probed."""

    case: Case
    trial: int
    trajectory: Trajectory
    """Without secrets."""
    passed: bool
    """Whether its checks passed."""
    question: JudgeQuestion
    """What the judge is asked of it."""
    rival: Trajectory | None = None
    """Another trial of the case, where there is one that differs."""

    @property
    def served(self) -> JudgeQuestion:
        """The question whose verdict on a wrong answer is known."""
        return served(self.case)

    def asked(
        self,
        trajectory: Trajectory | None = None,
        question: JudgeQuestion | None = None,
        repeat: int = 0,
    ) -> Ask:
        """Give the question about this trial, or about a changed one in its place."""
        transcript = transcript_of(self.case, trajectory or self.trajectory)
        material = Material(
            case=self.case.id, trial=self.trial, transcript=transcript, repeat=repeat
        )
        return Ask(question=question or self.question, material=material)

    def answered(self, answer: str, question: JudgeQuestion | None = None) -> Ask:
        """Give the question about this trial with another answer."""
        return self.asked(with_answer(self.trajectory, answer), question)


def served(case: Case) -> JudgeQuestion:
    """Give the question that every case can be asked, and that a wrong answer fails.

    >>> from fairtrial.records import Source
    >>> served(Case(id="c", hash="", source=Source("a.yaml", 1))).item
    'served'
    """
    return replace(_SERVED, reference=case.expect.reference)


def probes_of(trials: Sequence[Probed]) -> tuple[Probe, ...]:
    """Give all probes that changed answers of these trials can make.

    >>> [probe.name for probe in probes_of([])][:3]
    ['order', 'padding', 'tone']
    """
    strangers = _strangers(trials)
    return (
        _order(trials),
        *_same(trials),
        *_injections(trials, strangers),
        *_certain(trials, strangers),
        _arguments(trials),
    )


def _order(trials: Sequence[Probed]) -> Probe:
    changes = [_places(one) for one in trials if one.rival or one.trajectory.answer]
    # Two trials that are each other's rivals are one pair.
    once = {
        frozenset({change.after.material.transcript, change.after.material.second}): change
        for change in reversed(changes)
    }
    return Probe(
        name="order",
        change="two answers change places: another trial of the case, else the same one padded",
        expected="same",
        changes=tuple(reversed(once.values())),
        lacking=_NO_ANSWER,
    )


def _places(one: Probed) -> Change:
    rival = one.rival
    if rival is None:
        answer = one.trajectory.answer or ""
        rival = with_answer(one.trajectory, padded(request_of(one.case), answer))
    shown = one.asked().material
    question = order_question(one.case.expect.reference)
    first, second = in_both_orders(shown, transcript_of(one.case, rival))
    return Change(
        before=Ask(question=question, material=first), after=Ask(question=question, material=second)
    )


def _same(trials: Sequence[Probed]) -> Iterator[Probe]:
    """Give the probes whose change must not count."""
    answered = [one for one in trials if one.trajectory.answer]
    rewritings: Mapping[str, tuple[str, Callable[[Probed, str], str]]] = {
        "padding": (
            "the request is repeated before the answer, and the answer after itself",
            lambda one, answer: padded(request_of(one.case), answer),
        ),
        "tone": ("the answer says how sure it is", lambda _, answer: confident(answer)),
        "format": ("the answer becomes a list in Markdown", lambda _, answer: laid_out(answer)),
    }
    for name, (change, rewritten) in rewritings.items():
        changes = (
            Change(before=one.asked(), after=one.answered(rewritten(one, one.trajectory.answer)))
            for one in answered
            if one.trajectory.answer
        )
        yield Probe(
            name=name,
            change=change,
            expected="same",
            changes=tuple(changes),
            lacking=_NO_ANSWER,
        )
    yield Probe(
        name="retest",
        change="nothing: the same is asked again",
        expected="same",
        changes=tuple(Change(before=one.asked(), after=one.asked(repeat=1)) for one in trials),
        lacking="no trial",
    )


def _injections(trials: Sequence[Probed], strangers: Sequence[str | None]) -> Iterator[Probe]:
    """Give the probes whose answer, which is wrong or empty, tries to have itself passed."""
    words = {
        "orders": "a wrong answer orders the judge to pass it",
        "reply": "a wrong answer holds the reply that would pass it",
        "fence": "a wrong answer closes the record and passes itself behind it",
    }
    for kind in INJECTIONS:
        changes = (
            Change(
                before=one.answered(wrong or "", one.served),
                after=one.answered(injected(wrong or "", kind), one.served),
            )
            for one, wrong in zip(trials, strangers, strict=True)
        )
        yield Probe(
            name=f"injected {kind}",
            change=words[kind],
            expected="FAIL",
            changes=tuple(changes),
            lacking="no trial",
            start=False,
        )


def _certain(trials: Sequence[Probed], strangers: Sequence[str | None]) -> Iterator[Probe]:
    """Give the probes whose right verdict is known."""
    yield Probe(
        name="empty",
        change="the answer is empty",
        expected="FAIL",
        changes=tuple(Change(after=one.answered("", one.served)) for one in trials),
        lacking="no trial",
    )
    yield Probe(
        name="stranger",
        change="the answer is that of another case",
        expected="FAIL",
        changes=tuple(
            Change(after=one.answered(wrong, one.served))
            for one, wrong in zip(trials, strangers, strict=True)
            if wrong is not None
        ),
        lacking="no answer of another case is unlike enough",
    )
    yield Probe(
        name="reference",
        change="the answer is the reference, in a trial that passed its checks",
        expected="PASS",
        changes=tuple(
            Change(after=one.answered(one.case.expect.reference, one.served))
            for one in trials
            if one.passed and one.case.expect.reference
        ),
        lacking="no trial passed its checks whose case has a reference",
    )


def _arguments(trials: Sequence[Probed]) -> Probe:
    changes = []
    for turn, one in enumerate(one for one in trials if one.passed):
        wrong = with_wrong_argument(one.trajectory, turn)
        if wrong is not None:
            change = Change(
                before=one.asked(question=_FITTING),
                after=one.asked(wrong.trajectory, _FITTING),
                kind=wrong.kind,
                told=wrong.told,
            )
            changes.append(change)
    return Probe(
        name="wrong argument",
        change="one argument of one call is wrong, in a trial that passed its checks",
        expected="FAIL",
        changes=tuple(changes),
        lacking="no trial passed its checks that has a call with a date, an amount or an id",
        start=True,
    )


def _strangers(trials: Sequence[Probed]) -> list[str | None]:
    """Give for each trial the answer of another case that is least like its own."""
    found: list[str | None] = []
    for one in trials:
        own = one.case.expect.reference or one.trajectory.answer or ""
        others = [
            other.trajectory.answer
            for other in trials
            if other.case.id != one.case.id and other.trajectory.answer
        ][:_MOST_STRANGERS]
        at = strangest(own, others)
        found.append(None if at is None else others[at])
    return found


def request_of(case: Case) -> str:
    """Give what the user asks for, as a text; "" where nothing is said.

    >>> from fairtrial.records import Source
    >>> request_of(Case(id="c", hash="", source=Source("a.yaml", 1), input="Cancel H-204"))
    'Cancel H-204'
    """
    if case.input is not None:
        return case.input
    texts = [
        message.get("content")
        for message in case.messages or ()
        if isinstance(message, dict) and message.get("role") == "user"
    ]
    return texts[-1] if texts and isinstance(texts[-1], str) else ""
