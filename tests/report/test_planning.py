"""Noise and size for the terminal."""

import pytest
from msgspec.structs import replace

from fairtrial.records import CaseNoise, Noise, SizePlan, SizeRow, SuiteSize, Tolerance
from fairtrial.report import Style, noise_lines, size_lines

WIDE = Style(width=120)

SIZE = SuiteSize(
    run="r1",
    mode="live",
    drop=0.05,
    power=0.8,
    alpha=0.05,
    cases=60,
    k=5,
    trials=300,
    pass_rate=0.763,
    between=0.0331,
    within=0.148,
    smallest_drop=0.0842,
    seen=0.443,
    powers={"1": 0.09, "5": 0.443, "20": None},
    trials_needed=14,
    plans=(
        SizePlan(k=1, cases=798, trials=798, cost=7.98),
        SizePlan(k=5, cases=None, trials=None, cost=None),
    ),
    table=(
        SizeRow(cases=30, drops={"1": None, "5": 0.123}),
        SizeRow(cases=60, drops={"1": 0.197, "5": 0.0499}),
    ),
    cost_of_trial=0.01,
    currency="USD",
    unknown=(),
)

TOLERANCE = Tolerance(
    runs=5,
    cases=60,
    k=5,
    mode="live",
    tolerance=0.0457,
    tolerance_of_two=0.059,
    tau2=0.0001,
    sampling=0.0005,
    mean=0.767,
    sd=0.0196,
    rates=(0.76, 0.78, 0.77, 0.737, 0.787),
)
NOISE = Noise(
    tolerance=TOLERANCE,
    runs=tuple("abcde"),
    deterministic=False,
    smallest_drop=0.086,
    margin=None,
    trials=1500,
    errors=0,
    dispersion=0.93,
    p_clumped=0.7,
    p_alike=0.3,
    p_days=0.559,
    flaky=(CaseNoise(id="c-28", passed=13, measured=25, lowest=0.2, highest=1.0),),
    left_out=(),
    warnings=(),
    notes=(),
)


def of_size(size: SuiteSize, style: Style = WIDE) -> list[str]:
    return list(size_lines(size, style))


def of_noise(noise: Noise, style: Style = WIDE) -> list[str]:
    return list(noise_lines(noise, style))


def test_a_plan_reads_from_this_suite_to_others() -> None:
    assert of_size(SIZE) == [
        "Run r1, live: 60 cases, 300 measured trials, pass rate 76.3 %.",
        "variance     within a case 0.148, between cases 0.033 (p(1-p) is 0.25 at most)",
        "sees drops   of 8.4 points and more (power 80 %, one-sided 5 %)",
        "power        for a drop of 1 point 9 %, 5 44.3 %",
        "wanted       5 points cannot be seen (power 44.3 %); these 60 cases see it with 14 trials"
        " each",
        "",
        "to see a drop of 5 points",
        "  trials a case  cases  trials a run  cost a run, USD",
        "              1    798           798             7.98",
        "              5      -             -                -",
        "",
        "smallest drop seen, in points",
        "  cases       x 1     x 5",
        "  30           -    12.3",
        "  60        19.7     5.0* <",
        "  * sees 5 points, < as many cases as here; columns are trials a case",
    ]


def test_without_a_price_there_is_no_column_of_costs() -> None:
    assert not any("cost" in line for line in of_size(replace(SIZE, cost_of_trial=None)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"smallest_drop": 0.04, "seen": 0.9}, "5 points can be seen, with power 90 %"),
        ({"trials_needed": None}, "5 points cannot be seen with these 60 cases, however often"),
        ({"smallest_drop": None}, "not even a fall to 0 % (power 80 %"),
        ({"mode": "scripted"}, "offline every loss is real"),
    ],
)
def test_what_the_suite_sees_is_said(change: dict[str, object], words: str) -> None:
    assert words in " ".join(of_size(replace(SIZE, **change)))


def test_what_is_not_known_stands_alone() -> None:
    unknown = replace(
        SIZE, within=None, between=None, smallest_drop=None, plans=(), table=(), unknown=("why",)
    )
    assert of_size(unknown)[1:] == [
        "variance     within a case not known, between cases not known (p(1-p) is 0.25 at most)",
        "",
        "not known    why",
    ]


def test_noise_reads_from_rates_to_cases() -> None:
    assert of_noise(NOISE) == [
        "5 runs of an unchanged agent, live: 60 cases, 1,500 trials.",
        "",
        "pass rates   76 %, 78 %, 77 %, 73.7 %, 78.7 %; mean 76.7 %, standard deviation 2 points",
        "tolerance    4.6 points below the mean of these runs, 5.9 points below a single one of"
        " them (one-sided 5 %)",
        "agent noise  2.2 points from the trials alone, 1 point more from run to run (chance of so"
        " much without any: 55.9 %)",
        "trials       spread over runs 0.93, where independent trials have 1",
        "sees drops   of 8.6 points and more between two such runs (power 80 %)",
        "judge noise  not measured: no judge that decides was asked again (`--judge live` asks it)",
        "",
        "flaky cases: 1 of 60 cases",
        "  c-28                        13 of 25 trials, 20 % to 100 % in a run",
    ]


def test_warnings_come_first_and_what_was_left_out_is_named() -> None:
    lines = of_noise(
        replace(NOISE, warnings=("mind this",), notes=("and that",), errors=15, left_out=("c9",))
    )
    assert lines[1] == "warning mind this"
    assert "note         and that" in lines
    assert "measured     99 % of 1,500 trials, 15 errors" in lines
    assert "left out     1 case not the same or not measured in all: c9" in lines


def test_a_run_without_noise_says_no_more_than_that() -> None:
    lines = of_noise(replace(NOISE, deterministic=True, flaky=()))
    assert not any(line.startswith(("agent noise", "trials", "sees drops")) for line in lines)


def test_no_tolerance_is_said_to_be_none() -> None:
    none = replace(TOLERANCE, tolerance=None, tolerance_of_two=None)
    assert "tolerance    none given" in of_noise(replace(NOISE, tolerance=none))


def test_many_flaky_cases_are_counted() -> None:
    many = NOISE.flaky * 50
    lines = of_noise(replace(NOISE, flaky=many))
    assert lines[-1] == "  and 30 more"


@pytest.mark.parametrize("width", [60, 80])
def test_no_line_is_wider_than_asked_and_nothing_steers_the_terminal(width: int) -> None:
    hostile = "\x1b[31m\n\u202e" + "w" * 300
    flaky = tuple(replace(case, id=hostile) for case in NOISE.flaky)
    noise = replace(NOISE, flaky=flaky, left_out=(hostile,), warnings=(hostile,), notes=(hostile,))
    size = replace(SIZE, run=hostile, currency=hostile, unknown=(hostile,))
    for line in [*of_noise(noise, Style(width=width)), *of_size(size, Style(width=width))]:
        assert len(line) <= width
        assert line.isprintable()
