import math
import subprocess
import sys
from collections.abc import Iterator

import pytest
from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import UsageError
from fairtrial.models import Prices
from fairtrial.records import Json, Tokens

OWN: dict[str, Json] = {"my-model": {"input": 1.5, "output": 6}}
SOME = Tokens(input=1000, output=100)


@pytest.fixture
def emptied() -> Iterator[None]:
    """Let the process use prices of its own, of which there are none."""
    set_custom_snapshot(DataSnapshot(providers=[], from_auto_update=True))
    yield
    set_custom_snapshot(None)


def test_the_table_counts_by_the_million() -> None:
    assert Prices(OWN).cost("my-model", Tokens(input=2_000_000, output=500_000)) == 6.0


@pytest.mark.parametrize(
    ("model", "cost"),
    [("gpt-4o", 0.0035), ("claude-sonnet-4-5", 0.0045)],  # $2.50 and $10; $3 and $15
)
def test_the_package_knows_the_prices_of_the_makers(model: str, cost: float) -> None:
    assert Prices().cost(model, SOME) == pytest.approx(cost)


def test_the_table_stands_before_the_package() -> None:
    assert Prices({"gpt-4o": {"input": 0, "output": 0}}).cost("gpt-4o", SOME) == 0.0


def test_without_the_package_only_the_table_is_known() -> None:
    prices = Prices(OWN, library=False)
    assert prices.cost("gpt-4o", SOME) is None
    assert prices.cost("my-model", SOME) == pytest.approx(0.0021)


@pytest.mark.parametrize(
    ("provider", "cost"), [("openai", 0.0035), ("anthropic", None), ("nobody", None)]
)
def test_a_provider_has_its_own_prices_or_none(provider: str, cost: float | None) -> None:
    assert Prices().cost("gpt-4o", SOME, provider) == (cost and pytest.approx(cost))


@pytest.mark.parametrize("model", [None, "", "no-such-model", "\ud800", "gpt-4o" * 10**6])
def test_a_model_that_is_not_known_has_no_price(model: str | None) -> None:
    assert Prices(OWN).cost(model, SOME) is None


@pytest.mark.parametrize("model", ["my-model", "gpt-4o"])
@pytest.mark.parametrize(
    "tokens",
    [
        None,
        Tokens(),
        Tokens(input=5),
        Tokens(output=5),
        Tokens(input=5, output=5, estimated=True),
        Tokens(input=-1, output=5),
        Tokens(input=5, output=10**400),
    ],
)
def test_tokens_that_are_not_known_are_no_money(model: str, tokens: Tokens | None) -> None:
    assert Prices(OWN).cost(model, tokens) is None


def test_a_model_that_is_not_paid_by_the_token_has_no_price() -> None:
    assert Prices().cost("whisper-1", SOME) is None


def test_prices_that_the_process_has_loaded_change_nothing(emptied: None) -> None:
    assert Prices().cost("gpt-4o", SOME) == pytest.approx(0.0035)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (["a"], "prices: wanted a mapping of models to {input, output}, each the price of"),
        ({"my-model": 3}, "prices.my-model: wanted {input, output}, each the price of"),
        ({"my-model": {"input": 1}}, "prices.my-model.output: missing; wanted the price of"),
        (
            {"m": {"input": "1", "output": 1}},
            "prices.m.input: wanted the price of a million tokens, 0 or",
        ),
        (
            {"m": {"input": 1, "output": -1}},
            "prices.m.output: wanted the price of a million tokens, 0 or",
        ),
        ({"m": {"input": True, "output": 1}}, "prices.m.input: wanted the price of"),
        ({"m": {"input": math.nan, "output": 1}}, "prices.m.input: wanted the price of"),
        ({"m": {"input": 1, "output": 1, "cached": 1}}, "prices.m.cached: unknown; wanted {input"),
        ({"gpt-4.1": {}}, 'prices."gpt-4.1".input: missing'),
    ],
)
def test_a_slip_in_the_table_is_told_at_its_place(table: Json, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        Prices(table)
    assert str(caught.value).startswith(told)


@given(st.floats(0, allow_infinity=False), st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_cost_is_an_amount_or_not_known(price: float, read: int, wrote: int) -> None:
    prices = Prices({"m": {"input": price, "output": price}})
    cost = prices.cost("m", Tokens(input=read, output=wrote))
    assert cost is None or 0 <= cost < math.inf


def test_the_package_is_not_loaded_before_it_is_needed() -> None:
    code = (
        "import sys; from fairtrial.models import Prices; from fairtrial.records import Tokens; "
        "prices = Prices({'m': {'input': 1, 'output': 1}}); "
        "prices.cost('m', Tokens(input=1, output=1)); prices.cost(None, None); "
        "sys.exit('genai_prices' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
