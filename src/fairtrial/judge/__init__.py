"""The judge: a model that answers rubric items, and what it takes before it may decide."""

from fairtrial.judge.anthropic_model import AnthropicModel
from fairtrial.judge.asking import Asks, Judge, Material, Missing
from fairtrial.judge.calibration import calibrate
from fairtrial.judge.function_model import FunctionModel, JudgeFunction
from fairtrial.judge.model_settings import ModelSettings, Price
from fairtrial.judge.openai_model import OpenAIModel
from fairtrial.judge.panel import Panel
from fairtrial.judge.prompt import (
    build_prompt,
    judge_fingerprint,
    prompt_key,
    question_fingerprint,
)
from fairtrial.judge.reading import Reading, is_quoted, read_reply
from fairtrial.judge.transcript import transcript_of
from fairtrial.judge.trust import trust_of

__all__ = [
    "AnthropicModel",
    "Asks",
    "FunctionModel",
    "Judge",
    "JudgeFunction",
    "Material",
    "Missing",
    "ModelSettings",
    "OpenAIModel",
    "Panel",
    "Price",
    "Reading",
    "build_prompt",
    "calibrate",
    "is_quoted",
    "judge_fingerprint",
    "prompt_key",
    "question_fingerprint",
    "read_reply",
    "transcript_of",
    "trust_of",
]
