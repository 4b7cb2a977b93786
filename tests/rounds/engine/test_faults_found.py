"""What went wrong once, each told by itself."""

from __future__ import annotations

import pytest

from croupier.cards import DECK
from croupier.errors import BadCards
from croupier.rounds.actions import dealer_actions, floor_actions, legal_actions
from croupier.rounds.commands import (
    LeaveRound,
    OpenBetting,
    RevealCards,
    RuleAbandoned,
    Settle,
    TakeBack,
    ValidateProgressive,
    VoidRound,
)
from croupier.rounds.deciding import decide
from croupier.rounds.state import OPENING
from croupier.rounds.views import Viewer, view
from tests.tables.accidents import Live
from tests.tables.seated import DEALER, FLOOR, NAMES, Sitting, game


def test_a_wager_named_twice_is_taken_back_once() -> None:
    """The player got the amount as often as it was named, out of the other wagers."""
    table = Sitting("md-uth", 1)
    table.open()
    table.bet(1, trips=5)
    rack = table.rack(1)
    table.do(TakeBack(1, "ann", ("trips", "trips", "trips")))
    assert table.rack(1) == rack + 500
    assert table.table.money["layout:1"] == 2000


def test_a_deck_with_a_card_too_many_is_refused() -> None:
    """Only different cards were counted, so one could be dealt twice."""
    rules = game("md-uth").rules
    for deck in (DECK[:51], (*DECK, DECK[0]), (DECK[0], *DECK[:51])):
        with pytest.raises(BadCards) as refusal:
            decide(OPENING, OpenBetting(1, "virtual", deck=deck), rules)
        assert refusal.value.clause == rules.book.decks_clause


def test_no_wager_is_offered_at_a_seat_that_is_not_there() -> None:
    table = Sitting("md-uth", 1)
    table.open()
    for seat in (-1, 0, 7):
        assert legal_actions(table.round, table.rules, seat, "ann") == ()


def test_a_void_round_holds_no_wagers_to_rule_on() -> None:
    table = Sitting("md-uth", 1, 3)
    table.open()
    table.bet(1)
    table.bet(3)
    table.deal()
    table.do(LeaveRound(1, "ann"), DEALER)
    table.do(VoidRound("a misdeal"), FLOOR)
    assert floor_actions(table.round, table.rules) == ()
    assert table.refused(RuleAbandoned(1), FLOOR).code == "not_now"


def test_a_live_dealer_is_told_to_enter_cards_before_he_settles() -> None:
    """`settle` was listed though it was refused."""
    table = Sitting("md-235", 1, source="live")
    table.open()
    table.bet(1)
    table.deal()
    table.say(1, "check")
    table.do(RevealCards())
    table.say(1, "check")
    table.do(RevealCards(DECK[:2]))
    assert dealer_actions(table.round, table.rules) == ("enter_cards",)


STAFF_AND_OTHERS = [
    *(Viewer("dealer"), Viewer("floorperson"), Viewer("player", "bob"), Viewer("player", "")),
    Viewer("player", "a stranger"),
]


@pytest.mark.parametrize("book", ["md-uth", "ma-uth", "md-jackpot", "md-wpt"])
@pytest.mark.parametrize("viewer", STAFF_AND_OTHERS, ids=str)
def test_the_hand_of_a_player_who_left_undecided_stays_face_down(book: str, viewer: Viewer) -> None:
    """It was turned up with the others, though leaving is a fold."""
    table = Sitting(book, 1, 2)
    table.open({1: "7h 2d", 2: "Kc Kh"}, dealer="8c 9s", board="2c 3s Th Jc 4d")
    table.bet(1)
    table.bet(2)
    table.deal()
    table.do(LeaveRound(1, NAMES[0]))
    table.go()
    bet = next(x for x in legal_actions(table.round, table.rules, 2, NAMES[1]) if x.cents)
    table.say(2, bet.action)
    table.go()
    table.settle()
    gone, stayed = view(table.round, viewer, table.rules).seats
    assert (set(gone.cards), gone.hand) == ({None}, "")
    assert stayed.cards == table.seat(2).cards
    own, _ = view(table.round, Viewer("player", NAMES[0]), table.rules).seats
    assert own.cards == table.seat(1).cards
    everything, _ = view(table.round, Viewer("surveillance"), table.rules).seats
    assert everything.cards == table.seat(1).cards


def test_where_nobody_folds_the_hand_of_a_player_who_left_is_turned_up_and_settled() -> None:
    table = Sitting("md-235", 1, 2)
    table.open()
    table.bet(1)
    table.bet(2)
    table.deal()
    table.do(LeaveRound(1, NAMES[0]))
    table.play_out()
    gone, _ = view(table.round, Viewer("dealer"), table.rules).seats
    assert gone.cards == table.seat(1).cards


def test_a_void_hand_is_not_turned_up() -> None:
    """It was, with the hands that are compared."""
    table = Live("ma-uth", 1, 2)
    table.open()
    table.bet(1)
    table.bet(2)
    table.deal()
    table.enter(1, "7h 2d")
    table.happens("wrong_count", seat=1)
    table.play_out()
    void, _ = view(table.round, Viewer("floorperson"), table.rules).seats
    assert (set(void.cards), void.hand) == ({None}, "")


def test_a_floorperson_sees_the_folded_hand_whose_progressive_he_validates() -> None:
    """It lay face down until it was paid, so nobody could have looked at it."""
    table = Sitting("md-uth", 1)
    table.open({1: "2h 2d"}, dealer="8c 9s", board="2c 2s Th Jc 4d")
    table.bet(1, progressive=1)
    table.deal()
    for said in ("check", "check", "fold"):
        table.say(1, said)
        table.go()
    (hidden,) = view(table.round, Viewer("floorperson"), table.rules).seats
    assert set(hidden.cards) == {None}
    table.do(Settle())
    assert table.round.claim is not None
    (seen,) = view(table.round, Viewer("floorperson"), table.rules).seats
    assert seen.cards == table.seat(1).cards
    table.do(ValidateProgressive(1), FLOOR)
    assert table.line(1, "progressive").result == "win"
