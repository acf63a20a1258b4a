"""The quick look is never wrongly no, however a name is written."""

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Trial
from fairtrial.store import SECRET_NAMES, Redactor
from fairtrial.store.encoding import encode_record
from fairtrial.store.redaction import MARK
from fairtrial.store.secret_names import _NAME_END, is_secret_name, may_hold_secret_name

names = st.sampled_from(sorted(SECRET_NAMES))
joints = st.lists(st.sampled_from(["", "", "", "-", "_"]), min_size=25, max_size=25)
gaps = st.text(" \t\n\r\f\x1c\x1f\x85\xa0\u2003\u3000", max_size=2)


@st.composite
def spelt(draw: st.DrawFn) -> str:
    """Give a secret name in some case, with joints anywhere before its last letter."""
    letters = [draw(st.sampled_from([x, x, x.upper()])) for x in draw(names)]
    parts = [x + joint for x, joint in zip(letters[:-1], draw(joints), strict=False)]
    whole = "".join([*parts, letters[-1]])
    return whole if is_secret_name(whole) else "".join(letters)  # over 40 characters


def escaped(text: str, level: int, *, ascii_only: bool) -> str:
    """Write a text as it stands inside JSON inside JSON."""
    for _ in range(level):
        text = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
    return text


@pytest.mark.parametrize("ascii_only", [True, False])
@given(name=spelt(), gap=gaps, quote=st.sampled_from("\"'"), level=st.integers(0, 4))
def test_a_secret_name_is_seen_at_every_depth(
    name: str, gap: str, quote: str, level: int, *, ascii_only: bool
) -> None:
    inside = f"{{{quote}{name}{quote}{gap}:{gap}{quote}x{quote}}}"
    line = f'{{"a":"{escaped(inside, level, ascii_only=ascii_only)}"}}'
    assert may_hold_secret_name(line.encode())


@given(spelt(), gaps, st.sampled_from("\"'"), st.integers(0, 3), st.data())
def test_what_the_slow_way_redacts_the_quick_look_sees(
    name: str, gap: str, quote: str, level: int, data: st.DataObject
) -> None:
    inside = f"{{{quote}{name}{quote}{gap}:{gap}{quote}hunter2x{quote}}}"
    hidden = data.draw(st.sampled_from(sorted(set(inside) - set("{}"))))
    line = f'{{"a":"{escaped(inside, level + 1, ascii_only=True)}"}}'
    line = line[:6] + line[6:-2].replace(hidden, f"\\u{ord(hidden):04x}", 1) + line[-2:]
    assert is_secret_name(name)
    try:
        json.loads(line)
    except ValueError:
        return  # half of another escape was taken out
    if MARK in slowly(line):
        assert may_hold_secret_name(line.encode())


def slowly(line: str) -> str:
    """Redact without the quick look: another secret in the line sends it the slow way."""
    redactor = Redactor(["zz-another-1"])
    return redactor.line(f'["zz-another-1",{line}]'.encode()).decode().removeprefix(f'["{MARK}"')


@pytest.mark.parametrize("name", ["tokens", "description", "reservation_id", "children", "author"])
def test_most_names_are_done_at_the_first_look(name: str) -> None:
    assert not _NAME_END.search(json.dumps({name: 1, "a": json.dumps({name: "x"})}).encode())


def test_an_ordinary_trial_never_needs_the_slow_way(make_trial: Callable[..., Trial]) -> None:
    assert not may_hold_secret_name(encode_record(make_trial()))


def test_words_are_no_names() -> None:
    line = json.dumps({"say": "the secret: a token, the key: \"password\" and 'api_key'"}).encode()
    assert not may_hold_secret_name(line)


@pytest.mark.parametrize("name", sorted(SECRET_NAMES))
def test_every_secret_name_is_one_in_every_spelling(name: str) -> None:
    assert is_secret_name(name)
    assert is_secret_name(name.upper())
    assert is_secret_name(re.sub("(key|token|secret)$", r"_\1", name))
    assert not is_secret_name(name + "s")
