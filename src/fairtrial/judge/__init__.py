"""The judge: a model that answers rubric items, and what it takes before it may decide."""

from fairtrial.judge.anthropic_model import AnthropicModel
from fairtrial.judge.asking import Asks, Judge, Material, Missing
from fairtrial.judge.batch import (
    BATCH_SHARE,
    Batches,
    BatchFound,
    BatchOutcome,
    BatchPart,
    BatchState,
    request_name,
    request_number,
)
from fairtrial.judge.batch_providers import batches_of, refuse_without_batches
from fairtrial.judge.calibration import calibrate
from fairtrial.judge.comparison import place_bias, run_pair, strengths_of
from fairtrial.judge.families import LabelledVerdict, family_of, own_family_result
from fairtrial.judge.function_model import FunctionModel, JudgeFunction
from fairtrial.judge.model_settings import ModelSettings, Price
from fairtrial.judge.openai_model import OpenAIModel
from fairtrial.judge.ordering import BETTER, in_both_orders, judged_pair, order_question
from fairtrial.judge.panel import Panel
from fairtrial.judge.passages import lines_around
from fairtrial.judge.people import majority_labels
from fairtrial.judge.probe_results import probe_result
from fairtrial.judge.probes import Ask, Probe, Probed, probes_of, served
from fairtrial.judge.prompt import (
    build_prompt,
    judge_fingerprint,
    prompt_key,
    question_fingerprint,
)
from fairtrial.judge.purse import Purse
from fairtrial.judge.reading import Reading, is_quoted, read_reply
from fairtrial.judge.sampling import Candidate, Drawn, Stratum, draw, stratum_of
from fairtrial.judge.transcript import (
    transcript_fingerprint,
    transcript_of,
    transcript_parts,
    transcript_text,
)
from fairtrial.judge.trust import trust_of

__all__ = [
    "BATCH_SHARE",
    "BETTER",
    "AnthropicModel",
    "Ask",
    "Asks",
    "BatchFound",
    "BatchOutcome",
    "BatchPart",
    "BatchState",
    "Batches",
    "Candidate",
    "Drawn",
    "FunctionModel",
    "Judge",
    "JudgeFunction",
    "LabelledVerdict",
    "Material",
    "Missing",
    "ModelSettings",
    "OpenAIModel",
    "Panel",
    "Price",
    "Probe",
    "Probed",
    "Purse",
    "Reading",
    "Stratum",
    "batches_of",
    "build_prompt",
    "calibrate",
    "draw",
    "family_of",
    "in_both_orders",
    "is_quoted",
    "judge_fingerprint",
    "judged_pair",
    "lines_around",
    "majority_labels",
    "order_question",
    "own_family_result",
    "place_bias",
    "probe_result",
    "probes_of",
    "prompt_key",
    "question_fingerprint",
    "read_reply",
    "refuse_without_batches",
    "request_name",
    "request_number",
    "run_pair",
    "served",
    "stratum_of",
    "strengths_of",
    "transcript_fingerprint",
    "transcript_of",
    "transcript_parts",
    "transcript_text",
    "trust_of",
]
