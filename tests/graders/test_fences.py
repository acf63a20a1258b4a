import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.fences import fences_of


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("```\na\n```", ("a",)),
        ("```json\n{}\n```\n", ("{}",)),
        ("So:\n  ```\na\n  ```\nand\n~~~\nb\n~~~", ("a", "b")),
        ("```\r\na\r\nb\r\n```\r\n", ("a\nb",)),
        ("````\n```\na\n```\n````", ("```\na\n```",)),
        ("```\na\n`````", ("a",)),
        ("```\n~~~\n```", ("~~~",)),
        ("```\n```", ("",)),
        ("```json\n{}", ("{}",)),
        ("``\na\n``", ()),
        ("a ```\nb\n", ()),
        ("```one line```", ()),
        ("", ()),
    ],
)
def test_blocks_stand_between_fences(text: str, blocks: tuple[str, ...]) -> None:
    assert fences_of(text).blocks == blocks


def test_a_fence_with_words_is_an_opening_and_no_end() -> None:
    assert fences_of("```\na\n```b\n```").blocks == ("a\n```b",)


@pytest.mark.parametrize(
    ("text", "alone"),
    [("\n```\na\n```\n \n", True), ("x\n```\na\n```", False), ("```\na\n```\nx", False)],
)
def test_a_text_may_be_nothing_but_a_block(text: str, alone: bool) -> None:
    assert fences_of(text).alone is alone


@given(st.lists(st.text("ab\n ", max_size=5), max_size=4))
def test_what_is_fenced_is_read_back(contents: list[str]) -> None:
    text = "\nand\n".join(f"```\n{content}\n```" for content in contents)
    assert fences_of(text).blocks == tuple(contents)


@pytest.mark.parametrize("hostile", ["```a\n", "~~~\n```\n", "`" * 7 + "\n", " ", "``` \t"])
def test_a_hostile_text_takes_one_pass(hostile: str) -> None:
    assert len(fences_of("```\n" + hostile * 100_000).blocks) <= 100_001
