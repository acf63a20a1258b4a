from fairtrial.records import Check, Json, ShownCase, ShownTrial, Trial, Verdict
from fairtrial.report.html.case_rows import CaseRows


def check(name: str, passed: bool | None, *, decides: bool = True) -> Check:
    return Check(name=name, passed=passed, decides=decides, reason=f"why {name}")


def shown(case: str, number: int, verdict: Verdict, *checks: Check, **more: Json) -> ShownTrial:
    fields: dict[str, Json] = {
        "stop": "answer", "error": None, "steps": 2, "tokens": None, "cost": None, "seconds": 0.5,
        "tool_errors": 0, "tools": (), "failed_calls": (),
    }  # fmt: skip
    trial = Trial(case=case, trial=number, verdict=verdict, checks=checks, **(fields | more))
    return ShownTrial(trial=trial, number=number + 1, line=b"{}")


def rows(*trials: ShownTrial, **fields: Json) -> CaseRows:
    found = CaseRows([ShownCase(id="a", hash="0", **fields)])
    for one in trials:
        found.add(one)
    return found


def test_trials_stand_in_columns_and_alike_values_once() -> None:
    found = rows(shown("a", 0, "passed"), shown("a", 1, "failed", check("x", False), steps=3))
    row = found.rows["a"].as_json({})
    assert row["t"] == {"v": "pf", "l": [1, 2], "s": [2, 3], "w": 0.5}
    assert (row["s"], row["w"]) == ("flaky", ["x", "why x"])


def test_numbers_that_do_not_count_up_are_kept() -> None:
    assert rows(shown("a", 3, "passed")).rows["a"].as_json({})["t"]["n"] == [3]


def test_of_two_trials_with_one_number_the_later_stands() -> None:
    found = rows(
        shown("a", 0, "failed", check("x", False)), shown("a", 0, "passed", check("x", True))
    )
    assert found.rows["a"].counts == (1, 1)
    assert found.counts_by_check() == {"x": [(1, 1)]}


def test_checks_of_one_name_count_together_and_a_null_is_not_told() -> None:
    found = rows(
        shown("a", 0, "passed", check("x[1]", True), check("x[2]", True)),
        shown("a", 1, "failed", check("x[1]", True), check("x[2]", False)),
        shown("a", 2, "failed", check("x[1]", None), check("x[2]", True), check("y", False)),
        shown("a", 3, "error", check("x[1]", False)),
    )
    assert found.counts_by_check() == {"x": [(1, 2)], "y": [(0, 1)]}


def test_however_many_ways_checks_come_out_each_is_counted() -> None:
    trials = [shown("a", n, "failed", check("x", False), check(f"y{n}", True)) for n in range(600)]
    counts = rows(*trials, *[shown("a", n + 600, "passed", check("x", True)) for n in range(600)])
    assert counts.counts_by_check()["x"] == [(600, 1200)]


def test_tags_are_numbered_and_shared() -> None:
    tags: dict[str, int] = {}
    found = rows(tags=("t", "u"), protected=True, planned=2, asks="Hi", source="a.yaml:1")
    row = found.rows["a"].as_json(tags)
    assert (row["g"], tags) == ([0, 1], {"t": 0, "u": 1})
    assert (row["p"], row["n"], row["a"], row["s"]) == (1, 2, "Hi", "error")


def test_what_informs_is_told_from_what_decides() -> None:
    found = rows(shown("a", 0, "passed", check("x", True), check("y", False, decides=False)))
    found.counts_by_check()
    assert (found.informing, found.deciding) == ({"y"}, {"x"})


def test_further_trials_stand_apart_and_count_nowhere() -> None:
    found = rows(shown("a", 0, "passed"))
    found.add(shown("a", 1, "failed", check("x", False)), further=True)
    assert found.rows["a"].counts == (1, 1)
    assert found.rows["a"].as_json({})["e"]["v"] == "f"


def test_a_trial_of_no_listed_case_is_shown() -> None:
    assert [*rows(shown("b", 0, "passed")).rows] == ["a", "b"]


def test_why_a_trial_could_not_be_measured() -> None:
    error = shown("a", 0, "error", error="provider: 429")
    assert rows(error).rows["a"].as_json({})["w"] == ["not measured", "provider: 429"]
    null = shown("a", 0, "error", check("x", None))
    assert rows(null).rows["a"].as_json({})["w"] == ["x", "why x"]
