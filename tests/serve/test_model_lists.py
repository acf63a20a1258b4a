from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.serve.conftest import Stage


def test_a_trial_has_one_model_and_its_name_is_the_one_asked_for(stage: "Stage") -> None:
    shown = stage.trial("Hi")
    client, other = stage.openai(shown.at), stage.anthropic(shown.at)
    assert [one.id for one in client.models.list()] == ["scripted"]
    stage.chat(shown, model="gpt-x")
    assert [one.id for one in client.models.list()] == ["gpt-x"]
    assert [(one.id, one.display_name) for one in other.models.list()] == [("gpt-x", "gpt-x")]


def test_a_trial_may_be_mounted_with_the_name_of_its_model(stage: "Stage") -> None:
    shown = stage.trial("Hi", model_name="claude-x")
    assert [one.id for one in stage.anthropic(shown.at).models.list()] == ["claude-x"]


def test_the_name_asked_for_is_the_name_in_the_reply(stage: "Stage") -> None:
    shown = stage.trial("a", "b")
    assert stage.chat(shown, model="gpt-x").json["model"] == "gpt-x"
    assert stage.chat(shown, model=None).json["model"] == "scripted"
