"""Slips of the pen are told from names."""

import pytest

from fairtrial.match import OPERATORS
from fairtrial.match.spelling import meant, nearest, no_operator

LETTERS = "abcdefghijklmnopqrstuvwxyz_"

ORDINARY = {
    "abode", "absents", "assent", "bellow", "blow", "contain", "equal", "hatches", "ignored",
    "ignores", "include", "included", "latches", "lengths", "lengthy", "lumber", "marches",
    "matched", "matcher", "matchers", "numbers", "one_off", "patches", "batches", "catches",
    "watches", "phase", "phrased", "phrases", "presents", "prevent", "resent",
}  # fmt: skip
"""Words one slip away from an operator that are more likely meant."""


def slips(word: str) -> set[str]:
    """Give all that one slip makes of a word: a letter dropped, added, changed, or two swapped."""
    places = range(len(word))
    made = {word[:at] + word[at + 1 :] for at in places}
    made |= {word[:at] + word[at : at + 2][::-1] + word[at + 2 :] for at in places}
    for letter in LETTERS:
        made |= {word[:at] + letter + word[at + 1 :] for at in places}
        made |= {word[:at] + letter + word[at:] for at in range(len(word) + 1)}
    return made - {word}


def test_every_slip_is_seen_save_ordinary_words() -> None:
    unseen = {
        made for word in OPERATORS if len(word) >= 5 for made in slips(word) if meant(made) != word
    }
    assert unseen == ORDINARY | {"none_of"}


@pytest.mark.parametrize(
    ("name", "operator"),
    [
        ("abvoe", "above"), ("bellow_", None), ("beolw", "below"), ("conains", "contains"),
        ("incldues", "includes"), ("unorderd", "unordered"), ("onef", None), ("oneof", "one_of"),
        ("lenght", "length"), ("abesnt", "absent"), ("greater_than", "above"), ("lte", "max"),
        ("startswith", 'matches: "^..."'),
        ("none_of", "not, around one_of"),
    ],
)  # fmt: skip
def test_what_a_lone_name_can_only_mean(name: str, operator: str | None) -> None:
    assert meant(name) == operator


@pytest.mark.parametrize("name", ["exact", "match", "Number", "Length", "fee", "id", ""])
def test_an_ordinary_word_is_a_name(name: str) -> None:
    assert meant(name) is None


def test_operators_are_no_slips() -> None:
    assert [name for name in OPERATORS if meant(name)] == []


@pytest.mark.parametrize(
    ("name", "operator"),
    [
        ("mni", "min"), ("maximum", "max"), ("at least", "min"), ("One-Of", "one_of"),
        ("tpye", "type"), ("tolerence", "tolerance"), ("booking", None), ("x" * 10_000, None),
        ("", None),
    ],
)  # fmt: skip
def test_the_nearest_operator_is_offered_beside_others(name: str, operator: str | None) -> None:
    assert nearest(name) == operator


def test_only_what_looks_like_an_operator_is_hinted_at() -> None:
    assert no_operator(["fee", "net", "booking"]) == ""
    assert no_operator(["fee", "gt"]) == " ('gt' is no operator: did you mean above?)"
