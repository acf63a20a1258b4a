"""The built-in loop's Chat Completions."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.agents import loop_openai
from fairtrial.records import Json, ModelAddress, Tokens, ToolReply

if TYPE_CHECKING:
    from tests.agents.conftest import Shop


def completion(message: Json, **more: Json) -> dict[str, Json]:
    return {"choices": [{"message": message, **more}]}


def test_a_request_holds_prompt_conversation_and_tools(shop: "Shop") -> None:
    user = {"role": "user", "content": "Hi"}
    assert loop_openai.request("m", "Be brief.", [user], shop) == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be brief."}, user],
        "tools": shop.openai,
    }
    assert loop_openai.request(None, None, [user], None) == {"messages": [user]}


def test_the_address_is_below_the_base() -> None:
    model = ModelAddress(base_url="http://h/v1/", anthropic_base_url="", api_key="k")
    url, headers = loop_openai.address(model)
    assert (url, headers) == ("http://h/v1/chat/completions", {"authorization": "Bearer k"})


def test_calls_text_and_tokens_are_read() -> None:
    call = {"id": "c1", "function": {"name": "pay", "arguments": "{}"}}
    body = completion({"content": "Wait.", "tool_calls": [call]})
    body["usage"] = {"prompt_tokens": 5, "completion_tokens": 2}
    reply = loop_openai.read(body)
    assert reply is not None
    assert (reply.text, reply.calls, reply.refusal) == ("Wait.", (("c1", "pay", "{}"),), None)
    assert reply.tokens == Tokens(input=5, output=2)
    assert loop_openai.next_messages(reply, [ToolReply("paid")]) == [
        {"role": "assistant", "content": "Wait.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "paid"},
    ]


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        (completion({"content": None, "refusal": "No."}), "No."),
        (completion({"content": None}, finish_reason="content_filter"), ""),
        (completion({"content": "I", "refusal": ""}), None),
    ],
)
def test_a_refusal_is_seen(body: Json, refusal: str | None) -> None:
    reply = loop_openai.read(body)
    assert reply is not None
    assert reply.refusal == refusal


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(["choices", "message", "content", "tool_calls", "function"])
                | st.sampled_from(["name", "usage", "refusal", "text", "prompt_tokens"]),
                x,
            )
        ),
    )
)
def test_any_json_is_read_or_is_none(body: Json) -> None:
    for one in (body, completion(body), completion({"tool_calls": body, "content": body})):
        reply = loop_openai.read(one)
        assert reply is None or isinstance(reply.calls, tuple)
