import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.cases import Suite, load_cases, load_suite
from fairtrial.errors import ProblemsError

Load = Callable[..., Suite]
Problems = Callable[..., list[str]]

CASE = "{id: %s, input: x, limits: {steps: 1}}"
JSON = '{"id": "%s", "input": "x", "limits": {"steps": 1}}'


def test_cases_come_in_the_order_of_the_files_with_their_places(load: Load) -> None:
    suite = load(
        b_yaml=f"\ufeff\n\n- {CASE % 'b1'}\n\n- {CASE % 'b2'}\n",
        a_json=f"[{JSON % 'a1'},\n\n  {JSON % 'a2'}]",
        c_jsonl=f"\n{JSON % 'c1'}\r\n\n{JSON % 'c2'}",
        d_yml=f"cases:\n- {CASE % 'd1'}",
    )
    assert [f"{case.id} {case.source}" for case in suite.cases] == [
        "b1 b.yaml:3", "b2 b.yaml:5", "a1 a.json:1", "a2 a.json:3", "c1 c.jsonl:2", "c2 c.jsonl:4",
        "d1 d.yml:2",
    ]  # fmt: skip
    assert [file.cases for file in suite.files] == [2, 2, 2, 1]


def test_every_row_is_loaded_though_its_content_is_equal(load: Load) -> None:
    assert len(load(f"- {CASE % 'x1'}\n- {CASE % 'x2'}\n").cases) == 2


def test_all_mistakes_of_all_files_come_at_once(problems: Problems) -> None:
    found = problems(
        a_yaml="- {id: a, inptu: x, limits: {steps: -1}}\n- {id: b}\n",
        b_json='[{"id": "c", "limits": {"steps": 1.5}},\n{"id": 4}]',
        c_jsonl='{"id": }\n{"id": "d"}\n{"id": "a", "input": "x", "limits": {"steps": 1}}',
        d_yaml="a: b: c",
        e_txt="x",
    )
    assert [problem.split(": ")[0] + " " + problem.split(": ")[1] for problem in found] == [
        "a.yaml:1:11 inptu",
        "a.yaml:1:37 limits.steps",
        "a.yaml:2:3 expect",
        "b.json:1:34 limits.steps",
        "b.json:2:8 id",
        "c.jsonl:1:8 JSON",
        "c.jsonl:2:1 expect",
        "c.jsonl:3:8 id",
        "d.yaml:1:5 YAML",
        "e.txt:1:1 file",
    ]


def test_an_id_that_is_taken_names_both_places(problems: Problems) -> None:
    assert problems(a_yaml=f"\n- {CASE % 'x'}", b_jsonl=JSON % "x") == [
        "b.jsonl:1:8: id: 'x' is taken by a.yaml:2; ids are unique in the suite"
    ]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "a.txt",
            "x",
            "a.txt:1:1: file: unknown ending '.txt'; case files end in .yaml, .yml, .json",
        ),
        ("a.jsn", "x", "did you mean .json?"),
        ("a", "x", "unknown ending ''"),
        ("a.yaml", b"\xff\xfea\x00", "a.yaml:1:1: file: UTF-16 text; save the file as UTF-8"),
        (
            "a.yaml",
            b"- {id: a,\n  input: caf\xe9}",
            "a.yaml:2:13: file: the byte 0xe9 is not UTF-8",
        ),
        ("a.json", b'[{"id": "\xc3\xa9\xe9"}]', "a.json:1:11: file: the byte 0xe9 is not UTF-8"),
        (
            "a.jsonl",
            b'{"id": "a"}\n{"id": "\xe9"}',
            "a.jsonl:2:9: file: the byte 0xe9 is not UTF-8",
        ),
        ("a.yaml", "", "a.yaml:1:1: YAML: the file holds nothing"),
        ("a.yaml", "# nothing\n", "a.yaml:1:1: YAML: the file holds nothing"),
        ("a.yaml", "[]", "a.yaml:1:1: cases: no case in it"),
        (
            "a.yaml",
            "text",
            "a.yaml:1:1: cases: wanted a list of cases, or a mapping with cases, got",
        ),
        (
            "a.yaml",
            "cases: []",
            "a.yaml:1:8: cases: wanted a list of at least one case, got an empty",
        ),
        ("a.yaml", "rules: []", "a.yaml:1:1: cases: missing: the file holds no case"),
        ("a.yaml", "id: a\ninput: x", "a.yaml:1:1: cases: a single case; put it in a list: - id:"),
        ("a.yaml", "tests: [x]\ncases: [x]", "a.yaml:1:1: tests: unknown field; write cases"),
        ("a.json", "{}", "a.json:1:1: cases: missing"),
        ("a.json", "", "a.json:1:1: JSON: no JSON value"),
        ("a.jsonl", "\n \n", "a.jsonl:1:1: cases: the file holds no case"),
        ("a.jsonl", "[]", "a.jsonl:1:1: case: wanted a case"),
    ],
)
def test_a_file_that_cannot_be_is_told(
    name: str, content: str | bytes, told: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ProblemsError) as caught:
        load_suite([name], root=tmp_path)
    assert any(told in problem for problem in caught.value.problems), caught.value.problems


def test_files_that_are_not_there_are_all_told(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(ProblemsError) as caught:
        load_suite(["none.yaml", "folder.yaml", "nul\0.json"], root=tmp_path)
    assert [problem.partition(": file: ")[0] for problem in caught.value.problems] == [
        "none.yaml:1:1",
        "folder.yaml:1:1",
        "nul\0.json:1:1",
    ]


def test_no_files_at_all_are_a_mistake() -> None:
    with pytest.raises(ProblemsError, match="no case files were given"):
        load_suite([])


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"- {CASE % 'a'}")
    suite = load_suite(["a.yaml", tmp_path / "a.yaml", "./a.yaml"], root=tmp_path)
    assert [file.name for file in suite.files] == ["a.yaml"]


def test_cases_are_protected_by_themselves_or_by_a_tag(load: Load) -> None:
    text = """
- {id: a, protected: true, limits: {steps: 1}}
- {id: b, tags: [fee, money], limits: {steps: 1}}
- {id: c, tags: [fee], limits: {steps: 1}}
- {id: d, protected: false, tags: [money], limits: {steps: 1}}
"""
    suite = load(text, protected_tags=("money",))
    assert [case.id for case in suite.cases if case.protected] == ["a", "b", "d"]


def test_load_cases_gives_the_cases_alone(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"- {CASE % 'a'}")
    assert [case.id for case in load_cases(tmp_path / "a.yaml")] == ["a"]


def test_yaml_is_imported_only_for_yaml(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(JSON % "a")
    code = (
        "import sys; from fairtrial.cases import load_suite, case_schema; case_schema(); "
        f"load_suite([{str(path)!r}]); print('yaml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_collector_runs_again_after_a_load_that_fails() -> None:
    with pytest.raises(ProblemsError):
        load_suite(["none.yaml"])
    assert gc.isenabled()
