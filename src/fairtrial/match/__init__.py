"""What a value, a call and a sequence of calls must be: compiled once, matched often, explained."""

from fairtrial.match.before import BeforeRule, compile_before
from fairtrial.match.call import MALFORMED, Call, calls_of
from fairtrial.match.changes import difference
from fairtrial.match.equality import MISSING, equal, fingerprint
from fairtrial.match.language import compile_matcher
from fairtrial.match.matcher import Matcher, MatcherError, MatchTimeoutError
from fairtrial.match.mismatch import Mismatch, brief
from fairtrial.match.pairing import maximum_pairing
from fairtrial.match.parting import first_parting, indexes_aside
from fairtrial.match.pattern import CallPattern, Which, closest_call, compile_pattern
from fairtrial.match.plan import Plan, PlanMode, PlanResult, compile_next, compile_plan
from fairtrial.match.possible import impossible
from fairtrial.match.quick_look import surely_sound, surely_sound_call
from fairtrial.match.spelling import MODIFIERS, OPERATORS
from fairtrial.match.state import StateMatcher, compile_state

__all__ = [
    "MALFORMED",
    "MISSING",
    "MODIFIERS",
    "OPERATORS",
    "BeforeRule",
    "Call",
    "CallPattern",
    "MatchTimeoutError",
    "Matcher",
    "MatcherError",
    "Mismatch",
    "Plan",
    "PlanMode",
    "PlanResult",
    "StateMatcher",
    "Which",
    "brief",
    "calls_of",
    "closest_call",
    "compile_before",
    "compile_matcher",
    "compile_next",
    "compile_pattern",
    "compile_plan",
    "compile_state",
    "difference",
    "equal",
    "fingerprint",
    "first_parting",
    "impossible",
    "indexes_aside",
    "maximum_pairing",
    "surely_sound",
    "surely_sound_call",
]
