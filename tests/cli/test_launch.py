"""What a run is asked: options that exclude each other, and one exit code for all its runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fairtrial.cli.asked import Asked
from fairtrial.cli.launch import run_as_asked
from fairtrial.errors import StoreError, UsageError

if TYPE_CHECKING:
    from tests.cli.conftest import Bench

BY_VARIANT = """
import fairtrial as ft

def agent(task):
    if task.variant.name == "errs":
        raise ft.ProviderError("overloaded")
    return "no" if task.variant.name == "fails" else "done"
"""
VARIANTS = "".join(f"[variants.{name}]\n" for name in ("passes", "fails", "errs"))


# Options that exclude each other.


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"variants": ("a", "a")}, "--variant: 'a' is named twice; name two variants"),
        ({"variants": ("a", "b"), "json_out": Path("x.json")}, "--json holds one run"),
        ({"variants": ("a", "b"), "with_gate": True}, "--gate decides about one run"),
        ({"with_gate": True, "no_save": True}, "--gate reads the saved run; leave out --no-save"),
    ],
)
def test_options_that_exclude_each_other_are_refused_before_anything_is_read(
    bench: "Bench", asked: dict[str, Any], words: str
) -> None:
    bench.desk.write("fairtrial.toml", "not read = [")
    with pytest.raises(UsageError) as told:
        run_as_asked(Asked(**asked))
    assert str(told.value).startswith(words)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("IDS", {"names": ("greet",)}),
        ("-k", {"k": 3}),
        ("--tag", {"tags": ("money",)}),
        ("--only", {"only": ("failed",)}),
        ("--protected", {"protected": True}),
        ("--variant", {"variants": ("a",)}),
        ("--seed", {"seed": 0}),
        ("--no-save", {"no_save": True}),
        ("--live", {"live": True}),
    ],
)
def test_what_the_run_to_go_on_with_says_is_not_said_again(
    bench: "Bench", name: str, asked: dict[str, Any]
) -> None:
    bench.suite()
    words = f"{name} does not go with --resume: the run says it; leave it out"
    with pytest.raises(UsageError, match=f"^{words}$"):
        run_as_asked(Asked(resume="latest", **asked))


def test_what_does_not_decide_about_trials_may_be_said_again(bench: "Bench") -> None:
    bench.suite()
    asked = Asked(resume="latest", concurrency=2, run_timeout=9.0, retries=1, quiet=True)
    with pytest.raises(StoreError, match="no run"):
        run_as_asked(asked)


def test_a_variant_that_is_not_there_is_told_before_the_first_of_them_runs(
    bench: "Bench",
) -> None:
    bench.suite(BY_VARIANT, settings=VARIANTS)
    with pytest.raises(UsageError, match="no variant 'pases'; known are passes, fails, errs"):
        run_as_asked(Asked(variants=("passes", "pases")))
    assert bench.desk.runs() == []


# One exit code.


@pytest.mark.parametrize(
    ("variants", "code"),
    [
        (("passes",), 0),
        (("fails", "passes"), 1),
        (("passes", "fails"), 1),
        (("errs", "fails"), 3),
        (("fails", "errs", "passes"), 3),
    ],
)
def test_of_several_runs_the_gravest_exit_code_counts(
    bench: "Bench", variants: tuple[str, ...], code: int
) -> None:
    bench.suite(BY_VARIANT, settings=VARIANTS)
    assert run_as_asked(Asked(variants=variants, quiet=True)) == code
    assert len(bench.desk.runs()) == len(variants)


def test_two_variants_are_set_against_each_other_and_three_are_not(
    bench: "Bench", capsys: pytest.CaptureFixture[str]
) -> None:
    bench.suite(BY_VARIANT, settings=VARIANTS)
    run_as_asked(Asked(variants=("passes", "fails")))
    out = capsys.readouterr().out
    assert out.count("exit 0:") == out.count("exit 1:") == 1
    compared = out[out.index("exit 1:") :]
    assert "passes" in compared
    assert "greet" in compared
    run_as_asked(Asked(variants=("passes", "fails", "errs")))
    assert capsys.readouterr().out.rstrip().endswith("exit 3: nothing was measured")


def test_a_silent_run_says_nothing_and_is_saved_all_the_same(
    bench: "Bench", capsys: pytest.CaptureFixture[str]
) -> None:
    bench.suite()
    assert run_as_asked(Asked(silent=True)) == 0
    assert capsys.readouterr() == ("", "")
    assert len(bench.saved()) == 1
