"""The trip planner: a prompt and a loop over Anthropic's Messages."""

from anthropic import Anthropic

PROMPT = (
    "You plan trips. Look up the weather of the day before you book anything outdoors, and book "
    "only what was asked for. If a tool is down for a moment, try it once more."
)


def agent(task):
    """Answer one guest."""
    messages = list(task.messages)
    address, key = task.model.anthropic_base_url, task.model.anthropic_api_key
    with Anthropic(base_url=address, api_key=key) as client:
        while True:
            reply = client.messages.create(
                model=task.model.name or "claude-haiku-4-5",
                max_tokens=1000,
                system=PROMPT,
                messages=messages,
                tools=task.tools.anthropic,
            )
            messages.append({"role": "assistant", "content": reply.content})
            results = []
            for block in reply.content:
                if block.type == "tool_use":
                    said = task.tools.reply(block.name, block.input)
                    result = {"type": "tool_result", "tool_use_id": block.id, "content": said}
                    results.append(result | {"is_error": said.failed})
            if not results:
                return messages
            messages.append({"role": "user", "content": results})
