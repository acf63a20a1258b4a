"""What a judge said over a run, item by item, and what people would have said by its errors."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from fairtrial.graders import gating_items
from fairtrial.judge import Judge
from fairtrial.records import (
    Agreement,
    Calibration,
    Case,
    Correction,
    JudgedItem,
    JudgePrompt,
    JudgeQuestion,
    JudgeUse,
    JudgeVerdict,
    Tokens,
    Trust,
)
from fairtrial.stats import ppi_mean, rogan_gladen, wilson_rate

_CHARACTERS_A_TOKEN = 4  # of English; for an estimate that says so
_REPLY_TOKENS = 80
_FEW_LABELS = 100  # below which the tuned weight of PPI++ is too sure
_NEARLY_ALL = 0.95  # above which it is so too


def estimated_tokens(prompt: JudgePrompt) -> Tokens:
    """Give about how many tokens a prompt and its reply have.

    >>> estimated_tokens(JudgePrompt(text="polite? " * 100, schema={}, marker="m")).input
    200
    """
    return Tokens(input=len(prompt.text) // _CHARACTERS_A_TOKEN, output=_REPLY_TOKENS)


class Amount:
    """A sum that is known only where all of its parts are."""

    __slots__ = ("_sum", "_unknown", "parts")

    def __init__(self) -> None:
        """Start with no part."""
        self.parts = 0
        self._sum = 0.0
        self._unknown = False

    def add(self, part: float | None) -> None:
        """Add a part; None is not known."""
        self.parts += 1
        if part is None:
            self._unknown = True
        else:
            self._sum += part

    @property
    def total(self) -> float | None:
        """The sum; None without a part, and with one that is not known."""
        return None if self._unknown or not self.parts else self._sum


class _Sums:
    __slots__ = ("cases", "scores", "unjudged")

    def __init__(self) -> None:
        self.cases: dict[str, list[int]] = defaultdict(lambda: [0, 0])  # passed, judged
        self.scores: list[float] = []
        self.unjudged = 0


class JudgeTally:
    """Sums verdicts as they come."""

    def __init__(
        self,
        cases: Sequence[Case],
        questions: Mapping[str, Sequence[JudgeQuestion]],
        trust: Trust,
        calibration: Calibration | None,
    ) -> None:
        """Start with none.

        Args:
            cases: Of the run.
            questions: By case id.
            trust: Which items the judge may decide.
            calibration: What was measured of it.
        """
        self._items: dict[str, _Sums] = {
            question.item: _Sums() for case in cases for question in questions[case.id]
        }
        self._gating = {item for case in cases for item in gating_items(case)}
        self._trust = trust
        self._measured = (
            {one.item: one.agreement for one in calibration.items} if calibration else {}
        )
        self._random = calibration is not None and calibration.random
        self._verdicts = self._calls = self._replayed = 0
        self._faults: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._tokens, self._cost, self._seconds = Amount(), Amount(), Amount()
        self._wanted_tokens, self._wanted_cost = Amount(), Amount()

    def add(self, verdicts: Iterable[JudgeVerdict]) -> None:
        """Count the verdicts of one trial."""
        for verdict in verdicts:
            self._verdicts += 1
            if verdict.item in self._items:
                self._count(self._items[verdict.item], verdict)
            if verdict.fault is not None:
                self._faults[verdict.fault] += 1
                self._reasons[verdict.reason or verdict.fault] += 1
            if not verdict.calls:
                self._replayed += verdict.asks > 0 and verdict.mode == "replayed"
                continue
            self._calls += verdict.calls
            self._tokens.add(_both(verdict.tokens))
            self._cost.add(verdict.cost)
            self._seconds.add(verdict.seconds)

    def _count(self, sums: _Sums, verdict: JudgeVerdict) -> None:
        said = verdict.verdict
        if isinstance(said, bool):
            counts = sums.cases[verdict.case]
            counts[0] += said
            counts[1] += 1
        elif isinstance(said, int | float):
            sums.scores.append(said)
        else:
            sums.unjudged += 1

    def want(self, prompt: JudgePrompt, judge: Judge) -> None:
        """Count a call that a dry run did not make."""
        tokens = estimated_tokens(prompt)
        self._wanted_tokens.add(_both(tokens))
        self._wanted_cost.add(judge.price(tokens))

    def use(self, name: str, fingerprint: str, asks: str) -> JudgeUse:
        """Sum up."""
        dry = asks == "dry"
        return JudgeUse(
            judge=name,
            fingerprint=fingerprint,
            asks=asks,
            verdicts=self._verdicts,
            calls=self._calls,
            replayed=self._replayed,
            faults=dict(sorted(self._faults.items())),
            # The same whichever came first.
            commonest_fault=max(
                self._reasons, key=lambda why: (self._reasons[why], why), default=None
            ),
            tokens=_whole_number(self._tokens.total),
            cost=self._cost.total,
            seconds=self._seconds.total,
            items=tuple(self._item(item, sums) for item, sums in self._items.items()),
            wanted_calls=self._wanted_tokens.parts if dry else None,
            wanted_tokens=_whole_number(self._wanted_tokens.total) if dry else None,
            wanted_cost=self._wanted_cost.total if dry else None,
        )

    def _item(self, item: str, sums: _Sums) -> JudgedItem:
        why_not = self._trust.lacking(item)
        judged = [counts for counts in sums.cases.values() if counts[1]]
        trials = sum(count for _, count in judged)
        decides = why_not is None and item in self._gating
        if not judged:
            mean = sum(sums.scores) / len(sums.scores) if sums.scores else None
            return JudgedItem(
                item=item,
                judged=len(sums.scores),
                unjudged=sums.unjudged,
                mean_score=mean,
                decides=decides,
                why_not=why_not,
            )
        rates = [passed / count for passed, count in judged]
        rate = math.fsum(rates) / len(rates)
        corrected = _corrected(rates, self._measured.get(item), random=self._random)
        return JudgedItem(
            item=item,
            judged=trials,
            unjudged=sums.unjudged,
            rate=rate,
            # Trials of one case are no independent proof of the rate: the cases are counted.
            rate_interval=wilson_rate(rate, len(rates)),
            corrected=corrected.rate,
            corrected_interval=corrected.interval,
            correction=corrected.by,
            decides=decides,
            why_not=why_not,
        )


class _Corrected(NamedTuple):
    rate: float | None = None
    interval: tuple[float, float] | None = None
    by: Correction | None = None


def _corrected(rates: Sequence[float], measured: Agreement | None, *, random: bool) -> _Corrected:
    """Correct judged rates of cases by the judge's errors; nothing where those are not known.

    With labels that were drawn at random by prediction-powered inference, else by Rogan and Gladen.
    """
    cells = None if measured is None else _cells(measured)
    if cells is None:
        return _Corrected()
    if random and not cells.weighted and min(cells.labels, len(rates)) > 1:
        return _powered(rates, cells)
    told = rogan_gladen(
        judge_pass=math.fsum(rates),
        n=len(rates),
        true_pass_judged_pass=cells.both_pass,
        n_true_pass=cells.human_pass,
        true_fail_judged_fail=cells.both_fail,
        n_true_fail=cells.human_fail,
    )
    return _Corrected(told["corrected_clipped"], told["ci_lang_reiczigel"], "rogan-gladen")


class _Cells(NamedTuple):
    """Labels by what people and the judge said."""

    human_pass: int
    human_fail: int
    both_pass: float
    both_fail: float
    weighted: bool
    """Some labels stand for more trials than others: the last two are no counts."""

    @property
    def labels(self) -> int:
        return self.human_pass + self.human_fail


def _cells(measured: Agreement) -> _Cells | None:
    """Give what is behind an agreement; None without a pass and a fail of people.

    Where labels were drawn by what the judge said of them, its errors are those of the natural mix.
    """
    source = measured.natural or measured
    if measured.fails is None or source.false_pass is None or source.false_fail is None:
        return None
    fails, passes = measured.fails, measured.labels - measured.fails
    return _Cells(
        human_pass=passes,
        human_fail=fails,
        both_pass=(1 - source.false_fail) * passes,
        both_fail=(1 - source.false_pass) * fails,
        weighted=measured.natural is not None,
    )


def _powered(rates: Sequence[float], cells: _Cells) -> _Corrected:
    passed, stopped = round(cells.both_pass), round(cells.both_fail)  # counts, save for rounding
    labels = [1.0] * cells.human_pass + [0.0] * cells.human_fail
    judged = [1.0] * passed + [0.0] * (cells.human_pass - passed + stopped)
    judged += [1.0] * (cells.human_fail - stopped)
    told = ppi_mean(labels, judged, rates)
    if cells.labels >= _FEW_LABELS and told["estimate_power_tuned"] <= _NEARLY_ALL:
        return _within(told["estimate_power_tuned"], told["ci_power_tuned"], "ppi++")
    return _within(told["estimate_lam1"], told["ci_lam1"], "ppi")


def _within(rate: float, bounds: tuple[float, float], by: Correction) -> _Corrected:
    low, high = bounds
    return _Corrected(min(max(rate, 0.0), 1.0), (max(low, 0.0), min(high, 1.0)), by)


def _both(tokens: Tokens | None) -> int | None:
    if tokens is None or tokens.input is None or tokens.output is None:
        return None
    return tokens.input + tokens.output


def _whole_number(amount: float | None) -> int | None:
    return None if amount is None else int(amount)
