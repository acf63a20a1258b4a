"""The words by which an item is seen to ask two things, in languages where that is cheap."""

import re
from typing import Final


def _any(words: str) -> str:
    """Give a pattern for any of the words, or of phrases with a comma behind each."""
    listed = words.split(",") if "," in words else words.split()
    folded = {" ".join(word.split()) for word in listed} - {""}
    return "|".join(map(re.escape, sorted(folded, key=len, reverse=True))).replace(r"\ ", " ")


_JOINTS: Final = "and or but und oder aber et ou mais y e o u pero ma mas en maar"

_BETWEEN: Final = """
then also only not never always no dann auch nicht puis ne lui le la les luego también se poi anche
não também
"""
"""What may stand between a joint and its verb."""

_VERBS: Final = """
says gives tells explains apologises apologizes confirms mentions is has does doesn't isn't asks
provides includes contains describes suggests recommends advises proposes refuses declines rejects
acknowledges admits avoids keeps remains stays refers directs cites summarises summarizes identifies
clarifies verifies warns invites encourages greets informs reminds repeats sends cancels escalates
follows makes takes expresses responds writes adds corrects waits lets tries can cannot will must
should never

sagt nennt bietet erklärt bestätigt erwähnt fragt gibt ist hat verweist entschuldigt bittet
verspricht schlägt bleibt enthält lehnt weist warnt dankt begrüßt

propose indique dit explique confirme mentionne donne demande est présente rappelle remercie refuse
contient renvoie précise excuse

ofrece dice indica explica confirma menciona da pide es informa propone agradece rechaza contiene
está saluda

offre chiede spiega conferma menziona ringrazia contiene è

oferece diz pede contém é

biedt zegt noemt vraagt geeft bevestigt legt verwijst heeft
"""

_NOUNS_TOO: Final = """
offers states names lists requests calls quotes reports notes links claims checks promises answers
orders updates plans results refunds books returns transfers shows uses ends points wishes needs
thanks sets closes opens leaves reads
"""
"""Verbs only before a word that follows a verb: in `discounts and offers` there is none."""

_AFTER_VERB: Final = """
a an the to why how what that whether it them him her their its his for in no any another if when
where with all each some at this these one us
"""

_BASE_VERBS: Final = """
apologise apologize offer explain say state mention give ask confirm tell name list provide include
describe suggest recommend refuse decline refer direct cite warn invite thank greet inform remind
show use avoid keep stay remain answer check call promise acknowledge admit identify verify propose
cancel book refund be
"""

_LISTING: Final = """
mentions states gives names lists includes contains tells provides quotes cites confirms shows
explains describes asks requests offers identifies
"""

_QUALITIES: Final = """
polite friendly professional concise clear short brief accurate correct complete helpful warm calm
honest relevant simple formal informal empathetic respectful courteous kind apologetic factual
consistent neutral patient specific detailed truthful precise natural fluent grammatical readable
understandable thorough direct reassuring firm logical coherent actionable informative cheerful

höflich freundlich kurz klar knapp sachlich vollständig richtig korrekt verständlich hilfreich
ehrlich ruhig professionell

poli polie clair claire concis court courte amical amicale professionnel professionnelle correcte
complet complète utile honnête précis précise aimable exact exacte

cortés amable claro clara conciso concisa breve corto corta profesional correcto correcta completo
completa útil honesto honesta preciso precisa educado educada

cortese chiaro chiara professionale corretto corretta gentile profissional correto correta gentil

beleefd duidelijk vriendelijk volledig juist professioneel
"""

_ARTICLE: Final = r"(?:the|an?|its|their|his|her)\s+"
_NOUN: Final = r"(?:(?!(?:to|that)\b)[\w'-]+\s+){0,3}?[\w'-]+"
_QUALITY: Final = rf"(?:{_any(_QUALITIES)})(?:e|en|er|es|em)?\b"
_APOSTROPHE: Final = r"['\u2019]"

IDIOMS: Final = re.compile(
    r"\b(?:"
    + _any("""
    terms and conditions, bed and breakfast, pros and cons, black and white, safe and sound,
    up and running, back and forth, checks and balances, profit and loss, research and development,
    supply and demand, bid and offer, please and thank you, again and again, more and more,
    over and over, first and foremost, now and then, lost and found, health and safety,
    question and answer, questions and answers, wear and tear, above and beyond, tried and tested,
    short and sweet, loud and clear, and so on, and the like, more or less, sooner or later,
    whether or not, yes or no, klipp und klar, kurz und bündig, hin und wieder
    """)
    + r")\b",
    re.IGNORECASE,
)
"""Two words that are one thing."""

BOTH: Final = re.compile(
    r"\b(?:"
    + _any("""
    and/or, und/oder, et/ou, y/o, while also, and also, and additionally, and in addition,
    and at the same time
    """)
    + r")\b|并且|而且|かつ|そして",
    re.IGNORECASE,
)
"""What joins two questions whatever stands around it."""

SECOND_VERB: Final = re.compile(
    rf"(?:[\s,](?P<joint>{_any(_JOINTS)})|,\s+then)\s+"
    rf"(?:(?:{_any(_BETWEEN)}|[a-z]+ly)\s+|[nsl]{_APOSTROPHE}){{0,2}}"
    rf"(?:(?:{_any(_VERBS)})\b|(?:{_any(_NOUNS_TOO)})\s+(?:{_any(_AFTER_VERB)})\b)",
    re.IGNORECASE,
)
"""A second verb, of the same subject."""

SECOND_CLAUSE: Final = re.compile(
    r"[\s,](?P<joint>and|but)\s+"
    rf"(?:it|he|she|they|(?:the|its|their|his|her|no|all|every|each|this)\s+{_NOUN})\s+"
    rf"(?:are|was|were|have|do|costs|comes|goes|gets|lasts|{_any(_VERBS)})\b",
    re.IGNORECASE,
)
"""A second clause, with a subject of its own."""

SECOND_BASE_VERB: Final = re.compile(
    r"\s(?P<joint>and|or)\s+(?:(?:[a-z]+ly|also|then)\s+)?"
    rf"(?:{_any(_BASE_VERBS)})\s+(?:{_any(_AFTER_VERB)})\b",
    re.IGNORECASE,
)
"""A second verb in a question, or after should and must: `ASKED` tells whether it is one."""

ASKED: Final = re.compile(
    r"(?!.*\b(?:that|who|to|not)\b).*\b(?:does|do|did|should|must|can|could|will|would)\b",
    re.IGNORECASE,
)
"""A question, or what should be, up to its second verb."""

TWO_OBJECTS: Final = re.compile(
    rf"\b(?:{_any(_LISTING)})\s+"
    r"(?:for\s+|(?:the\s+)?(?:guest|user|customer|caller|reader)\s+)?(?:both\s+)?"
    rf"{_ARTICLE}{_NOUN},?\s+(?:{_ARTICLE}{_NOUN},?\s+){{0,6}}"
    rf"(?:and|as well as|plus|along with)\s+{_ARTICLE}",
    re.IGNORECASE,
)
"""Two things that are named, each with its article."""

TWO_QUALITIES: Final = re.compile(
    rf"\b{_QUALITY},?\s+(?:and|but|yet|und|aber|et|mais|y|e|pero|ma|mas|en)\s+"
    rf"(?:(?:[a-z]+ly|very|sehr|très|muy)\s+)?{_QUALITY}",
    re.IGNORECASE,
)
"""Two qualities of one answer."""

CONDITION: Final = re.compile(
    r"\b(?:"
    + _any("""
    if when whenever who whom which whose where unless because while whether after before until once
    what how why between either wenn falls ob weil als wer quand cuando quien quando qui
    """)
    + r")\b[^,]*$",
    re.IGNORECASE,
)
"""A clause in which `and` joins parts of one circumstance, to the end of the text."""

NEGATION: Final = re.compile(
    r"\b(?:"
    + _any("""
    not never no without neither nor nothing avoid avoids refuse refuses nicht nie kein keine keinen
    ohne pas jamais sans nunca sin non mai não sem niet geen
    """)
    + rf")\b|n{_APOSTROPHE}t\b",
    re.IGNORECASE,
)
"""What makes `or` forbid both, which is one question."""
