from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.graders import Graders
from fairtrial.graders.questions import known_tools, questions_of
from fairtrial.records import Case, Expectation, Limits, Rule, Source, ToolsExpectation, Trajectory

Did = Callable[..., Trajectory]


def case_of(**fields: Any) -> Case:
    return Case(id="c", hash="0", source=Source("a.yaml", 1), **fields)


def test_cases_that_ask_alike_are_asked_the_very_same_questions() -> None:
    fields: dict[str, Any] = {
        "expect": Expectation(
            tools=ToolsExpectation(forbidden=("wipe",), plan=["pay"], required=("pay",))
        ),
        "limits": Limits(steps=3, path_factor=2),
        "rules": (Rule(number=1, before=({"tool": "pay", "needs": "look"},)),),
    }
    one, other = list(questions_of(case_of(**fields))), list(questions_of(case_of(**fields)))
    assert len(one) == 9
    assert all(mine is theirs for mine, theirs in zip(one, other, strict=True))


@pytest.mark.parametrize(
    "fields",
    [
        {"tools": {"pay": {}}},
        {"faults": {"pay": []}},
        {"limits": Limits(repeats={"pay": 1})},
        {"expect": Expectation(next=["pay"])},
        {"expect": Expectation(tools=ToolsExpectation(plan=["pay"]))},
        {"expect": Expectation(tools=ToolsExpectation(forbidden=("pay",)))},
        {"rules": (Rule(number=1, required=({"name": "pay", "which": "last"},)),)},
    ],
)
def test_tools_are_known_wherever_a_case_names_them(fields: dict[str, Any]) -> None:
    assert known_tools(case_of(**fields)) == {"pay"}


def test_a_text_that_looks_like_a_call_is_held_against_the_tools_of_its_own_case(did: Did) -> None:
    cases = [
        Case(
            id=name,
            hash="0",
            source=Source("a.yaml", 1),
            expect=Expectation(tools=ToolsExpectation(plan=[name])),
        )
        for name in ("pay", "look")
    ]
    graders = Graders()
    printed = did(answer='{"name": "pay", "arguments": {}}')
    found = [graders.of(case).grade(printed, 0).checks[-1].passed for case in cases]
    assert found == [False, True]
