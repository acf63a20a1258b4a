"""The judge that the settings name, with its replies on file and what was measured of it."""

import hashlib
import inspect
import os
import secrets
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from fairtrial.config.loading import onto_import_path
from fairtrial.config.project import Project
from fairtrial.config.settings import JudgeModelTable, JudgeTable
from fairtrial.errors import JudgeError, PluginError, StoreError, UsageError
from fairtrial.flow.endpoints import variable_of_before
from fairtrial.flow.judging import JudgeOptions
from fairtrial.judge import (
    AnthropicModel,
    Asks,
    FunctionModel,
    Judge,
    ModelSettings,
    OpenAIModel,
    Panel,
    Purse,
)
from fairtrial.models import Prices
from fairtrial.ports import JudgeModel, Replies
from fairtrial.records import Calibration, JudgePrompt, JudgeReply, Tokens, TrustBar
from fairtrial.store import Redactor, ReplyFile, known_secrets

_OFF = "off"
_ASKS: dict[str, Asks] = {"live": "live", "replay": "replay", "dry": "dry"}
_OF_MODELS = ("provider", "base_url", "key")
_FORMAT = 1  # of a calibration


def judge_table(project: Project) -> JudgeTable:
    """Give `[judge]`, also where it is a lone `module:function`.

    >>> from fairtrial.config import Config
    >>> judge_table(Project(config=Config(judge="shop:ask"), root=Path(), file=None)).function
    'shop:ask'
    """
    said = project.config.judge
    return JudgeTable(function=said) if isinstance(said, str) else said


def judge_options(project: Project, asked: str | None = None) -> JudgeOptions | None:
    """Give the judge and how it is used; None where there is none, or it is off.

    Without `--judge live` and `judge.live` no money is spent: replies on file speak, and where
    there is no such file the judge is off.

    Args:
        project: The settings.
        asked: `live`, `replay`, `dry` or `off`; None: as the settings say.

    Raises:
        UsageError: A judge is asked for and none is set up, or its key is missing.
        PluginError: Its function does not load.
        StoreError: The calibration or the replies cannot be read, or no reply be kept.

    >>> import tempfile
    >>> from fairtrial.config import find_project
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     settings = Path(folder, "fairtrial.toml")
    ...     _ = settings.write_text('judge = {model = "gpt-5-mini"}')
    ...     project = find_project(Path(folder))
    >>> judge_options(project) is None, judge_options(project, "replay").judge.name
    (True, 'gpt-5-mini')
    """
    table = judge_table(project)
    if table.function is None and table.model is None and not table.panel:
        if asked in {None, _OFF}:
            return None
        raise UsageError(
            f'--judge {asked}: no judge is set up; add [judge] with model = "..." or '
            'function = "module:function" to the settings'
        )
    asks = asked or ("live" if table.live else "replay")
    replies = project.root / table.replies
    if asks == _OFF or (asked is None and asks == "replay" and not replies.is_file()):
        return None
    return JudgeOptions(
        judge=_judge(project, table, _ASKS[asks]),
        asks=_ASKS[asks],
        concurrency=table.concurrency,
        calibration=read_calibration(project.root / table.calibration),
        bar=trust_bar(table),
    )


def trust_bar(table: JudgeTable) -> TrustBar:
    """Give the bar with what the settings say instead.

    >>> trust_bar(JudgeTable()).labels
    50
    """
    said = msgspec.structs.asdict(table.bar)
    return TrustBar(**{name: value for name, value in said.items() if value is not None})


def read_calibration(path: Path) -> Calibration | None:
    """Read what `judge calibrate` measured; None where there is no such file.

    Raises:
        StoreError: It cannot be read, or is of another version.

    >>> read_calibration(Path("no-such-file.json")) is None
    True
    """
    way_out = f"`fairtrial judge calibrate --json {path}` makes one"
    try:
        calibration = msgspec.json.decode(path.read_bytes(), type=Calibration)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise StoreError(f"{path}: no calibration: {error}; {way_out}") from error
    if calibration.format != _FORMAT:
        raise StoreError(
            f"{path}: format {calibration.format}, and this version reads {_FORMAT}; {way_out}"
        )
    return calibration


def _judge(project: Project, table: JudgeTable, asks: Asks) -> Judge | Panel:
    replies = ReplyFile(project.root / table.replies, Redactor(known_secrets(os.environ)))
    replies.check(writable=asks == "live")
    purse = Purse(table.max_cost)
    if not table.panel:
        return _one(project, table, asks, replies, purse)
    if table.function is not None or table.model is not None:
        raise UsageError("[judge]: panel and model or function; name all judges in the panel")
    if len(table.panel) == 1:
        raise UsageError("[judge]: a panel of one; name three judges, or set model instead")
    own = [msgspec.convert(one, type=JudgeModelTable) for one in table.panel]
    judges = [_one(project, one, asks, replies, purse) for one in own]
    if len({judge.fingerprint for judge in judges}) < len(judges):
        raise UsageError(
            "[judge]: two judges of the panel are the same, and would be one reply counted twice; "
            "name different ones"
        )
    return Panel(judges)


def _one(
    project: Project, table: JudgeModelTable, asks: Asks, replies: Replies, purse: Purse
) -> Judge:
    model = _model(project, table, live=asks == "live")
    prices = Prices(project.config.prices, library=project.config.currency == "USD")
    return Judge(
        model,
        replies,
        asks=asks,
        marker=partial(secrets.token_hex, 8),
        price=partial(_price, prices, table.model),
        purse=purse,
    )


def _price(prices: Prices, model: str | None, tokens: Tokens) -> float | None:
    return prices.cost(model, tokens)


def _model(project: Project, table: JudgeModelTable, *, live: bool) -> JudgeModel:
    if table.function is not None:
        if table.model is not None:
            raise UsageError("[judge]: both function and model; name one")
        said = [name for name in _OF_MODELS if getattr(table, name) is not None]
        if said:
            raise UsageError(f"[judge]: {said[0]} is for a model, and the judge is a function")
        return _function(project, table.function, table.timeout)
    if table.model is None:
        raise UsageError("[judge]: a judge of the panel has neither model nor function")
    return _client(table, table.model, live=live)


def _function(project: Project, name: str, timeout: float) -> JudgeModel:
    from fairtrial.agents import find_target  # noqa: PLC0415 - most judges are models

    onto_import_path(project.root)
    found = find_target(name, "judge")
    if not callable(found):
        raise PluginError(f"judge {name!r} is no function from a prompt to a text")
    return FunctionModel(
        found, name, described=f"function {name} {_source_hash(found)}", timeout=timeout
    )


def _source_hash(function: Callable[..., object]) -> str:
    """Give a hash of the file that a function is written in: with it changed, it is another judge.

    >>> len(_source_hash(_source_hash)), _source_hash(len)
    (12, 'unknown')
    """
    try:
        source = inspect.getsource(sys.modules[function.__module__])
    except (AttributeError, KeyError, OSError, TypeError):
        return "unknown"
    return hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:12]


class _FileOnly:
    """A model that is known by its replies on file and is not asked."""

    def __init__(self, name: str, described: str) -> None:
        self.name = name
        self.described = described

    def reply(self, prompt: JudgePrompt) -> JudgeReply:  # noqa: ARG002 - the shape asked for
        raise JudgeError(f"judge {self.name} is asked only with --judge live")


def _client(table: JudgeModelTable, model: str, *, live: bool) -> JudgeModel:
    provider = table.provider or ("anthropic" if model.startswith("claude") else "openai")
    known = _PROVIDERS[provider]
    variable = table.key or known.key
    address = table.base_url or variable_of_before(known.base_url) or known.address
    settings = ModelSettings(
        model=model,
        base_url=None if address == known.address else address,
        key_variable=variable,
        temperature=table.temperature,
        max_tokens=table.max_tokens,
        timeout=table.timeout,
    )
    if not live:
        return _FileOnly(model, settings.described(provider, address))
    kind = AnthropicModel if provider == "anthropic" else OpenAIModel
    return kind(settings, variable_of_before(variable))


class _Provider(NamedTuple):
    key: str  # the environment variable that holds it
    base_url: str  # likewise
    address: str


_PROVIDERS = {
    "openai": _Provider("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": _Provider("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
}
