"""One case served to whoever asks, and graded when it is closed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import fairtrial as ft
from fairtrial.cases import load_suite
from fairtrial.errors import ProblemsError
from fairtrial.flow.endpoints import Endpoints, open_endpoints
from fairtrial.flow.serve import Serving
from fairtrial.records import Case, Variant


class Bank(ft.World):
    """An account."""

    sent: list[dict[str, Any]] = []

    @ft.tool
    def send(self, amount: float) -> str:
        """Send money."""
        self.sent.append({"amount": amount})
        return "sent"


CASES = """
- id: pay
  input: Pay.
  expect: {answer: {contains: [done]}, state: {sent: [{amount: 4}]}}
  script:
    default: [{call: {send: {amount: 4}}}, {say: "All done."}]
    terse: [{say: done}]
"""


@pytest.fixture
def case(tmp_path: Path) -> Case:
    file = tmp_path / "cases.yaml"
    file.write_text(CASES, encoding="utf-8")
    return load_suite([file]).cases[0]


@pytest.fixture
def endpoints() -> Iterator[Endpoints]:
    with open_endpoints(live=False) as endpoints:
        yield endpoints


def ask(serving: Serving) -> dict[str, Any]:
    body = {"model": "m", "messages": [{"role": "user", "content": "Pay."}]}
    url = f"{serving.environment['OPENAI_BASE_URL']}/chat/completions"
    reply: dict[str, Any] = httpx2.post(url, json=body, trust_env=False).json()
    return reply


def test_what_was_seen_is_graded(case: Case, endpoints: Endpoints) -> None:
    serving = Serving(case, endpoints, world=Bank, variant=Variant())
    ask(serving)
    url = f"{serving.environment['FAIRTRIAL_TOOLS_URL']}/send"
    assert httpx2.post(url, json={"amount": 4}, trust_env=False).status_code == 200
    ask(serving)
    served = serving.close()
    assert served.trajectory.answer == "All done."
    assert served.trajectory.state == {"sent": [{"amount": 4}]}
    assert (served.report.scorecard.passed, served.report.scorecard.trials) == (1, 1)


def test_a_variant_has_its_own_script(case: Case, endpoints: Endpoints) -> None:
    serving = Serving(case, endpoints, world=Bank, variant=Variant(name="terse"))
    assert ask(serving)["choices"][0]["message"]["content"] == "done"
    assert serving.close().trajectory.answer == "done"


def test_a_last_step_with_calls_is_no_answer(case: Case, endpoints: Endpoints) -> None:
    serving = Serving(case, endpoints, world=Bank, variant=Variant())
    ask(serving)
    served = serving.close()
    assert served.trajectory.answer is None
    assert served.report.scorecard.passed == 0


def test_nothing_seen_is_no_pass(case: Case, endpoints: Endpoints) -> None:
    served = Serving(case, endpoints, world=Bank, variant=Variant()).close()
    assert served.report.scorecard.passed == 0
    assert served.trajectory.case == "pay"


def test_closed_it_answers_nobody(case: Case, endpoints: Endpoints) -> None:
    serving = Serving(case, endpoints, world=Bank, variant=Variant())
    serving.close()
    assert "choices" not in ask(serving)


def test_the_seed_is_that_of_the_trial_in_a_run(case: Case, endpoints: Endpoints) -> None:
    seen: list[int] = []

    def agent(task: ft.Task) -> str:
        seen.append(task.seed)
        return "done"

    ft.run([case], agent, world=Bank)
    serving = Serving(case, endpoints, world=Bank, variant=Variant())
    assert serving.environment["FAIRTRIAL_SEED"] == str(seen[0])
    serving.close()


def test_fixtures_that_do_not_fit_are_told(case: Case, endpoints: Endpoints) -> None:
    class Other(ft.World):
        """A world with a field that cannot be filled from nothing."""

        number: int

    with pytest.raises(ProblemsError):
        Serving(case, endpoints, world=Other, variant=Variant())
