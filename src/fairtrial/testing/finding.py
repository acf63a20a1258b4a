"""What a check of a tool found."""

from typing import Literal, TypeAlias

from msgspec import Struct

Rule: TypeAlias = Literal["schema", "call", "result", "reads", "idempotent", "errors"]
"""What was looked at: how a model sees the tool, the call that was given as an example, what it
gave back, what a tool that only reads changed, what a second call changed, and what it says to an
agent that is wrong."""


class Finding(Struct, frozen=True, kw_only=True):
    """One thing about a tool that would make an agent fail, and how to mend it.

    >>> str(Finding(rule="schema", about="fee", text="parameter fee has no description"))
    'schema: parameter fee has no description'
    """

    rule: Rule
    about: str
    """The parameter, field or call that it is about; "" for the tool itself."""
    text: str
    """A whole sentence: what is wrong, and the way out."""

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}"
