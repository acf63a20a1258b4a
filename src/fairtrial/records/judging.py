"""What people and judges say of the same trials, and how far they agree."""

from typing import Literal, TypeAlias

from msgspec import Struct

from fairtrial.records.json import Json
from fairtrial.records.trajectory import Tokens

JudgeMode: TypeAlias = Literal["live", "replayed"]
"""Who gave a judge's reply: the model now, or the file of replies that were given before."""

VerdictFault: TypeAlias = Literal[
    "unreadable",
    "cut off",
    "refused",
    "out of range",
    "contradiction",
    "no evidence",
    "no reply",
    "split",
]
"""Why a judge's reply is no verdict. `no reply`: the model could not be asked, or there is no reply
on file. `split`: the judges of a panel have no majority."""

Said: TypeAlias = str | int | float | bool | None
"""What somebody said: pass or fail (also true and false), a score, or the name of a category. None:
nobody could tell."""


class Label(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person says of one item of one trial. A line of `labels.jsonl`."""

    case: str
    trial: int = 0
    item: str = ""
    """The rubric item; empty: the trial as a whole."""
    label: Said
    labeller: str = ""
    note: str | None = None
    """Why, in the person's words."""
    weight: float | None = None
    """How many questions of its run it stands for: 1 / the chance that it was drawn. None: nobody
    drew it."""
    stratum: str | None = None
    """The kind of trial that it was drawn from."""
    transcript: str | None = None
    """Of what was labelled, 16 hex digits; the same trial graded again has the same. None: not
    known."""


class JudgeVerdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a judge says of one item of one trial."""

    case: str
    trial: int = 0
    item: str = ""
    verdict: Said
    """None: its reply could not be read."""
    judge: str = ""
    fingerprint: str | None = None
    """Of the judge and its prompt."""
    question: str | None = None
    """Of what was asked: the item's words, its scale and its examples."""
    reason: str | None = None
    """One sentence."""
    evidence: str | None = None
    """What it quotes; found in the transcript."""
    fault: VerdictFault | None = None
    """Why there is no verdict."""
    raw: str | None = None
    """The last reply, where it gave no verdict."""
    mode: JudgeMode = "live"
    asks: int = 0
    """Replies that it rests on, those on file included: 2 where the first could not be read."""
    calls: int = 0
    """Of these, the ones that were asked for now."""
    tokens: Tokens | None = None
    """Of the calls; where there were none, of the replies on file. None, as below: not known."""
    cost: float | None = None
    """Likewise, when they were made, in the suite's currency."""
    seconds: float | None = None
    """Likewise."""
    votes: tuple["Vote", ...] = ()
    """Of each judge of a panel."""


class Vote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one judge of a panel says."""

    judge: str
    verdict: Said
    reason: str | None = None
    fault: VerdictFault | None = None


class JudgePrompt(Struct, frozen=True, kw_only=True):
    """What a judge's model is sent."""

    text: str
    schema: dict[str, Json]
    """JSON Schema of the reply, for providers that can hold a model to one."""
    marker: str
    """Unguessable; fences what is judged, and the reply repeats it."""


class JudgeReply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a judge's model said."""

    text: str
    cut_off: bool = False
    """The provider says that the reply did not come to its end."""
    refused: bool = False
    """The provider says that the model refused."""
    tokens: Tokens | None = None
    cost: float | None = None
    seconds: float | None = None


class KeptReply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reply on file: a line of the judge's replies."""

    key: str
    """Of judge, case, trial, prompt and ask."""
    marker: str
    reply: JudgeReply
    case: str = ""
    trial: int = 0
    item: str = ""
    """The three are for people: the key alone is looked at."""


class Trust(Struct, frozen=True, kw_only=True):
    """Which items a judge may decide.

    >>> trust = Trust(trusted=frozenset({"Is polite"}), otherwise="not calibrated")
    >>> trust.lacking("Is polite"), trust.lacking("Is short")
    (None, 'not calibrated')
    """

    trusted: frozenset[str] = frozenset()
    why_not: dict[str, str] = {}
    """By item."""
    otherwise: str = "it is not calibrated: `fairtrial judge calibrate` measures it against people"
    """Why an item does not decide that is in neither."""

    def lacking(self, item: str) -> str | None:
        """Say why an item only informs; None: it may decide."""
        if item in self.trusted:
            return None
        return self.why_not.get(item, self.otherwise)


class NaturalMix(Struct, frozen=True, kw_only=True):
    """Agreement on the trials that the labels were drawn from, each label by its weight.

    A sample that holds more fails than its run does says nothing of the run before it is weighted.
    Intervals are Wilson's on the number of labels that the weights are worth.
    """

    accuracy: float
    """With every unreadable verdict counted as wrong."""
    accuracy_interval: tuple[float, float]
    base_rate: float | None = None
    """Share that people pass."""
    false_pass: float | None = None
    false_pass_interval: tuple[float, float] | None = None
    false_fail: float | None = None
    false_fail_interval: tuple[float, float] | None = None


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
    accuracy_strict_interval: tuple[float, float] | None = None
    """Wilson."""
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
    natural: NaturalMix | None = None
    """None where not all labels have a weight, or all have the same."""


class Disagreement(Struct, frozen=True, kw_only=True):
    """One item on which judge and people part."""

    case: str
    trial: int
    item: str
    label: str
    verdict: str
    reason: str | None = None
    evidence: str | None = None
    """What the judge quotes."""
    around: tuple[str, ...] = ()
    """The lines of the transcript around it; none where the run is not at hand."""


class ThresholdSweep(Struct, frozen=True, kw_only=True):
    """From which score on a judge's score means what people mean by a pass.

    The threshold is chosen on one half of the labels and held against the other, which is told by
    the case: on the labels that chose it, it would look better than it is.
    """

    thresholds: tuple[float, ...]
    """The scores that the judge gave."""
    accuracy: tuple[float, ...]
    """Of passing at each of them, over all labels: too good for the best of them."""
    roc_auc: float | None
    """None where people passed all or none."""
    chosen: float | None
    """None where a half has no label."""
    chosen_on: int
    """Labels that chose it."""
    held: int
    """Labels of the other half."""
    held_accuracy: float | None
    held_interval: tuple[float, float] | None
    """Wilson."""


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
    question: str | None = None
    """Of what was asked, as the verdicts say it; of all that were, where there were several."""
    why_not: tuple[str, ...] = ()
    """What the bar wants and is not there, a sentence each."""
    sweep: ThresholdSweep | None = None
    """Where the judge gave scores."""
    as_passes: Agreement | None = None
    """Where people and the judge both gave scores: the same with 4 and 5 as passes, all below as
    fails. The bar looks at this."""

    @property
    def decisive(self) -> Agreement:
        """The agreement that the bar looks at."""
        return self.as_passes or self.agreement


class Calibration(Struct, frozen=True, kw_only=True):
    """A judge measured against people. The content of `calibration.json`."""

    judge: str
    fingerprint: str | None
    """Of judge and prompt; None where the verdicts do not say it."""
    bar: TrustBar
    overall: Agreement
    items: tuple[ItemCalibration, ...]
    labellers: LabellerAgreement
    disagreements: tuple[Disagreement, ...]
    unlabelled: int
    """Verdicts on what nobody labelled."""
    unjudged: int
    """Labels of what the judge gave no line of."""
    random: bool = False
    """The labels were drawn at random: those of one item all stand for as many trials."""
    kept_apart: int = 0
    """Labels of cases that the judge is shown as examples: they are in no figure."""
    elsewhere: int = 0
    """Labels of other transcripts than those of the run: they are in no figure."""
    format: int = 1
