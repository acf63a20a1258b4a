from typing import TYPE_CHECKING

import pytest

from fairtrial.serve.mounts import Mounted, Mounts
from fairtrial.serve.wire import RefusedError

if TYPE_CHECKING:
    from tests.serve.conftest import Stage


@pytest.fixture
def mounts() -> Mounts:
    return Mounts("http://127.0.0.1:1")


def test_each_trial_has_a_token_of_its_own(mounts: Mounts) -> None:
    trials = [Mounted() for _ in range(100)]
    tokens = [mounts.mount(trial).token for trial in trials]
    assert len(set(tokens)) == 100
    assert all(len(token) >= 24 for token in tokens)
    assert [mounts.find(token, "tools") for token in tokens] == trials


def test_addresses_say_where_everything_is(mounts: Mounts) -> None:
    at = mounts.addresses("T")
    assert at.openai == "http://127.0.0.1:1/t/T/openai/v1"
    assert at.anthropic == "http://127.0.0.1:1/t/T/anthropic"
    assert at.tools == "http://127.0.0.1:1/t/T/tools"


def test_a_trial_that_has_ended_is_told_from_none_at_all(mounts: Mounts) -> None:
    token = mounts.mount(Mounted()).token
    mounts.unmount(token)
    mounts.unmount(token)
    with pytest.raises(RefusedError, match="this trial has ended"):
        mounts.find(token, "openai")
    other = Mounts("http://127.0.0.1:2").mount(Mounted()).token
    for unknown in (other, "", "nowhere", "x" * 10_000):
        with pytest.raises(RefusedError, match="belongs to no trial") as caught:
            mounts.find(unknown, "openai")
        assert (caught.value.status, caught.value.code) == (404, "fairtrial_no_trial")
    assert mounts.refused == 5


def test_the_words_give_the_way_out_of_each_family(mounts: Mounts) -> None:
    said = {x: str(mounts.no_trial(x)) for x in ("openai", "anthropic", "tools")}
    assert "pass base_url=task.model.base_url when you make it in the agent" in said["openai"]
    assert 'isolation = "process"' in said["openai"]
    assert "base_url=task.model.anthropic_base_url" in said["anthropic"]
    assert "task.tools_url" in said["tools"]


def test_an_alias_leads_where_it_points_now(mounts: Mounts) -> None:
    first, second = Mounted(), Mounted()
    one, two = mounts.mount(first).token, mounts.mount(second).token
    assert mounts.point("worker-1", one) == mounts.addresses("worker-1")
    assert mounts.find("worker-1", "openai") is first
    mounts.point("worker-1", two)
    assert mounts.find("worker-1", "openai") is second
    assert mounts.find(one, "openai") is first


def test_an_alias_that_points_nowhere_says_that_its_trial_has_ended(mounts: Mounts) -> None:
    token = mounts.mount(Mounted()).token
    mounts.point("worker-1", token)
    mounts.unmount(token)
    with pytest.raises(RefusedError, match="has ended"):
        mounts.find("worker-1", "openai")
    mounts.point("worker-1", None)
    with pytest.raises(RefusedError, match="has ended"):
        mounts.find("worker-1", "openai")


@pytest.mark.parametrize("alias", ["", "a/b", "a b", "é", "x" * 201, "nowhere"])
def test_an_alias_has_to_fit_in_an_address(mounts: Mounts, alias: str) -> None:
    with pytest.raises(ValueError, match="wanted 1 to 200 letters"):
        mounts.point(alias, None)


def test_refusals_are_kept_up_to_a_bound() -> None:
    trial = Mounted()
    for number in range(1000):
        trial.refuse(str(number))
    assert trial.refusals == [str(number) for number in range(100)]


def test_a_client_with_an_alias_moves_on_with_it(stage: "Stage") -> None:
    first, second = stage.trial("one"), stage.trial("two")
    at = stage.listener.point("worker", first.at.token)
    url = f"{at.openai}/chat/completions"
    body = {"messages": [{"role": "user", "content": "Hi"}]}
    assert b'"one"' in stage.ask(url, body).body
    stage.listener.point("worker", second.at.token)
    assert b'"two"' in stage.ask(url, body).body
    stage.listener.point("worker", None)
    assert stage.ask(url, body).json["error"]["code"] == "fairtrial_no_trial"
    assert [len(x.mounted.steps) for x in (first, second)] == [1, 1]
