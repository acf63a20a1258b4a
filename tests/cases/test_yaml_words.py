import pytest

from fairtrial.cases.yaml_words import meaning


@pytest.mark.parametrize(
    ("problem", "at", "said"),
    [
        ("found character that cannot start any token", "`", "text cannot begin with '`' here"),
        ("did not find expected ',' or '}'", "x", "what opens at line 7"),
        ("did not find expected key", "x", "does not fit what begins at line 7"),
        ("found a tab character that violates indentation", "\t", "a tab in the indentation"),
        (
            "found a tab character where an indentation space is expected",
            "\t",
            "indent with spaces",
        ),
        ("something quite new", "x", "something quite new; quote text"),
    ],
)
def test_a_message_says_what_to_do(problem: str, at: str, said: str) -> None:
    assert said in meaning(problem, at, 7)
