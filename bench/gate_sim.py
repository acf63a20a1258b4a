"""How often the gate as shipped is wrong: its own code, fed with simulated trials.

    python bench/gate_sim.py --suite A --cases 300 --builds 400 --seed 1 --json OUT

Each build draws a stored baseline and a candidate's run from the true rates, screens, confirms on
fresh draws, and decides. No agent runs, and nothing is written but OUT.
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random  # noqa: TID251 - seeded by --seed
from typing import Any, NamedTuple

import msgspec
from sim_suites import SCENARIOS, Suite, Truth, draw_suite, suite_of_history

from fairtrial.gate import (
    Adapting,
    Candidate,
    CaseOutcome,
    Confirmation,
    Confirming,
    Fresh,
    Further,
    decide,
    make_baseline,
    screen,
)
from fairtrial.records import Baseline, Decision, GateSettings, RunInfo, Scorecard, status_of
from fairtrial.stats import clopper_pearson


class Plan(NamedTuple):
    """What is simulated."""

    suite: Suite
    k: int
    k_protected: int
    settings: GateSettings
    adaptive: bool = False

    def trials(self, place: int) -> int:
        """Give the trials of a case."""
        return self.k_protected if place < self.suite.protected else self.k


class Build(NamedTuple):
    """What one build came to."""

    decision: Decision
    fresh: int
    """Trials spent on confirming, both sides together."""
    further: int
    """Trials that an adaptive run added."""
    too_high: float
    """By how much the pass rate would be off, on the high side, if it counted these."""


def simulate(plan: Plan, truth: Truth, chance: Random) -> Build:
    """Let the gate decide about one build."""
    before = _run(plan, plan.suite.rates, chance)
    now = _run(plan, truth.rates, chance)
    baseline = make_baseline(before)
    if plan.adaptive:
        now = _adapted(now, baseline, truth, chance)
    flags = screen(now, baseline, plan.settings)
    places = {case.id: place for place, case in enumerate(now.cases)}
    state = Confirming.of(flags)
    seen = {flag.case: Fresh(0, 0, 0, 0) for flag in flags}
    fresh = 0
    while wanted := state.wanted:
        for name, more in wanted.items():
            place, so_far = places[name], seen[name]
            fresh += 2 * more
            seen[name] = Fresh(
                so_far.base_passed + _passes(more, plan.suite.rates[place], chance),
                so_far.base_measured + more,
                so_far.passed + _passes(more, truth.rates[place], chance),
                so_far.measured + more,
            )
        state = state.look(seen)
    confirmation = Confirmation(results=state.results, trials=fresh)
    adaptive = now.scorecard.adaptive
    further = 0 if adaptive is None else adaptive.trials
    decision = decide(now, baseline, plan.settings, confirmation)
    return Build(decision, fresh, further, _too_high(now, truth))


def _too_high(now: Candidate, truth: Truth) -> float:
    adaptive = now.scorecard.adaptive
    more = {case.id: case for case in adaptive.cases} if adaptive else {}
    counted = [
        (case.passed + more[case.id].more_passed) / (case.measured + more[case.id].more_measured)
        if case.id in more
        else case.passed / case.measured
        for case in now.cases
    ]
    return (math.fsum(counted) - math.fsum(truth.rates)) / len(counted)


def _adapted(now: Candidate, baseline: Baseline, truth: Truth, chance: Random) -> Candidate:
    """Give the candidate with the further trials that `run --adaptive` would spend."""
    places = {case.id: place for place, case in enumerate(now.cases)}
    state = Adapting.of(now, baseline, most=sum(case.planned for case in now.cases))
    seen: dict[str, Further] = {}
    while wanted := state.wanted:
        for name, more in wanted.items():
            had = seen.get(name, Further(0, 0, 0))
            passed = had.passed + _passes(more, truth.rates[places[name]], chance)
            seen[name] = Further(passed, had.measured + more, had.planned + more)
        state = state.look(seen)
    scorecard = msgspec.structs.replace(now.scorecard, adaptive=state.record())
    return msgspec.structs.replace(now, scorecard=scorecard)


def _run(plan: Plan, rates: Sequence[float], chance: Random) -> Candidate:
    cases = []
    for place, rate in enumerate(rates):
        trials = plan.trials(place)
        passed = _passes(trials, rate, chance)
        cases.append(
            CaseOutcome(
                id=f"c{place}",
                hash="h",
                protected=place < plan.suite.protected,
                status=status_of(passed, trials),
                passed=passed,
                measured=trials,
                planned=trials,
                live=True,
            )
        )
    blank: dict[str, Any] = dict.fromkeys(Scorecard.__struct_fields__)
    return Candidate(
        info=RunInfo(id="r", folder=None, mode="live", variant=None, selection=None, agent="sim"),
        scorecard=Scorecard(**(blank | {"k": plan.k})),
        cases=tuple(cases),
    )


def _passes(trials: int, rate: float, chance: Random) -> int:
    return sum(chance.random() < rate for _ in range(trials))


def measure(plan: Plan, name: str, builds: int, seed: int) -> dict[str, Any]:
    """Give what many builds of one scenario came to."""
    chance = Random(f"{seed}:{name}")
    decided = {"fail": 0, "inconclusive": 0, "pass": 0, "error": 0}
    arms = {"protected": 0, "case": 0, "rate": 0}
    named = worse = 0
    spent = []
    further = 0
    too_high = 0.0
    for _ in range(builds):
        truth = SCENARIOS[name](plan.suite, chance)
        build = simulate(plan, truth, chance)
        decided[build.decision.decision] += 1
        fails = [reason for reason in build.decision.reasons if reason.kind == "fail"]
        for rule in {reason.rule for reason in fails}:
            arms[rule] += 1
        found = {reason.case for reason in fails}
        named += sum(f"c{place}" in found for place in truth.worse)
        worse += len(truth.worse)
        spent.append(build.fresh)
        further += build.further
        too_high += build.too_high
    spent.sort()
    return {
        "scenario": name,
        "builds": builds,
        **_share("block", decided["fail"], builds),
        **_share("inconclusive", decided["inconclusive"], builds),
        **_share("named", named, worse),
        "arms": {rule: count / builds for rule, count in arms.items()},
        "extra_trials": {
            "mean": round(math.fsum(spent) / builds, 1),
            "p95": spent[min(builds - 1, math.ceil(0.95 * builds) - 1)],
        },
        "further_trials": round(further / builds, 1),
        "rate_too_high_if_counted": round(too_high / builds, 5),
    }


def _share(name: str, count: int, total: int) -> dict[str, Any]:
    interval = clopper_pearson(count, total) if total else None
    return {
        f"{name}_rate": count / total if total else None,
        f"{name}_interval": interval and [round(end, 4) for end in interval],
    }


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", choices=["A", "B"], default="A", help="Default: A.")
    parser.add_argument("--cases", type=int, default=300, metavar="N", help="Default: 300.")
    parser.add_argument("--builds", type=int, default=200, metavar="N", help="Default: 200.")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="Default: 1.")
    parser.add_argument("--json", type=Path, metavar="OUT", help="Write the figures there.")
    parser.add_argument("-k", type=int, default=5, metavar="N", help="Trials a case. Default: 5.")
    parser.add_argument("--k-protected", type=int, metavar="N", help="Default: as -k.")
    parser.add_argument(
        "--protected", type=int, metavar="N", help="Default: 30, or a sixth if less."
    )
    parser.add_argument("--thoroughness", type=float, default=1.0, metavar="T", help="Default: 1.")
    parser.add_argument("--adaptive", action="store_true", help="The run is an adaptive one.")
    parser.add_argument("--history", type=Path, metavar="BASELINE", help="Rates of your own suite.")
    parser.add_argument("--only", action="append", metavar="WORDS", help="Scenarios with these.")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure every scenario, print a table, and write the figures."""
    asked = _arguments(argv)
    if asked.cases < 2 or asked.builds < 1 or asked.k < 1:
        print("gate_sim: --cases from 2 up, --builds and -k from 1 up", file=sys.stderr)
        return 2
    protected = min(30, asked.cases // 6) if asked.protected is None else asked.protected
    chance = Random(f"{asked.seed}:{asked.suite}")
    suite = (
        draw_suite(asked.suite, asked.cases, protected, chance)
        if asked.history is None
        else suite_of_history(asked.history)
    )
    settings = GateSettings(thoroughness=asked.thoroughness)
    k_protected = asked.k_protected or asked.k
    plan = Plan(suite, asked.k, k_protected, settings, adaptive=asked.adaptive)
    names = [
        name
        for name in SCENARIOS
        if (suite.protected or "one protected" not in name)
        and (not asked.only or any(words in name for words in asked.only))
    ]
    rows = []
    for name in names:
        rows.append(measure(plan, name, asked.builds, asked.seed))
        _show(rows[-1])
    report = {
        "suite": asked.suite if asked.history is None else str(asked.history),
        "cases": len(suite.rates),
        "protected": suite.protected,
        "k": asked.k,
        "k_protected": plan.k_protected,
        "thoroughness": asked.thoroughness,
        "adaptive": asked.adaptive,
        "builds": asked.builds,
        "seed": asked.seed,
        "false_alarms": _false_alarms(rows),
        "scenarios": rows,
    }
    if asked.json is not None:
        asked.json.write_text(json.dumps(report, indent=2, allow_nan=False) + "\n", "utf-8")
    return 0


def _false_alarms(rows: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    for row in rows:
        if row["scenario"] == "nothing changed":
            return {"rate": row["block_rate"], "interval": row["block_interval"]}
    return None


def _show(row: dict[str, Any]) -> None:
    named = "" if row["named_rate"] is None else f"{row['named_rate']:.0%} named"
    extra = row["extra_trials"]
    low, high = row["block_interval"]
    further = ""
    if row["further_trials"]:
        off = 100 * row["rate_too_high_if_counted"]
        further = f"  further {row['further_trials']:>7,.0f} (counted: {off:+.1f} points)"
    print(
        f"{row['scenario']:<46} blocked {row['block_rate']:6.1%} ({low:.1%} to {high:.1%})"
        f"  inconclusive {row['inconclusive_rate']:6.1%}  {named:>10}"
        f"  extra trials {extra['mean']:>7,.0f} (95 %: {extra['p95']:,}){further}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
