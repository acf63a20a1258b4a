"""The hash of a case: what the agent meets and what is asked."""

import hashlib
import re
from typing import Final

import msgspec

from fairtrial.match import fingerprint
from fairtrial.records import Case, Expectation, Limits

_NO_EXPECT: Final = Expectation()
_NO_LIMITS: Final = Limits()
_ENCODE: Final = msgspec.json.Encoder(order="sorted").encode
_WHOLE: Final = re.compile(rb"\.0|[0-9]e")
"""What JSON of a whole number holds that is written with a fraction or an exponent."""


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
    parts = {
        "input": case.input,
        "messages": case.messages,
        "context": case.context,
        "fixtures": case.fixtures,
        "faults": case.faults,
        "tools": case.tools,
        "user": None if case.user is msgspec.UNSET else case.user,
        "expect": None if case.expect == _NO_EXPECT else case.expect,
        "limits": None if case.limits == _NO_LIMITS else case.limits,
        "informs": case.informs,
        "rules": [
            {name: getattr(rule, name) for name in ("required", "forbidden", "before")}
            for rule in case.rules
        ],
        "rubrics": case.rubrics,
    }
    # What is not there leaves no trace, so that a new field changes no hash.
    told = {name: value for name, value in parts.items() if value or value == ""}
    text = _ENCODE(told)
    if _WHOLE.search(text):  # 1.0 and 1 are equal, so they have one text
        text = fingerprint(msgspec.json.decode(text)).encode()
    return hashlib.sha256(text).hexdigest()[:16]
