from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairtrial.errors import ScriptError
from fairtrial.models import ScriptPlayer
from fairtrial.ports import Model
from fairtrial.records import Case, Completion, Json, ModelCall, ModelRequest, Tokens

Scripted = Callable[..., Case]
Asked = Callable[..., ModelRequest]
Say = Callable[..., list[Completion]]


@pytest.fixture
def say(scripted: Scripted, asked: Asked) -> Say:
    """Play a script to its end."""

    def played(script: list[Json], *tools: str, characters: int = 0) -> list[Completion]:
        player = ScriptPlayer(scripted(script), None)
        request = asked(*tools, characters=characters)
        out: list[Completion] = []
        while player.left:
            out.append(player.complete(request))
        return out

    return played


def arguments_of(completion: Completion) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in completion.calls]


def test_a_player_is_a_model(scripted: Scripted, asked: Asked) -> None:
    model: Model = ScriptPlayer(scripted([{"say": "Hi"}]), None)
    assert model.complete(asked()).text == "Hi"


def test_steps_come_in_order_whatever_is_asked_and_offered(say: Say) -> None:
    script = [{"say": "Let me look.", "call": {"look": {"id": "H-204"}}}, {"say": "Done."}]
    first, second = say(script, "other")
    assert (first.text, arguments_of(first)) == ("Let me look.", [("look", '{"id":"H-204"}')])
    assert (second.text, second.calls) == ("Done.", ())


def test_calls_of_one_step_are_parallel_in_a_list_and_in_a_mapping(say: Say) -> None:
    (listed,) = say([{"call": [{"look": {"id": 1}}, {"look": {"id": 2}, "pay": {}}]}])
    (mapped,) = say([{"call": {"look": {"id": 1}, "pay": {}}}])
    assert arguments_of(listed) == [("look", '{"id":1}'), ("look", '{"id":2}'), ("pay", "{}")]
    assert arguments_of(mapped) == [("look", '{"id":1}'), ("pay", "{}")]


def test_arguments_are_compact_json_with_keys_as_the_script_has_them(say: Say) -> None:
    (reply,) = say([{"call": {"a": {"z": [1, 2.5, None], "b": {"é": "\ud800"}, "n": 10**30}}}])
    assert reply.calls[0].arguments == (
        '{"z":[1,2.5,null],"b":{"é":"\ufffd"},"n":1000000000000000000000000000000}'
    )


@pytest.mark.parametrize(
    ("script", "tools"),
    [
        ([{"malformed": "{"}, {"say": "x"}, {"call": {"look": {}}}, {"call": {"pay": {}}}], ()),
        ([{"call": {"pay": {}}}, {"call": {"look": {}}}, {"say": "x"}, {"malformed": "{"}], ()),
        ([{"call": {"pay": {}}}, {"malformed": "{"}, {"call": {"look": {}}}], ("pay",)),
        ([{"malformed": "{"}, {"malformed": {"look": "["}}], ()),
        ([{"malformed": "{"}], ("look", "pay")),
        ([{"malformed": {"look": "{"}}, {"call": {"pay": {}}}], ()),
    ],
    ids=["next", "before", "next-first", "next-named", "offered", "named"],
)
def test_raw_arguments_are_for_the_nearest_tool(
    script: list[Json], tools: tuple[str, ...], say: Say
) -> None:
    calls = [call for reply in say(script, *tools) for call in reply.calls]
    assert ModelCall(name="look", arguments="{") in calls


def test_raw_arguments_by_tool_are_a_call_each(say: Say) -> None:
    (reply,) = say([{"malformed": {"look": "", "pay": "}"}}])
    assert arguments_of(reply) == [("look", ""), ("pay", "}")]


def test_raw_arguments_with_no_tool_anywhere_are_told(say: Say) -> None:
    with pytest.raises(ScriptError, match=r"^step 2 of the script of case c1 \(evals/a.yaml:3\): "):
        say([{"say": "x"}, {"malformed": "{"}])


def test_a_refusal_is_words_of_their_own(say: Say) -> None:
    (reply,) = say([{"refuse": "I cannot."}])
    assert (reply.refusal, reply.text, reply.calls) == ("I cannot.", None, ())


def test_a_status_comes_as_often_as_said_and_then_the_next_step(say: Say) -> None:
    replies = say([{"status": 429, "times": 2}, {"status": 503}, {"say": "Hi"}])
    assert [reply.status for reply in replies] == [429, 429, 503, None]
    assert replies[0].tokens is None


@pytest.mark.parametrize("status", [100, 399, 600, 10**1000])
def test_a_status_that_is_no_failure_is_told(status: int, say: Say) -> None:
    with pytest.raises(ScriptError, match=r"^step 1 of the script of case c1 "):
        say([{"status": status}])


def test_tokens_are_as_said(say: Say) -> None:
    (reply,) = say([{"say": "Hi", "tokens": {"input": 300, "output": 0}}], characters=9)
    assert reply.tokens == Tokens(input=300, output=0)


def test_tokens_that_are_not_said_are_estimated_and_marked(say: Say) -> None:
    script = [
        {"say": "x" * 9, "call": {"look": {"id": 1}}},  # 9 + 4 + 8 characters
        {"refuse": "No"},
        {"say": "x" * 40, "tokens": {"input": 7}},
        {"malformed": "x" * 40, "tokens": {"output": 3}},
    ]
    assert [reply.tokens for reply in say(script, characters=403)] == [
        Tokens(input=100, output=5, estimated=True),
        Tokens(input=100, output=1, estimated=True),
        Tokens(input=7, output=10, estimated=True),
        Tokens(input=100, output=3, estimated=True),
    ]


def test_an_empty_exchange_is_a_token_each_way(say: Say) -> None:
    (reply,) = say([{"say": ""}])
    assert (reply.text, reply.tokens) == ("", Tokens(input=1, output=1, estimated=True))


@pytest.mark.parametrize(("steps", "number"), [(1, "1 step"), (3, "3 steps")])
def test_a_request_after_the_last_step_is_told_how_many_there_are(
    steps: int, number: str, scripted: Scripted, asked: Asked
) -> None:
    player = ScriptPlayer(scripted([{"say": "x"}] * steps), None)
    for _ in range(steps):
        player.complete(asked())
    for _ in range(2):
        with pytest.raises(ScriptError) as caught:
            player.complete(asked())
        assert str(caught.value) == (
            f"the script of case c1 has {number} and the agent asked for another reply; "
            "add a step, or let the agent stop after its answer"
        )
    assert player.left == 0


def test_a_request_without_a_script_is_told_the_ways_out(scripted: Scripted, asked: Asked) -> None:
    player = ScriptPlayer(scripted(), None)
    with pytest.raises(ScriptError) as caught:
        player.complete(asked())
    assert str(caught.value) == (
        "case c1 has no script (evals/a.yaml:3); write what the model says under `script:`, "
        "or run with --live to ask a real model"
    )
    assert player.left == 0


def test_a_variant_without_steps_matters_only_when_a_model_is_asked(
    scripted: Scripted, asked: Asked
) -> None:
    player = ScriptPlayer(scripted({"short": [{"say": "x"}]}), "long")
    with pytest.raises(ScriptError, match="there are scripts for: short"):
        player.complete(asked())


def test_players_of_one_case_do_not_share_their_place(scripted: Scripted, asked: Asked) -> None:
    case = scripted([{"say": "a"}, {"say": "b"}])
    one, other = ScriptPlayer(case, None), ScriptPlayer(case, None)
    assert [one.complete(asked()).text, other.complete(asked()).text] == ["a", "a"]
    assert one.complete(asked()).text == "b"


def test_left_counts_the_steps_of_which_nothing_was_played(
    scripted: Scripted, asked: Asked
) -> None:
    player = ScriptPlayer(scripted([{"status": 503, "times": 2}, {"say": "x"}]), None)
    left = [player.left]
    for _ in range(3):
        player.complete(asked())
        left.append(player.left)
    assert left == [2, 1, 1, 0]


def test_each_step_is_played_once_when_many_threads_ask(scripted: Scripted, asked: Asked) -> None:
    player = ScriptPlayer(scripted([{"say": str(at)} for at in range(400)]), None)
    with ThreadPoolExecutor(8) as pool:
        texts = pool.map(lambda _: player.complete(asked()).text, range(400))
    assert sorted(texts, key=lambda text: int(text or -1)) == [str(at) for at in range(400)]
    assert player.left == 0


def test_a_number_that_json_cannot_write_is_told(say: Say) -> None:
    with pytest.raises(ScriptError, match=r"step 1 of the script of case c1 .*cannot be written"):
        say([{"call": {"pay": {"amount": 10**5000}}}])
