"""The built-in loop's Anthropic Messages."""

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.agents import loop_anthropic
from fairtrial.records import Json, ModelAddress, Tokens, ToolReply

if TYPE_CHECKING:
    from tests.agents.conftest import Shop


def test_system_messages_join_the_prompt(shop: "Shop") -> None:
    user = {"role": "user", "content": "Hi"}
    asked = loop_anthropic.request("m", "A.", [{"role": "system", "content": "B."}, user], shop)
    assert asked == {
        "max_tokens": 4096,
        "model": "m",
        "system": "A.\n\nB.",
        "messages": [user],
        "tools": shop.anthropic,
    }
    assert loop_anthropic.request(None, None, [user], None) == {
        "max_tokens": 4096,
        "messages": [user],
    }


def test_the_address_is_below_the_base() -> None:
    model = ModelAddress(base_url="", anthropic_base_url="http://h/", anthropic_api_key="k")
    url, headers = loop_anthropic.address(model)
    assert (url, headers["x-api-key"]) == ("http://h/v1/messages", "k")


def test_calls_text_and_tokens_are_read() -> None:
    content = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Wait."},
        {"type": "tool_use", "id": "c1", "name": "pay", "input": {"fee": 0}},
    ]
    usage = {"input_tokens": 5, "cache_read_input_tokens": 3, "output_tokens": 2}
    reply = loop_anthropic.read({"content": content, "usage": usage, "stop_reason": "tool_use"})
    assert reply is not None
    assert (reply.text, reply.calls, reply.refusal) == ("Wait.", (("c1", "pay", {"fee": 0}),), None)
    assert reply.tokens == Tokens(input=8, output=2)
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "paid"}
    assert loop_anthropic.next_messages(reply, [ToolReply("paid")]) == [
        {"role": "assistant", "content": content},
        {"role": "user", "content": [result]},
    ]
    failed = loop_anthropic.next_messages(reply, [ToolReply("no", failed=True)])[1]["content"][0]
    assert failed["is_error"] is True


def test_malformed_arguments_are_the_raw_text_again() -> None:
    use = {"type": "tool_use", "id": "c1", "name": "pay", "input": {"INVALID_JSON": "{oops"}}
    reply = loop_anthropic.read({"content": [use]})
    assert reply is not None
    assert reply.calls[0].arguments == "{oops"


def test_a_refusal_is_seen() -> None:
    reply = loop_anthropic.read({"content": [], "stop_reason": "refusal"})
    assert reply is not None
    assert reply.refusal == ""


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(st.sampled_from(["content", "type", "text", "name", "input"]), x)
        ),
    )
)
def test_any_json_is_read_or_is_none(body: Json) -> None:
    for one in (body, {"content": body}, {"content": [{"type": "tool_use", "name": body}]}):
        reply = loop_anthropic.read(one)
        assert reply is None or isinstance(reply.calls, tuple)
