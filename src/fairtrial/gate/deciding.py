"""The decision: all rules asked, their findings put worst first."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from fairtrial.gate.candidate import Candidate
from fairtrial.gate.comparison import Comparison, Finding, GateRule
from fairtrial.gate.confirmed import confirming_done, spent
from fairtrial.gate.confirming import Confirmation
from fairtrial.gate.listed import changed_cases, informing_drops, new_cases, what_was_compared
from fairtrial.gate.losses import each_case, protected_cases, removed_cases
from fairtrial.gate.measured import not_measured
from fairtrial.gate.overall import bars, growth, rates
from fairtrial.records import Baseline, Decision, GateSettings, Outcome, Reason, ReasonKind

RULES: tuple[GateRule, ...] = (
    not_measured,
    protected_cases,
    each_case,
    removed_cases,
    rates,
    bars,
    growth,
    changed_cases,
    new_cases,
    informing_drops,
    what_was_compared,
    confirming_done,
)
"""All that the gate looks at. Without a baseline those that compare find nothing."""

_WORST_FIRST: tuple[ReasonKind, ...] = ("fail", "error", "inconclusive", "warning", "note")


def decide(
    candidate: Candidate,
    baseline: Baseline | None,
    settings: GateSettings | None = None,
    confirmation: Confirmation | None = None,
    *,
    named: str | None = None,
) -> Decision:
    """Decide whether the candidate may replace the baseline.

    Without a baseline, rules 1 and 2 and the absolute bars decide. Nothing is written.

    Args:
        candidate: The run.
        baseline: What was accepted; None where nothing was yet.
        settings: What is allowed; None: the defaults.
        confirmation: What fresh trials told of the cases that `screen` flags; None: nobody
            confirmed anything, and a live loss stays open.
        named: How the run is named on a command line; None: by its id.

    Returns:
        The decision with all its reasons, worst first; its exit code is 0 pass, 1 fail, 3 error, 4
        inconclusive (strict, or about a protected case; else 0).

    >>> from fairtrial.records import RunInfo, Scorecard
    >>> info = RunInfo(id="r1", folder=None, mode="scripted", variant=None, selection=None)
    >>> scorecard = Scorecard(**dict.fromkeys(Scorecard.__struct_fields__))
    >>> decision = decide(Candidate(info=info, scorecard=scorecard, cases=()), None)
    >>> decision.decision, decision.exit, decision.reasons[0].text
    ('error', 3, 'nothing was measured: the run holds no case')
    """
    settings = settings or GateSettings()
    comparison = Comparison(candidate, baseline, settings, confirmation, named)
    findings = [finding for rule in RULES for finding in rule(comparison)]
    findings.sort(key=_order)
    outcome, code = _outcome(findings, strict=settings.strict)
    places = {case.id: case.source for case in candidate.cases}
    return Decision(
        decision=outcome,
        exit=code,
        spent=spent(comparison),
        reasons=tuple(_placed(finding.reason, places) for finding in findings),
    )


def _placed(reason: Reason, places: Mapping[str, str | None]) -> Reason:
    """Say where the case of a reason stands, so that a reader can go there."""
    if reason.case is None or reason.kind == "note":
        return reason
    return replace(reason, source=places.get(reason.case))


def _order(finding: Finding) -> tuple[int, bool, bool, float, int]:
    kind = _WORST_FIRST.index(finding.reason.kind)
    return (kind, not finding.leads, not finding.protected, -finding.loss, finding.place)


def _outcome(findings: Sequence[Finding], *, strict: bool) -> tuple[Outcome, int]:
    """Give the outcome and the exit code: fail beats error beats inconclusive."""
    kinds = {finding.reason.kind for finding in findings}
    if "fail" in kinds:
        return "fail", 1
    if "error" in kinds:
        return "error", 3
    unsure = [finding for finding in findings if finding.reason.kind == "inconclusive"]
    if unsure:
        return "inconclusive", 4 if strict or any(finding.protected for finding in unsure) else 0
    return "pass", 0
