"""The model's side of a trial: a script that speaks for it, and what its tokens cost."""

from fairtrial.models.player import ScriptPlayer
from fairtrial.models.prices import Prices
from fairtrial.models.script import script_of

__all__ = ["Prices", "ScriptPlayer", "script_of"]
