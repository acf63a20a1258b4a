"""Answers that an agent can act on."""

import pytest

from fairtrial.records import Json
from fairtrial.testing.told_to_agents import Refusal, complaints, probes


def told(heard: str, *clues: str, bug: str | None = None) -> list[str]:
    return list(complaints(Refusal(heard, bug), clues))


@pytest.mark.parametrize(
    "heard",
    ["no booking H-9", "the booking is another guest's", "Booking is unknown", "Error rate"],
)
def test_a_sentence_that_names_the_argument_is_fine(heard: str) -> None:
    assert told(heard, "booking", "H-9", "rate") == []


@pytest.mark.parametrize(
    ("heard", "words"),
    [
        ("KeyError: 'booking'", "an exception of Python"),
        ("requests.exceptions.HTTPError: booking", "an exception of Python"),
        ("<Booking object at 0x7f3a09c9> is bad: booking", "the insides of a program"),
        ('Traceback (most recent call last):\n  File "a.py", line 3\nbooking', "the insides of a"),
        ("not allowed", "which does not name booking"),
        ("booking " * 200, "a sentence is enough"),
    ],
)
def test_what_an_agent_cannot_act_on_is_told(heard: str, words: str) -> None:
    (text,) = told(heard, "booking")
    assert words in text


def test_a_bug_is_told_and_not_what_the_agent_hears_of_it() -> None:
    (text,) = told("internal error in the tool", "booking", bug="TypeError: None (world.py:7)")
    assert text.startswith("the tool breaks: TypeError: None (world.py:7)")


def test_each_probe_is_one_step_from_the_call_that_works() -> None:
    schema: Json = {
        "properties": {
            "to": {"type": "string"},
            "amount": {"type": "number"},
            "how": {"type": ["object", "null"]},
            "any": {},
        },
        "required": ["to", "amount"],
    }
    given: dict[str, Json] = {"to": "g7", "amount": 5, "ok": True}
    made = list(probes(given, schema))
    assert [(one.about, one.must_fail) for one in made] == [
        ("to", True), ("amount", True), ("to", True), ("amount", True), ("to", False),
        ("amount", False),
    ]  # fmt: skip
    assert all(sum(one.arguments.get(key) != given[key] for key in given) == 1 for one in made)
    assert given == {"to": "g7", "amount": 5, "ok": True}
