"""The patterns are made from lists of words: what a list may hold."""

import pytest

from fairtrial.cases import item_words


@pytest.mark.parametrize("word", ["doesn't", "entschuldigt", "è", "présente", "says"])
def test_a_verb_is_found_as_a_whole_word(word: str) -> None:
    assert item_words.SECOND_VERB.search(f"Greets and {word} it")
    assert not item_words.SECOND_VERB.search(f"Greets and {word}x it")


@pytest.mark.parametrize("phrase", ["terms and conditions", "Pros and cons", "kurz und bündig"])
def test_a_phrase_of_several_words_is_one_idiom(phrase: str) -> None:
    assert item_words.IDIOMS.fullmatch(phrase)


def test_a_longer_word_is_not_hidden_by_a_shorter_one() -> None:
    assert item_words.NEGATION.fullmatch("avoids")
    assert item_words.NEGATION.search("isn\u2019t")
