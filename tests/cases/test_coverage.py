from collections.abc import Callable

from fairtrial.cases import Suite, coverage_of

Load = Callable[..., Suite]


def test_cases_are_counted_by_tag_check_and_tool(load: Load) -> None:
    text = """
rules: [{before: {tool: pay, needs: look}}]
cases:
  - {id: a, tags: [fee], protected: true, expect: {answer: {contains: [aaa, bbb]}, tools: {required: [pay, pay]}}}
  - {id: b, tags: [fee, money], expect: {tools: {plan: [{any_order: [sum, say]}]}, next: [hear]}}
"""  # noqa: E501 - a case a line reads best
    seen = coverage_of(load(text))
    assert (seen.cases, seen.protected) == (2, 1)
    assert seen.tags == {"fee": 2, "money": 1}
    assert seen.checks == {
        "answer.contains": 1,
        "next": 1,
        "tools.before": 2,
        "tools.plan": 1,
        "tools.required": 1,
    }
    assert seen.tools == {"hear": 1, "look": 2, "pay": 2, "say": 1, "sum": 1}
