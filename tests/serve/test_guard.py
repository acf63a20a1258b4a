import pytest

from fairtrial.serve.guard import Guard, is_loopback
from fairtrial.serve.wire import RefusedError


@pytest.mark.parametrize(
    "host",
    ["localhost", "LocalHost:80", "127.0.0.1", "127.0.0.1:8000", "127.8.8.8:1", "[::1]", "[::1]:9"],
)
def test_this_machines_own_names_are_let_by(host: str) -> None:
    Guard("127.0.0.1", None).check({b"host": host.encode()})


@pytest.mark.parametrize(
    "host",
    [
        "",
        "attacker.example",
        "attacker.example:80",
        "localhost.attacker.example",
        "127.0.0.1.attacker.example",
        "10.0.0.1",
        "[::2]:1",
        "[::1",
        "localhost@attacker.example",
        "\xff",
        "a" * 100_000,
    ],
)
def test_a_name_that_leads_here_from_elsewhere_is_refused(host: str) -> None:
    with pytest.raises(RefusedError, match="does not answer to the host") as caught:
        Guard("127.0.0.1", None).check({b"host": host.encode("latin-1")})
    assert caught.value.status == 403
    assert len(str(caught.value)) < 300


def test_a_request_without_a_host_is_refused() -> None:
    with pytest.raises(RefusedError, match="host"):
        Guard("127.0.0.1", None).check({})


def test_the_host_that_the_listener_is_bound_to_is_let_by() -> None:
    guard = Guard("Build-7.lan", "T")
    guard.check({b"host": b"build-7.lan:80", b"authorization": b"Bearer T"})
    with pytest.raises(RefusedError, match="host"):
        guard.check({b"host": b"build-8.lan", b"authorization": b"Bearer T"})


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_bound_to_every_address_any_name_is_fine_with_the_token(host: str) -> None:
    guard = Guard(host, "T")
    guard.check({b"host": b"host.docker.internal:80", b"x-api-key": b"T"})
    with pytest.raises(RefusedError, match="bound with a token") as caught:
        guard.check({b"host": b"host.docker.internal:80"})
    assert caught.value.status == 401


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {b"authorization": b"Bearer U"},
        {b"authorization": b"Basic T"},
        {b"authorization": b"T"},
        {b"authorization": b"Bearer "},
        {b"x-api-key": b""},
        {b"x-api-key": "Té".encode()},
    ],
)
def test_what_does_not_know_the_token_is_refused(headers: dict[bytes, bytes]) -> None:
    with pytest.raises(RefusedError, match="token"):
        Guard("127.0.0.1", "T").check({b"host": b"localhost"} | headers)


def test_loopback_is_this_machine_alone() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.9.9.9", "::1")))
    assert not any(map(is_loopback, ("", "0.0.0.0", "::", "10.0.0.1", "example.com", "127.1")))
