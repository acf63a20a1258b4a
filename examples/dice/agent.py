"""An agent that is not always right: it tosses a coin, seeded by the trial."""

import hashlib

RATES = {"easy": 0.98, "hard": 0.7, "money": 0.99}


def agent(task):
    """Answer "Done." as often as the case's kind allows, and "No." otherwise."""
    rates = RATES | task.variant.settings
    toss = hashlib.sha256(f"{task.seed} {task.variant.name}".encode()).digest()[0] / 256
    return "Done." if toss < rates[task.case.split("-")[0]] else "No."
