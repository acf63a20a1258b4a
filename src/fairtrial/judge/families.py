"""Which family of models a name belongs to, and whether a judge prefers its own."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from fairtrial.records import Leniency, ProbeResult
from fairtrial.stats import FamilyVerdicts, self_preference

_FAMILIES: Final[dict[str, str]] = {
    "chatgpt": "GPT",
    "claude": "Claude",
    "codestral": "Mistral",
    "command": "Command",
    "deepseek": "DeepSeek",
    "gemini": "Gemini",
    "gemma": "Gemini",
    "gpt": "GPT",
    "grok": "Grok",
    "llama": "Llama",
    "magistral": "Mistral",
    "ministral": "Mistral",
    "mistral": "Mistral",
    "mixtral": "Mistral",
    "nova": "Nova",
    "o1": "GPT",
    "o3": "GPT",
    "o4": "GPT",
    "phi": "Phi",
    "qwen": "Qwen",
    "qwq": "Qwen",
    "smollm": "SmolLM",
}
"""By how their models' names begin."""

_WORDS: Final = re.compile(r"[a-z]+[0-9]*")


def family_of(model: str | None) -> str | None:
    """Give the family of a model by its name, whatever stands before it; None: not known.

    >>> family_of("openai/gpt-5-mini"), family_of("Qwen2.5-7B"), family_of("judges:mine")
    ('GPT', 'Qwen', None)
    """
    for word in _WORDS.findall((model or "").lower()):
        family = _FAMILIES.get(word) or _FAMILIES.get(word.rstrip("0123456789"))
        if family is not None:
            return family
    return None


class LabelledVerdict(NamedTuple):
    """What a judge and people say of one answer."""

    judge: bool
    people: bool


def own_family_result(
    own: Sequence[LabelledVerdict], other: Sequence[LabelledVerdict], lacking: str | None = None
) -> ProbeResult:
    """Say how much more lenient a judge is to answers of its own model family.

    Args:
        own: Of answers by models of the judge's family.
        other: Of answers by models of other families.
        lacking: Why one of them is not known, if that is so.

    >>> pairs = [LabelledVerdict(True, True), LabelledVerdict(True, False)]
    >>> own_family_result(pairs, pairs[:1]).leniency.difference
    0.5
    """
    result = ProbeResult(
        name="own family",
        change="answers of models of the judge's family beside those of others, against labels",
        expected="same",
    )
    if lacking is None and not (own and other):
        whose = "another" if own else "its own"
        lacking = f"there is no labelled answer of {whose} family that it gave a verdict of"
    if lacking is not None:
        return replace(result, not_measured=f"not measured: {lacking}")
    told = self_preference(_counts(own), _counts(other))
    leniency = Leniency(
        own=told["excess_own"],
        other=told["excess_other"],
        difference=told["difference_in_differences"],
        error=told["se"],
        own_answers=len(own),
        other_answers=len(other),
    )
    return replace(result, pairs=len(own) + len(other), leniency=leniency)


def _counts(pairs: Sequence[LabelledVerdict]) -> FamilyVerdicts:
    return FamilyVerdicts(
        judge_pass=sum(pair.judge for pair in pairs),
        human_pass=sum(pair.people for pair in pairs),
        both_pass=sum(pair.judge and pair.people for pair in pairs),
        n=len(pairs),
    )
