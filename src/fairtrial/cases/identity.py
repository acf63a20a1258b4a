"""The hash of a case: what the agent meets and what is asked."""

import hashlib
import re
from typing import Final

import msgspec

from fairtrial.match import fingerprint
from fairtrial.records import Case, Expectation, Json, Limits, Rule

_NO_EXPECT: Final = Expectation()
_NO_LIMITS: Final = Limits()
_ENCODE: Final = msgspec.json.Encoder(order="sorted").encode
_AS_WRITTEN: Final = ("input", "messages", "context", "fixtures", "faults", "tools", "informs")
_EXPONENT: Final = re.compile(rb"e[0-9+]")


def content_hash(case: Case) -> str:
    """Give 16 hex digits over what the agent meets and what is asked.

    The id, description, tags, protection, trials, script and place do not count, and neither do the
    numbers of the rules, so that adding a rule for other cases changes nothing.

    >>> from fairtrial.records import Source
    >>> one = Case(id="a", hash="", source=Source("a.yaml", 1), input="Hi")
    >>> two = Case(id="b", hash="", source=Source("b.yaml", 9), input="Hi", tags=("x",))
    >>> content_hash(one) == content_hash(two), len(content_hash(one))
    (True, 16)
    """
    # What is not there leaves no trace, so that a new field changes no hash.
    told: dict[str, Json] = {
        name: value for name in _AS_WRITTEN if (value := getattr(case, name)) or value == ""
    }
    if case.user or case.user == "":
        told["user"] = case.user
    if case.rubrics:
        told["rubrics"] = {name: _asked(rubric) for name, rubric in case.rubrics.items()}
    if case.expect != _NO_EXPECT:
        told["expect"] = case.expect
    if case.limits != _NO_LIMITS:
        told["limits"] = case.limits
    if case.rules:
        told["rules"] = [_of_rule(rule) for rule in case.rules]
    text = _ENCODE(told)
    # 1.0 and 1 are equal, so they have one text. (Few texts look as if a whole number were there.)
    if b".0" in text or _EXPONENT.search(text):
        text = fingerprint(msgspec.json.decode(text)).encode()
    return hashlib.sha256(text).hexdigest()[:16]


def _asked(rubric: Json) -> Json:
    """Give a rubric without what it is for: the judge does not see that."""
    if not isinstance(rubric, dict):
        return rubric
    return {name: value for name, value in rubric.items() if name != "description"}


def _of_rule(rule: Rule) -> dict[str, Json]:
    return {name: getattr(rule, name) for name in ("required", "forbidden", "before")}
