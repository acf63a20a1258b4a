from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.serve.tokens import characters_of, estimate


@given(st.integers(0, 10**9))
def test_an_estimate_is_a_quarter_rounded_up(characters: int) -> None:
    assert estimate(characters) * 4 - characters in range(4)


@given(st.lists(st.text()))
def test_all_text_is_counted(texts: list[str]) -> None:
    plain = [text for text in texts if not text.startswith("data:")]
    assert characters_of([[text] for text in texts]) == sum(map(len, plain))


def test_files_in_base64_are_no_text() -> None:
    picture = {"type": "base64", "media_type": "image/png", "data": "A" * 10_000}
    assert characters_of({"source": picture}) == len("source")
    assert characters_of({"url": "data:image/png;base64," + "A" * 10_000}) == len("url")


def test_what_nests_too_deep_has_no_count() -> None:
    deep: Any = 1
    for _ in range(101):
        deep = {"a": deep}
    assert characters_of(deep) is None
    assert characters_of(deep["a"]) == 100
