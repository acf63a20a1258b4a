from collections.abc import Callable

import pytest

from fairtrial.errors import ScriptError
from fairtrial.models import script_of
from fairtrial.models.script import ready_script
from fairtrial.records import Case

Scripted = Callable[..., Case]

LISTED = [{"say": "Hi"}]
BY_VARIANT = {"default": [{"say": "Hi"}], "short": [{"say": "Yo"}]}


def test_a_case_without_a_script_has_no_steps(scripted: Scripted) -> None:
    assert script_of(scripted(), None) is None
    assert script_of(scripted(), "short") is None


@pytest.mark.parametrize("variant", [None, "short", "default"])
def test_a_list_is_for_every_variant(variant: str | None, scripted: Scripted) -> None:
    assert script_of(scripted(LISTED), variant) == ({"say": "Hi"},)


@pytest.mark.parametrize(
    ("variant", "said"), [("short", "Yo"), (None, "Hi"), ("other", "Hi"), ("default", "Hi")]
)
def test_a_mapping_has_steps_by_variant_and_default_for_the_others(
    variant: str | None, said: str, scripted: Scripted
) -> None:
    assert script_of(scripted(BY_VARIANT), variant) == ({"say": said},)


@pytest.mark.parametrize(
    ("variant", "told"), [("long", "the variant long"), (None, "a run without a variant")]
)
def test_a_variant_without_steps_is_told_which_there_are(
    variant: str | None, told: str, scripted: Scripted
) -> None:
    with pytest.raises(ScriptError) as caught:
        script_of(scripted({"short": LISTED, "formal": LISTED}), variant)
    assert str(caught.value) == (
        f"case c1 has no script for {told} (evals/a.yaml:3); there are scripts for: "
        "short, formal; add `default:` under `script:` for all others"
    )


def test_a_script_is_made_ready_once_for_a_case_and_variant(scripted: Scripted) -> None:
    case = scripted(BY_VARIANT)
    assert ready_script(case, None) is ready_script(case, None)
    assert ready_script(case, None) is not ready_script(case, "short")


def test_cases_that_differ_in_their_script_alone_do_not_share_it(scripted: Scripted) -> None:
    one, other = scripted([{"say": "a"}]), scripted([{"say": "b"}])
    texts = [ready_script(case, None).replies[0].completion for case in (one, other)]
    assert [text.text for text in texts if text] == ["a", "b"]


def test_more_cases_than_are_held_all_keep_their_own_script(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairtrial.models.script._MOST", 2)
    cases = [scripted([{"say": str(at)}]) for at in range(7)]
    for _ in range(2):
        replies = [ready_script(case, None).replies[0].completion for case in cases]
        assert [reply.text for reply in replies if reply] == list("0123456")
