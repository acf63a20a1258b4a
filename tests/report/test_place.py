"""File and line of a case."""

import re

import pytest

from fairtrial.report.place import address_of, blob_of, place_of


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("a/b.yaml:12", ("a/b.yaml", 12)),
        ("C:\\a.yaml:3", ("C:\\a.yaml", 3)),
        ("a.yaml", ("a.yaml", None)),
        ("a:b", ("a:b", None)),
        (":7", (":7", None)),
        ("a:\u0663", ("a:\u0663", None)),
        ("a:" + "9" * 40, ("a:" + "9" * 40, None)),
        ("", (None, None)),
        (None, (None, None)),
    ],
)
def test_a_place_is_a_file_and_a_line(
    source: str | None, place: tuple[str | None, int | None]
) -> None:
    assert place_of(source) == place


BUILD = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_SERVER_URL": "https://github.example",
    "GITHUB_REPOSITORY": "octo/my.shop",
    "GITHUB_SHA": "ab" * 20,
}


def test_the_files_of_a_build_have_an_address() -> None:
    assert blob_of(BUILD) == f"https://github.example/octo/my.shop/blob/{'ab' * 20}"


@pytest.mark.parametrize(
    "change",
    [
        {"GITHUB_ACTIONS": ""},
        {"GITHUB_SERVER_URL": "javascript:alert(1)"},
        {"GITHUB_SERVER_URL": "https://x) <b>"},
        {"GITHUB_REPOSITORY": "octo"},
        {"GITHUB_REPOSITORY": "octo/a)[x](y"},
        {"GITHUB_SHA": ""},
        {"GITHUB_SHA": "main"},
    ],
)
def test_what_is_no_build_of_github_has_none(change: dict[str, str]) -> None:
    assert blob_of(BUILD | change) is None


@pytest.mark.parametrize(
    "file", ["a) ](b", "<b>&\"'", "\ud800", "a\nb", "# x", "a`b", "a b?c#d%20"]
)
def test_no_name_of_a_file_ends_a_link(file: str) -> None:
    address = address_of(f"{file}:3", "https://x/blob/1")
    assert address is not None
    assert re.fullmatch(r"https://x/blob/1/[A-Za-z0-9._~%/-]+#L3", address)


@pytest.mark.parametrize("source", ["/a.yaml:1", "../a.yaml:1", "a/../../b:1", "C:\\a.yaml:3"])
def test_what_is_not_in_the_repository_has_no_address(source: str) -> None:
    assert address_of(source, "https://x") is None
