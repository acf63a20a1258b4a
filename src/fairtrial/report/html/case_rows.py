"""The cases of a page: each with its trials in columns, why it did not pass, and its checks."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from fairtrial.records import Check, Json, ShownCase, ShownTrial, Trial, Verdict, status_of

_LETTERS: Final[dict[Verdict, str]] = {"passed": "p", "failed": "f", "error": "e"}
_LONGEST_WHY = 400
_DECIMALS = 7  # of a cost or a time on the page
_MOST_KNOWN = 256  # lists of checks whose counts are kept


class CaseRow:
    """One case while its trials come by.

    Attributes:
        shown: The case.
        trials: Its own trials by number.
        further: Those of an adaptive run, which no rate counts.
        checks: By bare name: trials in which all of that name passed, and in which none was null;
            without those of `plain`.
        plain: Measured trials whose checks all passed, by the names of the checks.
    """

    __slots__ = ("checks", "further", "plain", "shown", "trials")

    def __init__(self, shown: ShownCase) -> None:
        """Begin with no trial."""
        self.shown = shown
        self.trials: dict[int, _Kept] = {}
        self.further: dict[int, _Kept] = {}
        self.checks: dict[str, list[int]] = {}
        self.plain: dict[tuple[str, ...], int] = {}

    @property
    def counts(self) -> tuple[int, int]:
        """Passed and measured trials."""
        verdicts = [kept.verdict for kept in self.trials.values()]
        return verdicts.count("passed"), len(verdicts) - verdicts.count("error")

    def as_json(self, tags: dict[str, int]) -> Json:
        """Give the case for the page; `tags` numbers the tags, and gets new ones."""
        shown = self.shown
        row: dict[str, Json] = {"i": shown.id, "s": status_of(*self.counts)}
        optional = {
            "g": [tags.setdefault(tag, len(tags)) for tag in shown.tags],
            "p": int(shown.protected),
            "f": int(shown.informs),
            "at": shown.source,
            "n": shown.planned if shown.planned != len(self.trials) else None,
            "a": shown.asks,
            "d": shown.about,
            "w": self._why(),
            "t": _columns(self.trials),
            "e": _columns(self.further),
        }
        row |= {key: value for key, value in optional.items() if value}
        return row

    def _why(self) -> list[str] | None:
        """Give what kept the first bad trial from passing: a check's name and its reason."""
        for number in sorted(self.trials):
            kept = self.trials[number]
            if kept.why is not None:
                return [part[:_LONGEST_WHY] for part in kept.why]
        return None


class _Kept(NamedTuple):
    """What stays of a trial: its figures, its line, and why it did not pass."""

    verdict: Verdict
    line: int | None
    steps: int | None
    tokens: int | None
    cost: float | None
    seconds: float | None
    estimated: bool
    why: tuple[str, str] | None


class _Counted(NamedTuple):
    """What the checks of a trial add to the counts of its case."""

    checks: Sequence[Check]
    """Kept, so that nothing else gets their identity."""
    plain: tuple[str, ...] | None
    """Names of checks that all passed and decide; None: `told` says how each came out."""
    told: dict[str, bool | None]


class CaseRows:
    """All cases of a page, in suite order."""

    def __init__(self, cases: Iterable[ShownCase]) -> None:
        """Begin with cases that have no trials yet."""
        self.rows = {case.id: CaseRow(case) for case in cases}
        self.informing: set[str] = set()
        """Bare names of checks that did not decide in some trial."""
        self.deciding: set[str] = set()
        self._known: dict[int, _Counted] = {}  # by identity of the checks

    def add(self, shown: ShownTrial, *, further: bool = False) -> None:
        """Take a trial; of two with one number the later stands."""
        trial = shown.trial
        row = self.rows.get(trial.case)
        if row is None:  # a trial of a case that the run does not list
            row = self.rows[trial.case] = CaseRow(ShownCase(id=trial.case, hash=""))
        kept = _Kept(
            trial.verdict,
            shown.number,
            trial.steps,
            trial.tokens,
            trial.cost,
            trial.seconds,
            trial.estimated,
            _why(trial),
        )
        if further:
            row.further[trial.trial] = kept
            return
        if trial.trial in row.trials:
            row.checks, row.plain = {}, {}  # rare, and then they count from here on
        row.trials[trial.trial] = kept
        if trial.verdict != "error":
            self._count(row, trial.checks)

    def _count(self, row: CaseRow, checks: Sequence[Check]) -> None:
        known = self._known.get(id(checks))
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[id(checks)] = self._counted(checks)
        if known.plain is not None:
            row.plain[known.plain] = row.plain.get(known.plain, 0) + 1
            return
        for name, passed in known.told.items():
            count = row.checks.setdefault(name, [0, 0])
            count[0] += passed is True
            count[1] += passed is not None

    def _counted(self, checks: Sequence[Check]) -> "_Counted":
        if all(check.passed is True and check.decides for check in checks):
            return _Counted(checks, tuple([check.name for check in checks]), {})
        told: dict[str, bool | None] = {}
        for check in checks:
            name = _bare(check.name)
            (self.deciding if check.decides else self.informing).add(name)
            before = told.get(name, True)
            unknown = before is None or check.passed is None
            told[name] = None if unknown else bool(before and check.passed)
        return _Counted(checks, None, told)

    def counts_by_tag(self) -> dict[str, list[tuple[int, int]]]:
        """Give passed and measured trials of each case, by tag in the order of the suite."""
        found: dict[str, list[tuple[int, int]]] = {}
        for row in self.rows.values():
            for tag in row.shown.tags:
                found.setdefault(tag, []).append(row.counts)
        return found

    def counts_by_check(self) -> dict[str, list[tuple[int, int]]]:
        """Give passed and told trials of each case, by the bare name of the check."""
        found: dict[str, list[tuple[int, int]]] = {}
        bare: dict[tuple[str, ...], tuple[str, ...]] = {}
        for row in self.rows.values():
            counts = {name: list(count) for name, count in row.checks.items()}
            for names, number in row.plain.items():
                if names not in bare:
                    bare[names] = tuple(dict.fromkeys(_bare(name) for name in names))
                    self.deciding.update(bare[names])
                for name in bare[names]:
                    count = counts.setdefault(name, [0, 0])
                    count[0] += number
                    count[1] += number
            for name, (passed, told) in counts.items():
                found.setdefault(name, []).append((passed, told))
        return found


def _bare(name: str) -> str:
    return name.partition("[")[0]


def _why(trial: Trial) -> tuple[str, str] | None:
    if trial.verdict == "passed":
        return None
    if trial.verdict == "error" and trial.error is not None:
        return "not measured", trial.error
    for wanted in (False, None):
        for check in trial.checks:
            if check.decides and check.passed is wanted:
                return check.name, check.reason
    return ("agent error", trial.error) if trial.error else ("not measured", "no check decided")


def _columns(trials: dict[int, _Kept]) -> dict[str, Json] | None:
    """Give the trials of a case by column, those that are alike as one value."""
    if not trials:
        return None
    numbers = sorted(trials)
    known = [trials[number] for number in numbers]
    columns: dict[str, Json] = {"v": "".join(_LETTERS[kept.verdict] for kept in known)}
    if numbers != list(range(len(numbers))):
        columns["n"] = numbers
    columns["l"] = [kept.line for kept in known]
    for key, field in (("s", "steps"), ("k", "tokens"), ("c", "cost"), ("w", "seconds")):
        values = [getattr(kept, field) for kept in known]
        if values.count(None) == len(values):
            continue
        if key in "cw":
            values = [None if value is None else round(value, _DECIMALS) for value in values]
        columns[key] = values[0] if values.count(values[0]) == len(values) else values
    if any(kept.estimated for kept in known):
        columns["g"] = 1
    return columns
