"""fairtrial grade through its door: files, flags, the report, the run folder and the exit code."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk

PROVIDER = {"error": {"kind": "provider", "message": "429"}}

# What was recorded, the flags, the exit code, what the last line says.
ENDINGS = [
    (["done"], [], 0, "everything was measured and passed"),
    (["done", "no"], [], 1, "a trial failed"),
    (["no"], ["--allow-failures"], 0, "trials failed, and that is allowed here"),
    ([None], [], 1, "a trial failed"),
    ([PROVIDER], [], 3, "nothing was measured"),
    (["done", PROVIDER], [], 3, "something could not be measured"),
    (["no", PROVIDER], [], 3, "something could not be measured"),
    (["no", PROVIDER], ["--allow-failures"], 3, "something could not be measured"),
    ([], [], 3, "nothing was measured"),
]


@pytest.mark.parametrize(("recorded", "flags", "code", "meaning"), ENDINGS)
def test_the_exit_code_says_what_became_of_the_run(
    desk: "Desk", recorded: list[object], flags: list[str], code: int, meaning: str
) -> None:
    desk.cases()
    desk.record(
        *(
            desk.recording(**one) if isinstance(one, dict) else desk.recording(answer=one)
            for one in recorded
        )
    )
    for quiet in ([], ["--quiet"]):
        ran = desk.grade(*flags, *quiet)
        assert (ran.code, ran.last) == (code, f"exit {code}: {meaning}")


def test_the_report_has_every_key_of_the_contract(desk: "Desk") -> None:
    plan = {"expect": {"tools": {"plan": ["look"]}}, "tags": ["fee"], "protected": True}
    desk.cases(desk.case("pay", **plan))
    call = {"name": "look", "arguments": {}, "error": "down"}
    desk.record(
        desk.recording("pay", steps=[{"calls": [call], "tokens": {"input": 3, "output": 1}}])
    )
    report = desk.graded()
    assert report["run"].keys() >= {"id", "folder", "mode", "variant", "filter"}
    card = report["scorecard"]
    assert card.keys() >= {
        *("trials", "passed", "failed", "errors", "pass_rate", "k", "pass@k", "pass^k", "curve"),
        *("interval", "statuses", "checks", "tags", "protected_failed", "mean_plan_score"),
        *("mean_precision", "mean_recall", "tool_errors", "stops", "mean_steps", "mean_tokens"),
        *("total_tokens", "mean_cost"),
    }
    assert card["curve"] == {"1": {"pass@k": 1.0, "pass^k": 1.0, "cases": 1}}
    assert card["statuses"] == {"passed": 1, "failed": 0, "flaky": 0, "error": 0}
    assert card["checks"]["tools.plan"] == {"passed": 1, "total": 1}
    assert card["tags"] == {"fee": {"passed": 1, "total": 1, "pass_rate": 1.0}}
    assert (card["stops"], card["tool_errors"], card["mean_cost"]) == ({"answer": 1}, 1, None)
    (only,) = report["cases"]
    assert only.keys() >= {"id", "tags", "protected", "hash", "status", "pass_rate", "trials"}
    (trial,) = only["trials"]
    assert trial.keys() >= {
        *("trial", "verdict", "stop", "error", "steps", "tokens", "cost", "tool_errors"),
        *("tools", "checks"),
    }
    assert (trial["tokens"], trial["tools"], trial["tool_errors"]) == (4, ["look"], 1)
    planned = next(one for one in trial["checks"] if one["name"] == "tools.plan")
    assert planned.keys() >= {
        *("name", "passed", "score", "decides", "reason", "precision", "recall", "extra"),
    }
    assert "trajectory" not in trial


def test_numbers_are_not_rounded(desk: "Desk") -> None:
    desk.cases()
    desk.record(*(desk.recording(answer=answer) for answer in ("done", "no", "done")))
    assert desk.graded()["scorecard"]["pass_rate"] == 2 / 3


def test_what_was_not_recorded_is_listed_with_null_rates(desk: "Desk") -> None:
    desk.cases(desk.case("a"), desk.case("b"))
    desk.record(desk.recording("b"))
    report = desk.graded()
    assert [(one["id"], one["status"], one["pass_rate"]) for one in report["cases"]] == [
        ("a", "error", None),
        ("b", "passed", 1.0),
    ]
    assert report["scorecard"]["pass_rate"] == 1.0
    assert report["cases"][0]["trials"] == []


def test_the_run_folder_is_the_one_that_the_report_names(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    run = desk.graded()["run"]
    (folder,) = desk.runs()
    assert (run["folder"], run["id"]) == (str(folder), folder.name)
    assert {file.name for file in folder.iterdir()} >= {
        *("run.json", "trials.jsonl", "scorecard.json"),
    }
    assert desk.strict((folder / "run.json").read_text(encoding="utf-8")) == run
    (line,) = (folder / "trials.jsonl").read_text(encoding="utf-8").splitlines()
    assert desk.strict(line)["trajectory"] == desk.recording()
    assert desk.strict(line).keys() >= {"checks", "verdict"}


def test_no_save_leaves_nothing_but_the_report(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    before = {*desk.folder.rglob("*")}
    assert desk.graded("--no-save")["run"]["folder"] is None
    assert {*desk.folder.rglob("*")} - before == {desk.folder / "out.json"}


def test_the_order_of_the_recordings_changes_nothing(desk: "Desk") -> None:
    desk.cases(desk.case("a"), desk.case("b", tags=["t"]), desk.case("c"))
    rows = [
        desk.recording(name, answer, trial=trial, cost=0.1 * trial)
        for name in "abc"
        for trial, answer in enumerate(["done", "no", "done too"])
    ]
    desk.record(*rows)
    first = desk.graded()
    desk.record(*rows[::-2], *rows[-2::-2])
    second = desk.graded()
    assert first["cases"] == second["cases"]
    assert first["scorecard"] == second["scorecard"]
    assert [one["id"] for one in first["cases"]] == ["a", "b", "c"]
    assert [trial["trial"] for trial in first["cases"][0]["trials"]] == [0, 1, 2]


# What people get wrong.


def test_a_recording_of_an_unknown_case_stops_the_run_with_the_nearest_name(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(), desk.recording("gret"), desk.recording("\x1b[31mx\r\n"))
    ran = desk.grade()
    assert (ran.code, ran.out) == (2, "")
    words = " ".join(ran.err.split())
    assert "runs.jsonl:2: case 'gret' is not in the suite; did you mean 'greet'?" in words
    assert "--allow-unknown" in words
    assert "\x1b" not in ran.err
    assert desk.runs() == []
    assert not (desk.folder / "out.json").exists()


def test_unknown_cases_are_left_out_when_that_is_allowed_and_said_so(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(), *(desk.recording(f"other{number}") for number in range(30)))
    ran = desk.grade("--allow-unknown", "--quiet")
    assert ran.code == 0
    assert "recordings of 30 cases not in the suite were left out" in ran.err
    assert "and 10 more" in ran.err
    desk.record(desk.recording("other"))
    assert desk.grade("--allow-unknown").code == 3


def test_lines_that_are_no_trajectories_are_named_and_the_rest_is_graded(desk: "Desk") -> None:
    desk.cases()
    broken = ['{"case": ', "[]", '{"case": 5}', '{"case": "greet", "cost": NaN}']
    desk.record(desk.recording(), *broken, "", *["x"] * 30)
    ran = desk.grade()
    assert ran.code == 3
    assert ran.last == "exit 3: not all that was recorded could be graded"
    named = ran.err.splitlines()
    assert [line.split(": ")[1] for line in named[:4]] == [
        f"runs.jsonl:{number}" for number in (2, 3, 4, 5)
    ]
    assert named[-1] == "fairtrial: and 14 more lines that could not be read"
    report = desk.read("out.json")
    assert report["scorecard"]["passed"] == 1
    note = "34 lines of runs.jsonl could not be read: what they held is lost"
    assert (report["scorecard"]["notes"], report["run"]["settings"]["lost"]) == ([note], [note])


def test_a_trial_that_comes_twice_is_refused_with_both_places(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording(trial=1), desk.recording(trial=0), desk.recording(trial=1))
    ran = desk.grade()
    assert (ran.code, desk.runs()) == (2, [])
    assert ran.err.startswith("fairtrial: runs.jsonl:3: trial 1 of case 'greet' is already on")
    assert "line 1" in ran.err


MISTAKES = [
    ([], "nothing to grade"),
    (["cases.json"], "not what a run writes"),
    (["cases.yaml"], "is no RUN"),
    (["none.json", "--recordings", "runs.jsonl"], "none.json:1:1: file: no such file"),
    (["cases.json", "--recordings", "none.jsonl"], "none.jsonl: no such file"),
    (["cases.json", "--recordings", "."], ".: a folder"),
    (["cases.json", "--recordings", "-"], "/dev/stdin is standard input"),
    (["cases.json", "--recordings", "runs.jsonl", "--recordings", "b.jsonl"], "wanted one file"),
    (["--recordings", "runs.jsonl"], "no case files: no fairtrial.toml and no pyproject.toml"),
    (["latest"], "no run in"),
    (["cases.json", "--recordings", "runs.jsonl", "--nope"], "No such option"),
    (["cases.json", "--recordings", "runs.jsonl", "--grader", "x"], "module:function"),
    (["cases.json", "--recordings", "runs.jsonl", "--tool-error", "{"], "--tool-error: not JSON"),
    (["cases.json", "--recordings", "runs.jsonl", "--tool-error", '{"matches": "("}'], "regular"),
    (["cases.json", "--recordings", "runs.jsonl", "--currency", " "], "--currency: wanted a code"),
    (["cases.json", "--recordings", "runs.jsonl", "--protected-tag", ""], "--protected-tag"),
    (["cases.json", "--recordings", "runs.jsonl", "--config", "none.toml"], "no such file"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=[words for _, words in MISTAKES])
def test_a_mistake_is_said_in_words_and_nothing_is_left_behind(
    desk: "Desk", arguments: list[str], words: str
) -> None:
    desk.cases()
    desk.record(desk.recording())
    before = {*desk.folder.rglob("*")}
    ran = desk.run("grade", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert {*desk.folder.rglob("*")} == before


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (".", "a folder; wanted a file"),
        ("runs.jsonl", "would be lost"),
        ("cases.json", "would be lost"),
        ("runs.jsonl/out.json", "no folder"),
        ("-", "/dev/stdout is standard output"),
        ("x" * 300, "too long"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused_before_any_work(
    desk: "Desk", out: str, words: str
) -> None:
    desk.cases()
    recorded = desk.record(desk.recording()).read_bytes()
    ran = desk.grade(out=out)
    assert (ran.code, ran.out, words in ran.err) == (2, "", True)
    assert (desk.folder / "runs.jsonl").read_bytes() == recorded
    assert desk.runs() == []


def test_a_report_that_fails_late_still_shows_what_was_graded(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    desk.write(
        "blocks_the_report.py",
        "import pathlib\n"
        "import fairtrial as ft\n"
        "@ft.grader\n"
        "def block(case, trajectory, state):\n"
        "    pathlib.Path('sub').write_text('in the way')\n"
        "    return ft.yes_no('block', True)\n",
    )
    ran = desk.grade("--grader", "blocks_the_report:block", out="sub/out.json")
    assert ran.code == 2
    assert ran.last == "exit 2: the report could not be written"
    assert "sub/out.json: the report cannot be written" in ran.err
    assert desk.run("report", "latest").code == 0


# Settings of one run.


def test_flags_reach_the_grading(desk: "Desk") -> None:
    desk.cases(desk.case("pay", tags=["money"]))
    call = {"name": "pay", "arguments": {}, "result": "Error: declined"}
    desk.record(desk.recording("pay", steps=[{"calls": [call]}], cost=1, currency="INR"))
    plain = desk.graded()
    assert plain["scorecard"]["tool_errors"] == 0
    assert plain["cases"][0]["protected"] is False
    assert plain["cases"][0]["trials"][0]["cost"] is None
    told = desk.graded(
        *("--tool-error", '{"matches": "^Error"}', "--currency", "INR"),
        *("--protected-tag", "money"),
    )
    assert told["scorecard"]["tool_errors"] == 1
    assert told["cases"][0]["protected"] is True
    assert told["cases"][0]["trials"][0]["cost"] == 1
    assert told["scorecard"]["currency"] == "INR"
    assert told["run"]["settings"]["currency"] == "INR"


def test_an_own_grader_decides_and_one_that_raises_measures_nothing(desk: "Desk") -> None:
    desk.cases()
    desk.record(desk.recording())
    desk.write(
        "own_graders.py",
        "import fairtrial as ft\n"
        "@ft.grader\n"
        "def polite(case, trajectory, state):\n"
        "    return ft.yes_no('polite', 'please' in trajectory.answer, 'says please')\n"
        "@ft.grader\n"
        "def broken(case, trajectory, state):\n"
        "    raise ValueError('no such key')\n",
    )
    failing = desk.graded("--grader", "own_graders:polite")
    assert failing["cases"][0]["trials"][0]["verdict"] == "failed"
    ran = desk.grade("--grader", "own_graders:broken")
    assert ran.code == 3
    (trial,) = desk.read("out.json")["cases"][0]["trials"]
    assert (trial["verdict"], "ValueError: no such key" in trial["error"]) == ("error", True)
    assert any("Traceback" in one.get("detail", "") for one in trial["checks"])
    assert "Traceback" not in ran.out + ran.err


@pytest.mark.parametrize("answers", [["no"], [None]])
def test_a_case_that_only_informs_never_changes_the_exit_code(
    desk: "Desk", answers: list[str | None]
) -> None:
    desk.cases(desk.case("a"), desk.case("b", informs=True))
    desk.record(desk.recording("a"), *(desk.recording("b", answer) for answer in answers))
    ran = desk.grade()
    assert (ran.code, ran.last) == (0, "exit 0: all that decides passed")
    desk.record(desk.recording("a"), desk.recording("b", **PROVIDER))
    assert desk.grade().code == 0
    desk.cases(desk.case("b", informs=True))
    desk.record(desk.recording("b"))
    ran = desk.grade()
    assert (ran.code, ran.last) == (3, "exit 3: nothing decides: all cases only inform")


def test_verbose_shows_what_is_only_counted_otherwise_and_quiet_one_line(desk: "Desk") -> None:
    desk.cases(*(desk.case(f"c{number}") for number in range(60)))
    desk.record(*(desk.recording(f"c{number}") for number in range(60)))
    plain, verbose, quiet = desk.grade(), desk.grade("-v"), desk.grade("-q")
    assert ("c59" in plain.out, "c59" in verbose.out) == (False, True)
    assert quiet.out.count("\n") == 1
