"""The lists of models: each holds the one that the trial's agent asks for."""

from fairtrial.records import Json
from fairtrial.serve.openai_chat import CREATED
from fairtrial.serve.wire import Answer, Family, encode

UNNAMED = "scripted"
"""The model's name where nobody gave one."""


def models_answer(family: Family, name: str | None) -> Answer:
    """Give the list of models in the family's shape.

    >>> b'"id":"scripted"' in models_answer("openai", None).body
    True
    """
    name = name or UNNAMED
    if family == "openai":
        model: dict[str, Json] = {
            "id": name,
            "object": "model",
            "created": CREATED,
            "owned_by": "fairtrial",
        }
        return Answer(200, encode({"object": "list", "data": [model]}))
    model = {
        "id": name,
        "type": "model",
        "display_name": name,
        "created_at": "2025-01-01T00:00:00Z",
        "lifecycle": "active",
    }
    page = {"data": [model], "has_more": False, "first_id": name, "last_id": name}
    return Answer(200, encode(page))
