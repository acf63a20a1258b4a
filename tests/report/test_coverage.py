from fairtrial.report import PLAIN, coverage_lines


def test_the_most_frequent_name_comes_first_and_a_kind_without_names_says_so() -> None:
    counts = {"tags": {"rare": 1, "usual": 7}, "tools": {}}
    assert list(coverage_lines(8, 0, counts, PLAIN)) == [
        "8 cases, 0 protected",
        "tags         usual 7, rare 1",
        "tools        none",
    ]


def test_a_hostile_tag_reaches_the_terminal_as_its_escape() -> None:
    lines = list(coverage_lines(1, 0, {"tags": {"a\x1b[31mb": 1}}, PLAIN))
    assert "\x1b" not in "".join(lines)
    assert "\\x1b" in lines[1]
