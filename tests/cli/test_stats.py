"""fairtrial stats: the unchanged agent run again and again, and what a suite can see."""

from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.cli.conftest import Bench
    from tests.conftest import Desk

FLAKY = """
import random
import threading
CHANCE, LOCK = random.Random(5), threading.Lock()

def agent(task):
    with LOCK:
        lucky = CHANCE.random() < 0.75
    return "done" if lucky else "no"
"""
LIVE = 'model = "live"\ntrials = 4\nconcurrency = 1\n'
CASES = "abcdefgh"


@pytest.fixture
def flaky(bench: "Bench") -> "Bench":
    """A suite whose agent passes three times in four, and says that its model is live."""
    bench.suite(FLAKY, *map(bench.desk.case, CASES), settings=LIVE)
    return bench


def noise(bench: "Bench", *options: str, code: int = 0) -> Json:
    ran = bench.desk.run("stats", "noise", "--json", "noise.json", *options)
    assert ran.code == code, ran.out + ran.err
    return bench.desk.read("noise.json")


# Noise.


def test_the_unchanged_agent_is_run_five_times_and_its_tolerance_written(flaky: "Bench") -> None:
    ran = flaky.desk.run("stats", "noise", "--json", "noise.json")
    assert (ran.code, ran.last) == (0, "written: evals/tolerance.json")
    assert ran.out.startswith("5 runs of an unchanged agent, live: 8 cases, 160 trials.")
    assert [line.partition(":")[2][:11] for line in ran.err.splitlines()] == [
        f" run {number} of 5" for number in range(1, 6)
    ]
    found = flaky.desk.read("noise.json")
    assert found["runs"] == [folder.name for folder in flaky.desk.runs()]
    assert found["tolerance"] == flaky.desk.read("evals/tolerance.json")
    told = found["tolerance"]
    assert (told["runs"], told["cases"], told["k"], told["mode"]) == (5, 8, 4, "live")
    assert 0 < told["tolerance"] < told["tolerance_of_two"] < 1
    assert told["judge"] is None
    assert found["smallest_drop"] > 0


def test_the_options_of_a_run_hold_for_every_one(flaky: "Bench") -> None:
    flaky.desk.cases(flaky.desk.case("a", tags=["x"]), flaky.desk.case("b"))
    told = noise(flaky, "--runs", "6", "-k", "7", "--tag", "x", "--seed", "0")["tolerance"]
    assert (told["runs"], told["k"], told["cases"]) == (6, 7, 1)


def test_saved_runs_are_read_instead(flaky: "Bench") -> None:
    for _ in range(5):
        flaky.run("-q")
    ids = [folder.name for folder in flaky.desk.runs()]
    found = noise(flaky, *ids, "--out", "here.json")
    assert found["runs"] == ids
    assert len(flaky.desk.runs()) == 5
    assert flaky.desk.read("here.json") == found["tolerance"]
    assert not (flaky.folder / "evals").exists()


def test_few_runs_are_told_and_nothing_is_written(flaky: "Bench") -> None:
    ran = flaky.desk.run("stats", "noise", "--runs", "2", "--out", "here.json")
    assert (ran.code, ran.last) == (0, "no tolerance was written")
    assert "takes 5 runs, better ten, and these are 2" in " ".join(ran.out.split())
    assert not (flaky.folder / "here.json").exists()


def test_a_scripted_run_has_no_noise_and_that_is_said(bench: "Bench") -> None:
    bench.suite()
    ran = bench.desk.run("stats", "noise")
    assert (ran.code, ran.last) == (0, "no tolerance was written")
    assert "such a run has no noise" in " ".join(ran.out.split())
    assert not (bench.folder / "evals").exists()
    assert noise(bench, "--out", "here.json")["deterministic"]
    assert bench.desk.read("here.json")["tolerance"] == 0


def test_a_margin_below_what_the_suite_sees_is_warned_of_and_still_wins(bench: "Bench") -> None:
    settings = LIVE + "[gate]\ntolerance = 0.01\n"
    bench.suite(FLAKY, *map(bench.desk.case, CASES), settings=settings)
    ran = bench.desk.run("stats", "noise")
    text = " ".join(ran.out.split())
    assert "[gate] tolerance asks for 1 point, and this suite sees a drop from" in text
    assert ran.last == "[gate] tolerance in the settings wins over it"


def test_a_cache_in_the_agent_is_found(bench: "Bench") -> None:
    agent = (
        "import random\nSEEN, CHANCE = {}, random.Random(5)\n"
        "def agent(task):\n"
        "    if task.trial == 0:\n"
        "        SEEN[task.case] = 'done' if CHANCE.random() < 0.6 else 'no'\n"
        "    return SEEN[task.case]\n"
    )
    bench.suite(agent, *map(bench.desk.case, CASES), settings=LIVE)
    assert "those of one run come out together" in " ".join(noise(bench)["warnings"])


def test_where_nothing_was_measured_there_is_no_noise(bench: "Bench") -> None:
    bench.suite("import fairtrial as ft\ndef agent(task):\n    raise ft.ProviderError('out')\n")
    ran = bench.desk.run("stats", "noise", "--runs", "2")
    assert (ran.code, ran.out) == (3, "")
    assert "nothing was measured in these runs" in ran.err


def test_ctrl_c_ends_it_and_names_the_runs_that_are_there(bench: "Bench") -> None:
    agent = (
        "import os, signal, threading\nCALLS = []\n"
        "def agent(task):\n"
        "    CALLS.append(1)\n"
        "    if len(CALLS) > 2:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        threading.Event().wait(30)\n"
        "    return 'done'\n"
    )
    bench.suite(agent, settings='model = "live"\n')
    done = bench.program("stats", "noise")
    assert done.returncode == 130
    ids = [folder.name for folder in bench.desk.runs()]
    assert f"interrupted in run 3 of 5; those before are saved: fairtrial stats noise {ids[0]}" in (
        done.stderr
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--runs", "1"], "--runs: noise is what differs between runs: wanted 2 or more, got 1"),
        (["--runs", "-3"], "wanted 2 or more, got -3"),
        (["latest"], "name two or more"),
        (["latest", "latest"], "is named twice"),
        (["latest", "none"], "no run 'none'"),
        (["latest", "-k", "3"], "-k is for running the agent"),
        (["latest", "--runs", "3"], "--runs is for running the agent"),
        (["latest", "--max-cost", "3"], "--max-cost is for running the agent"),
        (["latest", "--seed", "0"], "--seed is for running the agent"),
        (["--variant", "none"], "no variant 'none'"),
        (["--json", "evals/tolerance.json"], "that is read here"),
        (["--out", "fairtrial.toml"], "that is read here, and would be lost"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_run(
    flaky: "Bench", options: list[str], words: str
) -> None:
    flaky.run("-q")
    flaky.desk.write("evals/tolerance.json", "{}")
    ran = flaky.desk.run("stats", "noise", *options)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert len(flaky.desk.runs()) == 1


# Size.


def test_the_newest_run_tells_what_its_suite_sees(flaky: "Bench") -> None:
    report = flaky.report(code=1)
    ran = flaky.desk.run("stats", "size", "--drop", "20", "--power", "0.9", "--json", "s.json")
    assert ran.code == 0
    found = flaky.desk.read("s.json")
    assert (found["run"], found["cases"], found["k"]) == (report["run"]["id"], 8, 4)
    assert (found["drop"], found["power"], found["alpha"]) == (0.2, 0.9, 0.05)
    assert found["smallest_drop"] > report["scorecard"]["smallest_drop"] > 0
    assert "to see a drop of 20 points" in ran.out


def test_a_live_scorecard_prints_the_smallest_drop_that_it_could_have_seen(flaky: "Bench") -> None:
    out = flaky.run().out
    assert "\nsees drops   of " in out
    assert flaky.desk.run("report", "latest").out.count("sees drops") == 1


def test_a_run_with_one_trial_a_case_says_what_is_not_known(flaky: "Bench") -> None:
    report = flaky.report("-k", "1", code=1)
    assert report["scorecard"]["smallest_drop"] is None
    ran = flaky.desk.run("stats", "size")
    assert ran.code == 0
    assert "no case has two measured trials" in " ".join(ran.out.split())
    assert "one trial a case does not tell" in " ".join(flaky.run("-k", "1").out.split())


def test_a_run_in_which_nothing_was_measured_is_told_as_such(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(error={"kind": "provider", "message": "429"}))
    desk.grade()
    ran = desk.run("stats", "size")
    assert ran.code == 3
    assert "nothing was measured in this run" in ran.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--drop", "0"], "wanted points from 0.1 up and below 100"),
        (["--drop", "0.05"], "5 is five points of the pass rate"),
        (["--drop", "100"], "got 100"),
        (["--drop", "nan"], "got nan"),
        (["--drop", "five"], "wanted points of the pass rate, such as 5, got 'five'"),
        (["--power", "80"], "80 % is 0.8"),
        (["--power", "1"], "below 1"),
        (["--alpha", "2"], "--alpha: wanted a share"),
        (["none"], "no run 'none'"),
    ],
)
def test_wrong_values_are_refused_with_words(desk: "Desk", options: list[str], words: str) -> None:
    desk.cases()
    desk.record(desk.recording(), desk.recording())
    desk.grade()
    ran = desk.run("stats", "size", *options)
    assert (ran.code, ran.out) == (2, "")
    assert words in " ".join(ran.err.split())


def test_the_group_lists_its_commands(desk: "Desk") -> None:
    ran = desk.run("stats", "--help")
    assert ran.code == 0
    assert "noise  How far an unchanged agent strays" in ran.out
    assert "size   Which drops a suite can see" in ran.out
    assert desk.run("stats", "sise").code == 2
