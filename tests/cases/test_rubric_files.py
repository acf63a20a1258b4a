"""Rubrics in files of their own, in the folder `rubrics` beside case files."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairtrial.cases import Suite, lint_suite, load_suite
from fairtrial.errors import ProblemsError
from fairtrial.records import Case, Json, RubricItem

Write = Callable[..., None]

CASES = "- {id: a, input: x, expect: {rubric: polite, answer: {contains: yes}}}"
KIND = (RubricItem(item="Is kind"),)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files by their paths; bytes as they are."""

    def written(files: dict[str, str | bytes]) -> None:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return written


def load(root: Path, *names: str) -> Suite:
    return load_suite(names or ("a.yaml",), root=root)


def problems(root: Path, *names: str) -> list[str]:
    with pytest.raises(ProblemsError) as caught:
        load(root, *names)
    return list(caught.value.problems)


def only(suite: Suite) -> Case:
    (case,) = suite.cases
    return case


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("polite.yaml", "- Is kind"),
        ("polite.yml", "items: [Is kind]"),
        ("polite.json", '["Is kind"]'),
        ("polite.YAML", "description: of tone\nitems: [{item: Is kind}]"),
        ("polite.yaml", "Is kind"),
    ],
)
def test_a_file_is_the_rubric_of_its_stem(
    name: str, content: str, tmp_path: Path, write: Write
) -> None:
    write({"a.yaml": CASES, f"rubrics/{name}": content})
    assert only(load(tmp_path)).expect.rubric == KIND


def test_it_is_looked_for_beside_each_case_file(tmp_path: Path, write: Write) -> None:
    line = '{"id": "b", "input": "x", "expect": {"rubric": "polite"}}'
    write({"evals/a.yaml": CASES, "more/b.jsonl": line})
    write({"evals/rubrics/polite.yaml": "- Is kind", "more/rubrics/polite.json": '["Is short"]'})
    first, second = load(tmp_path, "evals/a.yaml", "more/b.jsonl").cases
    assert first.expect.rubric == KIND
    assert second.expect.rubric == (RubricItem(item="Is short"),)


def test_the_files_own_rubric_wins(tmp_path: Path, write: Write) -> None:
    own = f"rubrics: {{polite: [Is kind]}}\ncases:\n{CASES}"
    write({"a.yaml": own, "rubrics/polite.yaml": "- Is short"})
    assert only(load(tmp_path)).expect.rubric == KIND


def test_a_slip_in_the_files_own_does_not_fall_back_on_the_folder(
    tmp_path: Path, write: Write
) -> None:
    own = f"rubrics: {{polite: []}}\ncases:\n{CASES}"
    write({"a.yaml": own, "rubrics/polite.yaml": "- Is short"})
    (problem,) = problems(tmp_path)
    assert problem.startswith("a.yaml:1:19: rubrics.polite: an empty list")


def test_a_rubric_with_criteria_comes_with_the_case_and_counts_in_its_hash(
    tmp_path: Path, write: Write
) -> None:
    cases = []
    for content in ("criteria: [warmth]", "criteria: {warmth: }", "criteria: [warmth]\nfloor: 2"):
        write({"a.yaml": CASES, "rubrics/polite.yaml": content})
        cases.append(only(load(tmp_path)))
    assert cases[2].rubrics == {"polite": {"criteria": [{"name": "warmth"}], "floor": 2}}
    assert cases[0].hash == cases[1].hash != cases[2].hash


def test_what_a_rubric_is_for_does_not_count_in_the_hash(tmp_path: Path, write: Write) -> None:
    hashes = set()
    for content in ("criteria: [warmth]", "criteria: [warmth]\ndescription: of tone"):
        write({"a.yaml": CASES, "rubrics/polite.yaml": content})
        hashes.add(only(load(tmp_path)).hash)
    assert len(hashes) == 1


def test_a_slip_in_it_is_told_at_its_place_and_once(tmp_path: Path, write: Write) -> None:
    again = CASES.replace("id: a", "id: b")
    write({"evals/a.yaml": f"{CASES}\n{again}", "evals/b.yaml": CASES.replace("id: a", "id: c")})
    write({"evals/rubrics/polite.yaml": "items:\n  - Is kind\n  - ' '\ntreshold: 3"})
    assert problems(tmp_path, "evals/a.yaml", "evals/b.yaml") == [
        "evals/rubrics/polite.yaml:3:5: items[1]: empty; wanted text: a yes/no question",
        "evals/rubrics/polite.yaml:4:1: treshold: unknown field; known here: description, items, "
        "criteria, threshold, floor, goal, gate, reference, examples; did you mean threshold?",
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "1:1: YAML: the file holds nothing"),
        ("5", "1:1: rubric: wanted text, or {item, gate}, got the number 5"),
        ("[", "1:2: YAML: this does not fit"),
        (b"- \xff", "1:3: file: the byte 0xff is not UTF-8"),
        ("goal: x\ngoal: y", "2:1: goal: "),
    ],
)
def test_a_file_that_is_no_rubric_is_told(
    content: str | bytes, told: str, tmp_path: Path, write: Write
) -> None:
    write({"a.yaml": CASES, "rubrics/polite.yaml": content})
    (problem,) = problems(tmp_path)
    assert problem.startswith(f"rubrics/polite.yaml:{told}")


def test_a_file_that_no_case_names_is_not_read(tmp_path: Path, write: Write) -> None:
    write({"a.yaml": CASES, "rubrics/polite.yaml": "- Is kind", "rubrics/other.yaml": "["})
    write({"rubrics/README.md": "ours", "rubrics/old/polite.yaml": "["})
    assert only(load(tmp_path)).expect.rubric == KIND


def test_two_files_of_one_name_are_told(tmp_path: Path, write: Write) -> None:
    write({"a.yaml": CASES, "rubrics/polite.yaml": "- Is kind", "rubrics/polite.json": "[1]"})
    told = problems(tmp_path)
    assert (
        "rubrics/polite.yaml:1:1: file: 'polite' is rubrics/polite.json too; keep one of them"
        in (told)
    )


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "neither under rubrics of this file (none) nor in rubrics (no such folder)"),
        (
            {"rubrics/tone.yaml": "- x", "rubrics/polit.json": '["x"]'},
            "neither under rubrics of this file (none) nor in rubrics (polit, tone); did you mean "
            "polit?",
        ),
        ({"rubrics/a.txt": "x"}, "nor in rubrics (none)"),
        ({"rubrics": "no folder"}, "nor in rubrics (no such folder)"),
    ],
)
def test_a_name_that_is_nowhere_says_both_places_and_the_nearest(
    files: dict[str, str | bytes], told: str, tmp_path: Path, write: Write
) -> None:
    write({"a.yaml": CASES, **files})
    (problem,) = problems(tmp_path)
    assert problem.startswith("a.yaml:1:38: expect.rubric: no shared rubric 'polite': ")
    assert problem.endswith(told)


def test_a_name_is_no_path(tmp_path: Path, write: Write) -> None:
    write({"evals/a.yaml": CASES.replace("polite", "../../secret"), "secret.yaml": "- Is kind"})
    (problem,) = problems(tmp_path, "evals/a.yaml")
    assert "no shared rubric '../../secret'" in problem


def test_a_misspelt_sentence_is_an_item_and_not_a_file(tmp_path: Path, write: Write) -> None:
    write({"a.yaml": CASES.replace("polite", "Is kind"), "rubrics/polite.yaml": "["})
    assert only(load(tmp_path)).expect.rubric == KIND


VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(0, 6) | st.sampled_from(["x", "Is kind", "", "PASS"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["items", "criteria", "examples", "goal", "item", "x"]), inner
        )
    ),
    max_leaves=10,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.binary(max_size=30) | VALUES.map(lambda value: json.dumps(value).encode()),
    st.sampled_from(["yaml", "json"]),
)
def test_no_rubric_file_at_all_breaks_the_loader(
    tmp_path: Path, content: bytes, ending: str
) -> None:
    folder = tmp_path / "rubrics"
    folder.mkdir(exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    (tmp_path / "a.yaml").write_text(CASES, encoding="utf-8")
    (folder / f"polite.{ending}").write_bytes(content)
    told: tuple[str, ...] = ()
    try:
        lint_suite(load(tmp_path))
    except ProblemsError as error:
        told = error.problems
    assert [one for one in told if not re.match(r".+:\d+:\d+: .+: .+", one)] == []
