"""Which of two answers is better: what a judge is asked, twice, and what comes of it."""

from typing import Final

from msgspec.structs import replace

from fairtrial.judge.asking import Material
from fairtrial.records import JudgedPair, JudgeQuestion, JudgeVerdict, Winner

BETTER: Final = (
    "Which of the two serves the user better: does what was asked, tells what the tools returned, "
    "and claims nothing else? How long, how sure and how well laid out an answer is counts for "
    "nothing."
)
"""What is asked where nobody asks something else."""

_ITEM: Final = "better"
_OTHER: Final[dict[Winner, Winner]] = {"a": "b", "b": "a", "tie": "tie"}


def order_question(reference: str | None = None, text: str = BETTER) -> JudgeQuestion:
    """Give the question of which of two answers is better.

    >>> order_question().scale
    'order'
    """
    return JudgeQuestion(item=_ITEM, text=text, scale="order", reference=reference)


def in_both_orders(a: Material, b: str) -> tuple[Material, Material]:
    """Give what the judge is shown: a's record first, and then b's first.

    Args:
        a: One trial.
        b: The record of the other.

    >>> first, second = in_both_orders(Material(case="c", trial=0, transcript="A"), "B")
    >>> (first.transcript, first.second), (second.transcript, second.second)
    (('A', 'B'), ('B', 'A'))
    """
    return replace(a, second=b), replace(a, transcript=b, second=a.transcript)


def judged_pair(a_first: JudgeVerdict, b_first: JudgeVerdict) -> JudgedPair:
    """Give what two verdicts on the same two answers, in either order, come to.

    A verdict that changes with the order is a tie, and a flip.

    >>> first = JudgeVerdict(case="c", verdict="FIRST")
    >>> judged_pair(first, JudgeVerdict(case="c", verdict="SECOND")).winner
    'a'
    >>> pair = judged_pair(first, first)
    >>> pair.winner, pair.flip
    ('tie', True)
    """
    mute = next((one for one in (a_first, b_first) if _winner(one) is None), None)
    winner, other = _winner(a_first), _winner(b_first)
    flip = mute is None and other is not None and winner != _OTHER[other]
    told = mute or a_first
    return JudgedPair(
        case=a_first.case,
        trial=a_first.trial,
        winner=None if mute else "tie" if flip else winner,
        flip=flip,
        a_first=a_first.verdict,
        b_first=b_first.verdict,
        reason=told.reason,
        evidence=None if mute else a_first.evidence,
        fault=None if mute is None else mute.fault,
        raw=None if mute is None else mute.raw,
    )


def _winner(verdict: JudgeVerdict) -> Winner | None:
    """Give the winner by place: a is the first."""
    places: dict[object, Winner] = {"FIRST": "a", "SECOND": "b", "TIE": "tie"}
    return places.get(verdict.verdict)
