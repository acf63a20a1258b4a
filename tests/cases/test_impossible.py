"""What no value can meet is a mistake wherever it makes a check always true, or never."""

from collections.abc import Callable

import pytest

from fairtrial.records import Case

One = Callable[[str], Case]
Problems = Callable[..., list[str]]

CASE = "- {{id: a, input: x, expect: {{{}}}}}"
NEVER = "no value can meet this, so the check could never be true"
ALWAYS = "no value can meet this, so no call does and the check would always be true"
PAY = "{name: pay, args: {fee: {min: 5, max: 3}}}"
GOT = "{name: pay, result: {length: {max: -1}}}"


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        (f"tools: {{forbidden: {PAY}}}", f"expect.tools.forbidden.args.fee: {ALWAYS}"),
        (f"tools: {{forbidden: [a, {GOT}]}}", f"expect.tools.forbidden[1].result.length: {ALWAYS}"),
        (f"tools: {{required: [{PAY}]}}", f"expect.tools.required[0].args.fee: {NEVER}"),
        (
            f"tools: {{before: {{tool: {PAY}, needs: a}}}}",
            f"expect.tools.before.tool.args.fee: {ALWAYS}",
        ),
        (
            f"tools: {{before: [{{tool: a, needs: {GOT}}}]}}",
            "expect.tools.before[0].needs.result.length: no value can meet this, so no call of "
            "`tool` would ever be right; write forbidden",
        ),
        (f"tools: {{plan: [a, {PAY}]}}", f"expect.tools.plan[1].args.fee: {NEVER}"),
        (
            f"tools: {{plan: {{steps: [{{any_order: [a, {PAY}]}}]}}}}",
            f"expect.tools.plan.steps[0].any_order[1].args.fee: {NEVER}",
        ),
        (f"next: [{PAY}]", f"expect.next[0].args.fee: {NEVER}"),
        (f"next: {PAY}", f"expect.next.args.fee: {NEVER}"),
        ("state: {rows: [{fee: {above: 3, below: 3}}]}", f"expect.state.rows[0].fee: {NEVER}"),
        ("answer: {json: {fee: {min: 3, type: string}}}", f"expect.answer.json.fee: {NEVER}"),
        ("answer: {json: {absent: true}}", f"expect.answer.json: {NEVER}"),
        ("spans: {name: s, seconds: {below: 0}}", f"expect.spans.seconds: {NEVER}"),
        ("spans: {name: s, count: {max: -1}}", f"expect.spans.count: {NEVER}"),
        (
            "spans: {name: s, documents: {of: a, recall: {min: 80}}}",
            f"expect.spans.documents.recall: {NEVER}",
        ),
    ],
)
def test_what_nothing_can_meet_is_told_at_its_place(
    expect: str, told: str, problems: Problems
) -> None:
    (problem,) = problems(CASE.format(expect))
    assert problem.endswith(told)


def test_a_rule_that_nothing_can_break_is_told_too(problems: Problems) -> None:
    text = f"rules: {{forbidden: {PAY}}}\ncases: [{{id: a, expect: {{stop: answer}}}}]"
    (problem,) = problems(text)
    assert problem.endswith(f"rules.forbidden.args.fee: {ALWAYS}")


def test_each_of_several_is_told(problems: Problems) -> None:
    found = problems(CASE.format("state: {a: {min: 2, max: 1}, b: [{n: {min: 2, max: 1}}]}"))
    assert [problem.split(": ")[1] for problem in found] == [
        "expect.state.a",
        "expect.state.b[0].n",
    ]


@pytest.mark.parametrize(
    "expect",
    [
        "tools: {forbidden: {name: pay, args: {fee: {above: 3, below: 4}}}}",
        "tools: {forbidden: {name: pay, args: {fee: {absent: true}}}}",
        "tools: {required: {name: pay, result: {absent: true}}}",
        "tools: {required: {name: pay, args: {min: 5, max: 3}}}",
        f"tools: {{plan: {{steps: [a, {PAY}], min_score: 0.5}}}}",
        f"tools: {{plan: {{any: [[a], [{PAY}]]}}}}",
        f"next: {{any: [[a], [{PAY}]]}}",
        "state: {rows: {absent: true}}",
        "spans: {name: s, count: 0}",
        "spans: {name: s, documents: {of: a, recall: 1}}",
    ],
)
def test_what_something_can_meet_loads(expect: str, one: One) -> None:
    assert one(CASE.format(expect)).id == "a"
