"""Ids and tags of cases as names that pytest's `-k`, `-m` and node ids can hold."""

import re
from collections.abc import Container

from fairtrial.report import inert

_UNSAFE = re.compile(r"[^\w.+-]")
_NOT_IN_IDS = re.compile(r"::+")

_WORDS = frozenset({"and", "or", "not", "None", "True", "False"})

_WITH_A_MEANING = frozenset(
    {"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings"}
    | {"tryfirst", "trylast", "protected", "fairtrial", "asyncio", "anyio", "trio", "timeout"}
    | {"flaky", "django_db", "order", "repeat", "benchmark", "forked", "xdist_group", "dependency"}
)
"""Marks that do something to a test, in pytest or a plug-in that is often there."""


def mark_of(tag: str) -> str:
    """Give the mark of a tag: the tag itself where it is safe.

    What `-m` cannot hold becomes `_`, and `tag_` stands before what would mean something else.

    >>> mark_of("lang:en"), mark_of("skip"), mark_of("fee")
    ('lang_en', 'tag_skip', 'fee')
    """
    name = _UNSAFE.sub("_", tag)
    return f"tag_{name}" if name in _WORDS or name in _WITH_A_MEANING else name


def name_of(case_id: str, taken: Container[str]) -> str:
    r"""Give the name of a test from the id of its case, another one than those that are taken.

    >>> name_of("cancel-ill", []), name_of("a::b\x1b", []), name_of("a:b", ["a:b"])
    ('cancel-ill', 'a:b\\x1b', 'a:b #2')
    """
    name = "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in case_id
    )
    name = first = inert(_NOT_IN_IDS.sub(":", name))
    number = 1
    while name in taken:
        number += 1
        name = f"{first} #{number}"
    return name
