"""What people say: by labeller, by majority, among themselves, and which of it counts."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from fairtrial.judge.agreement import Key
from fairtrial.judge.categories import category_of
from fairtrial.records import Label, LabellerAgreement
from fairtrial.stats import krippendorff_alpha, nominal_kappa

_FEW = 2  # labellers, below which nobody agrees or disagrees with anybody
_HEAVIEST = 1e9  # trials that one label may stand for


def by_labeller(labels: Iterable[Label]) -> dict[str, dict[Key, str]]:
    """Give what each labeller said, without what they could not tell.

    Raises:
        ValueError: One says two things of the same item.

    >>> by_labeller([Label(case="c", label=True, labeller="ana"), Label(case="d", label=None)])
    {'ana': {('c', 0, ''): 'pass'}}
    """
    said: dict[str, dict[Key, str]] = {}
    for label in labels:
        category = category_of(label.label)
        if category is None:
            continue
        own = said.setdefault(label.labeller.strip(), {})
        key = (label.case, label.trial, label.item)
        if own.setdefault(key, category) != category:
            raise ValueError(f"{place(key)}: labelled both {own[key]} and {category}")
    return said


def majorities(said: Mapping[str, Mapping[Key, str]]) -> tuple[dict[Key, str], int]:
    """Give the category that more than half of an item's labellers chose; count those without.

    >>> key = ("c", 0, "")
    >>> majorities({"ana": {key: "pass"}, "bo": {key: "fail"}})
    ({}, 1)
    """
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


def majority_labels(labels: Iterable[Label]) -> dict[Key, str]:
    """Give the category that people agreed on, by case, trial and item.

    Raises:
        ValueError: One labeller says two things of the same item.

    >>> majority_labels([Label(case="c", label=True)])
    {('c', 0, ''): 'pass'}
    """
    return majorities(by_labeller(labels))[0]


def labellers(said: Mapping[str, Mapping[Key, str]], split: int) -> LabellerAgreement:
    """Measure how far people agree with each other.

    Args:
        said: By labeller.
        split: Items without a majority.

    >>> labellers({"ana": {}}, 0).alpha
    """
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


def place(key: Key) -> str:
    """Name a question, for texts.

    >>> place(("c", 1, "Is polite"))
    "case 'c', trial 1, item 'Is polite'"
    """
    case, trial, item = key
    return f"case {case!r}, trial {trial}" + (f", item {item!r}" if item else "")


def sort_out(
    labels: Iterable[Label],
    apart: Container[tuple[str, str]],
    transcripts: Mapping[tuple[str, int], str] | None,
) -> "Sorted":
    """Part the labels that count from those that do not.

    Args:
        labels: All of them.
        apart: Cases and items whose labels the judge has seen.
        transcripts: Fingerprints of the run's transcripts by case and trial; None: the run is not
            known.

    Raises:
        ValueError: A weight is none, or there are labels of two transcripts of one trial and
            the run is not known.

    >>> sort_out([Label(case="c", label=True)], {("c", "")}, None).kept_apart
    1
    """
    used: list[Label] = []
    kept_apart = elsewhere = 0
    seen: dict[tuple[str, int], str] = dict(transcripts or {})
    for label in labels:
        name, at = label.transcript, (label.case, label.trial)
        if label.weight is not None and not 0 < label.weight <= _HEAVIEST:
            raise ValueError(
                f"{place((*at, label.item))}: a weight of {label.weight:g}; it is 1 or more"
            )
        if (label.case, label.item) in apart:
            kept_apart += 1
        elif name is None or (transcripts is None and seen.setdefault(at, name) == name):
            used.append(label)
        elif transcripts is None:
            raise ValueError(
                f"{place((*at, label.item))}: labels of two transcripts, so of two runs; name "
                "the one that the verdicts are of with --run"
            )
        elif seen.get(at) == name:
            used.append(label)
        else:
            elsewhere += 1
    return Sorted(used, kept_apart, elsewhere)


class Sorted(NamedTuple):
    """Labels that count, and how many do not."""

    used: list[Label]
    kept_apart: int
    elsewhere: int

    @property
    def weights(self) -> dict[Key, float]:
        """By question, where it was drawn."""
        return {
            (one.case, one.trial, one.item): one.weight
            for one in self.used
            if one.weight is not None
        }

    @property
    def random(self) -> bool:
        """Whether all were drawn, those of one item with the same chance."""
        weights: dict[str, set[float | None]] = defaultdict(set)
        for one in self.used:
            weights[one.item].add(one.weight)
        return bool(weights) and all(len(own) == 1 and None not in own for own in weights.values())
