"""How far an unchanged agent strays, from saved runs of it."""

import random
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from fairtrial.errors import StoreError, UsageError
from fairtrial.flow.noise import (
    measure_noise,
    read_tolerance,
    tolerance_file,
    write_tolerance,
)
from fairtrial.records import Json, Tolerance
from fairtrial.stats import tolerance_from_runs
from fairtrial.store import SavedRun, find_run

if TYPE_CHECKING:
    from tests.conftest import Desk

INFRA = {"kind": "provider", "message": "503"}


def saved(desk: "Desk", *rows: str, model: str = "live", **fields: Json) -> SavedRun:
    """Grade cases c0, c1, ... whose trials are letters: p passes, f fails, e is an error."""
    desk.cases(*(desk.case(f"c{at}", **fields) for at in range(len(rows))))
    desk.record(
        *(
            desk.recording(f"c{at}", "done" if letter == "p" else "no", model=model)
            | ({"error": INFRA} if letter == "e" else {})
            for at, row in enumerate(rows)
            for letter in row
        )
    )
    desk.grade()
    return find_run("latest", desk.folder)


def drawn(desk: "Desk", runs: int, cases: int = 20, k: int = 5, kind: str = "") -> list[SavedRun]:
    """Give runs of an agent whose cases pass at 0.5 to 1, seeded."""
    chance = random.Random(11)
    rates = [0.5 + 0.5 * at / cases for at in range(cases)]
    first = ["".join("pf"[chance.random() > rate] for _ in range(k)) for rate in rates]
    found = []
    for number in range(runs):
        lower = 0.35 * (number % 2) if kind == "days" else 0
        rows = [
            row
            if kind == "alike"
            else "pf"[chance.random() > rate] * k
            if kind == "clumped"
            else "".join("pf"[chance.random() > rate - lower] for _ in range(k))
            for rate, row in zip(rates, first, strict=True)
        ]
        found.append(saved(desk, *rows))
    return found


def test_the_tolerance_is_a_prediction_interval_over_the_runs(desk: "Desk") -> None:
    runs = drawn(desk, 5)
    noise = measure_noise(runs)
    told = noise.tolerance
    rates = [run.scorecard.pass_rate or 0.0 for run in runs]
    assert told.rates == pytest.approx(rates)
    plain = tolerance_from_runs(rates)
    assert told.tolerance == pytest.approx(plain["tolerance"])
    assert (told.mean, told.sd) == pytest.approx((plain["mean"], plain["sd"]))
    assert (told.runs, told.cases, told.k, told.mode) == (5, 20, 5, "live")
    assert told.judge is None


def test_beside_a_single_run_the_tolerance_is_wider(desk: "Desk") -> None:
    told = measure_noise(drawn(desk, 5)).tolerance
    assert told.tolerance is not None
    # t(0.95, 4) = 2.1318; sd sqrt(1 + 1/5) beside a mean of five, sd sqrt(2) beside one
    assert told.tolerance_of_two == pytest.approx(2.13185 * told.sd * 2**0.5, rel=1e-4)


def test_below_five_runs_there_is_no_tolerance(desk: "Desk") -> None:
    noise = measure_noise(drawn(desk, 4))
    assert (noise.tolerance.tolerance, noise.tolerance.tolerance_of_two) == (None, None)
    assert any("takes 5 runs, better ten, and these are 4" in note for note in noise.notes)
    assert len(noise.tolerance.rates) == 4


def test_an_agent_with_plain_noise_gives_no_warning(desk: "Desk") -> None:
    noise = measure_noise(drawn(desk, 6))
    assert noise.warnings == ()
    assert noise.dispersion == pytest.approx(1, abs=0.4)
    assert not noise.deterministic


def test_days_that_differ_are_told_apart_from_trials(desk: "Desk") -> None:
    noise = measure_noise(drawn(desk, 6, kind="days"))
    assert noise.tolerance.tau2 > noise.tolerance.sampling
    assert [text for text in noise.warnings if "whole runs differ by more" in text]


def test_trials_that_go_together_are_warned_of(desk: "Desk") -> None:
    noise = measure_noise(drawn(desk, 6, kind="clumped"))
    assert noise.dispersion is not None
    assert noise.dispersion > 2
    assert [text for text in noise.warnings if "those of one run come out together" in text]


def test_trials_that_come_out_the_same_in_every_run_are_warned_of(desk: "Desk") -> None:
    noise = measure_noise(drawn(desk, 6, kind="alike"))
    assert noise.dispersion == pytest.approx(0, abs=0.01)
    assert [text for text in noise.warnings if "passes as often in every run" in text]


def test_a_run_without_a_model_that_comes_out_alike_has_no_noise(desk: "Desk") -> None:
    noise = measure_noise([saved(desk, "pf", "pp", model="scripted") for _ in range(2)])
    told = noise.tolerance
    assert (noise.deterministic, told.tolerance, told.tolerance_of_two) == (True, 0.0, 0.0)
    assert any("such a run has no noise" in note for note in noise.notes)


def test_a_run_without_a_model_that_varies_is_warned_of(desk: "Desk") -> None:
    runs = [saved(desk, row, "pp", model="scripted") for row in ("pf", "pp")]
    noise = measure_noise(runs)
    assert not noise.deterministic
    assert "no live model spoke, and yet the runs differ" in noise.warnings[0]


def test_live_runs_in_which_nothing_varied_have_no_tolerance(desk: "Desk") -> None:
    noise = measure_noise([saved(desk, "ppp", "ppp") for _ in range(5)])
    assert (noise.tolerance.tolerance, noise.tolerance.sd) == (None, 0.0)
    assert any("how far a run can stray is not known" in note for note in noise.notes)
    assert not noise.deterministic


def test_rates_that_are_equal_by_luck_do_not_make_a_tolerance_of_0(desk: "Desk") -> None:
    rows = [("pf", "pp"), ("pp", "pf")] * 3
    noise = measure_noise([saved(desk, *row) for row in rows])
    assert noise.tolerance.sd == 0
    assert noise.tolerance.tolerance is not None
    assert noise.tolerance.tolerance > 0.1
    assert any("the same rate, by luck" in note for note in noise.notes)


def test_cases_that_came_out_both_ways_are_listed_the_noisiest_first(desk: "Desk") -> None:
    noise = measure_noise(
        [saved(desk, "pppp", "pppf", "ppff"), saved(desk, "pppp", "pppp", "ffff")]
    )
    told = [(case.id, case.passed, case.measured) for case in noise.flaky]
    assert told == [("c2", 2, 8), ("c1", 7, 8)]
    assert (noise.flaky[0].lowest, noise.flaky[0].highest) == (0.0, 0.5)


def test_errors_are_out_of_the_rates_and_counted(desk: "Desk") -> None:
    noise = measure_noise(
        [
            saved(desk, "ppe", "pff"),
            saved(desk, "ppf", "pee"),
        ]
    )
    assert (noise.trials, noise.errors) == (12, 3)
    assert noise.tolerance.rates == pytest.approx([(1 + 1 / 3) / 2, (2 / 3 + 1) / 2])


def test_a_case_that_one_run_did_not_measure_is_left_out_of_all(desk: "Desk") -> None:
    noise = measure_noise([saved(desk, "pp", "pf"), saved(desk, "pf", "ee")])
    assert (noise.left_out, noise.tolerance.cases) == (("c1",), 1)
    assert noise.tolerance.rates == (1.0, 0.5)


def test_one_trial_a_case_is_enough_where_runs_are_many(desk: "Desk") -> None:
    noise = measure_noise(drawn(desk, 5, k=1))
    assert noise.tolerance.sampling > 0
    assert noise.tolerance.tolerance is not None


# The margin.


def test_a_margin_that_chance_alone_breaks_is_warned_of(desk: "Desk") -> None:
    runs = drawn(desk, 5)
    told = " ".join(measure_noise(runs, margin=0.001).warnings)
    assert "more often than once in twenty times" in told
    assert "this suite sees a drop from" in told
    assert "asks for" not in " ".join(measure_noise(runs, margin=0.9).warnings)
    assert "asks for" not in " ".join(measure_noise(runs).warnings)


def test_a_run_without_noise_may_ask_for_any_margin(desk: "Desk") -> None:
    runs = [saved(desk, "pf", "pp", model="scripted") for _ in range(2)]
    assert measure_noise(runs, margin=0.0).warnings == ()


# Runs that are no repeats of each other.


def test_what_is_no_repeat_is_refused(desk: "Desk") -> None:
    live, scripted = saved(desk, "pf"), saved(desk, "pf", model="scripted")
    other = saved(desk, "pf", input="Something else?")
    for runs, words in (
        ([live], "name two or more"),
        ([live, scripted, live], "is named twice"),
        ([live, scripted], "these runs are live and scripted"),
        ([live, other], "no case is the same"),
    ):
        with pytest.raises(UsageError, match=words):
            measure_noise(runs)


def test_runs_that_were_not_made_alike_are_warned_of(desk: "Desk") -> None:
    few, many = saved(desk, "pf", "pp"), saved(desk, "pfp", "ppp")
    assert [
        text for text in measure_noise([few, many]).warnings if "by trials a case: 2, 3" in text
    ]


# The file.


def test_a_tolerance_stands_beside_the_baseline_and_is_read_back(desk: "Desk") -> None:
    place = tolerance_file(desk.folder / "evals" / "baseline.json")
    assert place == desk.folder / "evals" / "tolerance.json"
    assert read_tolerance(place) is None
    told = measure_noise(drawn(desk, 5)).tolerance
    write_tolerance(place, told)
    assert read_tolerance(place) == told
    assert desk.read("evals/tolerance.json")["format"] == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (b"{", "no measured tolerance"),
        ({"tolerance": "wide"}, "no measured tolerance"),
        ({"tolerance": -0.1}, "tolerance: wanted a share from 0 up, got -0.1"),
        ({"format": 2}, "format 2, this version reads 1"),
    ],
)
def test_what_is_no_tolerance_is_refused_with_the_way_out(
    tmp_path: Path, change: bytes | dict[str, Json], words: str
) -> None:
    whole = msgspec.to_builtins(
        Tolerance(
            runs=5, cases=1, k=1, mode="live", tolerance=0.1, tolerance_of_two=0.1, tau2=0.0,
            sampling=0.0, mean=1.0, sd=0.0, rates=(1.0,),
        )
    )  # fmt: skip
    place = tmp_path / "tolerance.json"
    place.write_bytes(change if isinstance(change, bytes) else msgspec.json.encode(whole | change))
    with pytest.raises(StoreError, match=words) as told:
        read_tolerance(place)
    assert "fairtrial stats noise" in str(told.value)
