"""How a rubric item is put: two questions in one, and words that everybody reads as they like.

The rules would rather miss one than warn of a sound item: who is warned in vain stops reading.
"""

import re
from collections.abc import Iterator
from typing import Final

from fairtrial.cases import item_words as words
from fairtrial.text import cut

LONGEST: Final = 1_000
"""Characters of an item that are looked at."""

QUOTED: Final = re.compile(
    r"\"([^\"\n]+)\"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」\n]+)」"
    r"|(?<!\w)['\u2018]([^'\u2019\n]{2,})['\u2019](?!\w)"
)
"""What stands between quotation marks, in one of the groups."""

_ENTRY: Final = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-h][.)])\s+\S", re.MULTILINE)
_INLINE_ENTRIES: Final = re.compile(r"(?:^|\s)\(?(?:1|a)[.)]\s.*?\s\(?(?:2|b)[.)]\s", re.DOTALL)
_SENTENCE_END: Final = re.compile(
    r"[.!?…]+[\"')”\u2019»]*\s+(?=[\"'(“\u2018«¿¡]*[^\W\d_])"
    r"|[。\uff01\uff1f\uff1b]|;\s|\n\s*\n"
)
_SHORTENED: Final = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|cf|ca|approx|no|nr|st|dr|mr|mrs|ms|prof|inc|ltd|bzw|[a-z])\.\s+$",
    re.IGNORECASE,
)
_EXPLAINS: Final = re.compile(
    r"\W*(?:for example|for instance|e\.g|i\.e|that is|this means|this includes|this counts|note|"
    r"ignore|any |either |it is (?:fine|ok|enough)|zum beispiel|z\.\s?b|par exemple|por ejemplo|"
    r"per esempio|例如|例えば)|.*\b(?:counts?|fine|enough|acceptable|does not matter)\b",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence that says how the one before it is meant."""

_COMPARES: Final = re.compile(
    r"\b(?:between|compar\w+|differen\w+|versus|relation\w*|either|choice)\b", re.IGNORECASE
)
_EITHER: Final = frozenset({"or", "oder", "ou", "o", "u"})


def asks_two_things(item: str) -> bool:
    """Say whether an item holds two questions that may have two answers.

    >>> asks_two_things("Says sorry and offers a refund"), asks_two_things("Is safe and sound")
    (True, False)
    """
    item = item[:LONGEST]
    if len(_ENTRY.findall(item)) > 1 or _INLINE_ENTRIES.search(item):
        return True
    bare = words.IDIOMS.sub("pair", QUOTED.sub("Q", item))
    sentences = [one for one in _sentences(bare) if len(one) > 1]
    asked = [one for index, one in enumerate(sentences) if not index or not _EXPLAINS.match(one)]
    return len(asked) > 1 or any(map(_is_double, asked))


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if not _SHORTENED.search(text[: end.end()]):
            yield text[start : end.start()].strip()
            start = end.end()
    yield text[start:].strip()


def _is_double(sentence: str) -> bool:
    if words.BOTH.search(sentence) or words.TWO_QUALITIES.search(sentence):
        return True
    if words.TWO_OBJECTS.search(sentence) and not _COMPARES.search(sentence):
        return True
    return any(
        _joins_questions(found, sentence[: found.start()])
        for pattern in (words.SECOND_VERB, words.SECOND_CLAUSE, words.SECOND_BASE_VERB)
        for found in pattern.finditer(sentence)
    )


def _joins_questions(found: re.Match[str], before: str) -> bool:
    if found.re is words.SECOND_BASE_VERB and not words.ASKED.match(before):
        return False
    if words.CONDITION.search(before):
        return False
    either = (found["joint"] or "").lower() in _EITHER
    return not (either and words.NEGATION.search(before))


_LAST: Final = r"(?=\s*(?:[.!?]|$))"
_VAGUE: Final = re.compile(
    r"\b(?:(?:is|are|be|was|sounds|seems|looks)\s+(?:(?:very|quite|really)\s+)?"
    r"(?:good|bad|nice|fine|ok|okay|great|helpful|right|appropriate|adequate|acceptable|"
    rf"satisfactory|suitable|reasonable|high[ -]quality){_LAST}"
    r"|appropriately|adequately|suitably|satisfactorily|acceptably|properly"
    r"|good (?:answer|response|reply|quality|job)|(?:of|in) high quality|well[- ]written"
    rf"|and so on|etc\b|usw\b|ist (?:gut|angemessen){_LAST}|est bonne?{_LAST}"
    rf"|de manière appropriée|es buen[ao]{_LAST}|adecuadamente)",
    re.IGNORECASE,
)
_TWICE_NEGATED: Final = re.compile(
    r"(?:\b(?:not|never)|n['\u2019]t)\s+"
    r"(?:(?:fails?|failed|forgets?|neglects?|omits?)\b|without\b"
    r"|un(?:clear|friendly|helpful|true|safe|kind)|im(?:polite|proper|precise)"
    r"|in(?:correct|accurate|complete|appropriate)|dis(?:honest|respectful|missive))\w*",
    re.IGNORECASE,
)


def weak_wording(item: str) -> str | None:
    """Say what in an item is open to everybody's own reading; None: nothing that stands out.

    A single "not" is left in peace: what an answer must not say is often the whole point.

    >>> weak_wording("The tone is good")
    "'is good' leaves open what passes; say what a person would look for"
    >>> weak_wording("Never fails to greet")
    "'Never fails' is two negations; say what must be there"
    """
    bare = QUOTED.sub("Q", item[:LONGEST])
    if twice := _TWICE_NEGATED.search(bare):
        return f"{cut(twice[0])!r} is two negations; say what must be there"
    if vague := _VAGUE.search(bare):
        return f"{cut(vague[0])!r} leaves open what passes; say what a person would look for"
    return None
