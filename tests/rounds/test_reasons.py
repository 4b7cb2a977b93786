"""The reason told for a line of the journal is the one for which the settlement ruled as it did."""

from __future__ import annotations

import json
import random
import re

import pytest

from croupier.rounds.completed import RoundRequest, read_request
from croupier.rounds.desk import Desk
from croupier.rounds.finishing import record_of
from croupier.rounds.reasons import Seen, sentence, why
from croupier.rounds.settlement import SettledLine
from croupier.rulebooks.clauses import DOCUMENTS
from tests.oracle.rounds import random_request

REASONS = {
    "folded": "the player folded",
    "beat_dealer": "the player (beat the dealer|won with {words}|won with less than .*)",
    "lost_to_dealer": "the dealer has the higher hand|the player lost with {words}",
    "tied_dealer": "the player tied the dealer",
    "dealer_did_not_qualify": "the dealer does not qualify",
    "hand_paid": "{words}",
    "hand_not_paid": "(it needs|the least it pays for is) .*|the best hand .* is not paid",
    "hand_returned": "the (hand|best hand at the table) is not paid but does not lose",
    "beaten_hand_paid": "{words} was beaten",
    "nothing_beaten": "no hand of at least .* was beaten",
    "highest_paid": "the best hand at the table is {words}",
    "all_won": ".* and .* all won",
    "not_all_won": ".* and .* did not all win",
    "followed": "it goes with .*",
    "envy": "another player holds a hand that it pays for",
}


def _expected(line: SettledLine) -> str:
    """Hands of several lines that share a clause are told together."""
    words = "" if line.line is None else f"(.* or )?{re.escape(line.line.words)}( or .*)?"
    return REASONS[line.because].replace("{words}", words)


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_the_reason_is_the_settlements_own(rulebook: str) -> None:
    chance, desk = random.Random(f"reasons {rulebook}"), Desk()
    met = set()
    for _ in range(120):
        request = random_request(chance, rulebook)
        _, rules, settlement = desk.settle(read_request(json.dumps(request), RoundRequest))
        dealer = settlement.dealer
        for seat in settlement.seats:
            for line in seat.lines:
                seen = Seen(seat.folded, dealer is None or dealer.qualifies, len(settlement.seats))
                told = why(record_of(line), rules, seen)
                assert re.fullmatch(_expected(line), told), (told, line, json.dumps(request))
                met.add(line.because)
    assert len(met) >= 4, "chance has brought many of the reasons about"


ROUND = """{
  "rulebook": "md-uth", "submission": {"paytables": {"trips": "A"}}, "meters": {},
  "community": "9h 9d 9c 4s 2h", "dealer": "%s %s",
  "seats": [{"seat": 1, "player": "ann", "cards": "%s %s",
    "wagers": {"ante": "5.00", "blind": "5.00", "trips": "5.00"}, "actions": ["4x"]}]
}"""


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (
            ("Kd", "3c", "As", "Qd"),
            [
                "Ante pays 1 to 1: the player beat the dealer.",
                "Blind pushes: the player won with less than a straight.",
                "Play pays 1 to 1: the player beat the dealer.",
                "Trips pays 3 to 1 for three of a kind.",
            ],
        ),
        (
            ("As", "Qd", "Kd", "3c"),
            [
                "Ante loses: the dealer has the higher hand.",
                "Blind loses: the dealer has the higher hand.",
                "Play loses: the dealer has the higher hand.",
                "Trips pays 3 to 1 for three of a kind.",
            ],
        ),
        (
            ("Ks", "Jd", "Kd", "Jc"),
            [
                "Ante pushes: the player tied the dealer.",
                "Blind pushes: the player tied the dealer.",
                "Play pushes: the player tied the dealer.",
                "Trips pays 3 to 1 for three of a kind.",
            ],
        ),
        (
            ("Ks", "Jd", "9s", "Jc"),
            [
                "Ante pays 1 to 1: the player beat the dealer.",
                "Blind pays 10 to 1: the player won with four of a kind.",
                "Play pays 1 to 1: the player beat the dealer.",
                "Trips pays 30 to 1 for four of a kind.",
            ],
        ),
    ],
)
def test_each_wager_in_a_plain_sentence(cards: tuple[str, ...], told: list[str]) -> None:
    request = read_request(ROUND % cards, RoundRequest)
    _, rules, settlement = Desk().settle(request)
    (seat,) = settlement.seats
    assert settlement.dealer is not None
    seen = Seen(False, settlement.dealer.qualifies, 1)
    found = {line.wager: sentence(record_of(line), rules, seen) for line in seat.lines}
    assert [found[name] for name in ("ante", "blind", "play", "trips")] == told


def test_a_dealer_who_does_not_qualify_gives_the_ante_back() -> None:
    request = json.loads(ROUND % ("Ks", "Jd", "As", "Qd"))
    request["community"] = "2h 4d 7c 9s Th"
    _, rules, settlement = Desk().settle(read_request(json.dumps(request), RoundRequest))
    (seat,) = settlement.seats
    told = [sentence(record_of(line), rules, Seen(False, False, 1)) for line in seat.lines]
    assert "Ante pushes: the dealer does not qualify." in told
    assert "Trips loses: it needs three of a kind or better." in told
