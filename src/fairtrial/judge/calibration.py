"""A judge measured against people: how far they agree, item by item, and whether that is enough."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random  # noqa: TID251 - seeded here, so that the same labels give the same bounds
from typing import NamedTuple, TypeAlias

from fairtrial.judge.categories import FAIL, PASS, are_binary, category_of, number_of
from fairtrial.records import (
    Agreement,
    Calibration,
    Disagreement,
    ItemCalibration,
    JudgeVerdict,
    Label,
    LabellerAgreement,
    TrustBar,
)
from fairtrial.stats import (
    binary_agreement,
    bootstrap_kappa,
    krippendorff_alpha,
    nominal_kappa,
    weighted_kappa,
    wilson,
)

Key: TypeAlias = tuple[str, int, str]
"""Case, trial, item."""

_SEED = 1
_SCORES = 4  # different numbers from which on they are scores
_MOST_STEPS = 100  # between numbers, beyond which a linear kappa is not computed
_FEW = 2  # labellers, below which nobody agrees or disagrees with anybody


class _Pair(NamedTuple):
    key: Key
    label: str
    verdict: str | None
    reason: str | None


def calibrate(
    labels: Iterable[Label], verdicts: Iterable[JudgeVerdict], bar: TrustBar | None = None
) -> Calibration:
    """Measure a judge's verdicts against what people said of the same items.

    Where several people labelled an item, the majority counts; without one the item is compared
    with nothing, and counted. A verdict that could not be read is no agreement and no
    disagreement: it is counted apart, and as wrong in `accuracy_strict`.

    Args:
        labels: A line a labeller and item.
        verdicts: A line an item.
        bar: What the judge must reach; None: the usual one.

    Raises:
        ValueError: One labeller, or the judge, says two things of the same item, or the verdicts
            are of several judges.

    >>> labels = [Label(case=f"c{n}", label="pass" if n % 2 else "fail") for n in range(4)]
    >>> verdicts = [JudgeVerdict(case=f"c{n}", verdict=n != 2) for n in range(4)]
    >>> measured = calibrate(labels, verdicts)
    >>> measured.overall.accuracy, measured.overall.false_pass, measured.items[0].trusted
    (0.75, 0.5, False)
    """
    bar = bar or TrustBar()
    said = _by_labeller(labels)
    agreed, split = _majorities(said)
    judged = _by_key(verdicts)
    pairs = [
        _Pair(key, label, category_of(judged[key].verdict), judged[key].reason)
        for key, label in agreed.items()
        if key in judged
    ]
    by_item: dict[str, list[_Pair]] = defaultdict(list)
    for pair in pairs:
        by_item[pair.key[2]].append(pair)
    one = next(iter(judged.values()), None)
    labelled = set(agreed) | {key for of_one in said.values() for key in of_one}
    return Calibration(
        judge=one.judge if one else "",
        fingerprint=one.fingerprint if one else None,
        bar=bar,
        overall=agreement_of(pairs),
        items=tuple(_item(name, of_item, bar) for name, of_item in by_item.items()),
        labellers=_labellers(said, split),
        disagreements=tuple(_disagreements(pairs)),
        unlabelled=len(judged.keys() - labelled),
        unjudged=len(agreed.keys() - judged.keys()),
    )


def majority_labels(labels: Iterable[Label]) -> dict[Key, str]:
    """Give the category that people agreed on, by case, trial and item.

    Raises:
        ValueError: One labeller says two things of the same item.

    >>> majority_labels([Label(case="c", label=True)])
    {('c', 0, ''): 'pass'}
    """
    return _majorities(_by_labeller(labels))[0]


def _by_labeller(labels: Iterable[Label]) -> dict[str, dict[Key, str]]:
    """Give what each labeller said, without what they could not tell.

    Raises:
        ValueError: One says two things of the same item.
    """
    said: dict[str, dict[Key, str]] = {}
    for label in labels:
        category = category_of(label.label)
        if category is None:
            continue
        own = said.setdefault(label.labeller.strip(), {})
        key = (label.case, label.trial, label.item)
        if own.setdefault(key, category) != category:
            raise ValueError(f"{_place(key)}: labelled both {own[key]} and {category}")
    return said


def _by_key(verdicts: Iterable[JudgeVerdict]) -> dict[Key, JudgeVerdict]:
    """Give the verdicts by what they are of.

    Raises:
        ValueError: There are two of one item, or they are of several judges.
    """
    judged: dict[Key, JudgeVerdict] = {}
    for verdict in verdicts:
        key = (verdict.case, verdict.trial, verdict.item)
        if key in judged:
            raise ValueError(f"{_place(key)}: two verdicts; a judge says one thing of an item")
        judged[key] = verdict
    for name in ("judge", "fingerprint"):
        several = sorted({str(getattr(verdict, name)) for verdict in judged.values()})
        if len(several) > 1:
            raise ValueError(
                f"verdicts of several judges ({name} {' and '.join(several[:3])}); "
                "each is calibrated by itself"
            )
    return judged


def _place(key: Key) -> str:
    case, trial, item = key
    return f"case {case!r}, trial {trial}" + (f", item {item!r}" if item else "")


def _majorities(said: Mapping[str, Mapping[Key, str]]) -> tuple[dict[Key, str], int]:
    """Give the category that more than half of an item's labellers chose; count those without."""
    votes: dict[Key, Counter[str]] = defaultdict(Counter)
    for own in said.values():
        for key, category in own.items():
            votes[key][category] += 1
    agreed = {}
    for key, counts in votes.items():
        category, most = counts.most_common(1)[0]
        if 2 * most > counts.total():
            agreed[key] = category
    return agreed, len(votes) - len(agreed)


def agreement_of(pairs: Sequence[_Pair]) -> Agreement:
    """Measure how far labels and verdicts agree; where there are none nothing is known."""
    read = [(pair.label, pair.verdict) for pair in pairs if pair.verdict is not None]
    labels, verdicts = [label for label, _ in read], [verdict for _, verdict in read]
    binary = are_binary({*labels, *verdicts}) and bool(read)
    agreed = sum(label == verdict for label, verdict in read)
    bounds = bootstrap_kappa(labels, verdicts, draw=Random(_SEED)) if read else None  # noqa: S311
    figures = _Figures.of(labels, verdicts) if binary else _Figures()
    return Agreement(
        labels=len(read),
        unreadable=len(pairs) - len(read),
        fails=labels.count(FAIL) if binary else None,
        base_rate=labels.count(PASS) / len(read) if binary else None,
        accuracy=agreed / len(read) if read else None,
        accuracy_interval=wilson(agreed, len(read)) if read else None,
        accuracy_strict=agreed / len(pairs) if pairs else None,
        kappa=bounds["kappa"] if bounds else None,
        kappa_interval=bounds["interval"] if bounds else None,
        kappa_weighted=_weighted(labels, verdicts),
        ac1=figures.ac1,
        false_pass=figures.false_pass,
        false_pass_interval=figures.false_pass_interval,
        false_fail=figures.false_fail,
        false_fail_interval=figures.false_fail_interval,
        mean_difference=_mean_difference(labels, verdicts),
    )


class _Figures(NamedTuple):
    """What only passes and fails have."""

    ac1: float | None = None
    false_pass: float | None = None
    false_pass_interval: tuple[float, float] | None = None
    false_fail: float | None = None
    false_fail_interval: tuple[float, float] | None = None

    @classmethod
    def of(cls, labels: Sequence[str], verdicts: Sequence[str]) -> "_Figures":
        cells = Counter(zip(labels, verdicts, strict=True))
        fails, passes = labels.count(FAIL), labels.count(PASS)
        let_by, stopped = cells[FAIL, PASS], cells[PASS, FAIL]
        ones = [[float(one == PASS) for one in side] for side in (labels, verdicts)]
        return cls(
            ac1=binary_agreement(*ones)["gwet_ac1"],
            false_pass=let_by / fails if fails else None,
            false_pass_interval=wilson(let_by, fails) if fails else None,
            false_fail=stopped / passes if passes else None,
            false_fail_interval=wilson(stopped, passes) if passes else None,
        )


def _numbers(labels: Sequence[str], verdicts: Sequence[str]) -> list[tuple[float, float]] | None:
    """Give scores as numbers; None for names.

    So few numbers that they stand for names, as 0, 1 and 2 for a tie and two answers, are none.
    """
    pairs = [(number_of(a), number_of(b)) for a, b in zip(labels, verdicts, strict=True)]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    scores = len({one for pair in known for one in pair}) >= _SCORES
    return known if scores and len(known) == len(pairs) else None


def _weighted(labels: Sequence[str], verdicts: Sequence[str]) -> float | None:
    """Give the linear kappa of whole numbers, over all steps from the lowest to the highest."""
    numbers = _numbers(labels, verdicts)
    if numbers is None or any(one != int(one) for pair in numbers for one in pair):
        return None
    flat = [int(one) for pair in numbers for one in pair]
    if max(flat) - min(flat) > _MOST_STEPS:
        return None
    human, judge = ([int(pair[at]) for pair in numbers] for at in (0, 1))
    return weighted_kappa(human, judge, range(min(flat), max(flat) + 1))["kappa"]


def _mean_difference(labels: Sequence[str], verdicts: Sequence[str]) -> float | None:
    numbers = _numbers(labels, verdicts)
    return None if numbers is None else sum(abs(a - b) for a, b in numbers) / len(numbers)


def _item(name: str, pairs: Sequence[_Pair], bar: TrustBar) -> ItemCalibration:
    agreement = agreement_of(pairs)
    why = tuple(lacking(agreement, bar))
    return ItemCalibration(item=name, agreement=agreement, trusted=not why, why_not=why)


def lacking(agreement: Agreement, bar: TrustBar) -> Iterable[str]:
    """Say what the bar wants and an agreement does not have, a sentence each.

    Held against bounds: what fifty labels happened to show is not yet so.

    >>> from msgspec.structs import replace
    >>> none = Agreement(**dict.fromkeys(Agreement.__struct_fields__))
    >>> next(iter(lacking(replace(none, labels=20, fails=9), TrustBar())))
    '20 labels, and 50 are wanted'
    """
    if agreement.labels < bar.labels:
        yield f"{agreement.labels} labels, and {bar.labels} are wanted"
    if agreement.fails is None:
        yield "labels and verdicts are not passes and fails"
        return
    if agreement.fails < bar.fails:
        yield f"{agreement.fails} human fails among them, and {bar.fails} are wanted"
    low = agreement.accuracy_interval[0] if agreement.accuracy_interval else None
    if low is None or low < bar.accuracy:
        yield f"accuracy is at least {_share(low)}, and {_share(bar.accuracy)} is wanted"
    low = agreement.kappa_interval[0] if agreement.kappa_interval else None
    if low is None or low < bar.kappa:
        known = "not known" if low is None else f"at least {low:.2f}"
        yield f"kappa is {known}, and {bar.kappa:.2f} is wanted"
    high = agreement.false_pass_interval[1] if agreement.false_pass_interval else None
    if high is None or high > bar.false_pass:
        yield f"it passes up to {_share(high)} of the fails, and {_share(bar.false_pass)} may be"


def _share(share: float | None) -> str:
    return "not known" if share is None else f"{share:.1%}".replace("%", " %")


def _labellers(said: Mapping[str, Mapping[Key, str]], split: int) -> LabellerAgreement:
    if len(said) < _FEW:
        return LabellerAgreement(split=split)
    pairs: dict[str, float | None] = {}
    for one, other in combinations(sorted(said), 2):
        both = sorted(said[one].keys() & said[other].keys())
        a, b = ([said[name][key] for key in both] for name in (one, other))
        pairs[f"{one or '?'} and {other or '?'}"] = nominal_kappa(a, b) if both else None
    keys = sorted({key for own in said.values() for key in own})
    places = {category: float(at) for at, category in enumerate(_categories(said))}
    ratings = [[places[own[key]] if key in own else None for key in keys] for own in said.values()]
    return LabellerAgreement(pairs=pairs, alpha=krippendorff_alpha(ratings)["nominal"], split=split)


def _categories(said: Mapping[str, Mapping[Key, str]]) -> list[str]:
    return sorted({category for own in said.values() for category in own.values()})


def _disagreements(pairs: Iterable[_Pair]) -> Iterable[Disagreement]:
    for pair in pairs:
        if pair.verdict is not None and pair.verdict != pair.label:
            case, trial, item = pair.key
            yield Disagreement(
                case=case,
                trial=trial,
                item=item,
                label=pair.label,
                verdict=pair.verdict,
                reason=pair.reason,
            )
