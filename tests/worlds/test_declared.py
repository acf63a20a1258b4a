import pytest

from fairtrial.errors import WorldError
from fairtrial.worlds import World, tool
from fairtrial.worlds.declared import RESERVED, annotations, declared_tools


def refusal(source: str) -> str:
    """Define a class and give what is said against it."""
    with pytest.raises(WorldError) as caught:
        exec(source, {"World": World, "tool": tool})
    return str(caught.value)


@pytest.mark.parametrize("name", RESERVED)
def test_a_name_that_every_world_has_is_neither_field_nor_tool(name: str) -> None:
    wrong = f"World W: `{name}` is a name that every world has; choose another (taken: tools, state"
    assert wrong in refusal(f"class W(World):\n    {name}: int = 1")
    assert wrong in refusal(f"class W(World):\n    {name}: int")
    assert wrong in refusal(f"class W(World):\n    @tool\n    def {name}(self): pass")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("@tool\n    async def a(self): pass", "tool a: it is async; a world waits for nothing"),
        ("@tool\n    async def a(self): yield", "tool a: it is async"),
        ("@tool\n    def a(self): yield 1", "tool a: it yields; a tool gives its result at once"),
        ("@tool\n    def a(): pass", "tool a: it takes no self"),
        ("@tool\n    def a(self, *rows): pass", "tool a: *rows: a model gives every argument by"),
        ("@tool\n    def a(self, **rows): pass", "tool a: **rows: a model gives every argument"),
        ("@tool\n    def a(self, b, /): pass", "tool a: b: a model gives every argument by"),
        ("@tool\n    @staticmethod\n    def a(b): pass", "@tool stands above a staticmethod"),
        ("@staticmethod\n    @tool\n    def a(b): pass", "tool a: it is a staticmethod"),
        ("@property\n    @tool\n    def a(self): pass", "tool a: it is a property"),
        ("def __init__(self): pass", "__init__ is never called: fixtures fill the fields"),
        ("a: int\n    def a(self): pass", "`a` is both a field and a method"),
        (
            "@tool(name='b')\n    def a(self): pass\n    @tool\n    def b(self): pass",
            "two tools are called b: a and b",
        ),
    ],
)
def test_what_cannot_be_is_refused_at_class_definition(body: str, text: str) -> None:
    assert text in refusal(f"class W(World):\n    {body}")


class Base(World):
    @tool
    def first(self) -> int:
        return 1

    @tool(name="other", description="Say two.")
    def second(self) -> int:
        return 2


class Derived(Base):
    second = None  # type: ignore[assignment]  # takes the tool away

    @tool
    def third(self) -> int:
        return 3

    @tool
    def first(self) -> int:
        return super().first() + 10


def test_tools_are_inherited_replaced_and_taken_away() -> None:
    assert list(declared_tools(Base)) == ["first", "other"]
    assert list(declared_tools(Derived)) == ["first", "third"]
    assert declared_tools(Base)["other"].description == "Say two."


def test_a_method_that_hides_a_tool_must_be_one() -> None:
    with pytest.raises(WorldError, match="first is a tool in Base; put @tool above it here too"):

        class Hiding(Base):
            def first(self) -> int:
                return 2


def test_a_tool_keeps_its_name_and_docstring() -> None:
    assert Base.first.__name__ == "first"


def test_only_the_annotations_of_the_class_itself_are_its_own() -> None:
    class One(World):
        a: int

    class Two(One):
        b: int

    assert list(annotations(Two)) == ["b"]
