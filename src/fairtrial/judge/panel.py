"""Several judges that vote: the majority decides, and how they differed is kept."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from fairtrial.judge.amounts import total, total_tokens
from fairtrial.judge.asking import Judge, Material
from fairtrial.records import JudgeQuestion, JudgeVerdict, Said, Vote


class Panel:
    """Judges that vote on each question. One of them that gives no verdict has no vote.

    A verdict needs more than half of all judges, those without a vote counted: of three, two. The
    score of criteria is the middle one, the lower of two.

    Attributes:
        name: For people.
        fingerprint: Of all its judges.
    """

    def __init__(self, judges: Sequence[Judge]) -> None:
        """Take the judges; an odd number of them leaves fewer ties."""
        self.name = " + ".join(judge.name for judge in judges)
        told = "\n".join(sorted(judge.fingerprint for judge in judges))
        self.fingerprint = hashlib.sha256(told.encode()).hexdigest()[:16]
        self.judges = tuple(judges)

    def ask(self, question: JudgeQuestion, material: Material) -> JudgeVerdict:
        """Judge one question of one trial by all judges, one after the other."""
        given = [judge.ask(question, material) for judge in self.judges]
        agreed = _agreed([one.verdict for one in given], scores=question.scale == "score")
        votes = tuple(
            Vote(judge=one.judge, verdict=one.verdict, reason=one.reason, fault=one.fault)
            for one in given
        )
        counted = [one for one in given if one.calls] or given
        speaker = next((one for one in given if one.verdict == agreed), given[0])
        return JudgeVerdict(
            case=material.case,
            trial=material.trial,
            item=question.item,
            verdict=agreed,
            judge=self.name,
            fingerprint=self.fingerprint,
            question=speaker.question,
            reason=_reason(given, agreed, speaker),
            evidence=None if agreed is None else speaker.evidence,
            fault=None if agreed is not None else speaker.fault or "split",
            mode="live" if any(one.mode == "live" for one in given) else "replayed",
            asks=sum(one.asks for one in given),
            calls=sum(one.calls for one in given),
            tokens=total_tokens([one.tokens for one in counted]),
            cost=total([one.cost for one in counted]),
            seconds=total([one.seconds for one in counted]),
            votes=votes,
        )


def _agreed(said: Sequence[Said], *, scores: bool) -> Said:
    """Give what more than half of the judges say, or the middle score; None where there is none."""
    votes = [one for one in said if one is not None]
    if 2 * len(votes) <= len(said):
        return None
    if scores:
        numbers = sorted(one for one in votes if isinstance(one, int | float))
        return numbers[(len(numbers) - 1) // 2]
    word, most = Counter(votes).most_common(1)[0]
    return word if 2 * most > len(said) else None


def _reason(given: Sequence[JudgeVerdict], agreed: Said, speaker: JudgeVerdict) -> str | None:
    told = ", ".join(f"{one.judge}: {_word(one)}" for one in given)
    if agreed is None:
        return f"no majority ({told})"
    if all(one.verdict == agreed for one in given):
        return speaker.reason
    return f"{speaker.reason} ({told})"


def _word(one: JudgeVerdict) -> str:
    if one.verdict is None:
        return str(one.fault)
    if isinstance(one.verdict, bool):
        return "PASS" if one.verdict else "FAIL"
    return str(one.verdict)
