"""The built-in loop: a prompt and the world's tools, without any code."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from fairtrial.agents import loop_anthropic, loop_openai
from fairtrial.agents.in_flight import Attempt, InFlight
from fairtrial.agents.loop_reply import LoopReply, SaidCall
from fairtrial.agents.posting import Poster
from fairtrial.agents.raised import AgentFailedError, ProviderFailedError
from fairtrial.agents.wire import encoded
from fairtrial.errors import PluginError
from fairtrial.records import Json, Step, Stop, Task, Tokens, ToolCall, ToolReply, Trajectory
from fairtrial.text import cut

LoopApi: TypeAlias = Literal["openai", "anthropic"]
_WIRES = {"openai": loop_openai, "anthropic": loop_anthropic}
_TRIAL_OVER = "fairtrial_trial_over"


class LoopAgent:
    """Asks the model, runs the calls that it makes, and asks again, until it answers.

    >>> agent = LoopAgent(model="gpt-5-mini", system="Be brief.", step_cap=8)
    >>> agent.name, agent.blocking
    ('loop (gpt-5-mini)', True)
    """

    blocking = True

    def __init__(
        self,
        *,
        model: str | None,
        system: str | None,
        step_cap: int,
        api: LoopApi = "openai",
        timeout: float = 600,
    ) -> None:
        """Keep the settings.

        Args:
            model: The model to ask for; None: that of the task.
            system: The system prompt; None: none.
            step_cap: The most completions in one trial, at least 1.
            api: Which of the model's two addresses is asked, and in which format.
            timeout: Seconds that a provider may say nothing.

        Raises:
            PluginError: A setting that does not fit.
        """
        if api not in _WIRES:
            raise PluginError(f"agent loop: api: wanted openai or anthropic, got {cut(repr(api))}")
        if step_cap < 1:
            raise PluginError(f"agent loop: step_cap: wanted at least 1, got {step_cap}")
        self._model = model
        self._system = system
        self._step_cap = step_cap
        self._wire = _WIRES[api]
        self._in_flight = InFlight()
        self._poster = Poster(timeout)
        self.name = f"loop ({model})" if model else "loop"

    def __call__(self, task: Task) -> Trajectory:
        """Work on one task until an answer, a refusal, or the step cap.

        Raises:
            ProviderFailedError: No connection, a status of 408, 429 or 5xx, or a reply that is
                none of the format.
            AgentFailedError: The provider refused the request.
            TrialOverError: The trial has ended.
        """
        with self._in_flight.attempt(task) as attempt:
            return self._loop(task, attempt)

    def warm(self, count: int) -> None:
        """Need nothing."""

    def abandon(self, task: Task) -> None:
        """Stop before the next step."""
        self._in_flight.abandon(task)

    def close(self) -> None:
        """Stop all."""
        self._in_flight.close()
        self._poster.close()

    def _loop(self, task: Task, attempt: Attempt) -> Trajectory:
        wire, steps = self._wire, list[Step]()
        messages = list(task.messages)
        # The listener counts what passes through it, and knows what it only estimated.
        heard = task.token is not None and f"/{task.token}/" in wire.address(task.model)[0]
        for _ in range(self._step_cap):
            asked = wire.request(self._model or task.model.name, self._system, messages, task.tools)
            try:
                reply = self._ask(task, asked, attempt)
            except AgentFailedError as error:
                if _TRIAL_OVER not in str(error):
                    raise
                break  # the run's own cap on steps
            ran = [_run(call, task) for call in reply.calls]
            made, tokens = tuple(call for call, _ in ran), None if heard else reply.tokens
            steps.append(Step(text=reply.text, calls=made, tokens=tokens))
            attempt.go_on()
            if reply.refusal is not None:
                return _trajectory(task, steps, reply.refusal or None, "refused")
            if not reply.calls:
                return _trajectory(task, steps, reply.text, "answer" if reply.text else None)
            messages += wire.next_messages(reply, [result for _, result in ran])
        return _trajectory(task, steps, None, "steps")

    def _ask(self, task: Task, asked: dict[str, Json], attempt: Attempt) -> LoopReply:
        url, headers = self._wire.address(task.model)
        body = self._poster.post(url, encoded(asked), headers, attempt).body
        try:
            value = msgspec.json.decode(body)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise ProviderFailedError(f"the model's reply is not JSON: {error}") from error
        reply: LoopReply | None = self._wire.read(value)
        if reply is None:
            shown = cut(body[:1000].decode(errors="replace"), 300)
            raise ProviderFailedError(f"the model's reply holds no completion: {shown}")
        return reply


def _run(call: SaidCall, task: Task) -> tuple[ToolCall, ToolReply]:
    """Run a call, and give it as it was made beside what the model is to read."""
    made = ToolCall(id=call.id, name=call.name, arguments=_arguments(call.arguments))
    if task.tools is None:
        error = f"there is no tool {call.name!r}: this world has no tools"
        return msgspec.structs.replace(made, error=error), ToolReply(error, failed=True)
    return made, task.tools.reply(call.name, call.arguments)


def _arguments(raw: Json) -> dict[str, Json] | str | None:
    if not isinstance(raw, str):
        return raw if isinstance(raw, dict) else None
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return raw
    return value if isinstance(value, dict) else raw


def _trajectory(
    task: Task, steps: Sequence[Step], answer: str | None, stop: Stop | None
) -> Trajectory:
    told = [step.tokens for step in steps if step.tokens is not None]
    tokens = None
    if told and len(told) == len(steps):
        tokens = Tokens(
            input=_sum([one.input for one in told]), output=_sum([one.output for one in told])
        )
    return Trajectory(case=task.case, answer=answer, stop=stop, steps=tuple(steps), tokens=tokens)


def _sum(amounts: Sequence[int | None]) -> int | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None
