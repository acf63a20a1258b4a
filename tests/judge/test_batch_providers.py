import pytest

from fairtrial.errors import UsageError
from fairtrial.judge import AnthropicModel, FunctionModel, Judge, ModelSettings, OpenAIModel
from fairtrial.judge.batch_providers import batches_of, refuse_without_batches
from fairtrial.ports import JudgeModel
from fairtrial.records import KeptReply


class Nothing:
    def find(self, key: str) -> KeptReply | None:
        return None

    def keep(self, reply: KeptReply) -> None:
        pass


def judge(model: JudgeModel) -> Judge:
    return Judge(model, Nothing(), asks="live", marker=lambda: "m4rk")


def test_a_model_has_the_batches_of_its_provider() -> None:
    settings = ModelSettings(model="m-1")
    for kind in (OpenAIModel, AnthropicModel):
        model = kind(settings, "k")
        assert batches_of(judge(model)).provider == model.provider
        model.close()


def test_a_function_has_none() -> None:
    with pytest.raises(UsageError, match="judge shop:ask is a function, which has no batches"):
        refuse_without_batches(judge(FunctionModel(str.upper, "shop:ask")))
