"""The benchmark's agent at work: chat messages of the parcel desk, made up in microseconds.

LATENCY (an environment variable, in seconds) is how long each errand waits for its model.
"""

import asyncio
import json
import os
from typing import Any

from workload import booking, calls_of_case, slice_of_ledger

TOOLS = ("find_parcel", "read_label", "quote_price", "book_pickup")
REVERSED, WRONG_ARGUMENT = 3, 7  # which remainders of ten go wrong, and how
LATENCY = float(os.environ.get("LATENCY", "0"))


def messages_of(number: int) -> list[dict[str, Any]]:
    """Give what the agent and its tools said on one errand, in OpenAI's chat form."""
    count = calls_of_case(number)
    order = range(count) if number % 10 != REVERSED else range(count - 1, -1, -1)
    messages: list[dict[str, Any]] = []
    for at in order:
        arguments: dict[str, Any] = {"parcel": f"P-{number}", "detail": at}
        if at == count - 1:
            arguments = booking(number) | ({"paid": False} if number % 10 == WRONG_ARGUMENT else {})
        function = {"name": TOOLS[at], "arguments": json.dumps(arguments)}
        call = {"id": f"call-{number}-{at}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call["id"], "content": slice_of_ledger(number, 40)},
        ]
    answer = f"The pickup is booked: P-{number} will be fetched. {slice_of_ledger(number, 160)}"
    messages.append({"role": "assistant", "content": answer})
    return messages


def number_of(text: str) -> int:
    """Give the number of the case that a request is about."""
    return int(text.partition("P-")[2].partition(" ")[0])


async def run_errand(text: str) -> list[dict[str, Any]]:
    """Do one errand: wait for the model, then give all messages."""
    if LATENCY:
        await asyncio.sleep(LATENCY)
    return messages_of(number_of(text))
