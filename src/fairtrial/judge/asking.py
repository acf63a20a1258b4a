"""One judge: asks its model about a trial, reads the reply, asks once more, keeps each reply."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairtrial.errors import JudgeError
from fairtrial.judge.amounts import total, total_tokens
from fairtrial.judge.prompt import (
    build_prompt,
    judge_fingerprint,
    prompt_key,
    question_fingerprint,
)
from fairtrial.judge.purse import Purse
from fairtrial.judge.reading import Reading, read_reply
from fairtrial.ports import JudgeModel, Replies
from fairtrial.records import (
    JudgeMode,
    JudgePrompt,
    JudgeQuestion,
    JudgeReply,
    JudgeVerdict,
    KeptReply,
    Tokens,
)

Asks: TypeAlias = Literal["live", "replay", "dry"]
"""What is done about a reply that is not on file: ask the model, go without, or count it."""

_MOST_ASKS = 2
_ANOTHER = "the judge's reply is not on file; `--judge live` asks for it"


def _unpriced(tokens: Tokens) -> float | None:  # noqa: ARG001 - the shape asked for
    return None


class Material(Struct, frozen=True, kw_only=True):
    """One trial as a judge is shown it, or two of one case."""

    case: str
    trial: int
    transcript: str
    """As `transcript_of` gives it, without secrets."""
    second: str | None = None
    """The other trial's, where the question is which of two is better; this one is the first."""
    repeat: int = 0
    """How often the judge was asked the same before; from 1 on the reply is one of its own."""


class Missing(Struct, frozen=True, kw_only=True):
    """A prompt that no reply is on file for."""

    key: str
    prompt: JudgePrompt
    material: Material
    question: JudgeQuestion


class _Replies(NamedTuple):
    """What a verdict rests on."""

    all: list[JudgeReply]
    now: list[JudgeReply]
    mode: JudgeMode


class Judge:
    """One model that judges, with its replies on file. Thread-safe where its parts are.

    Attributes:
        name: For people.
        fingerprint: Of the model with its settings, and of how it is asked.
        price: Gives what tokens of it cost; None: nobody knows.
        model: Who is asked.
        replies: Where its replies are on file.
    """

    def __init__(
        self,
        model: JudgeModel,
        replies: Replies,
        *,
        asks: Asks,
        marker: Callable[[], str],
        price: Callable[[Tokens], float | None] = _unpriced,
        purse: Purse | None = None,
    ) -> None:
        """Take the parts.

        Args:
            model: Asked only with `asks` live.
            replies: Looked at first, always.
            asks: What is done about a reply that is not on file.
            marker: Gives something that nobody can guess, new with each call.
            price: Gives what tokens cost; None: nobody knows.
            purse: What may be spent, by several judges maybe; None: there is no bound.
        """
        self.name = model.name
        self.fingerprint = judge_fingerprint(model.described)
        self.model = model
        self.replies = replies
        self._asks = asks
        self._marker = marker
        self.price = price
        self._purse = purse or Purse()

    def ask(self, question: JudgeQuestion, material: Material) -> JudgeVerdict:
        """Judge one question of one trial. What is no verdict is None, with the reason.

        >>> import json
        >>> class Polite:
        ...     name = described = "polite"
        ...     def reply(self, prompt):
        ...         said = {"verdict": "PASS", "reason": "It thanks.", "evidence": "Thank you"}
        ...         return JudgeReply(text=json.dumps(said))
        >>> class Nothing:
        ...     def find(self, key): return None
        ...     def keep(self, reply): pass
        >>> judge = Judge(Polite(), Nothing(), asks="live", marker=lambda: "m4rk")
        >>> material = Material(case="c", trial=0, transcript="Thank you for waiting.")
        >>> question = JudgeQuestion(item="Is polite", text="Is polite")
        >>> judge.ask(question, material).verdict
        True
        """
        key = self._key(question, material)
        replies: list[JudgeReply] = []
        now: list[JudgeReply] = []
        reading = Reading(verdict=None, reason=_ANOTHER, fault="no reply")
        mode: JudgeMode = "replayed"
        for number in range(_MOST_ASKS):
            kept = self.replies.find(_key_of(key, number))
            if kept is None and self._asks == "live":
                mode = "live"
                again = reading.reason if number else None
                try:
                    kept = self._asked(_key_of(key, number), question, material, again)
                    now.append(kept.reply)
                except JudgeError as error:
                    reading = Reading(verdict=None, reason=str(error), fault="no reply")
            if kept is None:
                break
            replies.append(kept.reply)
            reading = _read(kept, question, material)
            if reading.verdict is not None:
                break
        return self._verdict(question, material, reading, _Replies(replies, now, mode))

    def missing(self, question: JudgeQuestion, material: Material) -> Iterator[Missing]:
        """Give the prompt whose reply a verdict still lacks; nothing where it lacks none."""
        key = self._key(question, material)
        why: str | None = None
        for number in range(_MOST_ASKS):
            kept = self.replies.find(_key_of(key, number))
            if kept is None:
                prompt = _prompt(question, material, self._marker(), why)
                name = _key_of(key, number)
                yield Missing(key=name, prompt=prompt, material=material, question=question)
                return
            reading = _read(kept, question, material)
            if reading.verdict is not None:
                return
            why = reading.reason

    def keep(self, missing: Missing, reply: JudgeReply) -> KeptReply:
        """Put the reply to a prompt on file, wherever it comes from."""
        kept = KeptReply(
            key=missing.key,
            marker=missing.prompt.marker,
            reply=reply,
            case=missing.material.case,
            trial=missing.material.trial,
            item=missing.question.item,
        )
        self.replies.keep(kept)
        return kept

    def _key(self, question: JudgeQuestion, material: Material) -> str:
        return prompt_key(
            self.fingerprint,
            material.case,
            material.trial,
            question,
            material.transcript,
            second=material.second,
            repeat=material.repeat,
        )

    def _asked(
        self, key: str, question: JudgeQuestion, material: Material, again: str | None
    ) -> KeptReply:
        refusal = self._purse.refusal
        if refusal is not None:
            raise JudgeError(refusal)
        prompt = _prompt(question, material, self._marker(), again)
        reply = self.model.reply(prompt)
        if reply.cost is None and reply.tokens is not None:
            reply = replace(reply, cost=self.price(reply.tokens))
        self._purse.pay(reply.cost)
        missing = Missing(key=key, prompt=prompt, material=material, question=question)
        return self.keep(missing, reply)

    def _verdict(
        self,
        question: JudgeQuestion,
        material: Material,
        reading: Reading,
        given: "_Replies",
    ) -> JudgeVerdict:
        verdict = reading.verdict
        raw = given.all[-1].text if given.all and verdict is None else None
        counted = given.now or given.all
        return JudgeVerdict(
            case=material.case,
            trial=material.trial,
            item=question.item,
            verdict=verdict,
            judge=self.name,
            fingerprint=self.fingerprint,
            question=question_fingerprint(question),
            reason=reading.reason,
            evidence=reading.evidence,
            fault=reading.fault,
            raw=raw,
            mode=given.mode,
            asks=len(given.all),
            calls=len(given.now),
            tokens=total_tokens([reply.tokens for reply in counted]),
            cost=total([reply.cost for reply in counted]),
            seconds=total([reply.seconds for reply in counted]),
        )


def _prompt(
    question: JudgeQuestion, material: Material, marker: str, again: str | None
) -> JudgePrompt:
    return build_prompt(question, material.transcript, marker, second=material.second, again=again)


def _read(kept: KeptReply, question: JudgeQuestion, material: Material) -> Reading:
    return read_reply(kept.reply, question.scale, kept.marker, material.transcript, material.second)


def _key_of(key: str, number: int) -> str:
    """Give the key of the first ask, or of the second."""
    return key if number == 0 else f"{key}/{number + 1}"
