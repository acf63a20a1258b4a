"""What people and judges say of the same trials, and how far they agree."""

from typing import TypeAlias

from msgspec import Struct

Said: TypeAlias = str | float | bool | None
"""What somebody said: pass or fail (also true and false), a score, or the name of a category. None:
nobody could tell."""


class Label(Struct, frozen=True, kw_only=True):
    """What a person says of one item of one trial. A line of `labels.jsonl`."""

    case: str
    trial: int = 0
    item: str = ""
    """The rubric item; empty: the trial as a whole."""
    label: Said
    labeller: str = ""


class JudgeVerdict(Struct, frozen=True, kw_only=True):
    """What a judge says of one item of one trial."""

    case: str
    trial: int = 0
    item: str = ""
    verdict: Said
    """None: its reply could not be read."""
    judge: str = ""
    fingerprint: str | None = None
    """Of the judge, its prompt and its items."""
    reason: str | None = None


class Agreement(Struct, frozen=True, kw_only=True):
    """How far a judge agrees with people. Shares are 0 to 1, intervals are 95 %.

    None: nothing that it could be computed of, such as a false-pass rate without a human fail.
    """

    labels: int
    """Labelled items that the judge gave a verdict of which could be read."""
    unreadable: int
    """Labelled items without such a verdict: they are in no figure but `accuracy_strict`."""
    fails: int | None
    """Of the labels; None where the categories are not pass and fail."""
    base_rate: float | None
    """Share of the labels that are a pass."""
    accuracy: float | None
    accuracy_interval: tuple[float, float] | None
    """Wilson."""
    accuracy_strict: float | None
    """With every unreadable verdict counted as wrong."""
    kappa: float | None
    """Cohen's, categories unordered."""
    kappa_interval: tuple[float, float] | None
    """From drawing the items again."""
    kappa_weighted: float | None
    """Linear, where the categories are numbers."""
    ac1: float | None
    """Gwet's, where they are pass and fail."""
    false_pass: float | None
    """Share of the human fails that the judge passes."""
    false_pass_interval: tuple[float, float] | None
    false_fail: float | None
    """Share of the human passes that it fails."""
    false_fail_interval: tuple[float, float] | None
    mean_difference: float | None
    """Mean absolute difference, where the categories are numbers."""


class Disagreement(Struct, frozen=True, kw_only=True):
    """One item on which judge and people part."""

    case: str
    trial: int
    item: str
    label: str
    verdict: str
    reason: str | None = None


class LabellerAgreement(Struct, frozen=True, kw_only=True):
    """How far people agree among themselves."""

    pairs: dict[str, float | None] = {}
    """Cohen's kappa by `one and another`, over the items that both labelled."""
    alpha: float | None = None
    """Krippendorff's, nominal, over all labellers."""
    split: int = 0
    """Items on which no category has a majority: they are compared with nothing."""


class TrustBar(Struct, frozen=True, kw_only=True):
    """What a judge must reach before it may decide; held against bounds, not against points."""

    accuracy: float = 0.85
    """The lower bound of the accuracy is at least this."""
    kappa: float = 0.6
    """The lower bound of kappa is at least this."""
    false_pass: float = 0.1
    """The upper bound of the false-pass rate is at most this."""
    labels: int = 50
    fails: int = 25
    """Human fails among the labels."""


class ItemCalibration(Struct, frozen=True, kw_only=True):
    """What was measured of one item, and whether it may decide."""

    item: str
    agreement: Agreement
    trusted: bool
    why_not: tuple[str, ...] = ()
    """What the bar wants and is not there, a sentence each."""


class Calibration(Struct, frozen=True, kw_only=True):
    """A judge measured against people. The content of `calibration.json`."""

    judge: str
    fingerprint: str | None
    """Of judge, prompt and items; None where the verdicts do not say it."""
    bar: TrustBar
    overall: Agreement
    items: tuple[ItemCalibration, ...]
    labellers: LabellerAgreement
    disagreements: tuple[Disagreement, ...]
    unlabelled: int
    """Verdicts on what nobody labelled."""
    unjudged: int
    """Labels of what the judge gave no line of."""
    format: int = 1
