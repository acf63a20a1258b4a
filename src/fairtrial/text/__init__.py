"""Wording: phrases in one form, and numbers as people write them."""

from fairtrial.text.figures import LOCALES
from fairtrial.text.numbers import Number, find_numbers
from fairtrial.text.phrases import cut, normalise

__all__ = ["LOCALES", "Number", "cut", "find_numbers", "normalise"]
