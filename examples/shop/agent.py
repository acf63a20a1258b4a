"""The agent of the order desk: a prompt and a loop over OpenAI's Chat Completions."""

from openai import OpenAI

PROMPT = "You tell customers where their parcels are. Our own record is a day old: ask the carrier."


def agent(task):
    """Answer one customer."""
    tools = task.tools.openai
    if not task.variant.settings.get("ask_carrier", True):
        tools = [tool for tool in tools if tool["function"]["name"] != "track_parcel"]
    messages = [{"role": "system", "content": PROMPT}, *task.messages]
    with OpenAI(base_url=task.model.base_url, api_key=task.model.api_key) as client:
        while True:
            reply = client.chat.completions.create(
                model=task.model.name or "gpt-5-mini", messages=messages, tools=tools
            )
            message = reply.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                return messages
            for call in message.tool_calls:
                result = task.tools.reply(call.function.name, call.function.arguments)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
