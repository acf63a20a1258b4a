"""What confirming was spent on, and what it would still take where nobody confirmed."""

from collections.abc import Iterator

from fairtrial.gate.comparison import Comparison, Finding
from fairtrial.gate.confirming import LOOKS, Confirmation
from fairtrial.gate.screening import flag_of
from fairtrial.gate.wording import amount, counted, names, percent
from fairtrial.records import Json, Reason, ReasonKind
from fairtrial.text import cut

_RULE = "confirm"


def confirming_done(comparison: Comparison) -> Iterator[Finding]:
    """Say what was confirmed and at what price; else which cases are flagged, and the way on."""
    confirmation = comparison.confirmation
    if confirmation is None:
        yield from _open(comparison)
        return
    if confirmation.stopped is not None:
        text = f"confirming ended before all was told: {cut(confirmation.stopped, 300)}"
        yield _line("warning", text)
    yield _line("note", _spent_words(comparison, confirmation))


def _open(comparison: Comparison) -> Iterator[Finding]:
    flagged = sorted(case.now.id for case in comparison.cases if flag_of(comparison, case))
    if not flagged:
        return
    most = 2 * LOOKS[-1] * len(flagged)
    text = (
        f"{counted(len(flagged), 'case')} flagged ({names(flagged)}): fresh trials tell a change "
        f"from chance, at most {amount(most)} in all: {comparison.way_on}"
    )
    yield _line("note", text)


def _spent_words(comparison: Comparison, confirmation: Confirmation) -> str:
    if not confirmation.results:
        return "nothing was flagged, so there was nothing to confirm"
    fixed = _fixed(comparison)
    cost = ""
    if confirmation.cost is not None:
        cost = f" for {amount(confirmation.cost)} {cut(confirmation.currency)}"
    return (
        f"{counted(len(confirmation.results), 'flagged case')} confirmed with "
        f"{amount(confirmation.trials)} fresh trials on both sides together{cost};"
        f" {LOOKS[-1]} on either side of every case would be {amount(fixed)}:"
        f" {percent(_saved(confirmation, fixed))} saved"
    )


def spent(comparison: Comparison) -> dict[str, Json] | None:
    """Give what confirming took, for the decision; None where nobody confirmed.

    A cost that is not known is left out.
    """
    confirmation = comparison.confirmation
    if confirmation is None:
        return None
    fixed = _fixed(comparison)
    cost = {} if confirmation.cost is None else {"cost": confirmation.cost}
    return {
        "trials": confirmation.trials,
        **cost,
        "flagged": len(confirmation.results),
        "worse": sum(one.verdict == "worse" for one in confirmation.results),
        "everywhere": fixed,
        "saved": percent(_saved(confirmation, fixed)),
    }


def _fixed(comparison: Comparison) -> int:
    """Give the trials that as many everywhere would take, without any screening."""
    return 2 * LOOKS[-1] * sum(case.gates for case in comparison.cases)


def _saved(confirmation: Confirmation, fixed: int) -> float:
    return max(0.0, 1 - confirmation.trials / fixed) if fixed else 0.0


def _line(kind: ReasonKind, text: str) -> Finding:
    return Finding(reason=Reason(rule=_RULE, kind=kind, text=text))
