"""The lines around a judge's evidence: found where it stands, and short enough to read."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.judge import lines_around

RECORD = """== request ==
user: Hi

step 1, call: pay {}
== the agent's answer ==
No  **fee** is due.
Bye."""


def test_evidence_is_found_whatever_its_spaces_and_emphasis() -> None:
    assert lines_around("no fee is", RECORD) == (
        "== the agent's answer ==",
        "No  **fee** is due.",
        "Bye.",
    )


def test_evidence_over_several_lines_is_found_with_all_of_them() -> None:
    assert lines_around("call: pay {} ... no fee", RECORD) == tuple(
        line for line in RECORD.split("\n")[1:] if line
    )


def test_the_first_place_counts_and_the_ends_have_no_more_lines() -> None:
    assert lines_around("user", RECORD)[0] == "== request =="
    assert lines_around("Bye", RECORD) == ("No  **fee** is due.", "Bye.")


def test_a_long_line_is_cut_around_what_is_quoted() -> None:
    (line,) = lines_around("the needle", "x " * 500 + "the needle " + "y " * 500)
    assert "the needle" in line
    assert len(line) < 250


def test_what_does_not_stand_there_has_no_lines() -> None:
    assert lines_around("never said", RECORD) == lines_around(None, RECORD) == ()
    assert lines_around("", RECORD) == lines_around("...", RECORD) == ()


@settings(max_examples=50)
@given(st.text(max_size=50), st.text(max_size=300))
def test_no_text_breaks_it(evidence: str, transcript: str) -> None:
    for line in lines_around(evidence, transcript):
        assert "\n" not in line
