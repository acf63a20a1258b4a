"""Plays the script of a case: it speaks for the model in one trial, offline and always alike."""

from threading import Lock

from fairtrial.errors import ScriptError
from fairtrial.models.script import ready_script
from fairtrial.records import Case, Completion, ModelRequest


class ScriptPlayer:
    """The model of one trial, which says what the case's script says, step by step.

    It may be asked from several threads. What it is asked changes nothing in what it says: a tool
    is called whether it was offered or not.

    >>> from fairtrial.records import Source
    >>> script = [{"call": {"look": {"id": "H-204"}}}, {"say": "It is cancelled."}]
    >>> case = Case(id="c1", hash="0", source=Source("a.yaml", 1), script=script)
    >>> player = ScriptPlayer(case)
    >>> player.complete(ModelRequest(api="openai-chat")).calls[0].arguments
    '{"id":"H-204"}'
    >>> player.left
    1
    """

    __slots__ = ("_at", "_lock", "_said", "_script", "failed")

    failed: bool
    """A step was played in which the provider fails."""

    def __init__(self, case: Case, variant: str | None = None) -> None:
        self._script = ready_script(case, variant)
        self._at = 0
        self._said = 0  # how often the present step was played
        self._lock = Lock()
        self.failed = False

    def complete(self, request: ModelRequest) -> Completion:
        """Play the next step.

        Raises:
            ScriptError: There is no script, none for this variant, or no step left in it; or the
                step cannot be played.
        """
        replies = self._script.replies
        with self._lock:
            if self._at >= len(replies):
                raise ScriptError(self._script.over)
            reply = replies[self._at]
            self._said += 1
            if self._said >= reply.times:
                self._at += 1
                self._said = 0
        completion = reply.to(request)
        self.failed = self.failed or completion.status is not None
        return completion

    @property
    def left(self) -> int:
        """How many steps of the script have not been played at all."""
        with self._lock:
            return len(self._script.replies) - self._at - (self._said > 0)
