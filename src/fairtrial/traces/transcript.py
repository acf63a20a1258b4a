"""Chat messages one after another, turned into steps, turns, results and an ending."""

from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from fairtrial.records import Json, Step, Stop, Tokens, Turn
from fairtrial.traces.calls import (
    CALL_BLOCKS,
    SpokenCall,
    UnlikeFormatError,
    block_type,
    identifier,
    spoken_calls,
)
from fairtrial.traces.files import value_in
from fairtrial.traces.replies import tokens_of

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_RESULT_BLOCKS = frozenset({"tool_result"})
_SILENT_BLOCKS = CALL_BLOCKS | _RESULT_BLOCKS | {"thinking", "redacted_thinking", "reasoning"}
_FAILED = frozenset({"error", "failed", "failure"})
_MOST_NOTES = 20


class Ending(NamedTuple):
    """How a conversation ended."""

    answer: str | None
    stop: Stop | None


@dataclass(slots=True)
class _Spoken:
    """A step under construction."""

    text: str | None
    calls: list[SpokenCall]
    tokens: Tokens | None
    refused: bool


@dataclass(slots=True)
class _Said:
    """A user's turn under construction: what was said, and the step that came next."""

    text: str | None
    first: int


@dataclass(slots=True)
class Transcript:
    """Messages in, records out. Nothing is keyed by call ids: logs repeat them."""

    system: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _steps: list[_Spoken] = field(default_factory=list)
    _turns: list[_Said] = field(default_factory=list)
    _last: str = ""
    _last_tool: str = ""
    _unanswered: list[tuple[int, SpokenCall]] = field(default_factory=list)
    """Calls with the positions of their steps; answered ones may still stand among them."""
    _by_id: dict[str, list[tuple[int, SpokenCall]]] = field(default_factory=dict)
    """The same by id; "" has those without."""
    _more_notes: int = 0

    def note(self, text: str) -> None:
        """Keep a remark for the reader; beyond 20 they are only counted."""
        if len(self.notes) < _MOST_NOTES:
            self.notes.append(text)
        else:
            self._more_notes += 1

    @property
    def spoken(self) -> bool:
        """Whether a user or the agent said anything at all."""
        return bool(self._steps or self._turns)

    def remarks(self) -> tuple[str, ...]:
        """Give the notes, and how many more there were."""
        more = (f"and {self._more_notes} more",) if self._more_notes else ()
        return (*self.notes, *more)

    def add(self, message: Json, place: str, tokens: Tokens | None = None) -> None:
        """Take in one message; `tokens` are those of the reply that it was, where known.

        Raises:
            UnlikeFormatError: No message, an unknown role, or content of a wrong kind.
        """
        if not isinstance(message, dict):
            raise UnlikeFormatError(f"{place}: wanted a message with a role, got {message!r:.60}")
        role = message.get("role")
        if role not in ROLES:
            raise UnlikeFormatError(f"{place}.role: {_role(role)}; accepted: {', '.join(ROLES)}")
        if role in {"tool", "function"}:
            self._result(message, place)
            return
        texts = self._texts(message.get("content"), f"{place}.content")
        if role == "assistant":
            self._assistant(message, texts, place, tokens)
        elif role == "user":
            self._user(message, texts, place)
        elif texts:
            self.system.append("\n".join(texts))

    def _texts(self, content: Json, place: str) -> list[str]:
        """Give the texts of a content value; blocks that hold none are noted.

        Raises:
            UnlikeFormatError: The content is no text, null or list of blocks.
        """
        if content is None or isinstance(content, str):
            return [content] if content else []
        if not isinstance(content, list):
            raise UnlikeFormatError(
                f"{place}: wanted text, null or a list of blocks, got {content!r:.60}"
            )
        texts: list[str] = []
        for number, block in enumerate(content):
            text = block.get("text") if isinstance(block, dict) else block
            if isinstance(text, str):
                texts.append(text)
            elif not isinstance(block, dict) or not isinstance(block.get("type"), str):
                raise UnlikeFormatError(
                    f"{place}[{number}]: wanted a block with a type, got {block!r:.60}"
                )
            elif block.get("type") not in _SILENT_BLOCKS | {"refusal"}:
                self.note(f"{place}[{number}]: a block of type {block.get('type')!r:.40}, left out")
        return texts

    def _assistant(
        self, message: dict[str, Json], texts: list[str], place: str, tokens: Tokens | None
    ) -> None:
        refusal = _refusal(message)
        calls = spoken_calls(message, place, self.note)
        text = "\n".join(texts) or refusal
        for call in calls:
            self._unanswered.append((len(self._steps), call))
            self._by_id.setdefault(call.id or "", []).append((len(self._steps), call))
        self._steps.append(
            _Spoken(
                text=text,
                calls=calls,
                tokens=tokens or tokens_of(message.get("usage")),
                refused=refusal is not None,
            )
        )
        if not self._turns:  # the agent speaks first
            self._turns.append(_Said(None, 0))
        self._last = "assistant"
        self._block_results(message.get("content"), place)

    def _user(self, message: dict[str, Json], texts: list[str], place: str) -> None:
        results = self._block_results(message.get("content"), place)
        if texts or not results:
            self._turns.append(_Said("\n".join(texts), len(self._steps)))
            self._last = "user"

    def _block_results(self, content: Json, place: str) -> int:
        """Take in results that stand as content blocks; give how many there were."""
        blocks = [
            (number, block)
            for number, block in enumerate(content if isinstance(content, list) else [])
            if block_type(block) in _RESULT_BLOCKS
        ]
        for number, block in blocks:
            message = {**block, "tool_call_id": block.get("tool_use_id")}
            self._result(message, f"{place}.content[{number}]")
        return len(blocks)

    def _result(self, message: dict[str, Json], place: str) -> None:
        name = message.get("name")
        name = name if isinstance(name, str) else ""
        call = self._take(identifier(message.get("tool_call_id")), name)
        self._last = "tool"
        self._last_tool = call.name if call else name
        if call is None:
            self.note(f"{place}: a result that belongs to no open call, left out")
            return
        call.result = result_value(message.get("content"))
        call.error = _tool_error(message)

    def _take(self, key: str | None, name: str) -> SpokenCall | None:
        """Give the nearest unanswered call that a result belongs to, and count it as answered.

        By id first; the newest step that fits, and within it the first call. A result
        without an id, or whose id no call has, goes by name and order; with an id it never takes a
        call that has another.
        """
        found = _nearest(self._by_id.get(key, []), "") if key else None
        # By name, where one has no id: all calls, or those without.
        found = found or _nearest(self._by_id.get("", []) if key else self._unanswered, name)
        if found is None:
            return None
        found.answered = True
        for waiting in (self._by_id[found.id or ""], self._unanswered):
            while waiting and waiting[-1][1].answered:
                waiting.pop()
        return found

    def steps(self) -> tuple[Step, ...]:
        """Give the steps so far: one an assistant message."""
        return tuple(
            Step(
                text=spoken.text,
                calls=tuple(call.record() for call in spoken.calls),
                tokens=spoken.tokens,
            )
            for spoken in self._steps
        )

    def turns(self) -> tuple[Turn, ...]:
        """Give the user's turns with their step ranges; one that no step answered has no `last`."""
        ends = [turn.first for turn in self._turns[1:]] + [len(self._steps)]
        return tuple(
            Turn(user=turn.text, first=turn.first, last=end - 1 if end > turn.first else None)
            for turn, end in zip(self._turns, ends, strict=True)
        )

    def ending(self, end_marks: tuple[str, ...], end_tools: tuple[str, ...]) -> Ending:
        """Say what the answer was and why the run stopped, by the rules of `read_openai_chat`."""
        if self._last == "user":
            said = self._turns[-1].text or ""
            if any(mark in said for mark in end_marks):
                return self._closing()
            self.note("ends on a user message: cut off before a reply, so stop is 'steps'")
            return Ending(self._closing().answer, "steps")
        if self._last == "assistant" and not (self._steps[-1].calls):
            return self._closing()
        if self._ended_by(end_tools):
            return Ending(self._steps[-1].text if self._steps else None, "answer")
        if self._last:
            self.note("ends on a tool call or its result: cut off, so stop is 'steps'")
        return Ending(None, "steps")

    def _ended_by(self, end_tools: tuple[str, ...]) -> bool:
        if self._last == "tool":
            return self._last_tool in end_tools
        return bool(self._steps) and any(call.name in end_tools for call in self._steps[-1].calls)

    def _closing(self) -> Ending:
        """Give the last text after the last call within the last turn that the agent answered."""
        begin = max(
            (turn.first for turn in self._turns if turn.first < len(self._steps)), default=0
        )
        for spoken in reversed(self._steps[begin:]):
            if spoken.calls:
                break
            if spoken.text:
                return Ending(spoken.text, "refused" if spoken.refused else "answer")
        return Ending(None, None)


def _nearest(waiting: list[tuple[int, SpokenCall]], name: str) -> SpokenCall | None:
    """Give the first call of the newest step that waits for a result of the tool; "" is any."""
    newest, found = -1, None
    for step, call in reversed(waiting):
        if found and step != newest:
            break
        if not call.answered and (not name or _spelled(call.name) == _spelled(name)):
            newest, found = step, call
    return found


def _role(role: Json) -> str:
    if role is None:
        return "missing (Responses API items have none: this reads Chat Completions messages)"
    return f"found {role!r:.60}"


def _refusal(message: dict[str, Json]) -> str | None:
    """Give the refusal's text, from its field or its content block."""
    content = message.get("content")
    blocks = [message, *content] if isinstance(content, list) else [message]
    found = [block.get("refusal") for block in blocks if isinstance(block, dict)]
    return next((text for text in found if isinstance(text, str) and text), None)


def _spelled(name: str) -> str:
    """Fold the dots that some providers forbid in names."""
    return name.replace(".", "_")


def result_value(content: Json) -> Json:
    """Give a tool's result: JSON text as its value, text blocks as one text, all else as it is."""
    if isinstance(content, list) and content:
        texts = [block.get("text") if isinstance(block, dict) else block for block in content]
        if all(isinstance(text, str) for text in texts):
            content = "\n".join(map(str, texts))
    return value_in(content) if isinstance(content, str) else content


def _tool_error(message: dict[str, Json]) -> str | None:
    """Give the error that the message's own flags tell; words in the result never count."""
    error = message.get("error")
    if isinstance(error, str) and error:
        return error
    if isinstance(error, dict) and error:
        text = error.get("message")
        return text if isinstance(text, str) and text else msgspec.json.encode(error).decode()
    flags = (error, message.get("is_error"), message.get("isError"))
    status = message.get("status")
    failed = isinstance(status, str) and status.lower() in _FAILED
    if not failed and not any(flag is True for flag in flags):
        return None
    content = message.get("content")
    if isinstance(content, list | dict):
        return msgspec.json.encode(content).decode()
    return str(content or "the call failed")
