"""The settings of a suite: what there is, what each wants, and what is wrong with a value."""

import math
import re
import shlex
from collections.abc import Callable
from typing import TypeAlias

import msgspec
from msgspec import Struct

from fairtrial.match import MatcherError, compile_matcher
from fairtrial.records import Json
from fairtrial.text import cut


class GateTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[gate]`: what the gate lets through."""

    tolerance: float | None = None
    """How far a pass rate may fall, 0 to 1. None: 0 when deterministic."""
    growth: float = 0.25
    """How far mean tokens, cost or steps may rise, as a share."""
    errors: float = 0.05
    """Share of the planned trials that may stay unmeasured."""
    min_pass_rate: float | None = None
    min_pass_hat_k: float | None = None
    thoroughness: float | None = None


class BarTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[judge.bar]`: what a judge must reach before it may decide. None: as usual."""

    accuracy: float | None = None
    kappa: float | None = None
    false_pass: float | None = None
    labels: int | None = None
    fails: int | None = None


class JudgeModelTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[judge.panel]]`: one model that judges, or a function."""

    function: str | None = None
    """`module:function` from a prompt to a text."""
    model: str | None = None
    """The model's name."""
    provider: str | None = None
    """`openai` (any server that speaks its Chat Completions) or `anthropic`. None: the name says
    it."""
    base_url: str | None = None
    """Of the server; None: the provider's own."""
    key: str | None = None
    """The environment variable that holds the key. None: OPENAI_API_KEY or ANTHROPIC_API_KEY."""
    temperature: float = 0.0
    """Left out for a model that takes none."""
    max_tokens: int = 2000
    """Of a reply."""
    timeout: float = 120
    """Seconds a reply."""


class JudgeTable(JudgeModelTable, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[judge]`: who answers rubric items."""

    concurrency: int = 8
    """Replies at once."""
    max_cost: float | None = None
    """What its calls may cost in a run, in `currency`; what is not judged then is not judged."""
    live: bool = False
    """Ask the model, as `--judge live` does; else its replies on file alone."""
    replies: str = ".fairtrial/judge.jsonl"
    """Where replies are kept; in git, they judge again wherever the suite is."""
    calibration: str = "evals/calibration.json"
    """What `fairtrial judge calibrate` measured."""
    bar: BarTable = BarTable()
    panel: tuple[dict[str, Json], ...] = ()
    """Several judges that vote: tables with `function`, or `model` and what belongs to it."""


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a suite. Those of commands that are still to come are read and kept."""

    cases: tuple[str, ...] | str = ()
    """Files or globs, relative to the file that says so."""
    graders: tuple[str, ...] = ()
    """`module:function`."""
    baseline: str = "evals/baseline.json"
    currency: str = "USD"
    protected_tags: tuple[str, ...] = ()
    tool_error: Json = None
    """A matcher: which results count as errors, besides what the tool layer said."""
    gate: GateTable = GateTable()
    agent: Json = None
    """`module:name`, or a table with one of `command`, `url`, `loop`."""
    world: str | None = None
    """`module:Class`."""
    trials: int = 1
    """A case; a case's own `trials` beats it."""
    seed: int = 0
    concurrency: int = 8
    """Trials at once."""
    timeout: float = 120
    """Seconds a trial."""
    run_timeout: float | None = None
    """Seconds the whole run; None: no bound."""
    retries: int = 3
    """Further attempts after a provider failed; an agent's own failure is never tried again."""
    step_cap: int | None = None
    """Steps after which an agent is stopped. None: twice the case's limit, and at least 8."""
    max_cost: float | None = None
    """What a run may spend, in `currency`."""
    isolation: str | None = None
    """`thread` (None is the same), or `process`: each agent in a process of its own."""
    model: str | None = None
    """The model's name, for the agent; `live`: the agent asks a model that fairtrial cannot see."""
    prices: dict[str, dict[str, float]] = {}
    """By model: `input` and `output`, for a million tokens."""
    variants: dict[str, dict[str, Json]] = {}
    judge: JudgeTable | str = JudgeTable()
    """A table, or `module:function`."""
    online: dict[str, Json] = {}


def wanted(key: str) -> str:
    """Say what a setting wants.

    >>> wanted("trials")
    'a whole number from 1 up'
    """
    return _RULES[key][0]


def fault_of(key: str, value: Json, kind: type[Struct]) -> str:
    """Say what is wrong with the value of a setting of `kind`; "" when nothing is.

    >>> fault_of("trials", 0, Config)
    'wanted a whole number from 1 up, got 0'
    """
    wanted, fits = _RULES[key]
    try:
        converted = getattr(msgspec.convert({key: value}, type=kind), key)
        if fits is None or fits(converted):
            return ""
    except msgspec.ValidationError:
        pass
    except MatcherError as error:
        return error.text
    return f"wanted {wanted}, got {cut(repr(value))}"


_NAME = re.compile(r"[\w.]+:[\w.]+")

_Rule: TypeAlias = tuple[str, Callable[[Json], bool] | None]
_SHARE: _Rule = ("a share from 0 to 1", lambda share: share is None or 0 <= share <= 1)
_COUNT: _Rule = ("a whole number from 1 up", lambda count: count >= 1)
_FILE: _Rule = ("a file", lambda name: bool(name) and "\0" not in name)
_TABLE: _Rule = ("a table", None)

_RULES: dict[str, _Rule] = {
    "cases": ('a list of files or globs: ["evals/*.yaml"]', lambda names: all(names)),
    "graders": (
        'a list of "module:function"',
        lambda names: all(re.fullmatch(r"[\w.]+:\w+", name) for name in names),
    ),
    "baseline": _FILE,
    "currency": ('a code such as "USD"', lambda code: bool(re.fullmatch(r"\S{1,12}", code))),
    "protected_tags": ("a list of tags", all),
    "tool_error": ("a matcher", lambda spec: spec is None or bool(compile_matcher(spec))),
    "agent": (
        '"module:name", or a table with one of command = ["program", "argument"], '
        'url = "http://...", loop = {model = "...", system = "..."}',
        lambda agent: agent is None or _is_agent(agent),
    ),
    "trials": _COUNT,
    "seed": ("a whole number", None),
    "concurrency": _COUNT,
    "timeout": ("seconds, more than 0", lambda seconds: 0 < seconds < math.inf),
    "run_timeout": ("seconds, more than 0", lambda most: most is None or 0 < most < math.inf),
    "retries": ("a whole number from 0 up", lambda count: count >= 0),
    "step_cap": ("a whole number from 1 up", lambda count: count is None or count >= 1),
    "max_cost": ("an amount above 0", lambda most: most is None or 0 < most < math.inf),
    "prices": (
        "a table of models, each {input = ..., output = ...} for a million tokens",
        lambda prices: all(_is_price(price) for price in prices.values()),
    ),
    "world": ('"module:Class"', lambda name: name is None or bool(_NAME.fullmatch(name))),
    "isolation": ('"thread" or "process"', lambda kind: kind in {None, "thread", "process"}),
    "model": ("the name of a model", lambda name: name is None or bool(name.strip())),
    "variants": ("a table of tables", None),
    "judge": (
        'a table with model or function, or "module:function"',
        lambda judge: not isinstance(judge, str) or bool(_NAME.fullmatch(judge)),
    ),
    "function": ('"module:function"', lambda name: name is None or bool(_NAME.fullmatch(name))),
    "provider": ('"openai" or "anthropic"', lambda name: name in {None, "openai", "anthropic"}),
    "base_url": ("an address", lambda url: url is None or bool(re.match(r"https?://\S+", url))),
    "key": (
        "the name of an environment variable",
        lambda name: name is None or bool(re.fullmatch(r"[A-Za-z_]\w*", name)),
    ),
    "temperature": ("a number from 0 to 2", lambda number: 0 <= number <= 2),
    "max_tokens": _COUNT,
    "live": ("true or false", None),
    "replies": _FILE,
    "calibration": _FILE,
    "bar": _TABLE,
    "panel": ("a list of tables", None),
    "accuracy": _SHARE,
    "kappa": ("a number from -1 to 1", lambda kappa: kappa is None or -1 <= kappa <= 1),
    "false_pass": _SHARE,
    "labels": ("a whole number from 1 up", lambda count: count is None or count >= 1),
    "fails": ("a whole number from 0 up", lambda count: count is None or count >= 0),
    "online": _TABLE,
    "tolerance": _SHARE,
    "growth": ("a share from 0 up", lambda share: share >= 0),
    "errors": _SHARE,
    "min_pass_rate": _SHARE,
    "min_pass_hat_k": _SHARE,
    "thoroughness": ("a number above 0", lambda number: number is None or number > 0),
}
"""What each setting wants, and whether a value of the right type is that."""


_AGENT_TABLES: dict[str, frozenset[str]] = {
    "command": frozenset({"command", "env"}),
    "url": frozenset({"url", "headers"}),
    "loop": frozenset({"loop"}),
}
"""What may stand in a table of an agent, by what makes it one."""


def _is_agent(agent: Json) -> bool:
    if isinstance(agent, str):
        return _NAME.fullmatch(agent) is not None
    if not isinstance(agent, dict):
        return False
    kinds = [kind for kind in _AGENT_TABLES if kind in agent]
    if len(kinds) != 1 or not agent.keys() <= _AGENT_TABLES[kinds[0]]:
        return False
    if not all(_are_texts(agent.get(name, {})) for name in ("env", "headers")):
        return False
    said = agent[kinds[0]]
    if kinds[0] == "command":
        return _is_command(said)
    if kinds[0] == "url":
        return isinstance(said, str) and re.match(r"https?://\S+", said) is not None
    return isinstance(said, dict) and all(_fits_loop(key, said[key]) for key in said)


def _is_command(said: Json) -> bool:
    try:
        words = shlex.split(said) if isinstance(said, str) else said
    except ValueError:  # a quote that is not closed
        return False
    return (
        isinstance(words, list)
        and bool(words)
        and bool(words[0])
        and all(_is_word(word) for word in words)
    )


def _is_word(word: Json) -> bool:
    return isinstance(word, str) and "\0" not in word


def _are_texts(table: Json) -> bool:
    return isinstance(table, dict) and all(isinstance(value, str) for value in table.values())


def _fits_loop(key: str, value: Json) -> bool:
    if key == "step_cap":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 1
    if key == "api":
        return isinstance(value, str) and value in {"openai", "anthropic"}
    return key in {"model", "system"} and isinstance(value, str)


def _is_price(price: dict[str, float]) -> bool:
    return price.keys() == {"input", "output"} and all(
        0 <= amount < math.inf for amount in price.values()
    )
