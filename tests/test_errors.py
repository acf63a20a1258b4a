import inspect

from fairtrial import errors
from fairtrial.errors import FairtrialError, ProblemsError


def test_every_error_of_ours_has_the_one_root_and_stands_in_the_drawing() -> None:
    kinds = [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if kind.__module__ == errors.__name__
    ]
    apart = {kind.__name__ for kind in kinds if not issubclass(kind, FairtrialError)}
    assert apart == {"ToolError", "ProviderError", "TrialOverError"}  # raised by agents and worlds
    assert [kind.__name__ for kind in kinds if kind.__name__ not in (errors.__doc__ or "")] == []


def test_problems_are_kept_one_by_one_and_told_together() -> None:
    error = ProblemsError(["a.yaml:1:1: no", "a.yaml:2:1: no"])
    assert (error.problems, str(error)) == (
        ("a.yaml:1:1: no", "a.yaml:2:1: no"),
        "a.yaml:1:1: no\na.yaml:2:1: no",
    )
