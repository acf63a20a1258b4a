"""Ids and tags as names of tests and marks."""

import pytest

from fairtrial.pytest_plugin.marks import mark_of, name_of


@pytest.mark.parametrize(
    ("tag", "mark"),
    [
        ("fee", "fee"),
        ("bad-news", "bad-news"),
        ("lang:en", "lang_en"),
        ("two words", "two_words"),
        ("größe", "größe"),
        ("a(b)=[c]", "a_b___c_"),
        ("xfail", "tag_xfail"),
        ("protected", "tag_protected"),
        ("not", "tag_not"),
        ("asyncio", "tag_asyncio"),
        ("\x1b[31m\u202e", "__31m_"),
    ],
)
def test_a_tag_is_a_mark_that_does_nothing_else(tag: str, mark: str) -> None:
    assert mark_of(tag) == mark


def test_names_differ_where_ids_do() -> None:
    taken: set[str] = set()
    for one in ("a::b", "a:b", "a:::b"):
        name = name_of(one, taken)
        assert name not in taken
        assert "::" not in name
        taken.add(name)
    assert name_of("##vso[x]", ()) == "#\\#vso[x]"
    assert name_of("a\u202eb\n", ()) == "a\\u202eb\\n"
