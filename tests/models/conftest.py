"""What the tests of the model's side share: a case with a script, and a request."""

from collections.abc import Callable

import pytest
from msgspec import UNSET

from fairtrial.records import Case, Json, ModelRequest, Source

Scripted = Callable[..., Case]
Asked = Callable[..., ModelRequest]


@pytest.fixture
def scripted() -> Scripted:
    """Give a case with this script; without one when nothing is given."""

    def case(script: Json = UNSET) -> Case:
        return Case(id="c1", hash="0", source=Source("evals/a.yaml", 3), script=script)

    return case


@pytest.fixture
def asked() -> Asked:
    """Give a request of so many characters that offers these tools."""

    def request(*tools: str, characters: int = 0) -> ModelRequest:
        return ModelRequest(api="openai-chat", tools=tools, characters=characters)

    return request
