"""Trials in, scorecard out: sums a case while trials come, rates over cases at the end.

What counts as what:
- Rates are means over the cases with a measured trial; `error` trials are counted and left out.
- A check counts in every trial that holds it, save where one of its name is null; a plan's score,
  precision and recall in every trial where they are known, a mean per case and then over cases.
- Steps, tokens and cost are means over the measured trials whose amount is known, totals those of
  the known part of all trials; unknown amounts are counted, and never 0.
- Estimated token counts enter the total, but no mean that holds a told one; a note says so.
- Cases that only inform are counted in all of this, and never in an exit code; the smallest drop
  leaves them out.
- The strict pass rate counts what was not measured as failed, a case without any trial too; the
  coverage is the measured share of what was planned. So nothing gets better by breaking.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

import msgspec

from fairtrial.records import (
    Case,
    CaseResult,
    Check,
    CheckCount,
    Scorecard,
    Status,
    Stop,
    TagCount,
    Trial,
    status_of,
)
from fairtrial.scorecard.estimates import (
    NO_POINT,
    curve_point,
    curve_sizes,
    intervals,
    mean_of,
    rate_interval,
    visible_drop,
)
from fairtrial.scorecard.sums import FINE, Amount, CaseSums, Group, Told

_GROUPS = 10_000  # groups of trials with equal checks that are open at once


def exit_code(tally: "Tally", *, allow_failures: bool = False) -> int:
    """Give the exit code of `run` and `grade`; cases that only inform never count.

    Returns:
        3 when a trial or a case could not be measured or nothing was, else 1 when a trial failed
        and `allow_failures` is False, else 0. A case without any trial was not measured.

    >>> exit_code(Tally([], "USD"))
    3
    """
    cases = tally.deciding()
    if not cases or any(errors or not passed + failed for passed, failed, errors in cases):
        return 3
    return 1 if not allow_failures and any(failed for _, failed, _ in cases) else 0


class Tally:
    """Sums trials case by case. Memory depends on the number of cases, not of trials.

    Any order of `add` gives the same scorecard.

    >>> from fairtrial.records import Source
    >>> tally = Tally([Case(id="c1", hash="0", source=Source("a.yaml", 1))], "USD")
    >>> tally.scorecard(None).not_measured
    ('c1',)
    """

    def __init__(self, cases: Iterable[Case], currency: str) -> None:
        """Start with no trial.

        Args:
            cases: The selected cases in suite order; ids differ.
            currency: Of every cost.
        """
        self._currency = currency
        self._cases = {case.id: CaseSums(case) for case in cases}
        self._checks: dict[str, list[int]] = {}
        self._groups = 0  # of all cases
        self._names: dict[frozenset[str], frozenset[str]] = {}  # cases share theirs
        self._stops: Counter[Stop] = Counter()
        self._tool_errors = 0
        self._noted: tuple[str, int, str] | None = None
        self._notes_taken = 0
        self._live = False  # a live model spoke in some trial

    def add(self, trial: Trial) -> None:
        """Count one trial, of one of the cases.

        Raises:
            KeyError: The trial's case is none of the tally's.
        """
        case = self._cases[trial.case]
        case.add(trial)
        self._stops[trial.stop] += 1
        self._tool_errors += trial.tool_errors or 0
        if trial.model == "live":
            self._live = True
        if trial.note is not None:
            self._notes_taken += 1
            noted = (trial.case, trial.trial, trial.note)
            self._noted = noted if self._noted is None else min(self._noted, noted)
        checks = trial.checks
        if checks:
            group = case.groups.get(id(checks)) or self._group(checks, case)
            group.trials += 1

    def _group(self, checks: tuple[Check, ...], case: CaseSums) -> Group:
        """Open a group: the trials of a case that share their very checks.

        A grader hands the same tuple out for trials that come out alike, so most are only counted.
        """
        if self._groups >= _GROUPS:
            self._settle()
        self._groups += 1
        group = case.groups[id(checks)] = Group(checks)
        return group

    def _settle(self) -> None:
        """Count the checks of all groups, and begin new ones. What checks tell is seen once."""
        if not self._groups:
            return
        self._groups = 0
        told: dict[int, Told] = {}  # by the identity of the checks
        for case in self._cases.values():
            groups, case.groups = case.groups, {}
            for key, group in groups.items():
                one = told.get(key) or told.setdefault(key, Told(group.checks))
                one.trials += group.trials
                self._tell(case, one, group.trials)
        for one in told.values():
            self._count(one)

    def _tell(self, case: CaseSums, told: Told, trials: int) -> None:
        """Add what checks tell to the case of these trials."""
        if told.telling:
            case.telling = True
        if told.plan is not None:
            case.add_plan(told.plan, trials)
        if not told.deciding <= case.deciding:
            case.deciding = self._shared(case.deciding | told.deciding)
        if not told.informing <= case.informing:
            case.informing = self._shared(case.informing | told.informing)

    def _count(self, told: Told) -> None:
        """Count the outcomes of checks, in all trials that share them."""
        for name, passed in told.outcomes.items():
            counts = self._checks.get(name)
            if counts is None:
                counts = self._checks[name] = [0, 0]
            if passed is not None:
                counts[0] += passed * told.trials
                counts[1] += told.trials

    def _shared(self, names: frozenset[str]) -> frozenset[str]:
        return self._names.setdefault(names, names)

    def sums(self, case_id: str) -> CaseSums:
        """Give what is kept of one case, its checks counted.

        Raises:
            KeyError: There is no such case.
        """
        self._settle()
        return self._cases[case_id]

    def deciding(self) -> list[tuple[int, int, int]]:
        """Give passed, failed and `error` trials of each case that does not only inform."""
        sums = self._cases.values()
        return [(case.passed, case.failed, case.errors) for case in sums if not case.informs]

    def results(self, planned: Mapping[str, int] | None = None) -> Iterator[CaseResult]:
        """Give what is known of each case, without its trials, in suite order.

        Args:
            planned: Trials by case id; None for recordings, where those found count as planned.
        """
        for case_id in self._cases:
            yield self.result(case_id, None if planned is None else planned[case_id])

    def result(self, case_id: str, planned: int | None = None) -> CaseResult:
        """Give one case of `results`.

        Raises:
            KeyError: There is no such case.
        """
        sums = self._cases[case_id]
        case = sums.case
        return CaseResult(
            id=case.id,
            tags=case.tags,
            protected=case.protected,
            hash=case.hash,
            status=status_of(sums.passed, sums.measured),
            pass_rate=sums.rate,
            trials=(),
            planned=sums.trials if planned is None else planned,
            informs=sums.informs,
            source=str(case.source),
        )

    def scorecard(
        self,
        planned: int | None,
        notes: Sequence[str] = (),
        *,
        each: Mapping[str, int] | None = None,
    ) -> Scorecard:
        """Sum up what was added so far. All numbers are unrounded.

        Args:
            planned: Trials a case, the scorecard's k; None for recordings: the lower median.
            notes: What the reader must know; our own follow them.
            each: Planned trials by case id, where cases differ; None: those found, and `planned`
                where a case has none.
        """
        self._settle()
        cases = list(self._cases.values())
        k = _recorded(cases) if planned is None else planned
        counts = [(case.measured, case.passed) for case in cases if case.measured]
        rates = [passed / measured for measured, passed in counts]
        curve = {str(size): curve_point(counts, size) for size in curve_sizes(k)}
        last = curve.get(str(k), NO_POINT)
        at_interval, hat_interval = intervals(counts, k)
        steps, told, estimated, cost = _amounts(cases)
        card = Scorecard(
            trials=sum(case.trials for case in cases),
            passed=sum(case.passed for case in cases),
            failed=sum(case.failed for case in cases),
            errors=sum(case.errors for case in cases),
            pass_rate=mean_of(rates),
            k=k,
            pass_at_k=last.pass_at,
            pass_hat_k=last.pass_hat,
            curve=curve,
            interval=rate_interval(rates, sum(measured for measured, _ in counts)),
            pass_at_k_interval=at_interval,
            pass_hat_k_interval=hat_interval,
            statuses=_statuses(cases),
            checks=self._check_counts(),
            tags=_tags(cases),
            protected_failed=tuple(c.case.id for c in cases if c.case.protected and c.failed),
            mean_plan_score=_plan_mean(cases, 0),
            mean_precision=_plan_mean(cases, 1),
            mean_recall=_plan_mean(cases, 2),
            tool_errors=self._tool_errors,
            stops={stop: self._stops[stop] for stop in get_args(Stop) if self._stops[stop]},
            mean_steps=steps.mean,
            mean_tokens=(told if told.count else estimated).mean,
            total_tokens=_total_tokens(told, estimated),
            mean_cost=cost.mean,
            total_cost=cost.total / FINE if cost.any_known else None,
            unknown=_unknown(steps, told, estimated, cost),
            currency=self._currency,
            not_measured=tuple(case.case.id for case in cases if not case.measured),
            notes=(*notes, *self._notes(told.count, estimated.count)),
        )
        return self._with_all_planned(card, cases, each)

    def _with_all_planned(
        self, card: Scorecard, cases: Sequence[CaseSums], each: Mapping[str, int] | None
    ) -> Scorecard:
        """Give the scorecard with the rates over all that was planned, and the smallest drop."""
        wanted = [_wanted(case, card.k, each) for case in cases]
        pairs = zip(cases, wanted, strict=True)
        counts = [(case.measured, case.passed) for case in cases if not case.informs]
        return msgspec.structs.replace(
            card,
            strict_pass_rate=mean_of([case.passed / trials for case, trials in pairs]),
            coverage=(card.passed + card.failed) / sum(wanted) if wanted else None,
            smallest_drop=visible_drop(counts) if self._live else None,
        )

    def _check_counts(self) -> dict[str, CheckCount]:
        counts = sorted(self._checks.items())
        return {name: CheckCount(passed=passed, total=total) for name, (passed, total) in counts}

    def _notes(self, told: int, estimated: int) -> Iterator[str]:
        if estimated and told:
            yield f"{estimated} trials have estimated token counts, left out of the mean"
        if self._noted is not None:
            case, trial, note = self._noted
            trials = (
                "1 trial states" if self._notes_taken == 1 else f"{self._notes_taken} trials state"
            )
            yield f"{trials} other tokens than their steps do; {case} trial {trial}: {note}"


def _amounts(cases: Iterable[CaseSums]) -> tuple[Amount, Amount, Amount, Amount]:
    """Give the steps, the told tokens, the estimated ones and the cost of all trials."""
    steps, told, estimated, cost = sums = (Amount(), Amount(), Amount(), Amount())
    for case in cases:
        steps.join(case.steps)
        told.join(case.told)
        cost.join(case.cost)
        if case.estimated is not None:
            estimated.join(case.estimated)
    return sums


def _unknown(steps: Amount, told: Amount, estimated: Amount, cost: Amount) -> dict[str, int]:
    """Give how many trials have unknown amounts."""
    tokens = told.unknown + estimated.unknown
    return {"steps": steps.unknown, "tokens": tokens, "cost": cost.unknown}


def _total_tokens(told: Amount, estimated: Amount) -> int | None:
    """Give the known tokens of all trials; None when none is known at all."""
    if not (told.any_known or estimated.any_known):
        return None
    return (told.total + estimated.total) // FINE


def _plan_mean(cases: Iterable[CaseSums], which: int) -> float | None:
    """Give the mean over the cases of one of their `plans`: score, precision or recall."""
    means = [case.plans[which].value for case in cases if case.plans is not None]
    return mean_of([mean for mean in means if mean is not None])


def _recorded(cases: Sequence[CaseSums]) -> int:
    """Give the lower median of the trials of the cases that have any; 0 without."""
    numbers = sorted(case.trials for case in cases if case.trials)
    return numbers[(len(numbers) - 1) // 2] if numbers else 0


def _wanted(case: CaseSums, k: int, each: Mapping[str, int] | None) -> int:
    """Give the trials that a case should have: at least those it has, and at least one."""
    planned = (case.trials or k) if each is None else each.get(case.case.id, k)
    return max(planned, case.trials, 1)


def _statuses(cases: Sequence[CaseSums]) -> dict[str, int]:
    found = Counter(status_of(case.passed, case.measured) for case in cases)
    return {status: found[status] for status in get_args(Status)}


def _tags(cases: Sequence[CaseSums]) -> dict[str, TagCount]:
    tagged: dict[str, list[CaseSums]] = {}
    for case in cases:
        for tag in dict.fromkeys(case.case.tags):
            tagged.setdefault(tag, []).append(case)
    return {
        tag: TagCount(
            passed=sum(case.passed for case in group),
            total=sum(case.measured for case in group),
            pass_rate=mean_of([case.rate for case in group if case.rate is not None]),
        )
        for tag, group in tagged.items()
    }
