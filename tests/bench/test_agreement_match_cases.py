"""What ten projects' own tests say: agreed, differing for a named reason, or no counterpart."""

import importlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
AGREEMENT = ROOT / "bench" / "agreement"
PAGE = ROOT / "docs" / "real-data.md"


def module(name: str) -> Any:
    """Import a script of bench/agreement, which stands in no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(AGREEMENT)
        return importlib.import_module(name)


@pytest.fixture(scope="module")
def script() -> Any:
    return module("match_cases")


@pytest.fixture(scope="module")
def answered(script: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    data = module("datasets").find_data("match_cases")
    if data is None:
        pytest.skip("the match_cases data is not here (set FAIRTRIAL_DATA)")
    return script.agreement(data, tmp_path_factory.mktemp("match"))


def test_every_row_is_accounted_for(answered: Any) -> None:
    assert len({one.row["id"] for one in answered}) == len(answered) == 84 + 99 + 4 + 75


def test_the_rows_of_each_kind_are_known(answered: Any) -> None:
    assert Counter(one.kind for one in answered) == {
        "agree": 165,
        # differ
        "messages are counted": 1,
        "failed attempts are left out": 2,
        "nothing recorded": 2,
        "no answer": 3,
        "texts of values": 1,
        # no counterpart
        "scores that are no verdicts": 41,
        "edit distance": 25,
        "equal formulas": 8,
        "agreement of raters": 4,
        "own function": 2,
        "a call by its number": 2,
        "letters of choices": 2,
        "nothing is asked": 2,
        "a stand-in metric": 1,
        "no invocation": 1,
    }


def test_what_agrees_is_both_passes_and_failures(answered: Any) -> None:
    verdicts = [one.got for one in answered if one.kind == "agree" and isinstance(one.got, bool)]
    assert Counter(verdicts) == {True: 62, False: 49}


def test_no_project_and_mode_is_left_out(script: Any, answered: Any) -> None:
    counts = script.by_mode(answered)
    asked = {source for (source, _), kinds in counts.items() if kinds["agree"] or kinds["differ"]}
    assert len(counts) == 45
    assert {source.partition(".")[0] for source in asked} == {
        *("agentevals", "autoevals", "deepeval", "google_adk", "inspect", "openai"),
        *("openevals", "pydantic_evals", "ragas", "strands_evals"),
    }


def test_the_page_shows_every_mode_and_every_kind_as_they_are(script: Any, answered: Any) -> None:
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in script.table(answered) if line not in page] == []
    for sentences in (script.DISAGREEMENTS, script.NO_COUNTERPART):
        assert [line for line, _ in script.kinds(answered, sentences) if line not in page] == []


# Without the data: rows of our own


def kinds(script: Any, folder: Path, **files: list[dict[str, Any]]) -> dict[str, str]:
    """Give what comes of rows of our own."""
    for name in script.FILES:
        module("datasets").write_rows(folder / name, files.get(name.partition(".")[0], []))
    (folder / "work").mkdir()
    return {one.row["id"]: one.kind for one in script.agreement(folder, folder / "work")}


def chat(*messages: list[str]) -> list[dict[str, Any]]:
    """Give messages of calls by their tools' names."""
    return [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "", "function": {"name": name, "arguments": "{}"}} for name in names
            ],
        }
        for names in messages
    ]


def matched(name: str, mode: str, reference: Any, actual: Any, *, expected: bool) -> dict[str, Any]:
    source = "agentevals.trajectory_match"
    return {
        "id": name,
        "source": source,
        "mode": mode,
        "options": {},
        "expected": expected,
        "reference": reference,
        "actual": actual,
    }


def test_a_verdict_turned_round_is_an_unexplained_difference(script: Any, tmp_path: Path) -> None:
    one, two = chat(["a"]), chat(["a"], ["b"])
    rows = [
        matched("more", "superset", one, two, expected=True),
        matched("more, wrongly", "superset", one, two, expected=False),
        matched("less", "superset", two, one, expected=False),
        matched("within", "subset", two, one, expected=True),
        matched("beyond", "subset", one, two, expected=False),
        matched("same, spread", "strict", chat(["a", "b"]), two, expected=False),
        matched("same, other order", "unordered", two, chat(["b"], ["a"]), expected=True),
        matched("once more", "unordered", one, chat(["a"], ["a"]), expected=False),
        matched("by hand", "superset", one, two, expected=True)
        | {"options": {"tool_args_match_overrides": {"a": "<function f>"}}},
        matched("unheard of", "superset", one, two, expected=True) | {"source": "x.y"},
    ]
    assert kinds(script, tmp_path, trajectory=rows) == {
        "more": "agree",
        "more, wrongly": "unexplained",
        "less": "agree",
        "within": "agree",
        "beyond": "agree",
        "same, spread": "messages are counted",
        "same, other order": "agree",
        "once more": "agree",
        "by hand": "own function",
        "unheard of": "another form",
    }


def test_estimates_are_compared_place_by_place(script: Any, tmp_path: Path) -> None:
    def row(name: str, scores: list[Any], expected: Any) -> dict[str, Any]:
        options = {"args": [2]}
        source = "inspect.reducer.pass_at"
        return {
            "id": name,
            "source": source,
            "mode": "pass_at",
            "options": options,
            "input": scores,
            "expected": expected,
        }

    rows = [
        row("one place", [1, 0, 0, "NaN"], 2 / 3),
        row("too few", [1, "NaN"], "NaN"),
        row("places", [[1, 0], [0, 0], "NaN", [0, 1]], [2 / 3, 2 / 3]),
        row("the last place is wrong", [{"x": 1, "y": 0}, {"x": 1, "y": 0}], {"x": 1.0, "y": 1.0}),
    ]
    assert kinds(script, tmp_path, statistics=rows) == {
        "one place": "agree",
        "too few": "agree",
        "places": "agree",
        "the last place is wrong": "unexplained",
    }


def test_a_target_takes_the_place_of_a_group(script: Any, tmp_path: Path) -> None:
    asked = [
        (r"ANSWER: (A|B)", False, "B", "ANSWER: B", "C"),
        (r"ANSWER: (A|B)", False, "B", "ANSWER: A", "I"),
        (r"(foo) (bar)", False, "bar", "foo bar", "C"),
        (r"(foo|bar) (foo|bar)", True, "bar", "foo bar", "I"),
        (r"N:\s*(\d+)?", True, "42", "N: ", "I"),
        (r"[(]\((?:n|m)(\d)\)", False, "1", "((n1)", "C"),
    ]
    rows = [
        {
            "id": f"{pattern} in {answer}",
            "source": "inspect.pattern",
            "mode": "pattern",
            "reference": [target],
            "options": {"args": [pattern], "match_all": match_all},
            "actual": answer,
            "expected": expected,
        }
        for pattern, match_all, target, answer, expected in asked
    ]
    found = kinds(script, tmp_path, answer=rows)
    assert len(found) == 6
    assert set(found.values()) == {"agree"}


def test_a_schema_says_what_its_matcher_says(script: Any, tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "number"}},
        "required": ["a"],
    }

    def row(answer: str, expected: int) -> dict[str, Any]:
        return {
            "id": answer,
            "source": "autoevals.ValidJSON",
            "mode": "ValidJSON",
            "options": {},
            "reference": schema,
            "actual": answer,
            "expected": expected,
        }

    rows = [row('{"a": "1"}', 1), row('{"b": 1}', 0), row('{"a": "1", "b": "1"}', 0)]
    assert set(kinds(script, tmp_path, answer=rows).values()) == {"agree"}
