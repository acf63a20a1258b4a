import json
from typing import TYPE_CHECKING, Any

import anthropic
import openai
import pytest

from fairtrial.serve.error_shapes import provider_answer, refusal_answer
from fairtrial.serve.wire import RefusedError

if TYPE_CHECKING:
    from tests.serve.conftest import Stage

ASKED: list[Any] = [{"role": "user", "content": "Hi"}]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (403, openai.PermissionDeniedError),
        (404, openai.NotFoundError),
        (422, openai.UnprocessableEntityError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
        (503, openai.InternalServerError),
    ],
)
def test_openai_raises_what_it_raises_for_that_status(
    stage: "Stage", status: int, kind: type[openai.APIStatusError]
) -> None:
    shown = stage.trial(stage.says(status=status, message="because"))
    with pytest.raises(kind, match="because") as caught:
        stage.openai(shown.at).chat.completions.create(model="m", messages=ASKED)
    assert caught.value.status_code == status


@pytest.mark.parametrize(
    ("status", "kind", "word"),
    [
        (400, anthropic.BadRequestError, "invalid_request_error"),
        (401, anthropic.AuthenticationError, "authentication_error"),
        (404, anthropic.NotFoundError, "not_found_error"),
        (429, anthropic.RateLimitError, "rate_limit_error"),
        (500, anthropic.InternalServerError, "api_error"),
        (529, anthropic.InternalServerError, "overloaded_error"),
    ],
)
def test_anthropic_raises_what_it_raises_for_that_status(
    stage: "Stage", status: int, kind: type[anthropic.APIStatusError], word: str
) -> None:
    shown = stage.trial(stage.says(status=status))
    with pytest.raises(kind, match=word):
        stage.anthropic(shown.at).messages.create(model="m", max_tokens=9, messages=ASKED)


def test_a_provider_that_says_nothing_says_its_status() -> None:
    told = [json.loads(provider_answer("openai", x, None).body) for x in (429, 529, 599)]
    assert [x["error"]["message"] for x in told] == ["Too Many Requests", "Overloaded", "HTTP 599"]


def test_an_overload_may_be_tried_again_at_once_and_a_refusal_not_at_all() -> None:
    assert (b"retry-after-ms", b"1") in provider_answer("openai", 429, None).headers
    refused = refusal_answer("openai", RefusedError("no", status=501))
    assert (b"x-should-retry", b"false") in refused.headers


def test_a_refusal_has_its_code_in_every_shape() -> None:
    refused = RefusedError("no\ud800", status=404, code="fairtrial_x", param="p")
    bodies = [json.loads(refusal_answer(x, refused).body) for x in ("openai", "anthropic", "tools")]
    assert bodies == [
        {
            "error": {
                "message": "no\ufffd",
                "type": "invalid_request_error",
                "param": "p",
                "code": "fairtrial_x",
            }
        },
        {
            "type": "error",
            "error": {"type": "not_found_error", "message": "no\ufffd", "code": "fairtrial_x"},
            "request_id": None,
        },
        {"error": "no\ufffd", "code": "fairtrial_x"},
    ]
