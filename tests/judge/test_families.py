"""Families of models, and whether a judge prefers its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.judge import LabelledVerdict, family_of, own_family_result


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-5-mini", "GPT"),
        ("openai/gpt-4o", "GPT"),
        ("o3-mini", "GPT"),
        ("chatgpt-4o-latest", "GPT"),
        ("claude-sonnet-4-5", "Claude"),
        ("bedrock/anthropic.claude-3", "Claude"),
        ("gemma3:4b", "Gemini"),
        ("Qwen2.5-7B-Instruct", "Qwen"),
        ("meta-llama/Llama-3.1-8B", "Llama"),
        ("DeepSeek-V3", "DeepSeek"),
        ("mine:judge", None),
        ("", None),
        (None, None),
    ],
)
def test_a_family_is_told_by_the_name(model: str | None, family: str | None) -> None:
    assert family_of(model) == family


@given(st.text())
def test_any_name_has_a_family_or_none(model: str) -> None:
    family_of(model)


def pairs(both: int, judge: int, people: int, neither: int) -> list[LabelledVerdict]:
    return (
        [LabelledVerdict(judge=True, people=True)] * both
        + [LabelledVerdict(judge=True, people=False)] * judge
        + [LabelledVerdict(judge=False, people=True)] * people
        + [LabelledVerdict(judge=False, people=False)] * neither
    )


def test_leniency_is_the_difference_in_differences_of_the_vectors() -> None:
    told = own_family_result(pairs(37, 9, 1, 3), pairs(33, 3, 4, 10)).leniency
    assert told is not None
    assert told.own == pytest.approx(0.16)
    assert told.other == pytest.approx(-0.02)
    assert told.difference == pytest.approx(0.18)
    assert told.error == pytest.approx(0.0792464510246, abs=1e-9)


def test_one_family_alone_or_no_labels_are_not_measured() -> None:
    some = pairs(1, 1, 1, 1)
    for told, words in (
        (own_family_result(some, []), "another"),
        (own_family_result([], some), "its own"),
        (own_family_result(some, some, "no labels"), "no labels"),
    ):
        assert told.leniency is None
        assert told.not_measured is not None
        assert words in told.not_measured
        assert told.not_measured.startswith("not measured: ")
