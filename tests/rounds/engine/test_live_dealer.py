"""A dealer who enters or scans real cards, under the same rules and checks as a sealed deck."""

from __future__ import annotations

from typing import Any, cast

import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.errors import CroupierError
from croupier.rounds import commands as cmd
from croupier.rounds.card_entry import missing_down_to, next_to_settle
from croupier.rounds.commands import (
    Collect,
    EnterCards,
    RevealCards,
    Settle,
    ShowDealer,
    ValidateProgressive,
    VoidRound,
)
from croupier.rounds.state import Round
from croupier.rulebooks.bundled import GAMES as BUNDLED_GAMES
from croupier.tables.payouts import foreseen
from tests.rounds.engine.walking import Walk
from tests.rounds.small_games import GAMES as SMALL_GAMES
from tests.tables.seated import BOOKS, DEALER, FLOOR, Game, Sitting, every_way

GAMES = [game for book in (*BOOKS, *SMALL_GAMES, *BUNDLED_GAMES) for game in every_way(book)]
IDS = [repr(game).replace(" ", "-") for game in GAMES]


def lines(state: Round) -> dict[int, Any]:
    return {seat.number: seat.lines for seat in state.seats}


def played(game: Game, source: str, seed: int, scans: str) -> Walk:
    """A round with three players who bet at the first question they can."""
    walk = Walk(game, source, seed)
    walk.must(walk.dealer_does("open_betting"))
    wagers = dict.fromkeys(walk.rules.required, 1000)
    for name in walk.rules.offered:
        wagers[name] = walk.rules.stakes.get(name, (500,))[0]
    for seat, player in ((2, "ben"), (3, "cat"), (4, "dan")):
        walk.must(cmd.PlaceWagers(seat, player, wagers))
    walk.must(cmd.CloseBets())
    if not walk.state.counted:
        walk.must(walk.dealer_does("count_chips"))
    walk.must(cmd.Deal())
    if scans == "as dealt" and source == "live":
        while walk.entries():
            walk.must(walk.entries()[0])
    if scans == "seat by seat" and source == "live":
        _settle_seat_by_seat(walk)
    walk.finish()
    return walk


def _settle_seat_by_seat(walk: Walk) -> None:
    """A hand is entered when it is turned up, and settled before the next one is."""
    while walk.state.phase != "collecting":
        if walk.state.phase != "settling" or walk.state.claim is not None:
            walk.must(walk.next_command())
            continue
        _, down_to = next_to_settle(walk.state, walk.rules)
        missing = missing_down_to(walk.state, walk.rules, down_to)
        if missing:
            place = missing[-1][:2]
            (entry,) = [one for one in walk.entries() if (one.place, one.seat) == place]
            walk.must(entry)
        else:
            walk.must(Settle(seat=down_to))


@pytest.mark.parametrize("scans", ["as dealt", "as exposed", "seat by seat"])
@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_a_live_round_is_settled_like_the_virtual_one_with_the_same_cards(
    game: Game, scans: str
) -> None:
    """Scanned when dealt, entered when turned up, or entered and settled seat by seat: the same
    lines, hands and meters."""
    for seed in (3, 8):
        virtual, live = (played(game, source, seed, scans) for source in ("virtual", "live"))
        assert live.state.phase == virtual.state.phase == "over"
        assert lines(live.state) == lines(virtual.state)
        assert live.state.dealer == virtual.state.dealer
        assert live.state.community == virtual.state.community
        assert live.meters == virtual.meters


def table() -> Sitting:
    """Md-uth from the hand, two players, the first two cards out; Ann has bet trips."""
    sitting = Sitting(
        "md-uth",
        1,
        3,
        source="live",
        options={"dealing": "hand", "shuffler": True},
        offered=["trips"],
    )
    sitting.open()
    sitting.bet(1, trips=5)
    sitting.bet(3)
    sitting.deal()
    return sitting


def refused(sitting: Sitting, command: Any) -> tuple[str, str | None]:
    error: CroupierError = sitting.refused(command)
    return error.code, error.clause


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


def test_a_card_seen_twice_is_refused_with_the_clause() -> None:
    live = table()
    live.do(EnterCards("player", cards("Ah Kd"), 1))
    twice = ("bad_cards", live.rules.book.decks_clause)
    assert refused(live, EnterCards("player", cards("Ah 2c"), 3)) == twice
    assert refused(live, EnterCards("player", (DECK[0], DECK[0]), 3)) == twice
    assert refused(live, EnterCards("dealer", cards("Kd 2c"))) == twice
    assert refused(live, EnterCards("burn", cards("Ah"))) == twice
    live.say(1, "check")
    live.say(3, "check")
    assert refused(live, RevealCards(cards("2c 3c Ah"))) == twice
    live.do(EnterCards("burn", cards("9s")))
    assert refused(live, RevealCards(cards("2c 3c 9s"))) == twice
    live.do(RevealCards(cards("2c 3c 4c")))
    assert refused(live, EnterCards("player", cards("2c 5h"), 3)) == twice


def test_a_wrong_count_is_refused_with_the_clause() -> None:
    live = table()
    wrong = ("bad_cards", live.rules.book.cards.clause)
    for hand in ("", "Ah", "Ah Kd 2c"):
        assert refused(live, EnterCards("player", cards(hand), 1)) == wrong
    assert refused(live, EnterCards("dealer", cards("Ah"))) == wrong
    assert refused(live, EnterCards("community", cards("2c 3c 4c 5c 6c 7c"))) == wrong
    live.do(EnterCards("player", cards("Ah Kd"), 1))
    assert refused(live, EnterCards("player", cards("2h 2d"), 1)) == wrong, "entered already"
    live.say(1, "check")
    live.say(3, "check")
    for board in ("", "2c 3c", "2c 3c 4c 5c"):
        assert refused(live, RevealCards(cards(board))) == ("bad_cards", "11.C(2)")
    live.do(RevealCards(cards("2c 3c 4c")))
    live.say(1, "check")
    live.say(3, "check")
    for board in ("5c", "5c 6c 7c"):
        assert refused(live, RevealCards(cards(board))) == ("bad_cards", "11.E(2)")


def test_missing_cards_stop_the_settlement_with_the_clause() -> None:
    live = table()
    live.say(1, "4x")
    live.say(3, "4x")
    live.do(RevealCards(cards("2c 3c 4c")))
    live.do(RevealCards(cards("5d 6d")))
    assert refused(live, ShowDealer()) == ("bad_cards", live.rules.book.cards.clause)
    live.do(ShowDealer(cards("9c 9d")))
    missing = ("cards_missing", live.rules.book.cards.clause)
    assert refused(live, Settle()) == missing
    live.do(EnterCards("player", cards("Ah Kd"), 1))
    error = live.refused(Settle())
    assert "seat 3" in str(error)
    assert "seat 1" not in str(error)
    live.do(EnterCards("player", cards("Qh Kc"), 3))
    assert live.settle() == [3, 1]
    live.do(Collect())


def test_11_H_2_d_a_seat_is_settled_before_the_next_hand_is_turned_up() -> None:
    live = table()
    live.say(1, "4x")
    live.say(3, "4x")
    live.do(RevealCards(cards("2c 3c 4c")))
    live.do(RevealCards(cards("5d 6d")))
    live.do(ShowDealer(cards("9c 9d")))
    assert refused(live, Settle(seat=3)) == ("cards_missing", live.rules.book.cards.clause)
    live.do(EnterCards("player", cards("Qh Kc"), 3))
    coming = foreseen(live.round, live.rules, {})
    assert coming is not None
    assert refused(live, Settle(seat=2)) == ("nothing_there", "11.H(2)(d)")
    assert refused(live, Settle(seat=1))[0] == "cards_missing"
    live.do(Settle(seat=3))
    assert [seat.settled for seat in live.round.seats] == [False, True]
    paid = live.round.seat(3)
    assert paid is not None
    assert (paid.lines, paid.hand) == (coming.lines, coming.hand), "what was shown is what is paid"
    assert foreseen(live.round, live.rules, {}) is None
    assert refused(live, cmd.ReplaceCards("player", cards("Qd Kc"), 3))[0] == "not_now"
    live.do(EnterCards("player", cards("Ah Kd"), 1))
    live.do(cmd.ReplaceCards("player", cards("As Kd"), 1))
    live.do(Settle(seat=1))
    assert live.round.phase == "collecting"


def test_a_board_scanned_before_it_is_turned_up_is_turned_up_without_naming_it() -> None:
    """It stopped the round for good once: more cards were known than were to be turned up."""
    live = table()
    live.do(EnterCards("community", cards("2c 3c 4c 5d 6d")))
    live.say(1, "check")
    live.say(3, "check")
    assert refused(live, RevealCards(cards("7s"))) == ("bad_cards", "11.C(2)")
    live.do(RevealCards())
    assert live.round.exposed == 3
    live.say(1, "check")
    live.say(3, "check")
    live.do(RevealCards())
    assert live.round.exposed == 5


def test_places_that_do_not_exist_are_refused() -> None:
    live = table()
    assert (
        refused(live, EnterCards(cast("cmd.CardPlace", "sleeve"), cards("2c")))[0] == "bad_request"
    )
    assert refused(live, EnterCards("player", cards("2c 3c"), 5))[0] == "bad_request"
    assert refused(live, EnterCards("player", cards("2c 3c"), 0))[0] == "bad_request"


def test_cards_are_entered_only_while_they_lie_on_the_table() -> None:
    live = Sitting("md-uth", 1, source="live")
    live.open()
    assert refused(live, EnterCards("dealer", cards("2c 3c")))[0] == "not_now"
    live.bet(1)
    assert refused(live, EnterCards("dealer", cards("2c 3c")))[0] == "not_now"


def test_nobody_names_cards_of_a_sealed_deck() -> None:
    virtual = Sitting("md-uth", 1)
    virtual.open()
    virtual.bet(1)
    virtual.deal()
    assert refused(virtual, EnterCards("player", cards("Ah Ad"), 1))[0] == "sealed_deck"
    virtual.say(1, "check")
    assert refused(virtual, RevealCards(cards("2c 3c 4c")))[0] == "sealed_deck"
    virtual.do(RevealCards())
    virtual.say(1, "2x")
    virtual.go()
    assert virtual.round.phase == "settling"


def test_a_live_round_with_a_hand_that_cannot_be_read_can_be_voided() -> None:
    live = table()
    rack = live.rack(1)
    staked = live.table.money["layout:1"]
    live.do(VoidRound("a card was exposed"), FLOOR)
    assert live.rack(1) == rack + staked
    assert live.round.phase == "over"


def test_a_progressive_of_a_live_round_is_validated_like_any_other() -> None:
    live = Sitting("md-uth", 1, source="live", options={"dealing": "manual_shoe"})
    live.open()
    live.bet(1, progressive=1)
    live.deal()
    live.say(1, "4x")
    live.do(RevealCards(cards("Qh Jh Th")))
    live.do(RevealCards(cards("5d 6d")))
    live.do(ShowDealer(cards("9c 9d")))
    live.do(EnterCards("player", cards("Ah Kh"), 1))
    live.do(Settle())
    assert live.refused(ValidateProgressive(1), DEALER).code == "wrong_role"
    live.do(ValidateProgressive(1), FLOOR)
    assert live.line(1, "progressive").from_meter == "main"
