"""The run of one process: trials that may be run ahead, and what they share."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.pytest_plugin.conftest import Suite

SEEN = """
import pathlib
def agent(task):
    with pathlib.Path("seen.txt").open("a") as out:
        out.write(task.case + "\\n")
    return task.input
"""


def test_the_next_cases_are_run_beside_one_while_there_is_room(suite: "Suite") -> None:
    tests = """
def pytest_runtest_logfinish(nodeid):
    import pathlib
    with pathlib.Path("seen.txt").open("a") as out:
        out.write("end\\n")
"""
    suite.write("conftest.py", tests)
    cases = [suite.case(f"c{at}") for at in range(5)]
    suite.set_up(*cases, agent=SEEN, settings="concurrency = 3\n")
    suite.run("--fairtrial", "evals").assert_outcomes(passed=5)
    seen = (suite.folder / "seen.txt").read_text(encoding="utf-8").split()
    assert sorted(seen[:3]) == ["c0", "c1", "c2"]
    assert seen[3:6] == ["end"] * 3
    assert sorted(seen[6:8]) == ["c3", "c4"]


@pytest.mark.parametrize("option", ["-x", "--maxfail=1"])
def test_nothing_is_run_ahead_where_a_failure_stops_the_rest(suite: "Suite", option: str) -> None:
    cases = [suite.case(f"c{at}", said="no") for at in range(3)]
    suite.set_up(*cases, agent=SEEN)
    suite.run("--fairtrial", "evals", option).assert_outcomes(failed=1)
    assert (suite.folder / "seen.txt").read_text(encoding="utf-8") == "c0\n"


def test_offline_no_real_key_is_seen_by_the_agent_and_other_tests_see_theirs(
    suite: "Suite",
) -> None:
    agent = "import os\nKEY = os.environ['OPENAI_API_KEY']\ndef agent(task):\n    return KEY\n"
    suite.set_up(suite.case("a", wanted="offline"), agent=agent)
    suite.write(
        "zz/test_key.py",
        "import os\ndef test_key():\n    assert os.environ['OPENAI_API_KEY'] == 'sk'\n",
    )
    suite.run("--fairtrial", "evals", "zz", OPENAI_API_KEY="sk").assert_outcomes(passed=2)


def test_no_secret_is_shown_or_kept(suite: "Suite") -> None:
    agent = "import os\ndef agent(task):\n    return 'the key is ' + os.environ['SHOP_API_KEY']\n"
    suite.set_up(suite.case("a", wanted="nothing"), agent=agent)
    ran = suite.run("--fairtrial", "evals", SHOP_API_KEY="sk-verysecret-0123456789")
    ran.assert_outcomes(failed=1)
    assert "verysecret" not in ran.stdout.str()
    kept = b"".join(
        path.read_bytes() for path in (suite.folder / ".fairtrial").rglob("*") if path.is_file()
    )
    assert b"verysecret" not in kept


def test_async_agents_and_processes_run_too(suite: "Suite") -> None:
    agent = "async def agent(task):\n    return task.input\n"
    suite.set_up(suite.case("a"), suite.case("b"), agent=agent)
    suite.run("--fairtrial", "evals").assert_outcomes(passed=2)
    suite.set_up(suite.case("a"), suite.case("b"), settings='isolation = "process"\n')
    suite.run("--fairtrial", "evals", "-x").assert_outcomes(passed=2)
