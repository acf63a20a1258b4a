"""Which questions people are asked: more of what judges get wrong, and what each stands for."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from fairtrial.records import Case, JudgeVerdict, ToolCall, Trajectory, Trial
from fairtrial.text import find_numbers

CLAIMED: Final = "claimed but not done"
WRONG: Final = "wrong number or state"
INVENTED: Final = "invented figure"
LONG: Final = "long answer"
PLAIN: Final = "plain"

_DONE: Final = re.compile(
    r"\b(?:done|successful(?:ly)?|confirmed|completed|(?:has|have) been|i(?:'ve| have)|"
    r"(?:is|are) now|all set|cancelled|canceled|refunded|booked|sent|updated|created)\b",
    re.IGNORECASE,
)
_MOST_READ: Final = 20_000  # characters of a text that are looked through for figures
_TIMES_LONG: Final = 2.0  # the median of the answers
_LONG: Final = 400  # characters below which no answer is long
_SMALL: Final = 10  # figures up to which a number counts steps, nights, people, and is no claim
_GOOD_SCORE: Final = 4.0


class Stratum(NamedTuple):
    """Trials that are drawn alike."""

    side: str
    """What the judge says, or else whether the trial passed; never shown to a labeller."""
    kind: str
    """What about the trial tempts a judge."""
    outcome: str
    """Whether the trial passed."""

    @property
    def name(self) -> str:
        """Its name in a label: kind, outcome and side."""
        parts = [self.kind, self.outcome]
        return ", ".join(parts if self.side == self.outcome else [*parts, self.side])


class Candidate(NamedTuple):
    """A question that people could be asked."""

    case: str
    trial: int
    item: str
    stratum: Stratum


class Drawn(NamedTuple):
    """A question that people are asked, and how many it stands for."""

    case: str
    trial: int
    item: str
    stratum: str
    weight: float


def draw(candidates: Iterable[Candidate], size: int, seed: int = 0) -> list[Drawn]:
    """Draw questions, so many an item, and put them in an order that says nothing of them.

    Half of them come from each side and each stratum of a side gives as many as the others, as far
    as there are any; none is left out. The draw looks at names alone, so that it is the same
    everywhere, and a larger one holds a smaller one of the same strata. Questions about one trial
    stand together.

    Args:
        candidates: All questions of a run.
        size: Questions an item; where an item has more strata, one of each.
        seed: Another one gives another sample.

    Raises:
        ValueError: `size` is below 1.

    >>> strata = [Stratum("failed", PLAIN, "failed")] * 2 + [Stratum("passed", PLAIN, "passed")] * 8
    >>> drawn = draw([Candidate(f"c{n}", 0, "Is polite", s) for n, s in enumerate(strata)], 4)
    >>> sorted((one.stratum, one.weight) for one in drawn)
    [('plain, failed', 1.0), ('plain, failed', 1.0), ('plain, passed', 4.0), ('plain, passed', 4.0)]
    """
    if size < 1:
        raise ValueError(f"size must be at least 1, got {size!r}")
    items: dict[str, dict[Stratum, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    places: dict[str, int] = {}
    for candidate in candidates:
        items[candidate.item][candidate.stratum].append(candidate)
        places.setdefault(candidate.item, len(places))
    drawn: list[Drawn] = []
    for strata in items.values():
        shares = _shares({stratum: len(inside) for stratum, inside in strata.items()}, size)
        for stratum, inside in strata.items():
            inside.sort(key=lambda one: _uniform(seed, "draw", one.case, one.trial))
            weight = len(inside) / shares[stratum]
            drawn += [
                Drawn(one.case, one.trial, one.item, stratum.name, weight)
                for one in inside[: shares[stratum]]
            ]
    # Not by the number that drew them: the strata of which few were drawn would come first.
    drawn.sort(key=lambda one: (_uniform(seed, "order", one.case, one.trial), places[one.item]))
    return drawn


def _uniform(seed: int, use: str, case: str, trial: int) -> bytes:
    """Give 32 bytes that stand for a uniform number, from the name of a trial alone."""
    told = "\0".join([str(seed), use, str(trial), case])
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()


def _shares(sizes: Mapping[Stratum, int], size: int) -> dict[Stratum, int]:
    """Give how many each stratum gives: the next one always from where there are fewest so far."""
    shares = dict.fromkeys(sorted(sizes), 1)
    sides: dict[str, int] = defaultdict(int)
    for stratum in shares:
        sides[stratum.side] += 1
    left = [stratum for stratum in shares if sizes[stratum] > 1]
    for _ in range(size - len(shares)):
        if not left:
            break
        least = min(left, key=lambda one: (sides[one.side], shares[one]))
        shares[least] += 1
        sides[least.side] += 1
        if shares[least] == sizes[least]:
            left.remove(least)
    return shares


def stratum_of(
    trial: Trial,
    case: Case,
    trajectory: Trajectory,
    verdict: JudgeVerdict | None,
    usual_length: float,
) -> Stratum:
    """Tell what a trial is drawn as.

    Args:
        trial: As it was graded.
        case: Its case.
        trajectory: What the agent did.
        verdict: What a judge says of the item; None: there is none.
        usual_length: Characters of the median answer.

    >>> from fairtrial.records import Source
    >>> case = Case(id="c", hash="", source=Source("a.yaml", 1), input="What is due?")
    >>> trial = Trial(case="c", trial=0, verdict="passed", stop="answer", error=None, steps=1,
    ...     tokens=None, cost=None, seconds=None, tool_errors=0, tools=(), failed_calls=(),
    ...     checks=())
    >>> said = Trajectory(case="c", answer="320 EUR are due.", steps=())
    >>> stratum_of(trial, case, said, JudgeVerdict(case="c", verdict=False), 20).name
    'invented figure, passed, judge FAIL'
    """
    outcome = "not decided" if trial.verdict == "error" else trial.verdict
    side = _judged(verdict) or outcome
    return Stratum(side=side, kind=_kind(trial, case, trajectory, usual_length), outcome=outcome)


def _judged(verdict: JudgeVerdict | None) -> str | None:
    if verdict is None:
        return None
    said = verdict.verdict
    if isinstance(said, str):
        said = {"pass": True, "fail": False}.get(said.strip().casefold())
    if said is None:
        return "judge unread"
    passed = said if isinstance(said, bool) else said >= _GOOD_SCORE
    return "judge PASS" if passed else "judge FAIL"


def _kind(trial: Trial, case: Case, trajectory: Trajectory, usual_length: float) -> str:
    failed = [check.name for check in trial.checks if check.passed is False]
    answer = trajectory.answer or ""
    acted = any(name.startswith(("state", "tools", "unchanged")) for name in failed)
    if acted and _DONE.search(answer[:_MOST_READ]):
        return CLAIMED
    if any(name.startswith(("answer.numbers", "state")) for name in failed):
        return WRONG
    if _invents(answer, case, trajectory):
        return INVENTED
    if len(answer) >= max(_LONG, _TIMES_LONG * usual_length):
        return LONG
    return PLAIN


def _invents(answer: str, case: Case, trajectory: Trajectory) -> bool:
    """Say whether the answer has a figure that neither a tool nor the user gave."""
    figures = _figures(answer)
    if not figures or trajectory.steps is None:
        return False
    calls = [call for step in trajectory.steps for call in step.calls]
    told = [case.input or "", str(case.messages or ""), str(case.context or "")]
    told += [turn.user or "" for turn in trajectory.turns or ()]
    known: set[float] = set()
    for text in (*told, *map(_result, calls)):
        known |= _figures(text)
    return not figures <= known


def _result(call: ToolCall) -> str:
    try:
        return call.error or str(call.result)
    except RecursionError:  # deeper than any result that says a figure
        return ""


def _figures(text: str) -> set[float]:
    found = (abs(number.value) for number in find_numbers(text[:_MOST_READ]))
    return {value for value in found if value > _SMALL}
