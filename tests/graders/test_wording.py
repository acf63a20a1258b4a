from fairtrial.graders.wording import bounded, few, names


def test_a_short_list_is_said_whole() -> None:
    assert few(["a", "b"], 2) == "a, b"
    assert few([], 2) == ""


def test_a_long_list_says_how_many_more_there_are() -> None:
    assert few(["a", "b", "c"], 1) == "a and 2 more"
    assert few(["a", "b", "c"], 2, "; ") == "a; b; and 1 more"


def test_only_what_is_said_is_worded() -> None:
    worded: list[int] = []

    def word(number: int) -> str:
        worded.append(number)
        return str(number)

    assert few(range(1000), 2, said=word) == "0, 1 and 998 more"
    assert worded == [0, 1]


def test_a_text_is_bounded_and_keeps_its_lines() -> None:
    assert bounded("a\nb", 3) == "a\nb"
    assert bounded("a\nbc", 3) == "a\n…"


def test_names_are_cut_and_few() -> None:
    assert len(names(["x" * 10_000] * 10_000)) < 400
