import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.errors import JudgeError
from fairtrial.judge import FunctionModel
from fairtrial.records import JudgePrompt

PROMPT = JudgePrompt(text="Is it so?", schema={}, marker="m")


def model(function: Callable[[str], Any]) -> FunctionModel:
    ticks = iter(range(100))
    return FunctionModel(function, "shop:ask", clock=lambda: float(next(ticks)))


def test_a_function_is_given_the_prompt_and_its_text_is_the_reply() -> None:
    asked = model(lambda text: f"{text} Yes.\ud800")
    reply = asked.reply(PROMPT)
    assert (reply.text, reply.seconds, reply.cost) == ("Is it so? Yes.\ufffd", 1.0, None)
    assert (asked.name, asked.described) == ("shop:ask", "function shop:ask")


def test_an_async_function_is_awaited_in_one_loop_from_whatever_thread() -> None:
    loops = set()

    async def ask(text: str) -> str:
        loops.add(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return text

    asked = model(ask)
    replies: list[str] = []
    threads = [
        threading.Thread(target=lambda: replies.append(asked.reply(PROMPT).text)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert replies == ["Is it so?"] * 4
    assert len(loops) == 1
    asked.close()


def test_an_async_function_is_awaited_from_within_a_loop_too() -> None:
    async def ask(text: str) -> str:
        return text

    async def main() -> str:
        return asked.reply(PROMPT).text

    asked = model(ask)
    assert asyncio.run(main()) == "Is it so?"
    asked.close()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "nothing (None)"),
        ({"verdict": "PASS"}, "an object of type dict"),
        (b"PASS", "an object of type bytes"),
    ],
)
def test_what_is_no_text_is_no_reply(given: object, words: str) -> None:
    with pytest.raises(JudgeError) as caught:
        model(lambda text: given).reply(PROMPT)
    assert str(caught.value) == f"judge shop:ask gave {words}; wanted the model's reply as text"


class SilentError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("no such model"), "ValueError: no such model"),
        (SilentError(), "SilentError"),
        (SystemExit(2), "SystemExit: 2"),
        (GeneratorExit("gone"), "GeneratorExit: gone"),
        (BaseException("own"), "BaseException: own"),
        (asyncio.CancelledError("late"), "late"),
    ],
)
@pytest.mark.parametrize("kind", ["plain", "async"])
def test_what_it_raises_is_no_reply(kind: str, error: BaseException, words: str) -> None:
    def ask(text: str) -> str:
        raise error

    async def ask_later(text: str) -> str:
        raise error

    asked = model(ask if kind == "plain" else ask_later)
    for _ in range(2):  # the loop goes on
        with pytest.raises(JudgeError, match="judge shop:ask raised") as caught:
            asked.reply(PROMPT)
        assert str(caught.value).endswith(words)
    asked.close()


def test_ctrl_c_is_no_reply_of_the_judge() -> None:
    def ask(text: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model(ask).reply(PROMPT)


def test_a_function_that_calls_sys_exit_ends_nothing() -> None:
    with pytest.raises(JudgeError):
        model(lambda text: sys.exit(1)).reply(PROMPT)


class Unwilling(str):
    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        raise ValueError(encoding)


def test_a_text_that_does_not_let_itself_be_read_is_no_reply() -> None:
    with pytest.raises(JudgeError, match="judge shop:ask raised ValueError: utf-8"):
        model(lambda text: Unwilling("yes")).reply(PROMPT)


def test_ctrl_c_in_an_async_function_leaves_nobody_waiting() -> None:
    async def ask(text: str) -> str:
        raise KeyboardInterrupt

    asked = model(ask)
    for _ in range(2):
        with pytest.raises(JudgeError, match="KeyboardInterrupt"):
            asked.reply(PROMPT)
    asked.close()


def test_a_function_that_hangs_is_no_reply_in_the_end() -> None:
    stay = threading.Event()

    def hang(prompt: str) -> str:
        stay.wait(30)
        return prompt

    model = FunctionModel(hang, "shop:ask", timeout=0.05)
    told = "judge shop:ask gave no reply within 0.05 seconds; allow more"
    with pytest.raises(JudgeError, match=told):
        model.reply(JudgePrompt(text="pass?", schema={}, marker="m"))
    stay.set()


def test_an_async_function_that_never_ends_is_no_reply_either() -> None:
    async def hang(prompt: str) -> str:
        await asyncio.Event().wait()
        return prompt

    model = FunctionModel(hang, "shop:ask", timeout=0.05)
    with pytest.raises(JudgeError, match="gave no reply within"):
        model.reply(JudgePrompt(text="pass?", schema={}, marker="m"))
