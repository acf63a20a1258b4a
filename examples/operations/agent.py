"""The shop floor's agent: async, streaming, over OpenAI's Chat Completions."""

from openai import AsyncOpenAI

PROMPT = (
    "You give figures to people on a shop floor. Never make one up: look it up, convert it or "
    "calculate it. Mind the units, above all where somebody could be hurt."
)


async def agent(task):
    """Answer one question."""
    model = task.model.name or "gpt-5-mini"
    messages = [{"role": "system", "content": PROMPT}, *task.messages]
    async with AsyncOpenAI(base_url=task.model.base_url, api_key=task.model.api_key) as client:
        while True:
            asked = {"model": model, "messages": messages, "tools": task.tools.openai}
            async with client.chat.completions.stream(**asked) as stream:
                message = (await stream.get_final_completion()).choices[0].message
            messages.append(message)
            if not message.tool_calls:
                return messages
            for call in message.tool_calls:
                result = task.tools.reply(call.function.name, call.function.arguments)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
