"""What the tests of worlds share: a case with some fields, and a world built from it."""

from collections.abc import Callable

import pytest

from fairtrial.errors import ToolError, WorldError
from fairtrial.records import Case, Json, Source
from fairtrial.worlds import World, prepare

MakeCase = Callable[..., Case]
Build = Callable[..., World]
Problems = Callable[..., list[str]]
Refusal = Callable[..., str]


def make_case(**fields: Json) -> Case:
    return Case(id="c1", hash="0", source=Source("a.yaml", 1), **fields)


@pytest.fixture
def case() -> MakeCase:
    """Give a case with these fields."""
    return make_case


@pytest.fixture
def build() -> Build:
    """Build a world of a class (None: of fixtures alone) from a case with these fields."""

    def built(
        world: type[World] | None = None,
        /,
        *,
        hooks: Json = None,
        seed: bytes = b"seed",
        **fields: Json,
    ) -> World:
        return prepare(world, make_case(**fields)).build(seed, **(hooks or {}))

    return built


@pytest.fixture
def problems() -> Problems:
    """Give what `prepare` says is wrong; nothing where all fits."""

    def told(world: type[World] | None = None, /, **fields: Json) -> list[str]:
        try:
            prepare(world, make_case(**fields))
        except WorldError as error:
            return list(error.problems)
        return []

    return told


@pytest.fixture
def refusal() -> Refusal:
    """Call a tool and give the error that the agent gets."""

    def told(world: World, name: Json, arguments: Json = None) -> str:
        with pytest.raises(ToolError) as caught:
            world.tools.call(name, arguments)
        return str(caught.value)

    return told
