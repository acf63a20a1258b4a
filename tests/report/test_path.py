"""The calls of a trial on one line."""

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.report import Style
from fairtrial.report.measure import cells
from fairtrial.report.path import path_line

NAMES = st.lists(st.sampled_from(["a", "get_booking", "道具", "x y", "", "\x1b[1m", "z" * 99]))


def test_failed_calls_are_marked_and_repeats_folded() -> None:
    assert path_line(["a", "b", "c", "c", "c"], {1}, Style()) == "a > b! > c x3"


def test_a_failed_and_a_good_call_of_one_name_are_two() -> None:
    assert path_line(["a", "a", "a"], {0}, Style()) == "a! > a x2"


def test_no_call_is_said_in_words() -> None:
    assert path_line([], (), Style()) == "no tool calls"


def test_a_name_that_looks_like_a_path_is_quoted() -> None:
    assert path_line(["a > b!", "c"], (), Style()) == "'a > b!' > c"


def test_a_long_path_is_cut_in_the_middle_and_says_how_many_calls_are_left_out() -> None:
    tools = [f"t{n}" for n in range(100)]
    assert path_line(tools, (), Style(), room=28) == "t0 > t1 > … 96 … > t98 > t99"


def test_a_hundred_thousand_calls_take_no_time() -> None:
    tools = [f"t{n}" for n in range(100_000)]
    assert path_line(tools, frozenset(range(0, 100_000, 2)), Style()).startswith("t0! > t1 > ")


@given(NAMES, st.sets(st.integers(0, 30)), st.integers(20, 120), st.booleans())
def test_a_path_fits_its_room(tools: list[str], failed: set[int], room: int, unicode: bool) -> None:
    line = path_line(tools, failed, Style(unicode=unicode), room=room)
    assert cells(line) <= room
    assert line.isprintable()
