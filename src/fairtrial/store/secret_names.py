"""Names whose values are secrets, and a quick look for them in a line of JSON."""

import re

SECRET_NAMES = frozenset(
    {
        "password",
        "passwd",
        "secret",
        "token",
        "authorization",
        "proxyauthorization",
        "apikey",
        "xapikey",
        "accesskey",
        "secretkey",
        "secretaccesskey",
        "awssecretaccesskey",
        "privatekey",
        "clientsecret",
        "accesstoken",
        "refreshtoken",
        "idtoken",
        "authtoken",
        "sessiontoken",
        "bearertoken",
    }
)
"""Keys whose values are never written: whole names, without regard to case, `-` and `_`."""

_LONGEST = 40

# The quick look goes from colon to colon, which costs a fifth of looking at every byte. Before one
# stand a quote, perhaps escaped, and the last letters of a name, perhaps with `-` or `_` among
# them. White space may come between.
_MAY_BE_LAST = rb"[eikorsw_\\-][denortwy_\\-][dnty\\]"  # hardly any colon is left
_TWO = rb"(?:e[nty]|on|[rw]d|[_-][dnty])"
_SIX = (  # even the shortest name is that long with its opening quote
    rb"(?:...(?:ke[ny]|ret|ord|swd|[_-](?:e[nty]|on|[rw]d))"
    rb"|....[_-].|..[_-]ion|.[_-]tion|(?:za|[_-]a)tion)"
)
_HARMLESS = rb"(?-i:[a-ce-mo-su-xzA-CE-MO-SU-XZ0-9])"  # no name ends so; most colons are done here
_NAME_END = re.compile(
    rb":(?<!" + _HARMLESS + rb"\":)(?:(?<=" + _MAY_BE_LAST + rb"[\"']:)"
    rb"(?:(?<=" + _TWO + rb"[\"']:)(?<=" + _SIX + rb"[\"']:)"
    rb"|(?<=" + _TWO + rb"\\[\"']:)(?<=" + _SIX + rb"\\[\"']:)"
    rb"|(?<=\\\\[\"']:))"
    rb"|(?<![\"']:)(?:(?<=[\s\x1c-\x1f\x80-\xff]:)|(?<=\\[fnrt]:)|(?<=\\u[0-9a-f]{4}:)))",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPE = re.compile(rb"\\u00(?:2[27d]|3a|[4-7])", re.IGNORECASE)

# The closer look is at the letters alone.
_PARTS = (b"passw", b"secret", b'authorization"', b'key"', b'token"')
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_FOLD = bytes.maketrans(_LETTERS.upper() + b"'", _LETTERS + b'"')
_DROP = bytes(set(range(256)) - set(_LETTERS + _LETTERS.upper() + b"'\""))


def may_hold_secret_name(line: bytes) -> bool:
    r"""Say whether a secret name may be in a line of JSON, in texts that hold JSON too.

    Never wrongly no. Wrongly yes is rare, and costs only time.

    >>> may_hold_secret_name(b'{"api_key": 1}'), may_hold_secret_name(b'{"a":"{\\"TOKEN\\":1}"}')
    (True, True)
    >>> may_hold_secret_name(b'{"tokens": 9, "say": "a secret"}')
    False
    """
    if b"\\" in line and _ESCAPE.search(line):
        return True  # a letter or quote as an escape, which hardly anybody writes
    if not _NAME_END.search(line):
        return False
    letters = line.translate(_FOLD, _DROP)
    return any(part in letters for part in _PARTS)


def is_secret_name(name: str) -> bool:
    """Say whether a value under this name is a secret.

    >>> is_secret_name("X-API-Key"), is_secret_name("api_keys")
    (True, False)
    """
    # Most keys are told by their last letter.
    return (
        name[-1] in "dntyDNTY"
        and len(name) <= _LONGEST
        and name.lower().replace("_", "").replace("-", "") in SECRET_NAMES
    )
