"""What tokens cost: the user's own prices, else those of the genai-prices package."""

import math
import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from fairtrial.errors import UsageError
from fairtrial.records import Json, Tokens
from fairtrial.text import cut

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot

_MILLION: Final = 1_000_000
_MOST_TOKENS: Final = 10**12  # no trial has more: such a count is a provider's mistake
_LONGEST_NAME: Final = 200
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,60}")
_ROW: Final = "{input, output}, each the price of a million tokens"


class _Price(NamedTuple):
    """Of a million tokens."""

    input: float
    output: float


class Prices:
    """Prices by the name of the model. What is not known costs None, which is not 0.

    Args:
        table: The user's own prices of a million tokens, `{model: {input, output}}`. They stand
            before those of the package.
        library: False: the table alone, which may then be in any one currency. The package has
            USD.

    Raises:
        UsageError: The table does not say this.

    >>> prices = Prices({"my-model": {"input": 1.5, "output": 6}})
    >>> prices.cost("my-model", Tokens(input=2000, output=500))
    0.006
    >>> print(prices.cost("my-model", Tokens(input=2000)))
    None
    """

    def __init__(self, table: dict[str, Json] | None = None, *, library: bool = True) -> None:
        if table is not None and not isinstance(table, dict):
            raise UsageError(f"prices: wanted a mapping of models to {_ROW}; got {_shown(table)}")
        self._table = {model: _row(model, row) for model, row in (table or {}).items()}
        self._library = library

    def cost(
        self, model: str | None, tokens: Tokens | None, provider: str | None = None
    ) -> float | None:
        """Give what the tokens cost, at the prices of today.

        Tokens read from a cache count like all others, so a reply that used one costs less.

        Args:
            model: The name that the provider knows the model by.
            tokens: Both counts must be known, and told rather than estimated: an estimate is never
                money.
            provider: Its name in the package, such as `openai`; None: whoever makes the model.

        Returns:
            An amount in the currency of the prices, or None when the price or the tokens are not
            known.
        """
        if model is None or tokens is None or tokens.estimated:
            return None
        read, wrote = tokens.input, tokens.output
        if read is None or wrote is None or min(read, wrote) < 0 or max(read, wrote) > _MOST_TOKENS:
            return None
        price = self._table.get(model)
        if price is not None:
            cost = (read * price.input + wrote * price.output) / _MILLION
            return cost if math.isfinite(cost) else None
        known = self._library and len(model) <= _LONGEST_NAME
        return _library_cost(model, read, wrote, provider) if known else None


def _row(model: str, row: Json) -> _Price:
    # As it is written in the settings: prices.my-model, and prices."gpt-4.1".
    named = model if _BARE_KEY.fullmatch(model) else f'"{cut(model)}"'
    where = f"prices.{named}"
    if not isinstance(row, dict):
        raise UsageError(f"{where}: wanted {_ROW}; got {_shown(row)}")
    for name in row:
        if name not in _Price._fields:
            raise UsageError(f"{where}.{cut(name)}: unknown; wanted {_ROW}")
    return _Price(*(_amount(f"{where}.{name}", row.get(name)) for name in _Price._fields))


def _amount(where: str, value: Json) -> float:
    if value is None:
        raise UsageError(f"{where}: missing; wanted the price of a million tokens")
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf:
        return float(value)
    raise UsageError(
        f"{where}: wanted the price of a million tokens, 0 or more; got {_shown(value)}"
    )


def _shown(value: Json) -> str:
    return cut(repr(value))


def _library_cost(model: str, read: int, wrote: int, provider: str | None) -> float | None:
    from genai_prices.types import Usage  # noqa: PLC0415 - slow to load, and most runs need none

    usage = Usage(input_tokens=read, output_tokens=wrote)
    try:
        found = _library_prices().calc(usage, model, provider, None, None)
    except (LookupError, ValueError):
        return None
    # What is paid by the minute or the picture has no price for tokens, which is not 0.
    unpriced = (read and found.model_price.input_mtok is None) or (
        wrote and found.model_price.output_mtok is None
    )
    return None if unpriced else float(found.total_price)


@cache
def _library_prices() -> "DataSnapshot":
    """Give the prices that came with the package, whatever this process has loaded since."""
    from genai_prices.data import providers  # noqa: PLC0415 - slow to load
    from genai_prices.data_snapshot import DataSnapshot  # noqa: PLC0415 - slow to load

    return DataSnapshot(providers=providers, from_auto_update=False)
