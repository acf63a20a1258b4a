"""A run as a page: records in, one HTML file out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairtrial.records import (
    Baseline,
    Gated,
    Json,
    RunDifference,
    RunInfo,
    Scorecard,
    ShownCase,
    ShownTrial,
)
from fairtrial.report.html.case_rows import CaseRow, CaseRows
from fairtrial.report.html.document import html_document
from fairtrial.report.html.packing import Pack
from fairtrial.report.html.rates import Rate, rate_over

Change: TypeAlias = Literal["worse", "better", "new", "changed", "unmeasured", "checks"]
"""How a case stands to the same one elsewhere; `changed`: what is asked is not the same."""

LONGEST_STATE = 2**17
"""Bytes of one initial state that a page holds."""
_STATES = 2**23  # bytes of all of them


class Beside(Struct, frozen=True, kw_only=True):
    """Another run that a page shows beside its own, as what was before."""

    name: str
    """What its reader called it."""
    info: RunInfo
    scorecard: Scorecard
    difference: RunDifference
    """The page's run seen from the other, with the partings."""
    trials: Callable[[], Iterable[ShownTrial]]
    """The trials of the other run that the partings compare; none where they are gone."""


class RunPage:
    """A page of one run. Everything is added once; then it is written."""

    def __init__(
        self,
        info: RunInfo,
        scorecard: Scorecard,
        cases: Iterable[ShownCase],
        *,
        gated: Gated | None = None,
        version: str = "",
    ) -> None:
        """Begin a page.

        Args:
            info: The run.
            scorecard: Its numbers.
            cases: In suite order.
            gated: What the gate decided, if it was asked.
            version: Of fairtrial, for the foot of the page.
        """
        self._info = info
        self._scorecard = scorecard
        self._gated = gated
        self._version = version
        self._rows = CaseRows(cases)
        self._packs = {"run": Pack(), "extra": Pack(), "other": Pack(), "states": Pack()}
        self._states: dict[str, int] = {}
        self._state_bytes = 0
        self._left_out: list[int] = []
        self._beside: Beside | None = None
        self._other: dict[tuple[str, int], int] = {}

    def add_trial(self, shown: ShownTrial, *, further: bool = False) -> None:
        """Take a trial of the run, or a further one of an adaptive run, in the order of lines."""
        self._rows.add(shown, further=further)
        self._keep("extra" if further else "run", shown)

    def add_state(self, name: str, state: bytes) -> None:
        """Take an initial state by the hash that trials name it by, while there is room."""
        if name in self._states or len(state) > LONGEST_STATE or self._state_bytes > _STATES:
            return
        number = len(self._states) + 1
        if self._packs["states"].add(number, state, needed=True):
            self._states[name] = number
            self._state_bytes += len(state)

    def set_beside(self, beside: Beside) -> None:
        """Show another run beside this one."""
        self._beside = beside
        for shown in beside.trials():
            self._keep("other", shown)
            if shown.number is not None:
                self._other[shown.trial.case, shown.trial.trial] = shown.number

    def pieces(self) -> Iterator[bytes]:
        """Give the HTML file piece by piece."""
        blocks = {name: list(pack.blocks()) for name, pack in self._packs.items()}
        data = self._data()
        data["packs"] = {
            name: [[first, count] for first, count, _ in of] for name, of in blocks.items()
        }
        named = (
            (f"{name}-{at}", packed)
            for name, of in blocks.items()
            for at, (_, _, packed) in enumerate(of)
        )
        yield from html_document(f"{self._info.id} - fairtrial", data, named)

    def _keep(self, pack: str, shown: ShownTrial) -> None:
        if shown.line is None or shown.number is None:
            return
        needed = shown.trial.verdict != "passed" or pack != "run"
        if not self._packs[pack].add(shown.number, shown.line, needed=needed) and pack == "run":
            self._left_out.append(shown.number)

    def _data(self) -> dict[str, Json]:
        tags: dict[str, int] = {}
        changes = self._changes()
        rows = []
        for row in self._rows.rows.values():
            shown = row.as_json(tags)
            change = changes.get(row.shown.id)
            if change is not None:
                shown["x"], shown["b"] = change
            rows.append(shown)
        card = msgspec.to_builtins(self._scorecard)
        return {
            "kind": "run",
            "version": self._version,
            "run": msgspec.to_builtins(self._info),
            "card": card,
            "gate": self._gate(),
            "tags": list(tags),
            "tagRates": self._tag_rates(),
            "checkRates": self._check_rates(),
            "cases": rows,
            "states": self._states,
            "leftOut": len(self._left_out),
            "compare": None if self._beside is None else self._compared(self._beside),
        }

    def _gate(self) -> Json:
        if self._gated is None:
            return None
        return {
            "decision": msgspec.to_builtins(self._gated.decision),
            "file": self._gated.file,
            "baseline": _summed(self._gated.baseline, self._rows.rows),
        }

    def _changes(self) -> dict[str, tuple[Change, list[int] | None]]:
        """Give how each case that changed did, beside the other run, else beside the baseline."""
        if self._beside is not None:
            return _listed(self._beside.difference)
        baseline = None if self._gated is None else self._gated.baseline
        return {} if baseline is None else _against(self._rows.rows, baseline)

    def _tag_rates(self) -> list[Json]:
        found = self._rows.counts_by_tag().items()
        return [_bar(tag, counts) for tag, counts in found]

    def _check_rates(self) -> list[Json]:
        counted = self._rows.counts_by_check()
        informing = self._rows.informing - self._rows.deciding
        bars = []
        for name, counts in counted.items():
            bar = _bar(name, counts)
            if name in informing:
                bar["informs"] = 1
            bars.append(bar)
        return bars

    def _compared(self, beside: Beside) -> Json:
        found = beside.difference
        partings = {}
        for parting in found.partings:
            told = msgspec.to_builtins(parting)
            key = (parting.case, -1 if parting.trial_a is None else parting.trial_a)
            told["line_a"] = self._other.get(key)
            partings[parting.case] = told
        lists = {
            kind: [msgspec.to_builtins(case) for case in getattr(found, kind)]
            for kind in (
                "regressions",
                "fixes",
                "unmeasured",
                "other_checks",
                "changed",
                "new",
                "removed",
            )
        }
        card = beside.scorecard
        return {
            "name": beside.name,
            "run": msgspec.to_builtins(beside.info),
            "rate": card.pass_rate,
            "interval": card.interval,
            "unchanged": found.unchanged,
            "leftOut": found.left_out,
            "numbers": [msgspec.to_builtins(number) for number in found.numbers],
            "lists": lists,
            "partings": partings,
            "groups": [
                msgspec.to_builtins(group) for group in found.groups if len(group.cases) > 1
            ],
        }


def _bar(name: str, counts: list[tuple[int, int]]) -> dict[str, Json]:
    rate = rate_over(counts)
    passed, told = sum(one for one, _ in counts), sum(of for _, of in counts)
    return {"name": name, "passed": passed, "told": told, "cases": len(counts)} | _ends(rate)


def _ends(rate: Rate | None) -> dict[str, Json]:
    return {} if rate is None else {"rate": rate.rate, "low": rate.low, "high": rate.high}


def _summed(baseline: Baseline | None, rows: Mapping[str, CaseRow]) -> Json:
    """Sum a baseline over the cases that the run has too, as the gate compares them."""
    if baseline is None:
        return None
    shared = {name: case for name, case in baseline.cases.items() if name in rows}
    rate = rate_over([(case.passed, case.measured) for case in shared.values()])
    means = {
        field: _mean([getattr(case, field) for case in shared.values()])
        for field in ("steps", "tokens", "cost")
    }
    return (
        {
            "mode": baseline.mode,
            "git": baseline.git,
            "k": baseline.k,
            "cases": len(baseline.cases),
            "shared": len(shared),
        }
        | means
        | _ends(rate)
    )


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


_KINDS: dict[str, Change] = {
    "regressions": "worse",
    "fixes": "better",
    "unmeasured": "unmeasured",
    "other_checks": "checks",
    "changed": "changed",
    "new": "new",
}


def _listed(found: RunDifference) -> dict[str, tuple[Change, list[int] | None]]:
    return {
        case.id: (change, None if case.a is None else list(case.a))
        for kind, change in _KINDS.items()
        for case in getattr(found, kind)
    }


def _against(
    rows: Mapping[str, CaseRow], baseline: Baseline
) -> dict[str, tuple[Change, list[int] | None]]:
    found: dict[str, tuple[Change, list[int] | None]] = {}
    for name, row in rows.items():
        before = baseline.cases.get(name)
        if before is None:
            found[name] = ("new", None)
            continue
        was = [before.passed, before.measured]
        passed, measured = row.counts
        balance = passed * before.measured - before.passed * measured
        if before.hash != row.shown.hash:
            found[name] = ("changed", was)
        elif bool(measured) != bool(before.measured):
            found[name] = ("unmeasured", was)
        elif balance:
            found[name] = ("better" if balance > 0 else "worse", was)
    return found
