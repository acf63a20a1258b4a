import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from fairtrial.records import Json
from fairtrial.store.encoding import encode_record


class Anything(Struct):
    value: Json


any_text = st.text(st.characters(), max_size=10)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=20,
)


def refuse(token: str) -> None:
    raise AssertionError(token)


@given(values)
def test_whatever_a_grader_kept_becomes_strict_json(value: Json) -> None:
    data = encode_record(Anything(value))
    json.loads(data.decode(), parse_constant=refuse)


def test_a_lone_surrogate_beside_nan_is_replaced() -> None:
    record = Anything({"\ud800": [float("nan"), "a\udc00"]})
    assert msgspec.json.decode(encode_record(record))["value"] == {"\ufffd": [None, "a\ufffd"]}
