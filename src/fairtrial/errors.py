"""Every error that fairtrial raises on purpose, drawn as a tree.

FairtrialError            something the caller can mend; its text says where, what and how
  UsageError              options or arguments that do not fit together
  ProblemsError           one or more located mistakes in files that people wrote
  RecordingError          a recordings file that cannot be graded as a whole
  StoreError              a run folder or result file that is missing or unreadable
  BaselineError           a baseline that is missing or unreadable
  PluginError             a grader or other plug-in that does not load
  ImportFormatError       a file that is not in the format it was said to be in
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
