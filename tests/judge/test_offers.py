import pytest

from fairtrial.judge.offers import Offer, Offers


class Sender:
    """Refuses some offers, in its own words."""

    def __init__(self, *taken: Offer, words: str = "") -> None:
        self.taken = set(taken)
        self.words = words
        self.sent: list[set[Offer]] = []

    def __call__(self, offered: frozenset[Offer]) -> str:
        self.sent.append(set(offered))
        for one in sorted(offered):
            if one not in self.taken:
                raise ValueError(self.words or f"{one} is not supported")
        return "said"


def test_what_is_refused_is_left_out_from_then_on() -> None:
    offers, send = Offers({"schema", "temperature"}), Sender("temperature")
    assert offers.ask(send, (ValueError,)) == offers.ask(send, (ValueError,)) == "said"
    assert send.sent == [{"schema", "temperature"}, {"temperature"}, {"temperature"}]


def test_both_may_be_refused_one_after_the_other() -> None:
    offers, send = Offers({"schema", "temperature"}), Sender()
    assert offers.ask(send, (ValueError,)) == "said"
    assert send.sent == [{"schema", "temperature"}, {"temperature"}, set()]
    assert offers.offered == frozenset()


@pytest.mark.parametrize(
    "words",
    [
        "This response_format type is unavailable now",
        "failed to parse grammar",
        "output_config: Extra inputs are not permitted",
        "guided decoding is not supported",
    ],
)
def test_providers_have_many_words_for_the_schema(words: str) -> None:
    offers, send = Offers({"schema", "temperature"}), Sender("temperature", words=words)
    offers.ask(send, (ValueError,))
    assert offers.offered == {"temperature"}


def test_an_error_without_a_name_costs_all_offers_where_that_helps() -> None:
    offers, send = Offers({"schema", "temperature"}), Sender("schema", words="Invalid request data")
    assert offers.ask(send, (ValueError,)) == "said"
    assert send.sent == [{"schema", "temperature"}, set()]
    assert offers.offered == frozenset()


def test_an_error_that_has_another_reason_costs_no_offer() -> None:
    def send(offered: frozenset[Offer]) -> str:
        raise ValueError("the context is too long")

    offers = Offers({"schema", "temperature"})
    with pytest.raises(ValueError, match="too long"):
        offers.ask(send, (ValueError,))
    assert offers.offered == {"schema", "temperature"}
