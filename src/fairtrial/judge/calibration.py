"""A judge measured against people: how far they agree, item by item, and whether that is enough."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from fairtrial.judge.agreement import Key, Pair, agreement_of
from fairtrial.judge.categories import FAIL, PASS, category_of
from fairtrial.judge.people import by_labeller, labellers, majorities, place, sort_out
from fairtrial.judge.sweep import GOOD_SCORE, score_of, sweep_of
from fairtrial.records import (
    Agreement,
    Calibration,
    Disagreement,
    ItemCalibration,
    JudgeVerdict,
    Label,
    TrustBar,
)

_NO_FINGERPRINT = (
    "its verdicts name no fingerprint, so nobody could tell whether it is the judge that decides"
)


def calibrate(
    labels: Iterable[Label],
    verdicts: Iterable[JudgeVerdict],
    bar: TrustBar | None = None,
    *,
    apart: Container[tuple[str, str]] = frozenset(),
    transcripts: Mapping[tuple[str, int], str] | None = None,
) -> Calibration:
    """Measure a judge's verdicts against what people said of the same items.

    Where several people labelled an item, the majority counts; without one the item is compared
    with nothing, and counted. A verdict that could not be read is no agreement and no
    disagreement: it is counted apart, and as wrong in `accuracy_strict`, which the bar looks at.
    Where the judge gave no reply at all, because it was down or not asked, there is no verdict.
    A score of 4 and up is a pass where people passed or failed what the judge scored, and for the
    bar where both gave scores.

    Args:
        labels: A line a labeller and item.
        verdicts: A line an item.
        bar: What the judge must reach; None: the usual one.
        apart: Cases and items whose labels are examples that the judge is shown.
        transcripts: Fingerprints of what was judged, by case and trial: labels of anything else
            are left out. None: not known.

    Raises:
        ValueError: One labeller, or the judge, says two things of the same item, the verdicts are
            of several judges, or the labels of several runs.

    >>> labels = [Label(case=f"c{n}", label="pass" if n % 2 else "fail") for n in range(4)]
    >>> verdicts = [JudgeVerdict(case=f"c{n}", verdict=n != 2) for n in range(4)]
    >>> measured = calibrate(labels, verdicts)
    >>> measured.overall.accuracy, measured.overall.false_pass, measured.items[0].trusted
    (0.75, 0.5, False)
    """
    bar = bar or TrustBar()
    parted = sort_out(labels, apart, transcripts)
    said = by_labeller(parted.used)
    agreed, split = majorities(said)
    judged = _by_key(one for one in verdicts if one.fault != "no reply")  # never said anything
    pairs = [*_pairs(agreed, judged, parted.weights)]
    by_item: dict[str, list[Pair]] = defaultdict(list)
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
        labellers=labellers(said, split),
        disagreements=tuple(_disagreements(pairs)),
        unlabelled=len(judged.keys() - labelled),
        unjudged=len(agreed.keys() - judged.keys()),
        random=parted.random,
        kept_apart=parted.kept_apart,
        elsewhere=parted.elsewhere,
    )


def _pairs(
    agreed: Mapping[Key, str], judged: Mapping[Key, JudgeVerdict], weights: Mapping[Key, float]
) -> Iterator[Pair]:
    for key, label in agreed.items():
        if key not in judged:
            continue
        said = judged[key]
        verdict = category_of(said.verdict)
        if verdict is not None and label in {PASS, FAIL}:
            verdict = _good(verdict) or verdict
        yield Pair(key, label, verdict, weights.get(key), said)


def _by_key(verdicts: Iterable[JudgeVerdict]) -> dict[Key, JudgeVerdict]:
    """Give the verdicts by what they are of.

    Raises:
        ValueError: There are two of one item, or they are of several judges.
    """
    judged: dict[Key, JudgeVerdict] = {}
    for verdict in verdicts:
        key = (verdict.case, verdict.trial, verdict.item)
        if key in judged:
            raise ValueError(f"{place(key)}: two verdicts; a judge says one thing of an item")
        judged[key] = verdict
    for name in ("judge", "fingerprint"):
        several = sorted({str(getattr(verdict, name)) for verdict in judged.values()})
        if len(several) > 1:
            raise ValueError(
                f"verdicts of several judges ({name} {' and '.join(several[:3])}); "
                "each is calibrated by itself"
            )
    return judged


def _item(name: str, pairs: Sequence[Pair], bar: TrustBar) -> ItemCalibration:
    agreement = agreement_of(pairs)
    as_passes = None if agreement.mean_difference is None else _as_passes(pairs)
    asked = {pair.said.question for pair in pairs if pair.said and pair.said.question}
    why = [*lacking(as_passes or agreement, bar)]
    if any(pair.said is None or pair.said.fingerprint is None for pair in pairs):
        why.append(_NO_FINGERPRINT)
    if len(asked) > 1:
        why.append(f"the judge was asked it in {len(asked)} ways; each is calibrated by itself")
    return ItemCalibration(
        item=name,
        agreement=agreement,
        trusted=not why,
        question=" ".join(sorted(asked)) or None,  # of several, the same as none of them
        why_not=tuple(why),
        sweep=sweep_of(pairs),
        as_passes=as_passes,
    )


def _as_passes(pairs: Sequence[Pair]) -> Agreement | None:
    """Give the agreement on what is good enough, where both sides gave scores; else None."""
    labels = [score_of(pair.label) for pair in pairs]
    verdicts = [score_of(pair.verdict) for pair in pairs if pair.verdict is not None]
    if None in labels or None in verdicts or not verdicts:
        return None
    return agreement_of(
        [
            pair._replace(
                label=_good(pair.label) or FAIL,
                verdict=None if pair.verdict is None else _good(pair.verdict),
            )
            for pair in pairs
        ]
    )


def _good(said: str) -> str | None:
    score = score_of(said)
    return None if score is None else PASS if score >= GOOD_SCORE else FAIL


def lacking(agreement: Agreement, bar: TrustBar) -> Iterable[str]:
    """Say what the bar wants and an agreement does not have, a sentence each.

    Held against bounds: what fifty labels happened to show is not yet so. A verdict that could not
    be read counts as wrong, and where labels have weights the bar is met with them and without.

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
    natural = agreement.natural
    lows = [agreement.accuracy_strict_interval, natural.accuracy_interval if natural else None]
    low = min((bounds[0] for bounds in lows if bounds), default=None)
    if low is None or low < bar.accuracy:
        yield f"accuracy is at least {_share(low)}, and {_share(bar.accuracy)} is wanted"
    low = agreement.kappa_interval[0] if agreement.kappa_interval else None
    if low is None or low < bar.kappa:
        known = "not known" if low is None else f"at least {low:.2f}"
        yield f"kappa is {known}, and {bar.kappa:.2f} is wanted"
    highs = [agreement.false_pass_interval, natural.false_pass_interval if natural else None]
    high = max((bounds[1] for bounds in highs if bounds), default=None)
    if high is None or high > bar.false_pass:
        yield f"it passes up to {_share(high)} of the fails, and {_share(bar.false_pass)} may be"


def _share(share: float | None) -> str:
    return "not known" if share is None else f"{share:.1%}".replace("%", " %")


def _disagreements(pairs: Iterable[Pair]) -> Iterator[Disagreement]:
    for pair in pairs:
        if pair.verdict is None or pair.verdict == pair.label or pair.said is None:
            continue
        case, trial, item = pair.key
        yield Disagreement(
            case=case,
            trial=trial,
            item=item,
            label=pair.label,
            verdict=category_of(pair.said.verdict) or pair.verdict,
            reason=pair.said.reason,
            evidence=pair.said.evidence,
        )
