import pytest

from fairtrial.judge.model_settings import ModelSettings, is_address, shown_address


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://api.example/v1/", "https://api.example/v1"),
        ("http://u:p@host:1/v1?key=k#f", "http://host:1/v1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(url: str, shown: str) -> None:
    assert is_address(url)
    assert shown_address(url) == shown


def test_all_that_could_change_a_reply_is_described() -> None:
    settings = ModelSettings(model="m", temperature=0.5, max_tokens=9, timeout=1, retries=0)
    told = settings.described("openai", "http://u:p@host/v1/")
    assert told == "openai m at http://host/v1, temperature 0.5, at most 9 tokens"
