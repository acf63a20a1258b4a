"""Reports, secrets, CI output."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Desk, Read

SECRETS = ("tok-TEST-0123456789", "key-TEST-abcdef", "p-TEST-1")

LEAKY = {
    "answer": "done: tok-TEST-0123456789",
    "steps": [
        {
            "calls": [
                {
                    "name": "pay",
                    "arguments": {"password": "p-TEST-1", "note": "p-TEST-1"},
                    "error": "401 for key-TEST-abcdef",
                },
                {"name": "raw", "arguments": '{"api_key": "key-TEST-abcdef"'},
            ]
        }
    ],
    "state": {"log": ["p-TEST-1", "Bearer tok-TEST-0123456789"]},
    "extra": {"headers": {"Authorization": "Bearer tok-TEST-0123456789"}},
}


def test_no_secret_is_in_any_file_or_line_and_grading_again_works(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    """BL-67."""
    monkeypatch.setenv("SERVICE_TOKEN", SECRETS[0])
    monkeypatch.setenv("PAY_API_KEY", SECRETS[1])
    state = {"log": {"length": 1}}
    expect = {
        "answer": {"equals": "nothing"}, "tools": {"plan": []}, "state": state,
    }  # fmt: skip
    desk.cases(desk.case("greet", expect=expect))
    desk.record(
        desk.recording(**LEAKY),
        desk.recording(error={"kind": "provider", "message": "401 for key-TEST-abcdef"}),
    )
    inputs = {desk.folder / "cases.json", desk.folder / "runs.jsonl"}
    said = [
        desk.grade("-v"),
        desk.run("grade", "latest", "-v", "--json", "again.json"),
        desk.run("report", "latest", "-v"),
        desk.run("gate", "--json", "decision.json", "--min-pass-rate", "1"),
        desk.run("accept"),
        desk.run("gate", "--markdown", "gate.md", "--junit", "gate.xml", "--annotations"),
        desk.run("diff", "out.json", "again.json", "-v", "--json", "diff.json"),
    ]
    assert [ran.code for ran in said] == [3, 3, 0, 1, 0, 3, 0]
    written = [one for one in desk.folder.rglob("*") if one.is_file() and one not in inputs]
    assert len(written) >= 14
    texts = [file.read_text(encoding="utf-8") for file in written]
    texts += [ran.out + ran.err for ran in said]
    assert [secret for secret in SECRETS for text in texts if secret in text] == []


def test_a_traceback_of_a_grader_holds_no_secret(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    """BL-67."""
    monkeypatch.setenv("PAY_API_KEY", SECRETS[1])
    desk.write(
        "leaky_graders.py",
        "import os\nimport fairtrial as ft\n"
        "@ft.grader\n"
        "def leaky(case, trajectory, state):\n"
        "    raise ValueError(f'401 for {os.environ[\"PAY_API_KEY\"]}')\n",
    )
    desk.write("leaky_module.py", "import os\nraise ValueError(os.environ['PAY_API_KEY'])\n")
    desk.cases()
    desk.record(desk.recording())
    for name in ("leaky_graders:leaky", "leaky_module:f"):
        ran = desk.grade("-v", "--grader", name)
        assert ran.code in {2, 3}
        assert "[redacted]" in ran.out + ran.err
        assert SECRETS[1] not in ran.out + ran.err
    for file in (desk.folder / "out.json", *desk.runs()[0].iterdir()):
        assert SECRETS[1] not in file.read_text(encoding="utf-8")


HOSTILE = "x < 1 & \x1b[31mred\x1b[0m \x00 \r \x9b2J"


@pytest.mark.parametrize("environment", [{"CI": "1"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {}])
def test_a_log_is_plain_lines_whatever_forces_colour(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    """BL-68."""
    if environment:
        monkeypatch.setenv("FORCE_COLOR", "1")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    desk.cases(*(desk.case(name, HOSTILE, tags=["t"]) for name in "abcd"))
    desk.record(
        desk.recording("a", HOSTILE),
        desk.recording(
            "b", HOSTILE[::-1], steps=[{"calls": [{"name": HOSTILE, "error": HOSTILE}]}]
        ),
        desk.recording("c", error={"kind": "provider", "message": HOSTILE}),
        desk.recording(HOSTILE),
        f'{{"case": {HOSTILE}',
    )
    for ran in (
        desk.grade("-v"),
        desk.grade("-v", "--allow-unknown"),
        desk.run("report", "-v"),
        desk.run("gate"),
        desk.run("lint", "cases.json"),
        desk.run("diff", "latest", "latest", "-v"),
        desk.run("grade", HOSTILE.replace("\x00", "")),
    ):
        text = ran.out + ran.err
        assert not {char for char in text if (ord(char) < 32 and char != "\n") or ord(char) == 155}
    statuses = desk.read("out.json")["scorecard"]["statuses"]
    assert statuses == {"passed": 1, "failed": 1, "flaky": 0, "error": 2}


def test_nothing_that_was_said_by_anybody_acts_in_a_report(
    desk: "Desk", read_page: Callable[[str], "Read"], hostile: str
) -> None:
    """BL-68."""
    said = hostile or "empty"
    desk.cases(desk.case(said[:200].strip() or "blank", "42", tags=[said[:200]]), desk.case("ok"))
    calls = [{"name": said[:300], "arguments": {said[:99]: said}, "error": said}]
    name = desk.read("cases.json")[0]["id"]
    desk.record(
        desk.recording(name, said, steps=[{"text": said, "calls": calls}]),
        desk.recording(name, None, error={"kind": "agent", "message": said}),
        desk.recording("ok"),
    )
    assert desk.grade().code in {1, 2}
    if not desk.runs():
        return  # no case may be called so
    for command in ("report", "gate"):
        ran = desk.run(command, "--markdown", "a.md", "--junit", "a.xml", "--annotations")
        page = read_page((desk.folder / "a.md").read_text(encoding="utf-8"))
        assert {tag.partition(" ")[0] for tag in page.tags} <= {
            *("h3", "h4", "p", "strong", "code", "ul", "li", "br", "details", "summary", "em"),
            *("table", "thead", "tbody", "tr", "th", "td"),
        }
        assert not [tag for tag in page.tags if "href" in tag or "src" in tag]
        assert {one for one in page.prose if one in "@#<>\x1b\u202e"} == set()
        tests = ET.fromstring((desk.folder / "a.xml").read_bytes()).iter("testcase")
        assert [test.attrib["name"] for test in tests][1:] == ["ok", "gate"][
            : 1 + (command == "gate")
        ]
        commands = [line for line in ran.out.splitlines() if line.startswith("::")]
        assert all(
            re.match(r"::(error|warning) (file=cases\.json,line=1,)?title=", one)
            for one in commands
        )


def test_passed_failed_errors_and_not_run_are_told_apart_in_junit(desk: "Desk") -> None:
    """BL-68."""
    desk.cases(*(desk.case(name) for name in "abcd"))
    desk.record(
        desk.recording("a"),
        desk.recording("b", HOSTILE),
        desk.recording("c", error={"kind": "provider", "message": HOSTILE}),
    )
    assert desk.grade().code == 3
    desk.run("report", "--junit", "out.xml")
    suites = ET.fromstring((desk.folder / "out.xml").read_bytes())
    assert suites.attrib == {
        "name": "fairtrial", "tests": "4", "failures": "1", "errors": "1", "skipped": "1",
    }  # fmt: skip
    assert [test[0].tag if len(test) else "passed" for test in suites.iter("testcase")] == [
        *("passed", "failure", "error", "skipped"),
    ]
