"""What lint says of rubrics: of cases, of a file, and in files of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.cases import Suite, lint_suite, load_suite

Load = Callable[..., Suite]

FIRM = "answer: {contains: yes}"
GATES = "gates, and no other check looks at the answer, the calls or the state"


def warnings(suite: Suite) -> tuple[str, ...]:
    return lint_suite(suite).warnings


@pytest.mark.parametrize(
    ("rubric", "told"),
    [
        (
            "[Is kind, Says sorry and offers a refund]",
            "1:73: warning: expect.rubric[1]: asks two things; a judge and a person may agree",
        ),
        ("{item: Is polite and concise}", "1:70: warning: expect.rubric.item: asks two things"),
        ("Is polite and concise", "1:63: warning: expect.rubric: asks two things"),
        ("[{item: Is good}]", "1:71: warning: expect.rubric[0].item: 'Is good' leaves open what"),
        (
            "['Says \"no fee\"']",
            "1:64: warning: expect.rubric[0]: a judge need not be asked for this; write "
            "expect.answer.contains: ['no fee']",
        ),
    ],
)
def test_a_weak_item_of_a_case_is_warned_of_at_its_place(
    rubric: str, told: str, load: Load
) -> None:
    suite = load(f"- {{id: x, input: i, expect: {{{FIRM}, rubric: {rubric}}}}}")
    (warning,) = warnings(suite)
    assert warning.startswith(f"suite.yaml:{told}")


def test_a_weak_item_of_the_defaults_is_warned_of_there_and_once(load: Load) -> None:
    text = f"""
defaults: {{expect: {{{FIRM}, rubric: [Is polite and concise]}}}}
cases: [{{id: a, input: x}}, {{id: b, input: y}}]
"""
    (warning,) = warnings(load(text))
    assert warning.startswith("suite.yaml:2:55: warning: defaults.expect.rubric[0]: asks two")


@pytest.mark.parametrize(
    ("beside", "warned"),
    [("stop: answer", 1), ("unchanged: true", 1), ("tools: {forbidden: pay}", 0), (FIRM, 0)],
)
def test_an_item_that_gates_alone_is_warned_of(beside: str, warned: int, load: Load) -> None:
    rubric = "rubric: {item: Is kind, gate: true}"
    suite = load(f"- {{id: x, input: i, expect: {{{beside}, {rubric}}}}}")
    assert sum(GATES in warning for warning in warnings(suite)) == warned


def test_a_shared_rubric_that_gates_alone_is_warned_of(load: Load) -> None:
    text = """
rubrics: {tone: {criteria: [warmth], gate: true}, calm: {items: [{item: x, gate: true}], goal: y}}
cases:
  - {id: a, input: i, expect: {rubric: tone, stop: answer}}
  - {id: b, input: j, expect: {rubric: calm, stop: answer}}
  - {id: c, input: k, expect: {rubric: calm, answer: {contains: yes}}}
"""
    found = [warning.split(" ")[0] for warning in warnings(load(text)) if GATES in warning]
    assert found == ["suite.yaml:4:32:", "suite.yaml:5:32:"]


def test_shared_rubrics_of_a_file_are_looked_at_and_those_unused_told(load: Load) -> None:
    text = f"""
rubrics:
  tone: {{items: [Is kind], goal: The tone is warm and the guest is calm, reference: Hi}}
  old: [Is good, {{item: Is short}}]
cases: [{{id: a, input: i, expect: {{rubric: tone, {FIRM}}}}}]
"""
    assert warnings(load(text)) == (
        "suite.yaml:3:34: warning: rubrics.tone.goal: asks two things; a judge and a person may "
        "agree on one and not on the other; split it",
        "suite.yaml:4:3: warning: rubrics.old: no case of the file names this rubric",
        "suite.yaml:4:9: warning: rubrics.old[0]: 'Is good' leaves open what passes; say what a "
        "person would look for",
    )


def test_rubrics_in_files_are_all_looked_at_and_come_last(tmp_path: Path) -> None:
    case = f"- {{id: NAME, input: NAME, expect: {{rubric: tone, {FIRM}}}}}"
    own = f"rubrics: {{tone: [Is short]}}\ncases: [{case.replace('NAME', 'b')[2:]}]"
    (tmp_path / "rubrics").mkdir()
    for name, text in {
        "z.yaml": case.replace("NAME", "a"),
        "b.yaml": own,
        "rubrics/tone.yaml": "items:\n  - Is polite and concise\n",
        "rubrics/old.json": '["Is kind"]',
        "rubrics/bad.yaml": "itms: [x]",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    told = warnings(load_suite(["z.yaml", "b.yaml"], root=tmp_path))
    assert [warning.partition(": warning: ")[0::2] for warning in told] == [
        ("rubrics/bad.yaml:1:1", told[0].partition(": warning: ")[2]),
        ("rubrics/bad.yaml:1:1", told[1].partition(": warning: ")[2]),
        ("rubrics/old.json:1:1", "rubric: no case that was looked at names this rubric"),
        (
            "rubrics/tone.yaml:2:5",
            "items[0]: asks two things; a judge and a person may agree on one and not on the "
            "other; split it",
        ),
    ]
    assert "itms: unknown field" in told[0]
    # The only case that could name it has a rubric of that name in its own file.
    assert "rubrics/tone.yaml:1:1" in warnings(load_suite(["b.yaml"], root=tmp_path))[-2]
