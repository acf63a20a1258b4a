"""The judge that the settings name: two switches before money is spent, and what is said else."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from fairtrial.config import Project, find_project, judge_options, read_calibration
from fairtrial.errors import JudgeError, PluginError, ProblemsError, StoreError, UsageError
from fairtrial.judge import Panel, calibrate
from fairtrial.records import JudgeVerdict, Label

FUNCTION = 'judge = "judging_by:ask"\n'
MODEL = '[judge]\nmodel = "gpt-5-mini"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Written":
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "judging_by.py").write_text("def ask(prompt):\n    return ''\nlone = 1\n")
    return Written(tmp_path)


class Written:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, text: str) -> Project:
        (self.folder / "fairtrial.toml").write_text(text)
        return find_project(self.folder)

    def replies(self) -> None:
        (self.folder / ".fairtrial").mkdir()
        (self.folder / ".fairtrial" / "judge.jsonl").touch()


def test_without_a_judge_there_is_none_and_asking_for_one_says_how(project: Written) -> None:
    assert judge_options(project("")) is None
    assert judge_options(project(""), "off") is None
    with pytest.raises(UsageError, match=r"--judge live: no judge is set up; add \[judge\]"):
        judge_options(project(""), "live")


def test_without_replies_on_file_and_without_being_asked_the_judge_is_off(project: Written) -> None:
    assert judge_options(project(FUNCTION)) is None
    project.replies()
    options = judge_options(project(FUNCTION))
    assert options is not None
    assert options.asks == "replay"
    assert judge_options(project(FUNCTION), "off") is None


def test_live_is_said_by_the_option_or_the_setting(project: Written) -> None:
    for text, asked in (
        (FUNCTION, "live"),
        ('[judge]\nfunction="judging_by:ask"\nlive=true', None),
    ):
        options = judge_options(project(text), asked)
        assert options is not None
        assert options.asks == "live"


def test_a_model_is_live_only_with_a_key(project: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(JudgeError, match="there is no key; set OPENAI_API_KEY"):
        judge_options(project(MODEL), "live")
    with pytest.raises(JudgeError, match="there is no key; set MY_KEY"):
        judge_options(project(MODEL + 'key = "MY_KEY"'), "live")
    with pytest.raises(JudgeError, match="there is no key; set ANTHROPIC_API_KEY"):
        judge_options(project('[judge]\nmodel = "claude-haiku-5"'), "live")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    options = judge_options(project(MODEL), "live")
    assert options is not None
    assert options.judge.name == "gpt-5-mini"


@pytest.mark.parametrize(
    "text",
    [MODEL, '[judge]\nmodel = "claude-haiku-5"', MODEL + 'base_url = "http://127.0.0.1:9/v1"'],
)
def test_a_model_is_the_same_judge_asked_or_by_its_replies_on_file(
    project: Written, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    by_file = judge_options(project(text), "replay")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
    live = judge_options(project(text), "live")
    assert by_file is not None
    assert live is not None
    assert by_file.judge.fingerprint == live.judge.fingerprint


def test_another_model_address_temperature_or_source_is_another_judge(project: Written) -> None:
    texts = [
        MODEL,
        MODEL + "temperature = 1",
        MODEL + 'base_url = "http://127.0.0.1:9/v1"',
        MODEL.replace("mini", "nano"),
        MODEL + "max_tokens = 10",
    ]
    options = [judge_options(project(text), "replay") for text in texts]
    assert len({one.judge.fingerprint for one in options if one is not None}) == len(texts)


def test_a_panel_has_several_judges_and_one_vote(project: Written) -> None:
    panel = '[[judge.panel]]\nfunction = "judging_by:ask"\n[[judge.panel]]\nmodel = "gpt-5-mini"\n'
    options = judge_options(project(panel), "replay")
    assert options is not None
    assert isinstance(options.judge, Panel)
    assert options.judge.name == "judging_by:ask + gpt-5-mini"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[judge]\nmodel = "a"\nfunction = "judging_by:ask"', "both function and model; name one"),
        ('[judge]\nmodel = "a"\n[[judge.panel]]\nmodel = "b"', "panel and model or function"),
        ('[[judge.panel]]\nmodel = "b"', "a panel of one"),
        (
            '[judge]\nfunction = "judging_by:ask"\nkey = "MY_KEY"',
            "key is for a model, and the judge is a function",
        ),
        (
            '[[judge.panel]]\nmodel = "b"\n[[judge.panel]]\ntimeout = 3',
            "neither model nor function",
        ),
        (
            '[[judge.panel]]\nmodel = "b"\n[[judge.panel]]\nmodel = "b"',
            "two judges of the panel are the same",
        ),
    ],
)
def test_settings_that_do_not_go_together_are_told(project: Written, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        judge_options(project(text), "replay")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("judging_by:nobody", "has no 'nobody'"),
        ("no_such_module_here:ask", "importing no_such_module_here failed"),
        ("judging_by:lone", "is no function from a prompt to a text"),
    ],
)
def test_a_function_that_does_not_load_is_told(project: Written, name: str, told: str) -> None:
    with pytest.raises(PluginError, match=told):
        judge_options(project(f'judge = "{name}"'), "live")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('judge = "ask"', ':1: judge: wanted a table with model or function, or "module:function"'),
        ("judge = 3", ":1: judge: wanted a table"),
        ('[judge]\nmodle = "x"', ":2: judge.modle: unknown setting; did you mean 'model'"),
        ("[judge]\ntimeout = 0", ":2: judge.timeout: wanted seconds, more than 0"),
        ('[judge]\nprovider = "x"', ':2: judge.provider: wanted "openai" or "anthropic"'),
        ('[judge]\nkey = "sk-123"', ":2: judge.key: wanted the name of an environment variable"),
        ('[judge]\nmodel = ""', ":2: judge.model: wanted the name of a model, got ''"),
        ('[judge]\nreplies = "a\\u0000b"', ":2: judge.replies: wanted a file"),
        ('[judge]\ncalibration = "\\u0000"', ":2: judge.calibration: wanted a file"),
        ("[judge]\nbar = 3", ":2: judge.bar: wanted a table, got 3"),
        ("[judge.bar]\nlabels = 0", ":2: judge.bar.labels: wanted a whole number from 1 up"),
        ("[judge.bar]\nkapa = 1", ":2: judge.bar.kapa: unknown setting"),
        ("[[judge.panel]]\nmodle = 1", "judge.panel.modle: unknown setting"),
        ("[[judge.panel]]\nmax_cost = 1", "judge.panel.max_cost: unknown setting"),
    ],
)
def test_mistakes_in_the_table_are_told_with_their_place(
    project: Written, text: str, told: str
) -> None:
    with pytest.raises(ProblemsError) as problems:
        project(text)
    assert told in str(problems.value)


def test_a_calibration_that_is_none_is_told(project: Written) -> None:
    (project.folder / "evals").mkdir()
    (project.folder / "evals" / "calibration.json").write_text("{}")
    with pytest.raises(StoreError, match=r"calibration.json: no calibration: .* makes one"):
        judge_options(project(FUNCTION), "replay")


def test_a_calibration_of_another_version_lets_no_judge_decide(project: Written) -> None:
    path = project.folder / "calibration.json"
    measured = calibrate([Label(case="c", label=True)], [JudgeVerdict(case="c", verdict=True)])
    path.write_bytes(msgspec.json.encode(measured))
    assert read_calibration(path) == measured
    path.write_bytes(msgspec.json.encode(replace(measured, format=2)))
    with pytest.raises(StoreError, match=r"format 2, and this version reads 1; .* makes one"):
        read_calibration(path)


@pytest.mark.parametrize("asked", ["live", "replay", "dry"])
def test_replies_that_cannot_be_read_are_told_before_anything_is_run(
    project: Written, asked: str
) -> None:
    (project.folder / "cases.yaml").write_text("cases: []\n")
    text = '[judge]\nfunction = "judging_by:ask"\nreplies = "cases.yaml"'
    with pytest.raises(StoreError, match=r"cases\.yaml:1: no reply of a judge"):
        judge_options(project(text), asked)


def test_a_live_judge_whose_replies_cannot_be_kept_is_told_before_it_is_paid(
    project: Written,
) -> None:
    (project.folder / "replies").symlink_to(project.folder / "nowhere" / "file")
    written = project('[judge]\nfunction = "judging_by:ask"\nreplies = "replies"')
    with pytest.raises(StoreError, match="replies: a judge's reply cannot be kept"):
        judge_options(written, "live")
    assert judge_options(written, "replay") is not None
