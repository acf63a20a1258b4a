"""Errors as each provider writes them, so that its SDK raises what it would raise in earnest."""

from http import HTTPStatus

from fairtrial.records import Json, clean_text
from fairtrial.serve.wire import JSON_HEADERS, Answer, Family, Headers, RefusedError, encode

FINAL: Headers = ((b"x-should-retry", b"false"),)
"""Both SDKs obey it: asking again would change nothing."""
AGAIN: Headers = ((b"retry-after", b"0"), (b"retry-after-ms", b"1"))
"""Both SDKs take a `retry-after` of 0 for none and wait half a second; they look at this first."""

_ANTHROPIC_TYPES = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_OPENAI_CODES = {
    401: "invalid_api_key",
    404: "model_not_found",
    429: "rate_limit_exceeded",
}
_PHRASES = {529: "Overloaded"}


def refusal_answer(family: Family, refused: RefusedError) -> Answer:
    """Give our own refusal in the family's words; its SDK is not to ask again.

    >>> refusal_answer("tools", RefusedError("no such tool", status=404)).body
    b'{"error":"no such tool"}'
    """
    body = _body(family, refused.status, str(refused), refused.code, refused.param)
    headers = JSON_HEADERS + FINAL + refused.headers
    return Answer(refused.status, encode(body), headers)


def provider_answer(family: Family, status: int, message: str | None) -> Answer:
    """Give an error of the provider's own, as a script tells it; its SDK may ask again."""
    code = _OPENAI_CODES.get(status) if family == "openai" else None
    body = _body(family, status, message or _phrase(status), code, None)
    return Answer(status, encode(body), JSON_HEADERS + AGAIN)


def _body(
    family: Family, status: int, message: str, code: str | None, param: str | None
) -> dict[str, Json]:
    message = clean_text(message)
    if family == "tools":
        return {"error": message} if code is None else {"error": message, "code": code}
    if family == "anthropic":
        kind = "api_error" if status >= 500 else "invalid_request_error"
        error = {"type": _ANTHROPIC_TYPES.get(status, kind), "message": message}
        if code is not None and code.startswith("fairtrial_"):
            error["code"] = code  # Anthropic has no such field, and a program wants one
        return {"type": "error", "error": error, "request_id": None}
    kind = "server_error" if status >= 500 else "invalid_request_error"
    kind = "rate_limit_error" if status == 429 else kind
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return _PHRASES.get(status, f"HTTP {status}")
