"""A judge is a function from a prompt to a text. This one is no model: it looks for words."""

import json
import re

SORRY = re.compile(r"\b(?:sorry|apologi[sz]e|apologies)\b", re.IGNORECASE)


def ask(prompt):
    """Reply as the prompt asks: one JSON object with a verdict, a reason and a quote."""
    marker = re.search(r'"marker": "(\w+)"', prompt)[1]
    record, question = prompt.split(f"{marker} BEGIN\n")[1].split(f"{marker} END\n")
    before, answer = record.split("== the agent's answer ==\n")
    if "Says sorry" in question:
        found = SORRY.search(answer)
        good, reason = bool(found), "It says sorry." if found else "It never says sorry."
    else:
        known = set(re.findall(r"\d+", before))
        made_up = [number for number in re.findall(r"(\d+) EUR", answer) if number not in known]
        good = not made_up
        reason = "All amounts were returned." if good else f"No tool returned {made_up[0]}."
    said = {"marker": marker, "reason": reason, "evidence": answer.strip()[:60]}
    return json.dumps(said | {"verdict": "PASS" if good else "FAIL"})
