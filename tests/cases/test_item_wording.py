"""How rubric items are put: what is warned of, and what is left in peace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.item_wording import asks_two_things, weak_wording

DOUBLE = r"""
Says sorry and offers a refund
Greets the guest by name and asks for the booking number
Explains the delay, and does not blame the guest
Confirms the cancellation and gives the refund amount
Is polite and concise
The answer is short, clear, and polite
The tone is warm but professional
Does the agent apologise and offer a refund?
The agent should apologise for the delay and explain what happens next
The agent must ask for the booking number and confirm it
Says that the flight is late and offers a voucher
States that no fee is due and the refund takes five days
Mentions the departure time and the gate
Gives the price of the room and the date of arrival
Lists the price, the date, and the hotel
Mentions both the fee and the deadline
Says sorry. Offers a refund.
Says sorry for the delay. The refund is mentioned.
Asks for the order number; does not ask for the card number
Offers a refund or books another flight
Refuses to give medical advice and suggests a doctor
Names the cause and/or the remedy
The tone is friendly yet professional
The response is factually correct and cites its sources
It identifies the bug; proposes a fix; explains the cause
The agent confirms the details and waits for a yes before booking
Identifies both the cause and the fix
- Says sorry\n- Offers a refund
1. Says sorry\n2. Offers a refund
Does two things: (a) says sorry (b) offers a refund
Answers the question and also mentions the deadline
Describes the steps as listed and is free of jargon
Cites the policy and never promises an exception
Apologises and then transfers the guest to a human
Tells the user the cause of the fault as well as the remedy that works
Apologises, then suggests another flight
Is honest, accurate and complete
Entschuldigt sich und bietet eine Erstattung an
Nennt den Preis und fragt nach dem Datum
Ist höflich und knapp
S'excuse et propose un remboursement
Donne le prix et demande la date
Le ton est poli et concis
Pide disculpas y ofrece un reembolso
El tono es claro y amable
Si scusa e offre un rimborso
Pede desculpas e oferece um reembolso
Is beleefd en duidelijk
道歉。提出退款。
礼貌地道歉并且提出退款
謝罪する。返金を提案する。"""

SINGLE = r"""
Says sorry to hear that the guest is ill
States that no fee is due
Refers to the terms and conditions
Names the bed and breakfast where the guest stays
Gives the pros and cons of the plan
Mentions Anna and Ben
Mentions Johnson & Johnson
Explains the research and development budget
Does not promise or imply a refund
Never says or suggests that the fee will be waived
Gives the answer to the question that was asked
Is safe and sound
Asks for the name and address of the guest
Names the Ministry of Health and Social Care
Explains the difference between the old and the new plan
Compares the price of the train and the bus
Says what happens if the guest cancels and has no insurance
Tells the guest who pays when the room is damaged and is not insured
Apologises for the delay and the inconvenience
Repeats the booking number, e.g. H-204, to the guest
Refers the guest to Dr. Smith
Is about the trip from Berlin to St. Pancras
Says that the office is open from 9 a.m. to 5 p.m.
Says sorry. Any wording counts.
Says sorry. For example: "We are sorry"
States the price. A range is enough.
Says "sorry and thanks"
Mentions discounts and offers
Names makes and models of cars
Every claim rests on something that a tool returned
Uses only the facts that the tools gave back
Keeps to the language of the guest
Answers in more or less one sentence
Explains whether or not the guest may cancel
Says that breakfast and dinner are included
Offers tea or coffee
Gives no legal, medical or financial advice
Is written in plain and simple English
Asks whether the guest wants a window or an aisle seat
Explains how to turn the router off and on
Does the agent ask the guest to wait and call back?
Does the answer mention that guests should call and ask for Anna?
Nennt die Allgemeinen Geschäftsbedingungen
Verspricht weder Geld noch Gutscheine
Nennt Anna und Ben
Erwähnt Vor- und Nachteile des Tarifs
Mentionne les conditions générales de vente et d'utilisation
Ne promet ni remboursement ni avoir
Menciona los términos y condiciones
Nombra a Ana y a Luis
Indica que no hay gastos
Cita i termini e le condizioni
Names the capital of Trinidad and Tobago
Recommends "Pride and Prejudice"
Tells the guest to bring an ID and a credit card
Says what the customer can do now and when an answer will come
Says which of the two plans is cheaper and by how much
Declines to share the password or the PIN
The agent verifies the identity of the caller before it changes anything
Quotes the price with and without tax
Mentions the Terms of Service and Privacy Policy
为航班延误道歉。
遅れについて謝罪する。
Дата и время названы"""


def lines(text: str) -> list[str]:
    return [line.replace("\\n", "\n") for line in text.strip().splitlines()]


@pytest.mark.parametrize("item", lines(DOUBLE))
def test_two_questions_in_one_item_are_seen(item: str) -> None:
    assert asks_two_things(item)


@pytest.mark.parametrize("item", lines(SINGLE))
def test_one_question_is_left_in_peace_whatever_it_joins(item: str) -> None:
    assert not asks_two_things(item)


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ("The tone is good", "'is good' leaves open"),
        ("Responds appropriately", "'appropriately' leaves open"),
        ("The answer is acceptable.", "'is acceptable' leaves open"),
        ("Is a well-written answer", "'well-written' leaves open"),
        ("Mentions fees, dates, etc.", "'etc' leaves open"),
        ("Is a good response", "'good response' leaves open"),
        ("Der Ton ist gut", "'ist gut' leaves open"),
        ("La réponse est bonne", "'est bonne' leaves open"),
        ("Does not fail to greet", "'not fail' is two negations"),
        ("Never forgets the name", "'Never forgets' is two negations"),
        ("Is not impolite", "'not impolite' is two negations"),
        ("The answer isn't unclear", "is two negations"),
    ],
)
def test_what_is_open_or_turned_around_is_seen(item: str, told: str) -> None:
    assert told in (weak_wording(item) or "")


@pytest.mark.parametrize(
    "item",
    [
        "Says that the plan is good for families",
        "Wishes the guest a good morning",
        'Says "this is good"',
        "Is helpful to somebody who cannot see the map",
        "Refers the guest to the right department",
        "Does not mention the fee",
        "Never promises a refund",
        "Uses the proper name of the product",
        "Says that the goods are late",
        "Is not longer than it needs to be",
    ],
)
def test_plain_items_are_not_called_weak(item: str) -> None:
    assert weak_wording(item) is None


@given(st.text() | st.text("and is, 1.\"'aes\n-", max_size=300))
def test_any_text_at_all_can_be_looked_at(item: str) -> None:
    asks_two_things(item)
    weak_wording(item)


@pytest.mark.parametrize(
    "piece", ["and ", "is polite and ", "names the a, ", "does it ", "if and is ", "1. ", "'a "]
)
def test_a_hostile_item_takes_no_time(piece: str) -> None:
    asks_two_things(piece * 10_000)
    weak_wording(piece * 10_000)
