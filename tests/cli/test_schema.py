"""fairtrial schema through its door."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Desk


def test_the_schema_is_json_and_nothing_else(desk: "Desk") -> None:
    ran = desk.run("schema")
    assert (ran.code, ran.err) == (0, "")
    schema = desk.strict(ran.out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_it_takes_no_argument(desk: "Desk") -> None:
    ran = desk.run("schema", "x")
    assert (ran.code, ran.out, "unexpected extra argument" in ran.err) == (2, "", True)
