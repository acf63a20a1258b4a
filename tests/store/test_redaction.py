import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Json
from fairtrial.store import SECRET_NAMES, Redactor, known_secrets
from fairtrial.store.redaction import MARK

KEY = "sk-TEST/0123+\"456'é"


def texts_of(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_a_known_value_is_found_however_deep_and_however_escaped(
    depth: int, *, ascii_only: bool
) -> None:
    value: Json = {"a": f"before {KEY} after", KEY: 1}
    for _ in range(depth):
        value = {"arguments": json.dumps(value, ensure_ascii=ascii_only)}
    clean = json.loads(Redactor([KEY]).line(json.dumps(value, ensure_ascii=ascii_only).encode()))
    for _ in range(depth):
        clean = json.loads(clean["arguments"])
    assert clean == {"a": f"before {MARK} after", MARK: 1}


@pytest.mark.parametrize(
    "name", ["password", "Authorization", "API-KEY", "apiKey", "api_key", "client-secret", "TOKEN"]
)
@pytest.mark.parametrize("value", ["x", 5, ["x", {"y": "]"}], {"y": "x", "z": "}"}, -1.5e3])
def test_a_value_under_a_secret_name_is_replaced_whole(name: str, value: Json) -> None:
    line = json.dumps({"args": {name: value, "next": 1}}).encode()
    assert json.loads(Redactor().line(line)) == {"args": {name: MARK, "next": 1}}


@pytest.mark.parametrize("value", [None, True, False])
def test_null_and_flags_are_no_secrets(value: Json) -> None:
    line = json.dumps({"password": value}).encode()
    assert Redactor().line(line) is line


@pytest.mark.parametrize("name", ["tokens", "password_reset", "my_token_count", "key", "author"])
def test_a_name_counts_only_as_a_whole(name: str) -> None:
    line = json.dumps({name: "x", "say": 'the "password" of'}).encode()
    assert Redactor().line(line) is line


def test_names_are_found_in_json_inside_a_text_even_when_it_is_torn() -> None:
    line = json.dumps({"arguments": '{"user": "u", "password": "hunter2'}).encode()
    assert b"hunter2" not in Redactor().line(line)
    line = json.dumps({"error": "bad: {'api_key': 'k-1', 'n': 1}"}).encode()
    assert json.loads(Redactor().line(line))["error"] == f"bad: {{'api_key': '{MARK}', 'n': 1}}"


def test_what_stood_under_a_secret_name_is_replaced_in_the_whole_line() -> None:
    line = json.dumps(
        {
            "provider": {"headers": {"Authorization": "Bearer tok-TEST-0123456789"}},
            "api_key": "key-TEST-abcdef",
            "args": '{"password": "p-TEST-1"}',
            "exception": "401 for key-TEST-abcdef",
            "answer": "tok-TEST-0123456789, p-TEST-1",
        }
    ).encode()
    clean = Redactor().line(line)
    for secret in (b"tok-TEST", b"key-TEST", b"p-TEST"):
        assert secret not in clean
    assert json.loads(clean)["answer"] == f"{MARK}, {MARK}"


def test_a_word_under_a_secret_name_is_not_hunted_elsewhere() -> None:
    line = json.dumps({"args": {"secret": "customer"}, "answer": "Dear customer"}).encode()
    assert json.loads(Redactor().line(line))["answer"] == "Dear customer"


@pytest.mark.parametrize("value", ["trajectory", "answer", "verdict", "scripted", "[redacted]"])
def test_a_secret_that_is_a_word_of_ours_breaks_no_record(value: str) -> None:
    line = json.dumps({"trajectory": 1, "answer": "scripted verdict"}).encode()
    assert Redactor([value]).line(line) is line


def test_a_match_that_begins_inside_an_escape_breaks_nothing() -> None:
    redactor = Redactor(["n1234567", "9abcdefg", "u00e9abc"])
    for text in ("\n1234567", "éabcdefg", "x\\n1234567"):
        clean = redactor.line(json.dumps({"a": text}).encode())
        assert json.loads(clean)["a"] in {text, f"x\\{MARK}"}


def test_numbers_and_other_tokens_stay_as_they_were_written() -> None:
    line = b'{"password":"x", "n":1.0,"big":123456789012345678901234567890,"e":1E5,"d":"\\u00e9"}'
    assert Redactor().line(line) == line.replace(b'"x"', b'"[redacted]"')


def test_documents_with_peoples_own_keys_are_redacted_by_value_alone() -> None:
    line = b'{"tags":{"password":{"passed":1}},"id":"sk-0123456789"}'
    clean = Redactor(["sk-0123456789"]).line(line, names=False)
    assert clean == b'{"tags":{"password":{"passed":1}},"id":"[redacted]"}'


def test_only_long_values_of_telling_variables_are_known_secrets() -> None:
    environ = {
        "OPENAI_API_KEY": " sk-0123456789\n",
        "DB_PASSWORD": "12345678",
        "GITHUB_TOKEN": "short",
        "TOKENIZERS_PARALLELISM": "false and long",
        "client_secret": "lower-case",
        "EMPTY_KEY": "",
    }
    assert known_secrets(environ) == ("sk-0123456789", "12345678", "lower-case")


def test_plain_text_is_redacted_too() -> None:
    text = 'curl -H "Authorization": "Bearer abc" with sk-0123456789'
    clean = Redactor(["sk-0123456789"]).text(text)
    assert clean == f'curl -H "Authorization": "{MARK}" with {MARK}'


keys = st.sampled_from([*sorted(SECRET_NAMES), "a", "Api-Key", 'q"']) | st.text(max_size=5)
secret = st.sampled_from(["s3cr3t-0", 'a"b\\c/d1', "пароль-1", "line\none1"])
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.builds("{}{}{}".format, st.text(max_size=3), secret, st.text(max_size=3))
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(keys, inner, max_size=4)
        | inner.map(json.dumps)
    ),
    max_leaves=15,
)


@given(values, secret, st.booleans())
def test_redacted_json_is_json_without_the_secret(
    value: Json, known: str, ascii_only: bool
) -> None:
    redactor = Redactor([known])
    line = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "replace")
    clean = redactor.line(line)
    assert known not in texts_of(json.loads(clean))
    assert redactor.line(clean) == clean


@given(values)
def test_a_document_without_secrets_is_the_same_object(value: Json) -> None:
    line = json.dumps({"x": value}).replace("pass", "p").replace("secret", "s").encode()
    if not any(name in line.decode().lower() for name in ("key", "token", "authorization")):
        assert Redactor(["not-in-there-1"]).line(line) is line


@pytest.mark.parametrize(
    "unit", ['"', '\\"', "[", '{"password":', '"password": "', "'password': '"]
)
def test_hostile_text_costs_no_more_than_its_length(unit: str) -> None:
    line = json.dumps({"token": "abcdefgh1", "a": unit * 20_000}).encode()
    json.loads(Redactor(["s3cr3t-000"]).line(line))
