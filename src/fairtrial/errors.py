"""Every error that fairtrial raises on purpose, drawn as a tree.

FairtrialError            something the caller can mend; its text says where, what and how
  UsageError              options or arguments that do not fit together
  ProblemsError           one or more located mistakes in files that people wrote
  RecordingError          a recordings file that cannot be graded as a whole
  StoreError              a run folder or result file that is missing or unreadable
  BaselineError           a baseline that is missing or unreadable
  PluginError             a grader or other plug-in that does not load, or never answers
  ImportFormatError       a file that is not in the format it was said to be in
  WorldError              fixtures, faults or a world class that do not fit together
  ScriptError             a model call that the case's script does not answer
  JudgeError              a judge's model that gives no reply

What agents and worlds raise stands apart:

ToolError                 a tool of a world says no; the agent gets the text
ProviderError             the model's provider failed, which is not the agent's fault
TrialOverError            raised into an agent whose trial has ended; `except Exception` lets it by
"""

from collections.abc import Sequence


class FairtrialError(Exception):
    """Something went wrong that the caller can mend; the text says how.

    >>> raise FairtrialError("evals/shop.yaml: no such file")
    Traceback (most recent call last):
    fairtrial.errors.FairtrialError: evals/shop.yaml: no such file
    """


class UsageError(FairtrialError):
    """Options or arguments that do not fit together."""


class ProblemsError(FairtrialError):
    """All the located mistakes found in the files that people wrote.

    Attributes:
        problems: One text a mistake, each beginning with `file:line:column:`, in file order.

    >>> ProblemsError(["a.yaml:1:1: id: missing", "a.yaml:9:3: tags: wanted text"]).problems
    ('a.yaml:1:1: id: missing', 'a.yaml:9:3: tags: wanted text')
    """

    def __init__(self, problems: Sequence[str]) -> None:
        """Keep the problems; the exception's text is all of them, a line each."""
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class RecordingError(FairtrialError):
    """A recordings file that cannot be graded as a whole."""


class StoreError(FairtrialError):
    """A run folder or result file that is missing or cannot be read."""


class BaselineError(FairtrialError):
    """A baseline that is missing or cannot be read."""


class PluginError(FairtrialError):
    """A grader or other plug-in that does not load."""


class ImportFormatError(FairtrialError):
    """A file that is not in the format it was said to be in."""


class WorldError(FairtrialError):
    """Fixtures, faults or a world class that do not fit together.

    Attributes:
        problems: One text a mistake, each beginning with its place in the case or its class.

    >>> WorldError("fixtures.fee: wanted a number", "faults.pya: no such tool").problems
    ('fixtures.fee: wanted a number', 'faults.pya: no such tool')
    """

    def __init__(self, *problems: str) -> None:
        """Keep the problems; the exception's text is all of them, a line each."""
        self.problems = problems
        super().__init__("\n".join(problems))


class ScriptError(FairtrialError):
    """A model call that the case's script does not answer."""


class JudgeError(FairtrialError):
    """A judge's model that gives no reply: it is down, refuses the key, or raised."""


class ToolError(Exception):
    """A tool says no. Raise it in a tool of a world: the agent gets the text as the tool's error.

    >>> raise ToolError("That booking belongs to another guest.")
    Traceback (most recent call last):
    fairtrial.errors.ToolError: That booking belongs to another guest.
    """


class ProviderError(Exception):
    """The provider of the model failed: the trial is `error`, not failed.

    Raise it in an agent where an exception does not show by itself that the provider was at fault.
    Those with a status of 408, 429 or 5xx and connection errors are taken as such anyway.
    """


class TrialOverError(BaseException):
    """Raised into an agent that goes on though its trial has ended.

    No Exception, so that an agent's own `except Exception` does not keep it going.
    """
