"""The billing desk: a prompt and a loop over OpenAI's Responses."""

from openai import OpenAI

PROMPT = (
    "You work at a billing desk. Open an invoice before you pay it, and check the policy before "
    "you refund. When a payment fails, look whether the money moved before you try again. Refuse "
    "what concerns another customer. If a lawyer is named, escalate."
)


def agent(task):
    """Answer one customer."""
    tries = task.variant.settings.get("tries", 1)
    items = list(task.messages)
    with OpenAI(base_url=task.model.base_url, api_key=task.model.api_key) as client:
        while True:
            reply = client.responses.create(
                model=task.model.name or "gpt-5-mini",
                instructions=PROMPT,
                input=items,
                tools=task.tools.openai_responses,
            )
            items += reply.output
            calls = [item for item in reply.output if item.type == "function_call"]
            if not calls:
                return items
            for call in calls:
                result = run(task.tools, call, tries)
                answer = {"type": "function_call_output", "call_id": call.call_id, "output": result}
                items.append(answer)


def run(tools, call, tries):
    """Run a tool; one that fails is run again while there are tries."""
    said = tools.reply(call.name, call.arguments)
    return run(tools, call, tries - 1) if said.failed and tries > 1 else said
