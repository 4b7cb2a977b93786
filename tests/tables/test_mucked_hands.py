"""Folded hands at a live table: what the document has mucked at once is never entered."""

from __future__ import annotations

import pytest

from croupier.rounds.card_entry import missing_cards
from croupier.rounds.commands import Collect, EnterCards, Settle
from croupier.runtime.dealer import dealer_command
from tests.tables.accidents import Live
from tests.tables.live import live_command
from tests.tables.seated import SOME_DECK

FOLD = {
    "md-uth": ("check", "check", "fold"),
    "ma-uth": ("check", "check", "fold"),
    "md-jackpot": ("check", "check", "fold"),
    "md-wpt": ("check", "check", "fold"),
}
KEPT = [
    # MD-09: Trips and a Six Card Bonus; MD-10: the others are not collected with the fold.
    ("md-uth", "trips", {}),
    ("md-uth", "progressive", {}),
    ("md-uth", "ultimate_pairs", {}),
    ("md-uth", "six_card_bonus", {"trips": 5}),
    ("ma-uth", "trips", {}),
    ("ma-uth", "progressive", {}),
    # A14: either of the two keeps the cards.
    ("md-jackpot", "player_bonus", {}),
    ("md-jackpot", "progressive", {}),
    # B18: any side wager does.
    ("md-wpt", "trips_plus", {}),
    ("md-wpt", "pocket_bonus", {}),
    ("md-wpt", "progressive", {}),
]


def _folded(book: str, **sides: int) -> Live:
    """Seat 1 folds, seat 3 does not; the dealer's cards are shown."""
    way = "automated_shoe" if {"six_card_bonus", "cover_all"} & sides.keys() else "manual_shoe"
    table = Live(book, 1, 3, dealing=way)
    table.open()
    stakes = {
        name: table.rules.stakes.get(name, (cents * 100,))[0] for name, cents in sides.items()
    }
    table.do(table.bets(1, "", **{name: cents // 100 for name, cents in stakes.items()}))
    table.do(table.bets(3, ""))
    table.deal()
    table.go()
    for said in FOLD[book]:
        table.say(1, said)
        if said == "check":
            if table.round.turn == 3:
                table.say(3, "check")
        elif table.round.turn == 3:
            table.say(3, "1x")
        table.go()
    return table


def _enter_all(table: Live) -> list[int]:
    entered = []
    while missing_cards(table.round, table.rules):
        command = live_command("enter_cards", table.round, table.rules, SOME_DECK)
        if isinstance(command, EnterCards) and command.place == "player":
            entered.append(command.seat)
        table.do(command)
    return entered


@pytest.mark.parametrize("book", FOLD)
def test_a_folded_hand_without_a_live_wager_is_never_entered(book: str) -> None:
    table = _folded(book)
    assert missing_cards(table.round, table.rules) == ["seat 3"]
    assert _enter_all(table) == [3]
    assert isinstance(dealer_command(table.table, table.rules, every_seat=True), Settle)
    table.do(Settle(every=True))
    seat = table.seat(1)
    assert seat.hand == ""
    assert seat.holds == {}
    assert {line.result for line in seat.lines} == {"lose"}
    assert {line.reason.code for line in seat.lines} == {"folded"}
    table.do(Collect())


@pytest.mark.parametrize(("book", "side", "more"), KEPT)
def test_a_folded_hand_that_a_wager_looks_at_is_entered(
    book: str, side: str, more: dict[str, int]
) -> None:
    table = _folded(book, **more, **{side: 5})
    assert "seat 1" in missing_cards(table.round, table.rules)
    refused = table.refused(Settle(every=True))
    assert refused.code == "cards_missing"
    assert 1 in _enter_all(table)
    table.do(Settle(every=True))
    assert side in table.results(1) or table.round.claim is not None


def test_12_e_a_live_cover_all_counts_every_hand_dealt() -> None:
    """MA-25: somebody else's Cover All keeps the cards of a player who folds."""
    table = _folded("ma-uth", cover_all=5)
    assert missing_cards(table.round, table.rules)[:2] == ["seat 1", "seat 3"]
