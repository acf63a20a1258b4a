"""The batch APIs of OpenAI and Anthropic on this machine, with what they keep."""

import json
import re
from collections.abc import Callable

from fairtrial.records import Json
from tests.judge.conftest import Answer, Asked, Provider, anthropic_error, openai_error

THEN = "2100-01-01T00:00:00Z"  # no batch is too old
SECONDS = 4_102_444_800  # the same time


def passing(prompt: str) -> str:
    """Reply as a judge does that passes everything."""
    found = re.search(r'"marker": "([^"]+)"', prompt)
    assert found is not None
    said = {"marker": found[1], "reason": "So it is.", "evidence": "Get well", "verdict": "PASS"}
    return json.dumps(said)


class BatchServer(Provider):
    """Both providers. A batch ends when it was looked at `looks` times.

    Attributes:
        looks: Looks at a batch, or at the list, until it has ended.
        said: What the model says to a prompt.
        lost: What becomes of a request, by its number: None, `expired`, or a message of an error.
        word: How batches end, in OpenAI's words.
        made: The requests of each batch by its id.
        on_made: Called when a batch was made, before that is answered.
        refuses: What the model takes in no request, such as `temperature`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.looks = 1
        self.said: Callable[[str], str] = passing
        self.lost: Callable[[int], str | None] = lambda number: None
        self.word = "completed"
        self.made: dict[str, list[Json]] = {}
        self.keys: dict[str, Json] = {}
        self.on_made: Callable[[], None] = lambda: None
        self.refuses = ""
        self.files: dict[str, bytes] = {}
        self.looked: dict[str, int] = {}
        self.answer = self._routed

    def paths(self, method: str, end: str) -> int:
        """Count the requests to an address."""
        return sum(
            one.method == method and one.path.partition("?")[0].endswith(end) for one in self.asked
        )

    def _routed(self, asked: Asked) -> Answer:
        path = asked.path.partition("?")[0]
        if path.endswith(("/chat/completions", "/v1/messages")):
            return self._alone(asked)
        if path.endswith("/files"):
            return self._uploaded(asked)
        if "/files/" in path:
            return Answer(self.files[path.split("/")[-2]])
        if asked.method == "POST":
            return self._made(asked)
        number = path.rpartition("/batches")[2].strip("/")
        if not number:
            for one in self.made:
                self.looked[one] = self.looked.get(one, 0) + 1
            listed = [self._batch(one, path) for one in reversed(self.made)]
            return Answer({"object": "list", "data": listed, "has_more": False})
        if number.endswith("/results"):
            return Answer(self._results(number.removesuffix("/results")))
        self.looked[number] = self.looked.get(number, 0) + 1
        return Answer(self._batch(number, path))

    def _alone(self, asked: Asked) -> Answer:
        if self.refuses and self.refuses in asked.body:
            say = openai_error if "/chat/" in asked.path else anthropic_error
            return say(400, f"{self.refuses} is not supported")
        return Answer(self._replied(asked.body, openai="/chat/" in asked.path))

    def _replied(self, body: Json, *, openai: bool) -> Json:
        text = self.said(body["messages"][0]["content"])
        return self.completion(text) if openai else self.message(text)

    def _uploaded(self, asked: Asked) -> Answer:
        name = f"file-{len(self.files)}"
        self.files[name] = next(
            part for part in asked.raw.split(b"\r\n") if part.startswith(b'{"custom_id"')
        )
        return Answer({"id": name, "object": "file", "bytes": 1, "created_at": SECONDS,
                       "filename": "f", "purpose": "batch", "status": "processed"})  # fmt: skip

    def _made(self, asked: Asked) -> Answer:
        name = f"batch_{len(self.made)}"
        if "input_file_id" in asked.body:
            lines = self.files[asked.body["input_file_id"]].splitlines()
            self.made[name] = [json.loads(line) for line in lines]
            self.keys[name] = asked.body["metadata"]
        else:
            self.made[name] = asked.body["requests"]
        self.on_made()
        return Answer(self._batch(name, asked.path))

    def _batch(self, name: str, path: str) -> Json:
        over = self.looked.get(name, 0) >= self.looks
        return self._anthropic(name, over) if "/messages/" in path else self._openai(name, over)

    def _fates(self, name: str) -> list[str | None]:
        return [self.lost(number) for number in range(len(self.made[name]))]

    def _openai(self, name: str, over: bool) -> Json:
        fates = self._fates(name)
        done = fates.count(None) if over else 0
        batch: dict[str, Json] = {
            "id": name, "object": "batch", "endpoint": "/v1/chat/completions",
            "input_file_id": "file-0", "completion_window": "24h", "created_at": SECONDS,
            "status": self.word if over else "in_progress", "metadata": self.keys[name],
            "request_counts": {"total": len(fates), "completed": done,
                               "failed": len(fates) - done if over else 0},
        }  # fmt: skip
        if over and self.word != "failed":
            self.files[f"out-{name}"], self.files[f"err-{name}"] = self._openai_lines(name)
            batch |= {"output_file_id": f"out-{name}", "error_file_id": f"err-{name}"}
        if self.word == "failed" and over:
            batch["errors"] = {"object": "list", "data": [{"message": "the file is too long"}]}
        return batch

    def _openai_lines(self, name: str) -> tuple[bytes, bytes]:
        good, bad = [], []
        for number, request in reversed([*enumerate(self.made[name])]):
            fate = self.lost(number)
            row: dict[str, Json] = {"custom_id": request["custom_id"], "error": None}
            if fate is None:
                body = self._replied(request["body"], openai=True)
                good.append(row | {"response": {"status_code": 200, "body": body}})
            elif fate == "expired":
                gone = {"code": "batch_expired", "message": "not executed in time"}
                bad.append(row | {"response": None, "error": gone})
            else:
                body = {"error": {"message": fate}}
                bad.append(row | {"response": {"status_code": 400, "body": body}})
        return tuple(  # type: ignore[return-value]  # two
            b"".join(json.dumps(row).encode() + b"\n" for row in rows) for rows in (good, bad)
        )

    def _anthropic(self, name: str, over: bool) -> Json:
        fates = self._fates(name)
        expired = sum(fate == "expired" for fate in fates)
        good = fates.count(None)
        counts = {"processing": 0, "canceled": 0, "expired": expired, "succeeded": good,
                  "errored": len(fates) - expired - good}  # fmt: skip
        if not over:
            counts = dict.fromkeys(counts, 0) | {"processing": len(fates)}
        where = f"{self.url}/v1/messages/batches/{name}/results"
        return {
            "id": name, "type": "message_batch", "created_at": THEN, "expires_at": THEN,
            "processing_status": "ended" if over else "in_progress", "request_counts": counts,
            "results_url": where if over else None, "ended_at": THEN if over else None,
            "archived_at": None, "cancel_initiated_at": None,
        }  # fmt: skip

    def _results(self, name: str) -> bytes:
        rows = []
        for number, request in enumerate(self.made[name]):
            fate = self.lost(number)
            if fate is None:
                body = self._replied(request["params"], openai=False)
                result: Json = {"type": "succeeded", "message": body}
            elif fate == "expired":
                result = {"type": "expired"}
            else:
                inner = {"type": "invalid_request_error", "message": fate}
                result = {"type": "errored", "error": {"type": "error", "error": inner}}
            rows.append({"custom_id": request["custom_id"], "result": result})
        return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
