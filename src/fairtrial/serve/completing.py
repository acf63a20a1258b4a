"""One completion: asked of the trial's model, told in the client's wire format, kept as a step."""

from collections.abc import Callable

import msgspec

from fairtrial.errors import ScriptError, TrialOverError
from fairtrial.records import (
    Completion,
    Json,
    ModelCall,
    ModelRequest,
    Step,
    Tokens,
    ToolCall,
    clean_text,
    too_deep,
)
from fairtrial.serve.error_shapes import provider_answer
from fairtrial.serve.model_lists import UNNAMED
from fairtrial.serve.mounts import Mounted
from fairtrial.serve.openai_responses import check_previous, response_id
from fairtrial.serve.request_body import Body
from fairtrial.serve.tokens import estimate
from fairtrial.serve.wire import Answer, RefusedError, Spoken, SpokenCall, WireFormat

TRIAL_OVER = "fairtrial_trial_over"
SCRIPT = "fairtrial_script"
NO_MODEL = "fairtrial_no_model"

_NO_MODEL_WORDS = (
    "the agent asked a model, and this trial has none: it is offline, and the case has no script;"
    " give the case a script, or run with --live"
)


def complete(wire: WireFormat, mounted: Mounted, body: Body, clock: Callable[[], float]) -> Answer:
    """Answer a request for a completion.

    Raises:
        RefusedError: The request is wrong, the trial is over, or nothing answers it.
    """
    wire.check(body.value)
    if wire.api == "openai-responses":
        check_previous(body.value, mounted.kept_responses)
    request = ModelRequest(
        api=wire.api,
        model=body.value.get("model"),
        tools=wire.tool_names(body.value),
        characters=body.characters,
        body=body.value,
    )
    mounted.model_name = request.model or mounted.model_name
    with mounted.lock:
        try:
            return _completed(wire, mounted, request, clock)
        except TrialOverError as error:
            raise RefusedError(over_words(error), code=TRIAL_OVER) from error
        except ScriptError as error:
            mounted.refuse(str(error))
            raise RefusedError(str(error), code=SCRIPT) from error


def over_words(error: TrialOverError) -> str:
    """Give the words for an agent that goes on though its trial has ended."""
    return str(error) or "this trial has ended"


def _completed(
    wire: WireFormat, mounted: Mounted, request: ModelRequest, clock: Callable[[], float]
) -> Answer:
    began = clock()
    mounted.before_completion()
    if mounted.model is None:
        mounted.refuse(_NO_MODEL_WORDS)
        raise RefusedError(_NO_MODEL_WORDS, code=NO_MODEL)
    completion = mounted.model.complete(request)
    if completion.status is not None:
        if not 400 <= completion.status <= 599:
            raise ScriptError(f"status {completion.status}: wanted an HTTP error, 400 to 599")
        return provider_answer(wire.family, completion.status, completion.message)
    spoken = _spoken(wire, mounted, request, completion)
    answer = wire.reply(request.body, spoken)
    mounted.calls += len(spoken.calls)
    if wire.api == "openai-responses" and request.body.get("store") is not False:
        mounted.kept_responses.add(response_id(spoken))
    mounted.steps.append(_step(spoken, completion.tokens, clock() - began))
    return answer


def _spoken(
    wire: WireFormat, mounted: Mounted, request: ModelRequest, completion: Completion
) -> Spoken:
    refused = completion.refusal is not None
    calls = () if refused else completion.calls
    text = None if refused or completion.text is None else clean_text(completion.text)
    refusal = None if completion.refusal is None else clean_text(completion.refusal)
    told = completion.tokens or Tokens()
    words = len(text or refusal or "") + sum(len(x.name) + len(x.arguments) for x in calls)
    return Spoken(
        number=len(mounted.steps) + 1,
        model=request.model or UNNAMED,
        text=text,
        refusal=refusal,
        calls=tuple(
            _call(call, number, wire.call_prefix)
            for number, call in enumerate(calls, mounted.calls + 1)
        ),
        input_tokens=estimate(request.characters) if told.input is None else told.input,
        output_tokens=estimate(words) if told.output is None else told.output,
    )


def _call(call: ModelCall, number: int, prefix: str) -> SpokenCall:
    arguments = clean_text(call.arguments)
    name = clean_text(call.name)
    return SpokenCall(number, f"{prefix}{number}", name, arguments, _object(arguments))


def _object(arguments: str) -> dict[str, Json] | None:
    try:
        value = msgspec.json.decode(arguments)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not too_deep(value) else None


def _step(spoken: Spoken, told: Tokens | None, seconds: float) -> Step:
    whole = told is not None and told.input is not None and told.output is not None
    tokens = Tokens(
        input=spoken.input_tokens,
        output=spoken.output_tokens,
        estimated=not whole or (told is not None and told.estimated),
    )
    calls = tuple(
        ToolCall(
            name=call.name,
            arguments=call.arguments if call.value is None else call.value,
            id=call.id,
        )
        for call in spoken.calls
    )
    text = spoken.text if spoken.refusal is None else spoken.refusal
    return Step(text=text, calls=calls, tokens=tokens, seconds=seconds)
