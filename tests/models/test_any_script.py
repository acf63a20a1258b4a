"""Any script that the loader accepts is played to its end, or the player says why not."""

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from fairtrial.cases import load_cases
from fairtrial.errors import ProblemsError, ScriptError
from fairtrial.models import ScriptPlayer
from fairtrial.records import Json, ModelRequest

TEXTS = st.text(max_size=5)
NAMES = st.sampled_from(["look", "pay", "é", "default"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-9, 9) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
COUNTS = st.none() | st.integers(0, 10**30)
TOKENS = st.none() | st.fixed_dictionaries({}, optional={"input": COUNTS, "output": COUNTS})
CALLS = st.dictionaries(NAMES, st.dictionaries(TEXTS, VALUES, max_size=2), min_size=1, max_size=2)
CALL = CALLS | st.lists(CALLS, min_size=1, max_size=2)
SAY = TEXTS | st.none()
RAW = TEXTS | st.dictionaries(NAMES, TEXTS, min_size=1, max_size=2) | st.none()
STEPS = st.one_of(
    st.fixed_dictionaries({"say": SAY}, optional={"call": CALL, "tokens": TOKENS}),
    st.fixed_dictionaries({"call": CALL}, optional={"tokens": TOKENS}),
    st.fixed_dictionaries({"malformed": RAW}, optional={"tokens": TOKENS}),
    st.fixed_dictionaries({"refuse": st.just("No")}, optional={"tokens": TOKENS}),
    st.fixed_dictionaries(
        {"status": st.integers(100, 700)},
        optional={"times": st.integers(1, 3), "tokens": TOKENS},
    ),
)
LISTS = st.lists(STEPS, min_size=1, max_size=5)
SCRIPTS = LISTS | st.dictionaries(st.sampled_from(["default", "short", "a b"]), LISTS, min_size=1)


@given(SCRIPTS, st.sampled_from([None, "short"]), st.lists(NAMES, max_size=2))
def test_a_script_that_loads_is_played_to_its_end(
    script: Json, variant: str | None, tools: list[str]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "suite.json")
        path.write_text(json.dumps([{"id": "a", "limits": {"steps": 1}, "script": script}]))
        try:
            (case,) = load_cases(path)
        except ProblemsError:
            reject()
    player = ScriptPlayer(case, variant)
    request = ModelRequest(api="anthropic", tools=tuple(tools))
    while player.left:
        try:
            reply = player.complete(request)
        except ScriptError:
            continue
        assert msgspec.json.encode(reply)
        assert (reply.status is None) is (reply.tokens is not None)
    for _ in range(2):  # a status that is not through with its times
        with suppress(ScriptError):
            player.complete(request)
    with pytest.raises(ScriptError, match="has "):
        player.complete(request)
