"""Which batch API a judge's model has."""

from fairtrial.errors import UsageError
from fairtrial.judge.anthropic_model import AnthropicModel
from fairtrial.judge.asking import Judge
from fairtrial.judge.batch import Batches
from fairtrial.judge.batch_anthropic import AnthropicBatches
from fairtrial.judge.batch_openai import OpenAIBatches
from fairtrial.judge.function_model import FunctionModel
from fairtrial.judge.openai_model import OpenAIModel


def batches_of(judge: Judge) -> Batches:
    """Give the batch API of a judge's model.

    Raises:
        UsageError: It has none.

    >>> from fairtrial.judge.model_settings import ModelSettings
    >>> class Nothing:
    ...     def find(self, key): return None
    ...     def keep(self, reply): pass
    >>> model = OpenAIModel(ModelSettings(model="gpt-5-mini"), "key")
    >>> judge = Judge(model, Nothing(), asks="live", marker=lambda: "m4rk")
    >>> batches_of(judge).provider
    'openai'
    >>> model.close()
    """
    refuse_without_batches(judge)
    if isinstance(judge.model, OpenAIModel):
        return OpenAIBatches(judge.model)
    assert isinstance(judge.model, AnthropicModel)  # see above
    return AnthropicBatches(judge.model)


def refuse_without_batches(judge: Judge) -> None:
    """Refuse a judge that is no model of a provider, also where it is not asked now.

    Raises:
        UsageError: It has no batches.

    >>> class Nothing:
    ...     def find(self, key): return None
    ...     def keep(self, reply): pass
    >>> model = FunctionModel(str.upper, "shop:ask")
    >>> refuse_without_batches(Judge(model, Nothing(), asks="dry", marker=lambda: "m4rk"))
    Traceback (most recent call last):
    fairtrial.errors.UsageError: judge shop:ask is a function, which has no batches
    """
    if isinstance(judge.model, FunctionModel):
        raise UsageError(
            f"judge {judge.name} is a function, which has no batches; "
            "`fairtrial grade RUN --judge live` asks it"
        )
