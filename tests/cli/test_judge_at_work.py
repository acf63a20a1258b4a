"""The judge in `run` and `grade`: asked when told to, never twice, deciding only once it may."""

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.records import Json

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

JUDGE = """
import json, os, re

def ask(prompt):
    with open("asked", "a") as log:
        log.write(json.dumps(prompt) + "\\n")
    marker = re.search(r'"marker": "(\\w+)"', prompt)[1]
    record, question = prompt.split(marker + " END")
    said = {"marker": marker, "reason": "So it is.", "evidence": "Get well"}
    said["verdict"] = "PASS" if "Is polite" in question and "rude" not in record else "FAIL"
    return json.dumps(said)
"""
ITEM = "Is polite"
SETTINGS = 'judge = "own_judge:ask"\n'


@pytest.fixture
def judged(bench: "Bench") -> "Bench":
    bench.desk.write("own_judge.py", JUDGE)
    return bench


def case(name: str = "greet", *rubric: Json, **fields: Json) -> Json:
    expect = {"answer": {"contains": ["Get well"]}, "rubric": list(rubric or (ITEM,))}
    return {"id": name, "input": "I am ill.", "expect": expect} | fields


def agent(*answers: str) -> str:
    return (
        f"ANSWERS = {list(answers)!r}\ndef agent(task):\n"
        "    return ANSWERS[task.trial % len(ANSWERS)]\n"
    )


def rows_of(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def asked(bench: "Bench") -> list[str]:
    """Give the prompts that the judge was asked."""
    path = bench.folder / "asked"
    return rows_of(path) if path.exists() else []


def checks(trials: list[Json], name: str = f"rubric[{ITEM}]") -> list[Json]:
    return [next(one for one in trial["checks"] if one["name"] == name) for trial in trials]


def labelled(bench: "Bench", item: str = ITEM, *, wrong: int = 0) -> None:
    """Calibrate the judge on 120 labels, with as many of its verdicts wrong as said."""
    runs = bench.desk.runs()
    (verdict, *_) = rows_of(runs[-1] / "verdicts.jsonl")
    labels, verdicts = [], []
    for number in range(120):
        passes = number % 2 == 0
        row = {"case": f"l{number}", "item": item}
        labels.append(row | {"label": passes, "labeller": "ana"})
        kept = {name: verdict[name] for name in ("judge", "fingerprint", "question")}
        verdicts.append(row | kept | {"verdict": passes is (number >= wrong)})
    bench.desk.record(*labels, name="labels.jsonl")
    bench.desk.record(*verdicts, name="verdicts.jsonl")
    told = bench.desk.run(
        *("judge", "calibrate", "--labels", "labels.jsonl", "--verdicts", "verdicts.jsonl"),
        *("--json", "evals/calibration.json"),
    )
    assert told.code == 0, told.err


@pytest.fixture
def calibrated(judged: "Bench") -> "Bench":
    judged.folder.joinpath("evals").mkdir()
    judged.suite(agent("Get well."), case("greet", {"item": ITEM, "gate": True}), settings=SETTINGS)
    assert judged.program("run", "--judge", "live").returncode == 0
    labelled(judged)
    return judged


def test_nothing_is_asked_unless_told_to(judged: "Bench") -> None:
    judged.suite(agent("Get well."), case(), settings=SETTINGS)
    (check,) = checks(judged.trials())
    assert (check["passed"], check["decides"]) == (None, False)
    assert check["reason"] == "not judged: there was no judge in this run"
    assert judged.report("--judge", "replay")["scorecard"]["judge"]["faults"] == {"no reply": 1}
    assert asked(judged) == []


def test_a_live_judge_says_pass_or_fail_with_its_reason(judged: "Bench") -> None:
    judged.suite(agent("Get well.", "Get well, rude."), case(), settings=SETTINGS)
    report = judged.report("--judge", "live", "-k", "2")
    found = checks(report["cases"][0]["trials"])
    assert [(one["passed"], one["decides"]) for one in found] == [(True, False), (False, False)]
    assert found[0]["reason"] == 'So it is. ("Get well")'
    (item,) = report["scorecard"]["judge"]["items"]
    assert (item["item"], item["judged"], item["rate"]) == (ITEM, 2, 0.5)
    assert report["scorecard"]["judge"]["calls"] == 2
    assert report["scorecard"]["pass_rate"] == 1.0
    assert report["scorecard"]["mean_cost"] is None


def test_a_judged_trial_has_one_line_on_disk_with_its_verdicts_beside(judged: "Bench") -> None:
    judged.suite(agent("Get well."), case(), case("other"), settings=SETTINGS)
    judged.report("--judge", "live", "-k", "3")
    (folder,) = judged.desk.runs()
    rows = rows_of(folder / "trials.jsonl")
    assert sorted((row["case"], row["trial"]) for row in rows) == [
        (name, number) for name in ("greet", "other") for number in range(3)
    ]
    assert all(check["passed"] for check in checks(rows))
    assert {row["trajectory"]["answer"] for row in rows} == {"Get well."}
    verdicts = rows_of(folder / "verdicts.jsonl")
    assert len({(one["case"], one.get("trial", 0)) for one in verdicts}) == 6


def test_k_trials_that_are_alike_are_k_replies_and_none_is_asked_twice(judged: "Bench") -> None:
    judged.suite(agent("Get well."), case(), case("other"), settings=SETTINGS)
    judged.report("--judge", "live", "-k", "3")
    assert len(asked(judged)) == 6
    again = judged.report("--judge", "live", "-k", "3")
    graded = judged.desk.run("grade", "latest", "--judge", "live", "--json", "graded.json")
    assert graded.code == 0
    assert len(asked(judged)) == 6
    for report in (again, judged.desk.read("graded.json")):
        use = report["scorecard"]["judge"]
        assert (use["calls"], use["replayed"], use.get("cost")) == (0, 6, None)
        assert all(one["passed"] for one in checks(report["cases"][0]["trials"]))


def test_another_answer_item_or_reference_is_asked_anew(judged: "Bench") -> None:
    judged.suite(agent("Get well."), case(), settings=SETTINGS)
    judged.report("--judge", "live")
    changes: list[tuple[str, Json]] = [
        (agent("Get well!"), case()),
        (agent("Get well."), case("greet", "Is polite to all")),
        (agent("Get well."), case(input="I am very ill.")),
    ]
    referenced = case()
    referenced["expect"]["reference"] = "Get well soon."
    changes.append((agent("Get well."), referenced))
    for number, (code, changed) in enumerate(changes, 2):
        judged.suite(code, changed, settings=SETTINGS)
        judged.program("run", "--judge", "live")
        assert len(asked(judged)) == number


def test_an_item_decides_once_its_judge_is_calibrated(calibrated: "Bench") -> None:
    gate = {"item": ITEM, "gate": True}
    ran = calibrated.program("run", "--judge", "replay", "--json", "before.json")
    assert ran.returncode == 0
    (before,) = checks(calibrated.desk.read("before.json")["cases"][0]["trials"])
    assert (before["passed"], before["decides"]) == (True, True)
    calibrated.suite(agent("Get well, rude."), case("greet", gate), settings=SETTINGS)
    (failing,) = checks(calibrated.trials("--judge", "live", code=1))
    assert (failing["passed"], failing["decides"]) == (False, True)


def test_an_item_that_does_not_gate_still_informs(calibrated: "Bench") -> None:
    calibrated.suite(agent("Get well, rude."), case(), settings=SETTINGS)
    (failing,) = checks(calibrated.trials("--judge", "live"))
    assert (failing["passed"], failing["decides"]) == (False, False)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (
            SETTINGS.replace("ask", "other"),
            "its calibration is of another judge; calibrate it again",
        ),
        (
            '[judge]\nfunction = "own_judge:ask"\nbar = {labels = 500}\n',
            "120 labels, and 500 are wanted",
        ),
        (
            '[judge]\nfunction = "own_judge:ask"\ncalibration = "none.json"\n',
            "it is not calibrated: `fairtrial judge calibrate` measures it against people",
        ),
    ],
)
def test_what_is_not_as_it_was_calibrated_informs_and_says_why(
    calibrated: "Bench", settings: str, why: str
) -> None:
    calibrated.desk.write("own_judge.py", JUDGE + "\nother = ask\n" * ("other" in settings))
    gate = {"item": ITEM, "gate": True}
    calibrated.suite(agent("Get well, rude."), case("greet", gate), settings=settings)
    ran = calibrated.program("run", "--judge", "live", "--json", "out.json")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (item,) = calibrated.desk.read("out.json")["scorecard"]["judge"]["items"]
    assert (item["why_not"], item.get("decides", False)) == (why, False)
    assert why.split(":")[0] in " ".join(ran.stdout.split())


def test_a_judge_that_is_wrong_too_often_does_not_decide(judged: "Bench") -> None:
    judged.folder.joinpath("evals").mkdir()
    gate = {"item": ITEM, "gate": True}
    judged.suite(agent("Get well."), case("greet", gate), settings=SETTINGS)
    assert judged.run("--judge", "live").code == 0
    labelled(judged, wrong=20)
    report = judged.report("--judge", "replay")
    (item,) = report["scorecard"]["judge"]["items"]
    assert "accuracy is at least" in item["why_not"]
    assert 0 < item["corrected"] <= 1
    assert item["correction"] == "rogan-gladen"


def test_a_judge_that_is_down_makes_items_null_and_loses_nothing(calibrated: "Bench") -> None:
    gate = {"item": ITEM, "gate": True}
    down = JUDGE.replace("    marker =", "    raise OSError('no way')\n    marker =")
    calibrated.desk.write("own_judge.py", down)
    calibrated.suite(agent("Get well."), case("a"), case("b", gate), settings=SETTINGS)
    ran = calibrated.program("run", "--judge", "live", "--json", "out.json")
    assert ran.returncode == 0, ran.stderr  # another judge now, by its source: nothing decides
    report = calibrated.desk.read("out.json")
    assert report["scorecard"]["passed"] == 2
    assert report["scorecard"]["judge"]["faults"] == {"no reply": 2}
    (check,) = checks(report["cases"][0]["trials"])
    assert check["reason"] == "not judged: judge own_judge:ask raised OSError: no way"


def test_what_is_not_on_file_of_a_deciding_item_is_not_measured(calibrated: "Bench") -> None:
    gate = {"item": ITEM, "gate": True}
    calibrated.suite(agent("Get well now."), case("greet", gate), settings=SETTINGS)
    (trial,) = calibrated.trials(code=3)
    assert trial["verdict"] == "error"
    assert "not on file; `--judge live` asks for it" in trial["error"]


def test_a_reply_that_is_none_is_asked_once_more_and_kept(judged: "Bench") -> None:
    judged.desk.write(
        "own_judge.py",
        JUDGE.replace("    return json.dumps(said)", "    return 'I think it is fine.'"),
    )
    judged.suite(agent("Get well."), case(), settings=SETTINGS)
    (check,) = checks(judged.trials("--judge", "live"))
    assert check["reason"] == "not judged: unreadable: the reply holds no JSON object"
    first, second = asked(judged)
    assert "Your last reply was no verdict: the reply holds no JSON object" in second
    assert "Your last reply" not in first
    (verdict,) = rows_of(judged.desk.runs()[0] / "verdicts.jsonl")
    assert (verdict["asks"], verdict["raw"]) == (2, "I think it is fine.")


def test_a_dry_run_asks_nothing_and_says_what_it_would(judged: "Bench") -> None:
    settings = '[judge]\nmodel = "m"\n[prices.m]\ninput = 1\noutput = 2\n'
    judged.suite(agent("Get well."), case(), case("other"), settings=settings)
    ran = judged.run("--judge", "dry", "-k", "2", "--json", "out.json")
    use = judged.desk.read("out.json")["scorecard"]["judge"]
    assert use["wanted_calls"] == 4
    assert use["wanted_cost"] > 0
    assert "would ask    4 calls, about" in ran.out


def test_recordings_are_judged_as_runs_are(judged: "Bench") -> None:
    judged.suite("", case(), settings=SETTINGS)
    judged.desk.record(
        judged.desk.recording(answer="Get well."),
        judged.desk.recording(answer="Get well, rude."),
        judged.desk.recording(answer=None, error={"kind": "provider", "message": "503"}),
    )
    report = judged.desk.graded("--judge", "live")
    trials = report["cases"][0]["trials"]
    assert [one["passed"] for one in checks(trials[:2])] == [True, False]
    assert trials[2]["checks"] == []
    assert len(asked(judged)) == 2


def test_a_run_that_is_not_saved_is_judged_too(judged: "Bench") -> None:
    judged.suite(agent("Get well."), case(), settings=SETTINGS)
    (one, two) = checks(judged.trials("--judge", "live", "--no-save", "-k", "2"))
    assert one["passed"] is two["passed"] is True


def test_kill_while_the_judge_is_asked_loses_no_reply_and_no_trial(judged: "Bench") -> None:
    stuck = """
    if len(open("asked").read().splitlines()) > 3 and os.environ.get("STUCK"):
        with open("there", "w") as there:
            there.write("x")
        import threading
        threading.Event().wait()
"""
    judged.desk.write("own_judge.py", JUDGE.replace("    marker =", f"{stuck}    marker ="))
    settings = '[judge]\nfunction = "own_judge:ask"\nconcurrency = 1\n'
    judged.suite(agent("Get well."), case(), settings=settings)
    pipe = judged.pipe("there")
    process = judged.start("run", "-k", "6", "--judge", "live", STUCK="1")
    with pipe.open() as there:
        assert there.read() == "x"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)
    assert len(asked(judged)) == 4
    ran = judged.program("run", "--resume", "--json", "out.json")
    assert ran.returncode == 0, ran.stderr
    assert len(asked(judged)) == 7  # the one under way is asked again, and the two that were left
    trials = judged.desk.read("out.json")["cases"][0]["trials"]
    assert [one["passed"] for one in checks(trials)] == [True] * 6


def test_no_secret_reaches_the_judge(judged: "Bench", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "hunter2-very-secret")
    judged.suite(agent("Get well, hunter2-very-secret."), case(), settings=SETTINGS)
    judged.report("--judge", "live")
    (prompt,) = asked(judged)
    assert "Get well, [redacted]." in prompt
    for path in Path(judged.folder).rglob("*"):
        if path.is_file() and path.name != "agent.py" and "pycache" not in str(path):
            assert b"hunter2" not in path.read_bytes(), path
