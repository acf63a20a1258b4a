"""Estimates of tokens, for scripts that do not say how many a completion took."""

from fairtrial.records import MAX_DEPTH, Json

_CHARACTERS = 4  # to a token: the rule of thumb that providers give for English


def estimate(characters: int) -> int:
    """Give about how many tokens so many characters are.

    >>> estimate(0), estimate(1), estimate(9)
    (0, 1, 3)
    """
    return -(-characters // _CHARACTERS)


def characters_of(body: Json) -> int | None:
    """Count the characters of all text in a request, keys too; None when it nests too deep.

    Pictures and other files in base64 count nothing: they are no text.

    >>> characters_of({"ab": ["cde", {"f": 1.5}]})
    6
    """
    total, level = 0, [body]
    for _ in range(MAX_DEPTH + 1):
        inner: list[Json] = []
        for item in level:
            if isinstance(item, str):
                total += 0 if item.startswith("data:") else len(item)
            elif isinstance(item, list):
                inner += item
            elif isinstance(item, dict) and item.get("type") != "base64":
                total += sum(map(len, item))
                inner += item.values()
        if not inner:
            return total
        level = inner
    return None
