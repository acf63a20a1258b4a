"""The judge: a model that answers rubric items, and what it takes before it may decide."""

from fairtrial.judge.asking import Asks, Judge, Material, Missing
from fairtrial.judge.calibration import calibrate
from fairtrial.judge.panel import Panel
from fairtrial.judge.prompt import (
    build_prompt,
    judge_fingerprint,
    prompt_key,
    question_fingerprint,
)
from fairtrial.judge.reading import Reading, is_quoted, read_reply
from fairtrial.judge.transcript import transcript_of

__all__ = [
    "Asks",
    "Judge",
    "Material",
    "Missing",
    "Panel",
    "Reading",
    "build_prompt",
    "calibrate",
    "is_quoted",
    "judge_fingerprint",
    "prompt_key",
    "question_fingerprint",
    "read_reply",
    "transcript_of",
]
