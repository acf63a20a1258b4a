from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Json
from fairtrial.worlds.faults import LOST, Faults, Schedule, Strike, injected, read_faults
from fairtrial.worlds.fitting import Misfit, said


def struck(calls: int, *schedules: Schedule) -> list[Strike]:
    faults = Faults({"pay": schedules})
    return [faults.strike("pay") for _ in range(calls)]


def errors(calls: int, **schedule: Any) -> str:
    """Give a letter a call: x where it fails."""
    return "".join(
        "x" if one.error else "." for one in struck(calls, Schedule(error="e", **schedule))
    )


@pytest.mark.parametrize(
    ("schedule", "hits"),
    [
        ({}, "xxxxxxxx"),
        ({"times": 2}, "xx......"),
        ({"after": 3}, "...xxxxx"),
        ({"every": 3}, "..x..x.."),
        ({"after": 2, "every": 2}, "...x.x.x"),
        ({"after": 1, "every": 2, "times": 2}, "..x.x..."),
    ],
)
def test_a_schedule_says_which_calls_are_hit(schedule: dict[str, int], hits: str) -> None:
    assert errors(8, **schedule) == hits


@given(st.integers(0, 5), st.integers(1, 4), st.none() | st.integers(1, 4))
def test_hits_are_never_early_never_too_many(after: int, every: int, times: int | None) -> None:
    hits = errors(30, after=after, every=every, times=times)
    assert "x" not in hits[: after + every - 1]
    assert hits.count("x") == min((30 - after) // every, times or 30)


def test_the_first_that_hits_decides_the_error_and_latencies_add_up() -> None:
    first, second = struck(
        2,
        Schedule(error="one", times=1, latency=1),
        Schedule(error="two", latency=0.5),
        Schedule(drop_result=True),
    )
    assert first == Strike(1.5, "one")
    assert second == Strike(0.5, "two")


@pytest.mark.parametrize(
    ("schedules", "told"),
    [
        ([{"error": "a", "times": 1}, {"error": "b", "times": 1}], ["a", "b", None]),
        ([{"error": "a", "times": 2}, {"drop_result": True, "times": 1}], ["a", "a", LOST, None]),
        ([{"error": "a", "times": 1}, {"inject": "x", "times": 1}], ["a", ("x",), None]),
        ([{"inject": "x", "times": 1}, {"error": "a", "times": 1}], ["a", ("x",), None]),
    ],
)
def test_what_another_error_comes_before_keeps_its_hit_for_a_later_call(
    schedules: list[dict[str, Any]], told: list[Any]
) -> None:
    strikes = struck(len(told), *(Schedule(**one) for one in schedules))
    assert [one.error or one.inject or None for one in strikes] == told


def test_latencies_add_up_also_of_an_error_that_comes_later() -> None:
    strikes = struck(
        3,
        Schedule(error="a", times=1),
        Schedule(error="b", times=1, latency=2),
        Schedule(latency=1, times=1),
    )
    assert [(one.error, one.latency) for one in strikes] == [("a", 3), ("b", 2), (None, 0)]


def test_a_dropped_result_fails_though_the_tool_runs() -> None:
    assert struck(1, Schedule(drop_result=True)) == [Strike(0.0, LOST, lost=True)]
    assert struck(1, Schedule(drop_result=True, error="gone")) == [Strike(0.0, "gone", lost=True)]


def test_a_call_that_only_counts_uses_up_no_hit() -> None:
    faults = Faults({"pay": (Schedule(error="e", after=1, times=1),)})
    faults.count("pay")
    assert [faults.strike("pay").error, faults.strike("pay").error] == ["e", None]


@pytest.mark.parametrize(
    ("result", "with_note"),
    [
        ("a", "a\n\nx"),
        ({}, {"note": "x"}),
        ({"note": "n"}, {"note": "n\n\nx"}),
        ({"note": 1}, {"result": {"note": 1}, "note": "x"}),
        (None, {"result": None, "note": "x"}),
        ([1], {"result": [1], "note": "x"}),
    ],
)
def test_foreign_text_is_put_into_any_result(result: Json, with_note: Json) -> None:
    assert injected(result, ("x",)) == with_note


def test_several_foreign_texts_follow_each_other() -> None:
    assert injected("a", ("x", "y")) == "a\n\nx\n\ny"


@pytest.mark.parametrize(
    ("faults", "text"),
    [
        ({"pya": []}, "faults.pya: there is no such tool; known here: pay; did you mean pay?"),
        ({"pay": "down"}, "faults.pay: wanted a list, got 'down'"),
        ({"pay": [{"eror": "x"}]}, "faults.pay[0].eror: unknown field; known here: error, times,"),
        ({"pay": [{"error": "x", "times": 0}]}, "faults.pay[0].times: wanted a whole number >= 1"),
        ({"pay": [{"latency": -1}]}, "faults.pay[0].latency: wanted a number >= 0"),
        ({"pay": [{"times": 1}]}, "faults.pay[0]: this says nothing; write error, latency,"),
    ],
)
def test_a_fault_that_does_not_fit_is_told(faults: dict[str, Json], text: str) -> None:
    wrong: list[Misfit] = []
    read_faults(faults, {"pay": None}, wrong)
    assert [one[: len(text)] for one in map(said, wrong)] == [text]


def test_a_schedule_alone_stands_for_a_list_of_one() -> None:
    read = read_faults({"pay": {"error": "x"}}, {"pay": None}, [])
    assert read == {"pay": (Schedule(error="x"),)}
