from collections.abc import Callable

import pytest

from fairtrial.cases import Suite, lint_suite

Load = Callable[..., Suite]

FIRM = "expect: {answer: {contains: yes}}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            f"defaults: {{tags: [a]}}\ncases: [{{id: x, input: i, tags: [b], {FIRM}}}]",
            "2:27: warning: tags: this list replaces the one of the defaults",
        ),
        (
            "- {id: x, input: i, expect: {rubric: [Is polite]}}",
            "1:30: warning: expect.rubric: nothing but a rubric: a judge decides only once",
        ),
        (
            "- {id: x, input: i, expect: {answer: {excludes: sorry}}, limits: {steps: 3}}",
            "1:21: warning: expect: every check passes for an agent that does nothing",
        ),
        (
            "- {id: x, input: i, protected: true, expect: {rubric: [Polite]}, limits: {steps: 1}}",
            "1:8: warning: id: protected, and nothing looks at its answer, calls or state",
        ),
        (
            "- {id: x, " + FIRM + "}",
            "1:8: warning: id: nothing is said to the agent: neither input nor messages",
        ),
        (
            "- {id: x, input: i, expect: {answer: {numbers: [5, 1,234,567]}}}",
            "1:52: warning: expect.answer.numbers[1]: 1,234,567 is 3 numbers here; write 1234567 "
            "for one number, or a space after the comma",
        ),
        (
            "defaults: {expect: {answer: {numbers: [1,234]}}}\ncases: [{id: x, input: i}]",
            "1:40: warning: defaults.expect.answer.numbers[0]: 1,234 is 2 numbers here",
        ),
        (
            f"rules: [{{required: {{name: a, args: {{n: {{one_of: [1,234]}}}}}}}}]\n"
            f"cases: [{{id: x, input: i, {FIRM}}}]",
            "1:50: warning: rules[0].required.args.n.one_of[0]: 1,234 is 2 numbers here",
        ),
        (
            "- {id: x, input: i, expect: {answer: {contains: [yes, [sure, ok]]}}}",
            "1:55: warning: expect.answer.contains[1]: 'ok' is short enough to occur by chance",
        ),
        (
            "- {id: x, input: i, expect: {tools: {only: true}}}",
            "1:44: warning: expect.tools.only: nothing is required or planned, so no call at all",
        ),
        (
            "- {id: x, input: i, expect: {state: {fee: {like: 3}}}}",
            "1:44: warning: expect.state.fee.like: 'like' is no operator, so it is read as a name; "
            "did you mean matches?",
        ),
        (
            "- {id: x, input: i, expect: {tools: {required: [{name: a, args: {fee: {$min: 3}}}]}}}",
            "args.fee['$min']: '$min' is no operator, so it is read as a name; did you mean min?",
        ),
        (
            f"- {{id: x, input: i, {FIRM}}}\n- {{id: y, input: i, {FIRM}}}",
            "2:8: warning: id: asks the same as 'x' (suite.yaml:1)",
        ),
        (
            f"- {{id: x, input: i, tags: [refund], {FIRM}}}\n"
            f"- {{id: y, input: j, tags: [refund], {FIRM}}}"
            f"\n- {{id: z, input: k, tags: [b, refnud], {FIRM}}}",
            "3:31: warning: tags[1]: the tag 'refnud' is used once; did you mean 'refund'?",
        ),
        (
            "- {id: x, input: i, expect: {tools: {required: [cancel]}}}\n"
            "- {id: y, input: j, expect: {tools: {plan: [look, cancel]}}}\n"
            "- {id: z, input: k, expect: {tools: {required: [{name: cancle}]}}}",
            "3:56: warning: expect.tools.required[0].name: no other case names the tool 'cancle'; "
            "did you mean 'cancel'?",
        ),
        (
            f"rules: [{{when: {{input: n}}, forbidden: a}}]\ncases: [{{id: x, input: i, {FIRM}}}]",
            "1:1: warning: rules[0]: this rule holds for no case of the file",
        ),
    ],
)
def test_each_weak_spot_is_warned_of_at_its_place(text: str, told: str, load: Load) -> None:
    assert any(told in warning for warning in lint_suite(load(text)).warnings)


@pytest.mark.parametrize(
    "text",
    [
        f"- {{id: x, input: i, tags: [a], {FIRM}}}",
        f"- {{id: x, input: i, {FIRM}}}\n- {{id: y, input: j, {FIRM}}}",
        f"- {{id: x, input: i, protected: true, {FIRM}}}",
        "- {id: x, input: i, expect: {tools: {plan: []}, answer: {contains: yes}}}",
        "- {id: x, input: i, expect: {tools: {required: [step1]}}}\n"
        "- {id: y, input: j, expect: {tools: {required: [step2, step1]}}}",
        "- {id: x, input: i, expect: {state: {fee: {size: 3, colour: red}}}}",
        "- {id: x, input: i, expect: {stop: refused}}",
        "- {id: x, messages: [{role: user, content: Hi}], expect: {stop: refused}}",
        f"- {{id: x, input: i, fixtures: {{prices: [100,200]}}, {FIRM}}}",
        "- {id: x, input: i, expect: {answer: {numbers: [1, 234]}}}",
        f"defaults: {{tags: [a]}}\ncases: [{{id: x, input: i, {FIRM}}}]",
    ],
)
def test_a_sound_suite_is_left_in_peace(text: str, load: Load) -> None:
    assert lint_suite(load(text)).warnings == ()


def test_a_tool_that_the_world_does_not_have_is_warned_of(load: Load) -> None:
    text = "- {id: x, input: i, expect: {tools: {required: [cancle, other], forbidden: [look]}}}"
    assert lint_suite(load(text), known_tools=["cancel", "look"]).warnings == (
        "suite.yaml:1:49: warning: expect.tools.required[0]: no tool 'cancle'; "
        "did you mean 'cancel'?",
        "suite.yaml:1:57: warning: expect.tools.required[1]: no tool 'other'",
    )


def test_a_stub_tool_is_a_known_tool(load: Load) -> None:
    text = (
        "tools: {look: {returns: 1}}\n"
        "cases: [{id: x, input: i, expect: {tools: {required: [look]}}}]"
    )
    assert lint_suite(load(text), known_tools=[]).warnings == ()


def test_warnings_come_in_the_order_of_the_files(load: Load) -> None:
    suite = load(
        b_yaml="- {id: b, expect: {answer: {contains: ok}}}",
        a_jsonl='{"id": "a", "expect": {"answer": {"contains": "ok"}}}',
    )
    assert [warning.split(": ")[0] for warning in lint_suite(suite).warnings] == [
        "b.yaml:1:8",
        "b.yaml:1:39",
        "a.jsonl:1:8",
        "a.jsonl:1:8",
        "a.jsonl:1:47",
    ]


def test_a_warning_about_a_default_stands_at_the_default_and_once(load: Load) -> None:
    text = """
defaults: {expect: {answer: {contains: [ok]}}}
cases: [{id: a, input: x}, {id: b, input: y}]
"""
    assert lint_suite(load(text)).warnings == (
        "suite.yaml:2:41: warning: defaults.expect.answer.contains[0]: "
        "'ok' is short enough to occur by chance",
    )


def test_the_lines_end_with_the_coverage(load: Load) -> None:
    text = f"- {{id: x, input: i, tags: [fee], {FIRM}}}"
    assert lint_suite(load(text)).lines() == (
        "1 cases, 0 protected",
        "tags: fee 1",
        "checks: answer.contains 1",
    )


def test_a_group_of_a_plan_is_no_foreign_operator(load: Load) -> None:
    suite = load("- {id: x, input: i, expect: {tools: {plan: [a, {any_order: [b, c]}]}}}")
    assert lint_suite(suite).warnings == ()


def test_json_writes_its_lists_without_spaces(load: Load) -> None:
    text = '[{"id":"x","input":"i","expect":{"answer":{"numbers":[100,200]}}}]'
    assert lint_suite(load(a_json=text)).warnings == ()
