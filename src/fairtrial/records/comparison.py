"""What a judge says of two or more runs, answer by answer, each pair in both orders."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.records.judge_use import JudgeUse
from fairtrial.records.judging import Said, VerdictFault

Winner: TypeAlias = Literal["a", "b", "tie"]
"""Of a pair of answers: that of the first run, that of the second, or neither."""


class JudgedPair(Struct, frozen=True, kw_only=True):
    """Two answers to one case, judged in both orders."""

    case: str
    trial: int
    winner: Winner | None
    """`tie` also where the verdict changed with the order; None: it was not judged."""
    flip: bool = False
    """The verdict changed with the order."""
    identical: bool = False
    """The two records are the same, so nobody was asked: a tie."""
    a_first: Said = None
    """What was said with the answer of run a in the first place: FIRST, SECOND or TIE."""
    b_first: Said = None
    """What was said with that of run b there."""
    reason: str | None = None
    evidence: str | None = None
    fault: VerdictFault | None = None
    """Why it was not judged, and `reason` says more."""
    raw: str | None = None
    """The reply that gave no verdict."""
    length_a: int = 0
    """Characters of the answer."""
    length_b: int = 0
    checks: int | None = None
    """What the checks say: 1 where only a's trial passed, -1 where only b's did, else 0; None where
    one of them was not measured."""


class PlaceBias(Struct, frozen=True, kw_only=True):
    """Whether the place of an answer sways the judge, over pairs that were judged in both orders.

    Identical pairs are not among them. Intervals are 95 %.
    """

    pairs: int
    flips: int
    """Pairs whose verdict changed with the order."""
    rate: float
    interval: tuple[float, float]
    """Wilson."""
    first: int
    """Pairs in which the first place won in both orders."""
    second: int
    net: float
    """First minus second, as a share of the pairs."""
    net_error: float
    """Its standard error."""
    p: float
    """Exact and two-sided: the chance of so uneven a split without a favoured place."""


class LengthEffect(Struct, frozen=True, kw_only=True):
    """Whether the judge prefers the longer answer, over pairs that one of the two won."""

    pairs: int
    """Pairs with a winner and two answers that are not empty."""
    ratio: float
    """Length of the winner over that of the loser, geometric mean."""
    longer_won: int
    """Of the pairs whose lengths differ."""
    differ: int
    logit: float | None = None
    """How much the log odds of winning grow with the log of the ratio, what the checks say held
    fixed; None: these pairs do not tell, and `logit_why` says so."""
    logit_error: float | None = None
    logit_p: float | None = None
    logit_why: str | None = None


class RunPair(Struct, frozen=True, kw_only=True):
    """Two runs held against each other. Rates are shares of the judged pairs, intervals 95 %."""

    a: str
    b: str
    pairs: tuple[JudgedPair, ...]
    judged: int
    wins_a: int
    wins_b: int
    ties: int
    """Flips and identical records counted."""
    flips: int
    identical: int
    unjudged: int
    rate_a: float | None
    """Share that a won; None, as all rates: nothing was judged."""
    interval_a: tuple[float, float] | None
    """Wilson, at the size that the pairs are worth where a case has several."""
    rate_b: float | None
    interval_b: tuple[float, float] | None
    rate_ties: float | None
    interval_ties: tuple[float, float] | None
    place: PlaceBias | None
    length: LengthEffect | None


class Strength(Struct, frozen=True, kw_only=True):
    """How strong a run is on the scale of Bradley and Terry, with ties as in Davidson."""

    run: str
    log_strength: float
    """Of all runs the mean is 0; a lead of 1 is odds of 2.7 to 1."""
    interval: tuple[float, float] | None
    """95 %, from drawing the cases again; None where too many draws have no finite strengths."""


class LeftOut(Struct, frozen=True, kw_only=True):
    """An answer that was held against nothing."""

    run: str
    case: str
    trial: int | None
    """None: every trial of the case."""
    reason: str


class ComparedRun(Struct, frozen=True, kw_only=True):
    """One of the runs."""

    name: str
    """By which the rest calls it."""
    id: str
    variant: str | None
    answers: int
    """That the judge could be shown."""


class JudgeComparison(Struct, frozen=True, kw_only=True):
    """Two or more runs compared by a judge. What `judge compare --json` writes."""

    runs: tuple[ComparedRun, ...]
    question: str
    """What the judge was asked."""
    pairs: tuple[RunPair, ...]
    """Of every two runs."""
    place: PlaceBias | None
    """Over all pairs of runs."""
    strengths: tuple[Strength, ...]
    """Of three runs or more, strongest first."""
    no_strengths: str | None
    """Why there are none; None where there are."""
    left_out: tuple[LeftOut, ...]
    use: JudgeUse
    format: int = 1
