from collections.abc import Callable

import pytest

from fairtrial.records import Case, Json

One = Callable[[str], Case]
Problems = Callable[..., list[str]]

CASE = "- {{id: a, input: x, limits: {{steps: 1}}, {}}}"


def test_a_lone_fault_or_stub_stands_for_a_list_of_one(one: One) -> None:
    case = one(CASE.format("faults: {pay: {error: down}}, tools: {look: {returns: null}}"))
    assert case.faults == {"pay": [{"error": "down"}]}
    assert case.tools == {"look": [{"returns": None}]}


def test_every_kind_of_script_step_loads_and_stays_as_written(one: One) -> None:
    steps = (
        "[{say: Hi, call: {look: {a: 1}}}, {call: [{look: {}}, {look: {}}], tokens: {input: 3}}, "
        "{malformed: '{\"a'}, {refuse: No}, {status: 429, times: 2}, {say: ''}, "
        "{malformed: {look: '{\"a', pay: ''}}]"
    )
    listed: Json = one(CASE.format(f"script: {steps}")).script
    assert listed[4] == {"status": 429, "times": 2}
    assert listed[6] == {"malformed": {"look": '{"a', "pay": ""}}
    variants: Json = one(CASE.format(f"script: {{default: {steps}, short: [{{say: x}}]}}")).script
    assert sorted(variants) == ["default", "short"]


def test_messages_are_kept_untouched(one: One) -> None:
    messages = '[{role: user, content: Hi}, {role: assistant, tool_calls: [{id: "1"}]}, {type: x}]'
    case = one(f"- {{id: a, messages: {messages}, limits: {{steps: 1}}}}")
    assert case.messages == (
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "tool_calls": [{"id": "1"}]},
        {"type": "x"},
    )


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("messages: Hi", "1:51: messages: wanted a list of messages such as {role: user, "),
        ("messages: []", "1:51: messages: an empty list"),
        ("messages: [Hi]", "1:52: messages[0]: wanted a message such as"),
        ("messages: [{content: Hi}]", "1:52: messages[0].role: missing"),
        (
            "messages: [{role: 1}]",
            "1:59: messages[0].role: wanted text, got the number 1; quote it",
        ),
        ("faults: [x]", "1:49: faults: wanted a mapping of tools to schedules"),
        ("faults: {get: []}", "1:55: faults.get: an empty list makes nothing go wrong"),
        (
            "faults: {get: {times: 1}}",
            "1:55: faults.get: this says nothing; write error, latency, ",
        ),
        (
            "faults: {get: {error: 503}}",
            "faults.get.error: wanted text: the tool's error, got the number 503; quote it",
        ),
        (
            "faults: {get: {error: x, times: 0}}",
            "faults.get.times: wanted a whole number, 1 or more",
        ),
        ("faults: {get: {errors: x}}", "did you mean error?"),
        ("tools: [get]", "(calls that must happen stand under expect.tools)"),
        (
            "tools: {get: {when: {min: 1}, return: 1}}",
            "tools.get.return: unknown field; write returns",
        ),
        ("tools: {get: {when: {a: {min: x}}}}", "tools.get.when.a.min: "),
        ("script: []", "1:49: script: an empty list says nothing"),
        ("script: {}", "1:49: script: an empty script says nothing"),
        ("script: {say: x}", "1:49: script: a single step; put it in a list"),
        (
            "script: {default: {say: x}}",
            "1:59: script.default: wanted a list of steps for this variant",
        ),
        ("script: [hello]", "1:50: script[0]: wanted a mapping {say, call, malformed, refuse"),
        ("script: [{tokens: {input: 1}}]", "1:50: script[0]: this says nothing; write say, call"),
        ("script: [{sya: x}]", "script[0].sya: unknown field; known here: say, call"),
        ("script: [{content: x}]", "script[0].content: unknown field; write say"),
        ("script: [{say: x, status: 429}]", "script[0]: say or call and status exclude each other"),
        ("script: [{say: x, times: 2}]", "script[0].times: only beside status"),
        (
            "script: [{call: get}]",
            "1:57: script[0].call: wanted {tool: {argument: value}}, got 'get'",
        ),
        (
            "script: [{call: {get: null}}]",
            "script[0].call.get: wanted a mapping of arguments ({} for none), got null",
        ),
        ("script: [{call: {}}]", "script[0].call: no call in it"),
        (
            "script: [{malformed: 5}]",
            "1:62: script[0].malformed: wanted text, or {tool: text}, got the number 5; quote it",
        ),
        (
            "script: [{malformed: {look: 5}}]",
            "1:69: script[0].malformed.look: wanted text, got the number 5; quote it",
        ),
        (
            "script: [{malformed: {}}]",
            "1:62: script[0].malformed: an empty mapping calls no tool; wanted {tool: text}",
        ),
        ("script: [{status: 42}]", "script[0].status: wanted a whole number, 100 or more"),
        (
            "user: {goal: x, knows: {phone: 1}, withholds: {phne: 2}}",
            "user.withholds.phne: the user "
            "does not know 'phne'; write it under knows; did you mean phone?",
        ),
        ("user: {max_turns: 0}", "user.max_turns: wanted a whole number, 1 or more"),
        ("user: {personna: x}", "did you mean persona?"),
    ],
)
def test_each_slip_in_the_world_is_told_at_its_place(
    field: str, told: str, problems: Problems
) -> None:
    (problem,) = problems(CASE.format(field))
    assert told in problem
