"""Rows about the calls that were made, as questions for fairtrial."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from questions import (
    Asked,
    NoCounterpartError,
    Question,
    Row,
    mean_verdict,
    plan_f1,
    plan_score,
)


def trajectory_question(row: Row) -> Question:
    """Translate a row of trajectory.jsonl or state.jsonl.

    Raises:
        NoCounterpartError: it cannot be asked here.
    """
    if row.get("raises") is not None and row["mode"] != "StateEquals":
        raise NoCounterpartError("another form")
    translate = _SOURCES.get(row["source"])
    if translate is None:
        raise NoCounterpartError("another form")
    return translate(row)


def _steps(calls: Sequence[Row]) -> Row:
    """Record calls that came one after another."""
    return {"answer": "done", "steps": [{"text": None, "calls": [call]} for call in calls]}


def _equal(arguments: Row) -> Row:
    """Demand these arguments, nested values by equality, and let others be."""
    return {name: {"equals": value} for name, value in arguments.items()}


def _exactly(name: str, arguments: Row) -> Row:
    return {"name": name, "args": {"exactly": _equal(arguments)}}


def _tools(**expected: Any) -> Row:
    return {"expect": {"tools": expected}}


def _exact_any_order(patterns: Sequence[Any]) -> Row:
    if len(patterns) < 2:
        return {"mode": "exact", "steps": list(patterns)}
    return {"mode": "exact", "steps": [{"any_order": list(patterns)}]}


# agentevals and openevals: chat messages beside chat messages


def _chat_match(row: Row) -> Question:
    reference, actual = _messages(row["reference"]), _messages(row["actual"])
    pattern = _chat_pattern(row["options"])
    groups = [[pattern(call) for call in _calls(message)] for message in reference]
    groups = [group for group in groups if group]
    wanted = [item for group in groups for item in group]
    because = None
    if row["mode"] == "strict":
        steps = [group[0] if len(group) == 1 else {"any_order": group} for group in groups]
        ours, case = (
            "tools.plan, exact, a group a message",
            _tools(plan={"mode": "exact", "steps": steps}),
        )
        if len(reference) != len(actual):
            because = "messages are counted"
    elif row["mode"] == "unordered":
        ours, case = "tools.plan, exact, one group", _tools(plan=_exact_any_order(wanted))
    elif row["mode"] == "superset":
        if not wanted:
            raise NoCounterpartError("nothing is asked")
        ours, case = "tools.required with args", _tools(required=wanted)
    elif row["mode"] == "subset":
        ours = "tools.only, the plan informing"
        case = _tools(plan={"mode": "any_order", "steps": wanted}, only=True)
        case["informs"] = ["tools.plan", "tools.repeats"]
    else:
        raise NoCounterpartError("another form")
    asked = Asked(case=case, recording={})
    chat = {"messages": actual}
    return Question(
        ours=ours, asked=(asked,), chats=(chat,), wanted=bool(row["expected"]), because=because
    )


def _messages(messages: Any) -> list[Row]:
    """Give chat messages in the OpenAI form, also for LangChain's."""
    if isinstance(messages, dict):
        messages = messages["messages"]
    return [
        _from_langchain(message) if "_langchain" in message else message for message in messages
    ]


def _from_langchain(message: Row) -> Row:
    role = {"human": "user", "ai": "assistant"}.get(message["_langchain"], message["_langchain"])
    plain = {
        key: value for key, value in message.items() if key not in {"_langchain", "tool_calls"}
    }
    if message.get("tool_calls"):
        plain["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
            }
            for call in message["tool_calls"]
        ]
    return {"role": role, **plain}


def _calls(message: Row) -> list[tuple[str, Row]]:
    return [
        (call["function"]["name"], json.loads(call["function"]["arguments"]))
        for call in message.get("tool_calls") or ()
    ]


def _chat_pattern(options: Row) -> Callable[[tuple[str, Row]], Any]:
    mode = options.get("tool_args_match_mode", "exact")
    overrides = options.get("tool_args_match_overrides") or {}

    def pattern(call: tuple[str, Row]) -> Any:
        name, arguments = call
        how = overrides.get(name, mode)
        if isinstance(how, list):
            return {"name": name, "args": _fields(arguments, how)}
        if how == "ignore":
            return name
        if how == "superset":
            return {"name": name, "args": _equal(arguments)}
        if how == "subset":
            fewer = {
                key: {"one_of": [{"equals": value}, {"absent": True}]}
                for key, value in arguments.items()
            }
            return {"name": name, "args": {"exactly": fewer}}
        if how == "exact":
            return _exactly(name, arguments)
        raise NoCounterpartError("own function")

    return pattern


def _fields(arguments: Row, paths: Sequence[str]) -> Row:
    """Demand only the named fields, each a path with dots."""
    wanted: Row = {}
    for path in paths:
        *outer, last = path.split(".")
        value, place = arguments, wanted
        for key in outer:
            value = value[key]
            place = place.setdefault(key, {"has": {}})["has"]
        place[last] = {"equals": value[last]}
    return wanted


# google_adk: invocations, each a list of calls beside a list of calls


def _adk_match(row: Row) -> Question:
    if not row["reference"]:
        raise NoCounterpartError("no invocation")
    mode, ignore = row["mode"], row["options"]["ignore_args"]
    asked = []
    for wanted, made in zip(row["reference"], row["actual"], strict=True):
        steps = [
            call["name"] if ignore else _exactly(call["name"], call["args"]) for call in wanted
        ]
        calls = [{"name": call["name"], "arguments": call["args"]} for call in made]
        case = _tools(plan={"mode": mode, "steps": steps})
        asked.append(Asked(case=case, recording=_steps(calls)))
    return Question(
        ours=f"tools.plan, {mode}; a case an invocation",
        asked=tuple(asked),
        wanted=row["expected"],
        read=mean_verdict,
        because=None if all(row["reference"]) else "an empty plan",
    )


# pydantic_evals: spans beside names or arguments


def _span_calls(row: Row) -> Row:
    calls = []
    for span in sorted(row["actual_spans"], key=lambda span: str(span["start"])):
        if span["name"] != "running tool" and not span["name"].startswith("execute_tool "):
            continue
        attributes = span["attributes"]
        arguments = attributes.get("gen_ai.tool.call.arguments", attributes.get("tool_arguments"))
        calls.append({"name": attributes["gen_ai.tool.name"], "arguments": arguments})
    return _steps(calls)


def _left_out(row: Row) -> str | None:
    # The row keeps no mark on the call that failed: the name of its test says that there was one.
    failed = not row["options"]["include_failed"] and "failed" in row["upstream_test"]
    return "failed attempts are left out" if failed else None


def _tool_correctness(row: Row) -> Question:
    names = list(row["reference"] or ())
    if row["options"]["allow_extra"]:
        if not names:
            raise NoCounterpartError("nothing is asked")
        ours, case = "tools.required", _tools(required=names)
    else:
        ours, case = "tools.plan, exact, one group", _tools(plan=_exact_any_order(names))
    return _about_spans(row, ours, case)


def _argument_correctness(row: Row) -> Question:
    options = row["options"]
    if options["occurrence"] not in {"first", "last"}:
        raise NoCounterpartError("a call by its number")
    arguments = _equal(row["reference"])
    if options["match_mode"] == "exact":
        arguments = {"exactly": arguments}
    pattern = {
        "name": options["tool_name"],
        "args": arguments,
        "which": options["occurrence"],
    }
    return _about_spans(row, "tools.required with args and which", _tools(required=[pattern]))


def _max_tool_calls(row: Row) -> Question:
    case = {"limits": {"tool_calls": row["options"]["max_calls"]}}
    return _about_spans(row, "limits.tool_calls", case)


def _about_spans(row: Row, ours: str, case: Row) -> Question:
    asked = Asked(case=case, recording=_span_calls(row))
    wanted = bool(row["expected"])
    return Question(ours=ours, asked=(asked,), wanted=wanted, because=_left_out(row))


def _trajectory_match(row: Row) -> Question:
    mode = row["mode"]
    case = _tools(plan={"mode": mode, "steps": list(row["reference"] or ())})
    return Question(
        ours=f"tools.plan, {mode}; " + ("score" if mode == "exact" else "F1"),
        asked=(Asked(case=case, recording=_span_calls(row)),),
        wanted=row["expected"],
        read=plan_score if mode == "exact" else plan_f1,
        because=_left_out(row),
    )


# deepeval and ragas: calls beside calls, with a score


def _deepeval_match(row: Row) -> Question:
    plan = {"mode": row["mode"], "steps": [call["name"] for call in row["reference"]]}
    calls = [
        {"name": call["name"], "arguments": call.get("input_parameters")} for call in row["actual"]
    ]
    return Question(
        ours=f"tools.plan, {row['mode']}; score",
        asked=(Asked(case=_tools(plan=plan), recording=_steps(calls)),),
        wanted=row["expected"],
        read=plan_score,
        because=None if row["reference"] else "an empty plan",
    )


def _ragas_match(row: Row) -> Question:
    if row["options"].get("arg_metric_mocked"):
        raise NoCounterpartError("a stand-in metric")
    wanted = [_exactly(call["name"], call["args"]) for call in row["reference"]]
    calls = [{"name": call["name"], "arguments": call["args"]} for call in row["actual"]]
    mode = "exact" if row["mode"] == "strict_order" else "any_order"
    f1 = row["source"] == "ragas.ToolCallF1"
    return Question(
        ours=f"tools.plan, {mode}; " + ("F1" if f1 else "score"),
        asked=(Asked(case=_tools(plan={"mode": mode, "steps": wanted}), recording=_steps(calls)),),
        wanted=row["expected"],
        read=plan_f1 if f1 else plan_score,
    )


# strands_evals: messages, sessions or bare names beside one tool; and the state


def _tool_called(row: Row) -> Question:
    pattern = row["options"]["tool_name"]
    return _about_strands(row, "tools.required", pattern)


def _skill_invoked(row: Row) -> Question:
    pattern = {
        "name": "skills",
        "args": {"skill_name": {"equals": row["options"]["skill_name"]}},
        "ok": True,
        "result": {"present": True},
    }
    return _about_strands(row, "tools.required with args, ok and a result", pattern)


def _about_strands(row: Row, ours: str, pattern: Any) -> Question:
    calls = _strands_calls(row["case"].get("actual_trajectory"))
    recording = {"answer": "done"} if calls is None else _steps(calls)
    asked = Asked(case=_tools(required=[pattern]), recording=recording)
    return Question(ours=ours, asked=(asked,), wanted=row["expected"][0]["pass"])


def _strands_calls(trajectory: Any) -> list[Row] | None:
    if trajectory is None:
        return None
    if isinstance(trajectory, dict):
        spans = [span for trace in trajectory["traces"] for span in trace["spans"]]
        return [_session_call(span) for span in spans if span.get("span_type") == "execute_tool"]
    if all(isinstance(item, str) for item in trajectory):
        return [{"name": name} for name in trajectory]
    blocks = [block for message in trajectory for block in message["content"]]
    results = [block["toolResult"] for block in blocks if "toolResult" in block]
    told = {result["toolUseId"]: result for result in results}
    uses = [block["toolUse"] for block in blocks if "toolUse" in block]
    return [_strands_call(use, told.get(use["toolUseId"])) for use in uses]


def _session_call(span: Row) -> Row:
    called, result = span["tool_call"], span["tool_result"]
    error = result["error"]
    ended = {"error": error} if error else {"result": result["content"]}
    return {"name": called["name"], "arguments": called["arguments"], **ended}


def _strands_call(use: Row, result: Row | None) -> Row:
    ended: Row = {}
    if result is not None:
        content = json.dumps(result.get("content"))
        ended = {"error": content} if result["status"] == "error" else {"result": content}
    return {"name": use["name"], "arguments": use["input"], **ended}


def _state_equals(row: Row) -> Question:
    name, value = row["options"]["name"], row["options"]["value"]
    expected = {
        field["name"]: field["state"] for field in row["case"].get("expected_environment_state", ())
    }
    if value is not None:
        expected[name] = value
    if name is not None and name not in expected:
        raise NoCounterpartError("nothing is asked")
    wanted = {key: {"equals": expected[key]} for key in ([name] if name else expected)}
    recording: Row = {"answer": "done"}
    actual = row["case"].get("actual_environment_state")
    if actual is not None:
        recording["state"] = {field["name"]: field["state"] for field in actual}
    asked = Asked(case={"expect": {"state": wanted}}, recording=recording)
    return Question(ours="state.<field>", asked=(asked,), wanted=row["expected"][0]["pass"])


_SOURCES: dict[str, Callable[[Row], Question]] = {
    "agentevals.trajectory_match": _chat_match,
    "openevals.trajectory_match": _chat_match,
    "google_adk.trajectory": _adk_match,
    "pydantic_evals.ToolCorrectness": _tool_correctness,
    "pydantic_evals.ArgumentCorrectness": _argument_correctness,
    "pydantic_evals.MaxToolCalls": _max_tool_calls,
    "pydantic_evals.TrajectoryMatch": _trajectory_match,
    "deepeval.tool_correctness": _deepeval_match,
    "ragas.ToolCallAccuracy": _ragas_match,
    "ragas.ToolCallF1": _ragas_match,
    "strands_evals.ToolCalled": _tool_called,
    "strands_evals.SkillInvoked": _skill_invoked,
    "strands_evals.StateEquals": _state_equals,
}
