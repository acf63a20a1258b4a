"""Wording: phrases in one form, and numbers as people write them."""

from fairtrial.text.json_types import type_mismatch
from fairtrial.text.locales import LOCALES
from fairtrial.text.numbers import Number, find_numbers
from fairtrial.text.phrases import cut, label, normalise, visible

__all__ = [
    "LOCALES",
    "Number",
    "cut",
    "find_numbers",
    "label",
    "normalise",
    "type_mismatch",
    "visible",
]
