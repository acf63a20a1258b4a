from collections.abc import Callable

import pytest

from fairtrial.records import Case

One = Callable[[str], Case]
Problems = Callable[..., list[str]]

CASE = "- {{id: a, input: x, expect: {{tools: {}}}}}"


def test_a_lone_name_stands_for_a_list_of_one(one: One) -> None:
    lone = one(CASE.format("{required: pay, forbidden: {name: pry, ok: true}}"))
    listed = one(CASE.format("{required: [pay], forbidden: [{name: pry, ok: true}]}"))
    assert lone.expect == listed.expect
    assert lone.hash == listed.hash


@pytest.mark.parametrize(
    "plan",
    [
        "[]",
        "[a, {any_order: [b, c]}, {name: d, args: {x: {min: 1}}}]",
        "{mode: exact, steps: [a]}",
        "{mode: any_order, min_score: 0.5, steps: [a, b]}",
        "{any: [[a], [b, c], {steps: [d]}], min_score: 0.5}",
    ],
)
def test_every_form_of_a_plan_loads(plan: str, one: One) -> None:
    assert one(CASE.format(f"{{plan: {plan}}}")).expect.tools is not None


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        ("[a]", "1:37: expect.tools: wanted a mapping such as {required: [a_tool]} (called), "),
        ("{required: []}", "1:48: expect.tools.required: an empty list asks for nothing"),
        (
            "{required: [404]}",
            "1:49: expect.tools.required[0]: wanted a tool's name, or {name, args, "
            "result, ok}, got the number 404; quote it",
        ),
        ("{required: ['']}", "1:49: expect.tools.required[0]: "),
        ("{required: [{name: a, args: {x: {min: b}}}]}", "expect.tools.required[0].args.x.min: "),
        ("{required: [{name: a, arguments: {}}]}", "expect.tools.required[0].arguments: unknown"),
        ("{forbidden: []}", "1:49: expect.tools.forbidden: an empty list asks for nothing"),
        ("{forbidden: {name: a, which: first}}", "expect.tools.forbidden.which: which: only under"),
        ("{before: []}", "1:46: expect.tools.before: an empty list asks for nothing"),
        ("{before: a}", "1:46: expect.tools.before: wanted a mapping {tool, needs, same}, got 'a'"),
        ("{before: [{tool: a}]}", "1:47: expect.tools.before[0]: needs: missing"),
        (
            "{plan: a}",
            "1:44: expect.tools.plan: wanted a list of calls, or {mode, steps, min_score}",
        ),
        ("{plan: {mode: strict, steps: [a]}}", "1:51: expect.tools.plan.mode: mode: wanted one of"),
        (
            "{plan: {min_score: 0, steps: [a]}}",
            "1:56: expect.tools.plan.min_score: min_score: 0 is always reached",
        ),
        ("{plan: [{any_order: [a, b, c, d, e, f, g, h, i]}]}", "{mode: any_order, steps: [...]}"),
        ("{plan: }", "1:44: expect.tools.plan: nothing is written here"),
        ("{only: yes, required: a}", "1:44: expect.tools.only: wanted true or false, got 'yes'"),
        (
            "{requred: [a]}",
            "expect.tools.requred: unknown field; known here: required, forbidden, ",
        ),
        ("{requred: [a]}", "did you mean required?"),
        ("{must_not_call: [a]}", "unknown field; write forbidden"),
        ("{tools_required: [a]}", "unknown field; write required"),
        ("{in_order: [a]}", "unknown field; write plan"),
        ("{call: a}", "expect.tools.call: unknown field; write required; known here: "),
        ("{calls: [a]}", "unknown field; write required (in any order) or plan (in order); "),
        ("{arguments: {a: 1}}", "unknown field; write required: [{name: ..., args: {...}}]; "),
        ("{result: 1}", "unknown field; write required: [{name: ..., result: ...}]; "),
        ("{needs: a}", "unknown field; write before: [{tool: ..., needs: ...}]; "),
        ("{never: a}", "unknown field; write forbidden; "),
        ("{before: {tool: a, needs: b, need: b}}", "wanted tool, needs, same; did you mean needs?"),
        ("{before: {tool: a, needs: b, require: b}}", "did you mean needs?"),
        ("{before: {call: a, tool: a, needs: b}}", "did you mean tool?"),
        ("{before: {tool: a, needs: b, where: {}}}", "did you mean same?"),
        ("{before: {tool: a, needs: {name: b, argz: {}}}}", "did you mean args?"),
        ("{plan: {step: [a], steps: [a]}}", "wanted mode, steps, min_score; did you mean steps?"),
        ("{plan: {any_of: [[a]], steps: [a]}}", "did you mean any?"),
        ("{plan: {threshold: 1, steps: [a]}}", "did you mean min_score?"),
        ("{plan: {mode: in_oder, steps: [a]}}", 'got "in_oder"; did you mean in_order?'),
        ("{plan: {mode: unordered, steps: [a]}}", "did you mean any_order?"),
        ("{max_calls: 3}", "unknown field; write limits.tool_calls"),
        ("{min_score: 1}", "unknown field; write expect.tools.plan.min_score"),
    ],
)
def test_each_slip_in_the_tools_is_told_at_its_place(
    tools: str, told: str, problems: Problems
) -> None:
    (problem,) = problems(CASE.format(tools))
    assert told in problem
