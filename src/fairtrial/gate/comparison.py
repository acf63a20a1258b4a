"""A candidate laid beside a baseline: what each rule looks at, and what a rule gives."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from fairtrial.gate.candidate import Candidate, CaseOutcome
from fairtrial.gate.confirming import LOOKS, Confirmation, Confirmed
from fairtrial.records import AdaptiveCase, Baseline, BaselineCase, GateSettings, Reason, ReasonKind
from fairtrial.text import cut

ROUNDING = 1e-9
"""Sums of shares differ by less than this when they are the same."""

AFTER_ALL_CASES = 2**62
"""The place of a finding about the whole suite."""


class Finding(Struct, frozen=True, kw_only=True):
    """A reason and what it takes to sort it."""

    reason: Reason
    protected: bool = False
    loss: float = 0.0
    """How much was lost, as a share."""
    leads: bool = False
    """True: comes before all others of its kind."""
    place: int = AFTER_ALL_CASES
    """Index in file order."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One case of the candidate beside what was accepted for it, None where nothing was."""

    place: int
    """Index in file order."""
    now: CaseOutcome
    before: BaselineCase | None
    more: AdaptiveCase | None = None
    """Further trials, of `run --adaptive`; they are in no count of `now`."""

    @property
    def protected(self) -> bool:
        """Protected on either side; one that only informs is so where it was accepted so."""
        was = self.before is not None and self.before.protected
        return was or (self.now.protected and not self.now.informs)

    @property
    def gates(self) -> bool:
        """Whether it can turn the decision."""
        return self.protected or not self.now.informs

    @property
    def changed(self) -> bool:
        """What the agent meets or what is asked is not what it was."""
        return self.before is not None and self.before.hash != self.now.hash

    @property
    def accepted(self) -> BaselineCase | None:
        """What this run is held against; None for a changed, informing or never measured case."""
        usable = self.before is not None and self.before.measured > 0 and not self.changed
        return self.before if usable and not self.now.informs else None

    @property
    def was_passing(self) -> bool:
        """All accepted trials passed, of this case as it was then."""
        return self.before is not None and 0 < self.before.measured == self.before.passed

    @property
    def fell(self) -> bool:
        """The share of the measured trials that passed, the further ones too, is below what was."""
        before = self.accepted
        if before is None:
            return False
        return self.all_passed * before.measured < before.passed * self.all_measured

    @property
    def all_passed(self) -> int:
        """Trials that passed, the further ones too."""
        return self.now.passed + (self.more.more_passed if self.more else 0)

    @property
    def all_measured(self) -> int:
        """Measured trials, the further ones too."""
        return self.now.measured + (self.more.more_measured if self.more else 0)

    def finding(
        self,
        rule: str,
        kind: ReasonKind,
        text: str,
        *,
        loss: float = 0.0,
        leads: bool = False,
    ) -> Finding:
        """Give a finding about this case, whose text begins with the case's name."""
        reason = Reason(
            rule=rule,
            kind=kind,
            text=f"{cut(self.now.id)} {text}",
            case=self.now.id,
            baseline=None if self.before is None else rate(self.before),
            candidate=self.now.rate,
        )
        return Finding(
            reason=reason, protected=self.protected, loss=loss, leads=leads, place=self.place
        )


@dataclass(frozen=True)
class Comparison:
    """A candidate, a baseline or none, the settings, and what fresh trials told."""

    candidate: Candidate
    baseline: Baseline | None
    settings: GateSettings
    confirmation: Confirmation | None = None
    """None: nobody confirmed anything."""
    named: str | None = None
    """How the run is named on a command line; None: by its id."""

    @cached_property
    def cases(self) -> list[Compared]:
        """The candidate's cases in file order."""
        accepted = self.baseline.cases if self.baseline else {}
        adaptive = self.candidate.scorecard.adaptive
        more = {case.id: case for case in adaptive.cases} if adaptive else {}
        return [
            Compared(place=place, now=case, before=accepted.get(case.id), more=more.get(case.id))
            for place, case in enumerate(self.candidate.cases)
        ]

    @cached_property
    def live(self) -> bool:
        """A live model spoke on either side."""
        modes = {self.candidate.info.mode, self.baseline.mode if self.baseline else "none"}
        return "live" in modes or any(case.now.live for case in self.cases)

    @cached_property
    def flaky_before(self) -> list[str]:
        """The ids of gating cases that were accepted flaky, also of changed ones and of those gone.

        Where there are any, a loss can be chance.
        """
        gating = {case.now.id: case.before for case in self.cases if case.gates and case.before}
        accepted = {**gating, **self.gone}
        return [name for name, case in accepted.items() if 0 < case.passed < case.measured]

    @cached_property
    def deterministic(self) -> bool:
        """Every trial scripted, replayed or without a model, and no case flaky in the baseline."""
        return not self.live and not self.flaky_before

    @cached_property
    def confirmed(self) -> dict[str, Confirmed]:
        """What fresh trials told of the cases that were flagged."""
        results = self.confirmation.results if self.confirmation else ()
        return {one.case: one for one in results}

    @property
    def way_on(self) -> str:
        """What to do to have it told, in words."""
        info = self.candidate.info
        if info.agent is None:  # recordings: nobody here knows how to make more of them
            return "more recordings of both sides"
        side = "" if self.baseline and self.baseline.git else " --baseline-variant NAME"
        command = shlex.join(["fairtrial", "gate", self.named or info.id, "--confirm"])
        return f"`{command}{side}` with {LOOKS[0]} to {LOOKS[-1]} on either side"

    @cached_property
    def shared(self) -> list[Compared]:
        """Unchanged gating cases that were measured on both sides: those that rates compare."""
        return [case for case in self.cases if case.accepted and case.now.measured]

    @cached_property
    def gone(self) -> dict[str, BaselineCase]:
        """Accepted cases that are no longer in the files; of a filtered run nobody can tell."""
        if self.baseline is None or self.candidate.filtered:
            return {}
        here = {case.id for case in self.candidate.cases}
        return {name: case for name, case in self.baseline.cases.items() if name not in here}


GateRule: TypeAlias = Callable[[Comparison], Iterator[Finding]]
"""One rule of the gate. It gives all that it finds and decides nothing."""


def rate(case: BaselineCase) -> float | None:
    """Give the share of a case's measured trials that passed; None when none was measured."""
    return case.passed / case.measured if case.measured else None
