"""The same trials with pydantic-evals: its runner, five evaluators, its report written as JSON.

    python bench/peer_pydantic_evals.py CASES TRIALS AT_ONCE

prints one JSON line: how many trials there were, and in how many all five answers were yes.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errand import run_errand
from floor_running import answers
from pydantic_evals import Case, Dataset  # type: ignore[import-not-found]  # in its own environment
from pydantic_evals.evaluators import (  # type: ignore[import-not-found]  # likewise
    Evaluator,
    EvaluatorContext,
)
from pydantic_evals.reporting import (  # type: ignore[import-not-found]  # likewise
    EvaluationReportAdapter,
)
from workload import case_of

NAMES = ("plan", "forbidden", "required", "contains", "steps")


@dataclass
class Question(Evaluator[str, list[dict[str, Any]], dict[str, Any]]):  # type: ignore[misc]  # untyped here
    """One of the five questions."""

    number: int

    def evaluate(self, ctx: EvaluatorContext[str, list[dict[str, Any]], dict[str, Any]]) -> bool:
        assert ctx.metadata is not None
        return answers(ctx.metadata, ctx.output)[self.number]

    def get_default_evaluation_name(self) -> str:
        return NAMES[self.number]


def main(cases: str, trials: str, at_once: str) -> None:
    suite = [case_of(number) for number in range(int(cases))]
    dataset = Dataset(
        name="errands",
        cases=[Case(name=case["id"], inputs=case["input"], metadata=case) for case in suite],
        evaluators=[Question(number) for number in range(len(NAMES))],
    )
    report = dataset.evaluate_sync(
        run_errand, max_concurrency=int(at_once), progress=False, repeat=int(trials)
    )
    Path("report.json").write_bytes(EvaluationReportAdapter.dump_json(report))
    passed = sum(all(one.value for one in case.assertions.values()) for case in report.cases)
    sys.stdout.write(json.dumps({"trials": len(report.cases), "passed": passed}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
