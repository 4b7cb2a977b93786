"""The course of a round as the documents tell it, put to a table: one function for each rule that
several documents share. The tests in tests/rules name the document and its clause.
"""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import Card
from croupier.progressives import Contribute, LinkRefusal
from croupier.progressives import decide as decide_link
from croupier.rounds.actions import legal_actions
from croupier.rounds.commands import (
    Act,
    CloseBets,
    Collect,
    CountChips,
    Deal,
    LeaveRound,
    PlaceWagers,
    RefuseProgressive,
    RevealCards,
    RuleAbandoned,
    Settle,
    ShowDealer,
    TakeBack,
    ValidateProgressive,
)
from croupier.rounds.declaration import Actor
from croupier.rounds.events import (
    Acted,
    BetsClosed,
    CardsCollected,
    CardsDealt,
    ChipsCounted,
    DealerShown,
    PlayerLeft,
    ProgressivePaid,
    ProgressiveWon,
    Revealed,
    SeatSettled,
    WagerReturned,
)
from croupier.rounds.state import LineRecord
from croupier.rounds.views import RoundView, Viewer, view
from croupier.tables.commands import BuyIn, GiveUpSeat, TakeSeat
from tests.tables.seated import DEALER, FLOOR, NAMES, OPERATOR, Sitting, game

ROYAL: dict[str, dict[str, Any]] = {
    # A royal flush for seat 3 in the cards of the progressive, and a board that helps nobody else.
    "md-uth": {"hands": {1: "2c 7d", 3: "Ah Kh"}, "board": "Qh Jh Th 3c 4d", "dealer": "8c 9s"},
    "ma-uth": {"hands": {1: "2c 7d", 3: "Ah Kh"}, "board": "Qh Jh Th 3c 4d", "dealer": "8c 9s"},
    "md-jackpot": {"hands": {1: "2c 7d", 3: "Ah Kh"}, "board": "Qh Jh Th 3c 4d", "dealer": "8c 9s"},
    "md-wpt": {"hands": {1: "2c 7d", 3: "Ah Kh"}, "board": "Qh Jh Th 3c 4d", "dealer": "8c 9s"},
    "md-235": {"hands": {1: "2c 7d 9s", 3: "Ah Kh Qh"}, "board": "Jh Th"},
}


def sitting(rulebook: str, *seats: int, dealing: str = "", **told: Any) -> Sitting:
    if dealing:
        told["options"] = {"dealing": dealing} | told.get("options", {})
    return Sitting(rulebook, *seats, **told)


def seen(table: Sitting, audience: Any, player: str = "") -> RoundView:
    return view(table.round, Viewer(audience, player), table.rules)


def at_the_first_question(rulebook: str, *seats: int, **told: Any) -> Sitting:
    table = sitting(rulebook, *seats, **told)
    table.open()
    for seat in reversed(seats):
        table.bet(seat)
    table.deal()
    table.go()
    return table


# -- wagers ---------------------------------------------------------------------------------------


def bets_are_chips_on_spots(rulebook: str) -> None:
    """Chips move from the rack to the layout; cash in the pocket bets nothing, nor does a word."""
    table = sitting(rulebook, 1)
    table.do(TakeSeat("ben", 2))
    table.open()
    assert table.refused(table.bets(2)).code == "not_enough_money"
    assert table.round.seats == ()
    table.do(BuyIn("ben", 100_000))
    before = table.rack(2)
    table.bet(2)
    placed = sum(table.least().values())
    assert table.rack(2) == before - placed
    assert table.table.money["layout:2"] == placed
    unmarked = PlaceWagers(2, "ben", {"behind the line": 1000})
    assert table.refused(unmarked).code == "unknown_name"


def only_seated_players_bet(rulebook: str, clause: str) -> None:
    table = sitting(rulebook, 1)
    table.open()
    stranger = PlaceWagers(2, "zoe", table.least())
    for actor in (Actor("player", "zoe"), DEALER):
        refusal = table.refused(stranger, actor)
        assert (refusal.code, refusal.clause) == ("not_seated", clause)
    table.do(GiveUpSeat("ann", 1))
    assert table.refused(table.bets(1)).clause == clause


def stays_until_the_end(rulebook: str, clause: str) -> None:
    """With wagers in play the seat cannot be given up; when they are settled it can."""
    table = at_the_first_question(rulebook, 1, 3)
    for actor in (Actor("player", "ann"), DEALER, FLOOR):
        refusal = table.refused(GiveUpSeat("ann", 1), actor)
        assert (refusal.code, refusal.clause) == ("in_round", clause)
    table.play_out()
    table.do(GiveUpSeat("ann", 1), Actor("player", "ann"))
    assert 1 not in table.table.seats


def abandoned_wagers_are_a_floorpersons_ruling(rulebook: str, clause: str) -> None:
    table = at_the_first_question(rulebook, 1, 3)
    early = table.refused(RuleAbandoned(1), FLOOR)
    assert (early.code, early.clause) == ("not_now", clause)
    table.do(LeaveRound(1, "ann"), Actor("player", "ann"))
    assert table.round.turn == 3, "nobody waits for a player who has gone"
    assert table.refused(RuleAbandoned(1), DEALER).code == "wrong_role"
    assert table.refused(RuleAbandoned(1), Actor("player", "cat")).code == "wrong_role"
    assert table.refused(RuleAbandoned(3), FLOOR).code == "not_now", "Cat has not left"
    (ruled,) = table.do(RuleAbandoned(1), FLOOR)
    assert isinstance(ruled, PlayerLeft)
    assert ruled.abandoned
    assert ruled.clause == clause
    assert table.refused(RuleAbandoned(1), FLOOR).code == "not_now", "once is enough"
    rack = table.rack(1)
    table.play_out()
    assert table.rack(1) == rack
    assert {line.result for line in table.seat(1).lines} == {"lose"}
    assert {line.clause for line in table.seat(1).lines} == {clause}


def without_a_ruling_the_wagers_are_played(rulebook: str, said: str) -> None:
    """A player who has bet and then leaves keeps his action: it is settled like any other."""
    cards = {
        **ROYAL[rulebook],
        "hands": {1: ROYAL[rulebook]["hands"][3], 3: ROYAL[rulebook]["hands"][1]},
    }
    table = sitting(rulebook, 1, 3)
    table.open(**cards)
    table.bet(1)
    table.bet(3)
    table.deal()
    table.go()
    table.say(1, said)
    table.do(LeaveRound(1, "ann"), Actor("player", "ann"))
    rack = table.rack(1)
    table.play_out()
    assert table.rack(1) > rack, "a royal flush wins, though nobody sits behind it"


def the_play_wager_is_not_placed_before_the_deal(rulebook: str, wager: str) -> None:
    table = sitting(rulebook, 1)
    table.open()
    refusal = table.refused(PlaceWagers(1, "ann", table.least() | {wager: 1000}))
    assert refusal.code == "bad_request"
    assert table.rules.book.wagers[wager].title in str(refusal)


def nothing_changes_after_the_close(rulebook: str, clause: str) -> None:
    """No wager is made, raised, lowered or taken back from "no more bets" on."""
    table = sitting(rulebook, 1, 3, 5)
    table.open()
    table.bet(1, progressive=table.rules.stakes["progressive"][0] // 100)
    table.bet(3)
    table.bet(3)  # again, while the bets are open
    table.do(TakeBack(1, "ann", ("progressive",)))
    table.do(CloseBets())
    first = table.rules.required[0]
    late = (
        table.bets(5),
        PlaceWagers(1, "ann", {first: 2000}),
        PlaceWagers(1, "ann", {first: 500}),
        TakeBack(1, "ann"),
        TakeBack(3, "cat", (first,)),
    )
    for phase in ("closed", "deciding", "settling", "collecting"):
        for command in late:
            refusal = table.refused(command, Actor("player", command.player))
            assert (refusal.code, refusal.clause) == ("not_now", clause)
        if phase == "closed":
            table.do(Deal())
            table.go()
        elif phase == "deciding":
            while table.round.phase == "deciding":
                said = next(d for d in table.rules.book.decisions if d.name == table.asked())
                table.everyone(said.otherwise)
        elif phase == "settling":
            table.settle()


def required_wagers_stand_or_go_back(rulebook: str, clause: str) -> None:
    """Cards go only to those with all required wagers, in equal amounts; others get theirs back."""
    table = sitting(rulebook, 1, 3, 5)
    table.open()
    table.bet(1)
    first, *_, last = table.rules.required
    table.do(PlaceWagers(3, "cat", {first: 1000}))
    table.do(PlaceWagers(5, "eve", table.least() | {last: 1500}))
    events = table.do(CloseBets())
    returned = {event.seat: event for event in events if isinstance(event, WagerReturned)}
    assert set(returned) == {3, 5}
    assert {event.clause for event in returned.values()} == {clause}
    assert table.rack(3) == table.rack(5) == 1_000_000
    (dealt,) = table.do(Deal())
    assert isinstance(dealt, CardsDealt)
    assert list(dealt.seats) == [1]


# -- before the deal ------------------------------------------------------------------------------


def bets_are_closed_before_the_deal(rulebook: str, dealing: str, clause: str) -> None:
    table = sitting(rulebook, 1, dealing=dealing)
    table.open()
    table.bet(1)
    assert table.refused(Deal()).code == "not_now"
    for actor in (FLOOR, Actor("player", "ann")):
        assert table.refused(CloseBets(), actor).code == "wrong_role"
    (closed,) = table.do(CloseBets())
    assert isinstance(closed, BetsClosed)
    assert closed.clause == clause
    again = table.refused(CloseBets())
    assert (again.code, again.clause) == ("not_now", clause)


def with_progressive(rulebook: str, dealing: str) -> tuple[Sitting, int]:
    table = sitting(rulebook, 1, 3, 5, dealing=dealing)
    stake = table.rules.stakes["progressive"][0]
    table.open()
    table.bet(1, progressive=stake // 100)
    table.bet(3)
    table.bet(5, progressive=stake // 100)
    return table, stake


def the_progressive_is_locked(rulebook: str, dealing: str) -> None:
    """After the close no progressive wager is taken: not at the table, and not by the system."""
    table, stake = with_progressive(rulebook, dealing)
    before = {name: meter.reading for name, meter in table.link.meters.items()}
    table.do(CloseBets())
    late = PlaceWagers(3, "cat", {"progressive": stake})
    refusal = table.refused(late, Actor("player", "cat"))
    assert (refusal.code, refusal.clause) == ("not_now", table.rules.book.procedure.late_bets)
    if not table.round.counted:
        table.do(CountChips(2))
    for name, meter in table.link.meters.items():
        added = 2 * stake * meter.terms.rate_millionths
        assert meter.reading == before[name] + added, "two wagers were accepted, no third"
    with pytest.raises(LinkRefusal) as locked:
        decide_link(table.link, Contribute(table="one", round=1, stakes=((3, stake),)))
    assert locked.value.code == "late_wager"


def chips_are_counted_against_the_system(rulebook: str, dealing: str, clause: str) -> None:
    table, _ = with_progressive(rulebook, dealing)
    (closed,) = table.do(CloseBets())
    assert isinstance(closed, BetsClosed)
    assert closed.chips_to_count == 2
    uncounted = table.refused(Deal())
    assert (uncounted.code, uncounted.clause) == ("not_now", clause)
    for wrong in (0, 1, 3):
        differs = table.refused(CountChips(wrong))
        assert (differs.code, differs.clause) == ("count_differs", clause)
    for actor in (FLOOR, Actor("player", "ann")):
        assert table.refused(CountChips(2), actor).code == "wrong_role"
    (counted,) = table.do(CountChips(2))
    assert isinstance(counted, ChipsCounted)
    assert counted.clause == clause
    assert table.refused(CountChips(2)).code == "already_done"
    table.do(Deal())


def chips_go_into_the_tray_before_the_deal(rulebook: str, dealing: str) -> None:
    table, stake = with_progressive(rulebook, dealing)
    table.do(CloseBets())
    tray, spot = table.table.money["inventory"], table.table.money["layout:1"]
    table.do(CountChips(2))
    assert table.round.phase == "closed"
    assert table.table.money["inventory"] == tray + 2 * stake
    assert table.table.money["layout:1"] == spot - stake


# -- questions ------------------------------------------------------------------------------------


def players_look_at_their_own_cards(rulebook: str, see: int) -> None:
    """When all is dealt, and only at their own; nobody else sees them, the dealer neither."""
    table = sitting(rulebook, 1, 3)
    table.open()
    table.bet(1)
    table.bet(3)
    assert all(seat.cards == () for seat in seen(table, "player", "ann").seats)
    table.deal()
    mine, hers = seen(table, "player", "ann").seats
    assert [card is not None for card in mine.cards].count(True) == see
    assert mine.cards[:see] == table.seat(1).cards[:see]
    assert set(hers.cards) == {None}
    for audience in ("dealer", "floorperson"):
        assert all(set(seat.cards) == {None} for seat in seen(table, audience).seats)


def asked_clockwise_from_seat_1(rulebook: str, question: str, clause: str, first: str) -> None:
    """Whatever the order in which they sat down and bet; and nobody answers before his turn."""
    table = at_the_first_question(rulebook, 1, 3, 5)
    _up_to(table, question)
    asked = []
    while table.round.phase == "deciding" and table.asked() == question:
        turn = table.round.turn
        asked.append(turn)
        for other in {1, 3, 5} - {turn}:
            refusal = table.refused(table.says(other, first), Actor("player", NAMES[other - 1]))
            assert (refusal.code, refusal.clause) == ("out_of_turn", clause)
        other = 1 if turn != 1 else 3
        stolen = Act(turn, NAMES[other - 1], first)
        assert table.refused(stolen, Actor("player", NAMES[other - 1])).code == "not_yours"
        table.say(turn, first)
    assert asked == [1, 3, 5]


def _up_to(table: Sitting, question: str) -> None:
    while table.asked() != question:
        said = next(d for d in table.rules.book.decisions if d.name == table.asked())
        table.everyone(said.otherwise)


def only_those_without_a_bet_are_asked(rulebook: str, bet: str, question: str, clause: str) -> None:
    """Seat 3 bets at the first question and is never asked again."""
    table = at_the_first_question(rulebook, 1, 3, 5)
    table.say(1, "check")
    table.say(3, bet)
    table.say(5, "check")
    table.go()
    _up_to(table, question)
    assert table.round.turn == 1
    again = table.refused(table.says(3, "1x"), Actor("player", "cat"))
    assert (again.code, again.clause) == ("out_of_turn", clause)
    said = next(d for d in table.rules.book.decisions if d.name == question)
    table.say(1, said.otherwise)
    assert table.round.turn == 5


def the_choices_are_exactly(
    rulebook: str, question: str, clause: str, bets: dict[str, int], otherwise: str
) -> None:
    """Each bet is exactly its multiple; anything else that could be said is refused."""
    for action, multiple in bets.items():
        table = at_the_first_question(rulebook, 1)
        _up_to(table, question)
        words = {"4x", "3x", "2x", "1x", "5x", "raise", "check", "fold", "all in", ""}
        for word in words - set(bets) - {otherwise}:
            refusal = table.refused(table.says(1, word), Actor("player", "ann"))
            assert (refusal.code, refusal.clause) == ("rule_broken", clause)
        rack, spot = table.rack(1), table.table.money["layout:1"]
        (said,) = table.do(table.says(1, action), Actor("player", "ann"))
        assert isinstance(said, Acted)
        assert said.cents == 1000 * multiple
        assert said.clause == clause
        assert table.seat(1).decided[said.wager] == 1000 * multiple
        assert table.rack(1) == rack - 1000 * multiple
        assert table.table.money["layout:1"] == spot + 1000 * multiple, "on the spot, at once"
    table = at_the_first_question(rulebook, 1)
    _up_to(table, question)
    before = table.table.money["layout:1"]
    table.do(table.says(1, otherwise), Actor("player", "ann"))
    assert table.table.money["layout:1"] == before
    assert table.seat(1).folded == (otherwise == "fold")


def cards_wait_until_all_have_decided(
    rulebook: str, question: str, reveal: str, clause: str, up: int
) -> None:
    table = at_the_first_question(rulebook, 1, 3)
    _up_to(table, question)
    said = next(d for d in table.rules.book.decisions if d.name == question).otherwise
    shown = sum(card is not None for card in seen(table, "dealer").community)
    for seat in (1, 3):
        assert table.round.turn == seat
        assert table.refused(RevealCards()).code == "not_now"
        assert sum(card is not None for card in seen(table, "dealer").community) == shown
        table.say(seat, said)
    (turned,) = table.do(RevealCards())
    assert isinstance(turned, Revealed)
    assert (turned.name, turned.clause) == (reveal, clause)
    assert sum(card is not None for card in seen(table, "player", "zoe").community) == up


def a_folded_hand_stays_face_down(rulebook: str, wager: str) -> None:
    """Under its side wager until that is settled, and nobody but its owner knows it."""
    table = sitting(rulebook, 1)
    table.open()
    table.do(PlaceWagers(1, "ann", table.least() | {wager: 500}))
    table.deal()
    table.go()
    while table.round.phase == "deciding":
        said = next(d for d in table.rules.book.decisions if d.name == table.asked())
        table.everyone(said.otherwise)
    assert table.seat(1).folded
    assert len(table.seat(1).cards) == 2
    assert set(seen(table, "player", "ben").seats[0].cards) == {None}
    assert table.table.money["layout:1"] >= 500, "the side wager still lies there"
    table.settle()
    assert wager in {line.wager for line in table.seat(1).lines}


# -- the end --------------------------------------------------------------------------------------


def dealer_shows_when_all_have_decided(rulebook: str, clause: str) -> None:
    table = at_the_first_question(rulebook, 1, 3)
    while table.round.phase == "deciding":
        refusal = table.refused(ShowDealer())
        assert (refusal.code, refusal.clause) == ("not_now", clause)
        assert set(seen(table, "dealer").dealer) == {None}
        said = next(d for d in table.rules.book.decisions if d.name == table.asked())
        table.say(table.round.turn, said.otherwise)
        _reveal(table)
    assert table.round.phase == "showdown"
    assert table.refused(Settle()).code == "not_now"
    (shown,) = table.do(ShowDealer())
    assert isinstance(shown, DealerShown)
    assert shown.clause == clause
    assert seen(table, "player", "ann").dealer == table.round.dealer
    assert len(table.round.dealer) == 2


def _reveal(table: Sitting) -> None:
    while table.round.phase == "revealing":
        table.do(RevealCards())


def dealer_announces_his_hand(rulebook: str) -> None:
    hands = {1: "2c 7d"}
    table = sitting(rulebook, 1)
    table.open(hands, dealer="9c 9s", board="9h Kd Kc 3s 4d")
    table.bet(1)
    table.deal()
    table.go()
    while table.round.phase == "deciding":
        assert seen(table, "player", "ann").dealer_hand == ""
        said = next(d for d in table.rules.book.decisions if d.name == table.asked())
        table.everyone(said.otherwise)
    assert seen(table, "player", "ann").dealer_hand == "full_house"
    assert seen(table, "player", "ann").qualifies is True


def seats_are_settled_counterclockwise(rulebook: str, said: str, settles: str) -> None:
    """From the dealer's right: the highest seat first, each turned up, announced and finished
    before the next."""
    table = at_the_first_question(rulebook, 1, 3, 5)
    assert table.refused(Settle()).clause == settles
    table.everyone(said)
    while table.round.phase == "deciding":
        table.everyone(said)
    order = []
    while table.round.phase == "settling":
        assert table.refused(Collect()).code == "not_now"
        (settled,) = table.do(Settle())
        assert isinstance(settled, SeatSettled)
        order.append(settled.seat)
        done = table.seat(settled.seat)
        assert {line.wager for line in settled.lines} == set(done.wagers | done.decided)
        assert f"layout:{settled.seat}" not in table.table.money, "every wager of it, completely"
        public = {seat.number: seat for seat in seen(table, "player", "zoe").seats}
        assert public[settled.seat].cards == done.cards
        assert public[settled.seat].hand == settled.hand != ""
        for waiting in {1, 3, 5} - set(order):
            assert public[waiting].hand == ""
            assert None in public[waiting].cards
            assert f"layout:{waiting}" in table.table.money
    assert order == [5, 3, 1]


def progressive_waits_for_a_floorperson(rulebook: str, clause: str | None) -> None:
    table = royal_waits(rulebook)
    refused = table.refused(Settle())
    assert (refused.code, refused.clause) == ("awaits_floor", clause)
    claim = table.round.claim
    assert claim is not None
    assert claim.seat == 3
    rack = table.rack(3)
    for actor in (DEALER, Actor("player", "cat"), Actor("player", "ann")):
        wrong = table.refused(ValidateProgressive(3), actor)
        assert (wrong.code, wrong.clause) == ("wrong_role", clause)
    assert table.refused(ValidateProgressive(1), FLOOR).code == "no_claim"
    (paid,) = table.do(ValidateProgressive(3), FLOOR)
    assert isinstance(paid, ProgressivePaid)
    assert paid.validated_by == FLOOR.name
    assert table.rack(3) > rack
    assert table.refused(ValidateProgressive(3), FLOOR).code == "no_claim"
    assert table.settle() == [1]
    superior = royal_waits(rulebook)
    superior.do(ValidateProgressive(3), OPERATOR)
    denied = royal_waits(rulebook)
    rack = denied.rack(3)
    assert denied.refused(RefuseProgressive(3, " "), FLOOR).code == "no_reason"
    denied.do(RefuseProgressive(3, "a card had been marked"), FLOOR)
    assert denied.rack(3) == rack
    assert denied.line(3, "progressive").result == "lose"
    dark = royal_waits(rulebook)
    rack = dark.rack(3)
    dark.do(RefuseProgressive(3, ground="light_off"), FLOOR)
    line = dark.line(3, "progressive")
    assert (line.result, line.net, dark.rack(3)) == ("void", 0, rack + line.stake)
    assert line.clause == (dark.rules.book.progressive.accepted or line.clause)


def a_payout_limit_leaves_the_validated_progressive_alone(rulebook: str, clause: str) -> None:
    """The other wagers of the hand are cut to the limit; the award is what it is to anybody."""
    low, high = (_royal_at(rulebook, ante) for ante in (10, 1000))
    assert high["progressive"] == low["progressive"]
    assert (high["progressive"].limited_by, high["progressive"].forgone) == ("", 0)
    assert high["progressive"].net > 50_000 * 100
    assert clause in {line.limited_by for line in high.values()}
    assert clause not in {line.limited_by for line in low.values()}


def _royal_at(rulebook: str, ante: int) -> dict[str, LineRecord]:
    limit = {"payout_limit": "50000", "minimum_wager": "5"} if rulebook != "ma-uth" else {}
    terms = {"rate": "0.05", "seed": "900000"}
    meters = dict.fromkeys(game(rulebook).rules.resets, terms)
    table = sitting(rulebook, 1, 3, options=limit, money=50_000, progressive={"meters": meters})
    table.open(**ROYAL[rulebook])
    table.bet(1)
    bets = dict.fromkeys(table.rules.required, ante)
    table.bet(3, "", **bets, progressive=table.rules.stakes["progressive"][0] // 100)
    table.deal()
    table.go()
    while table.round.phase == "deciding":
        choices = legal_actions(table.round, table.rules, table.round.turn, "cat")
        said = [choice.action for choice in choices if choice.cents]
        table.say(table.round.turn, said[0] if said else _declined(table))
        table.go()
    table.settle()
    return {line.wager: line for line in table.seat(3).lines}


def _declined(table: Sitting) -> str:
    return next(d.otherwise for d in table.rules.book.decisions if d.name == table.asked())


def royal_waits(rulebook: str) -> Sitting:
    """Seat 3 has won the progressive and is settled but for it; seat 1 waits."""
    table = sitting(rulebook, 1, 3)
    table.open(**ROYAL[rulebook])
    table.bet(1)
    table.bet(3, progressive=table.rules.stakes["progressive"][0] // 100)
    table.deal()
    table.go()
    while table.round.phase == "deciding":
        said = next(d for d in table.rules.book.decisions if d.name == table.asked())
        bets = {1: said.otherwise, 3: list(said.bets)[-1]}
        table.say(table.round.turn, bets[table.round.turn])
        table.go()
    *_, won = table.do(Settle(every=True))
    assert isinstance(won, ProgressiveWon)
    return table


def envy_is_paid_after_the_progressive(rulebook: str, paytable: str = "A") -> None:
    """When every hand is known: the others who bet the progressive get theirs, once."""
    table = sitting(rulebook, 1, 3, paytables={"progressive": paytable})
    stake = table.rules.stakes["progressive"][0] // 100
    table.open(**ROYAL[rulebook])
    table.bet(1, progressive=stake)
    table.bet(3, progressive=stake)
    table.deal()
    table.go()
    while table.round.phase == "deciding":
        said = next(d for d in table.rules.book.decisions if d.name == table.asked())
        table.everyone(list(said.bets)[-1])
    table.do(Settle(every=True))
    assert not any(line.wager == "envy" for line in table.seat(1).lines)
    table.do(ValidateProgressive(3), FLOOR)
    assert table.settle() == [1]
    assert table.line(1, "envy").net > 0
    assert not any(line.wager == "envy" for line in table.seat(3).lines)


def cards_are_collected_in_an_order_that_reconstructs(
    rulebook: str, dealing: str, clause: str
) -> None:
    """From the pile alone, with the seats that played, every hand can be laid out again."""
    table = sitting(rulebook, 1, 3, 5, dealing=dealing)
    table.open()
    for seat in (1, 3, 5):
        table.bet(seat)
    early = table.refused(Collect())
    assert (early.code, early.clause) == ("not_now", clause)
    table.deal()
    played = table.round
    table.play_out()
    collected = table.events[-1]
    assert isinstance(collected, CardsCollected)
    assert collected.clause == clause
    pile = list(collected.pile)
    counts = table.rules.book.cards

    def take(count: int) -> tuple[Card, ...]:
        return tuple(pile.pop(0) for _ in range(count))

    for hand in reversed(table.round.seats):
        assert take(counts.player) == hand.cards
        laid = played.seat(hand.number)
        assert laid is not None
        assert laid.cards == hand.cards
    assert take(counts.dealer) == table.round.dealer
    assert take(counts.community) == table.round.community
    assert tuple(pile) == table.round.box + table.round.burned + table.round.discarded


# -- positions ------------------------------------------------------------------------------------


def one_position_for_a_player(rulebook: str, clause: str) -> None:
    table = sitting(rulebook, 1)
    table.open()
    assert table.refused(table.bets(2, "ann")).clause == clause
    table.bet(1)
    second = table.refused(table.bets(2, "ann"))
    assert (second.code, second.clause) == ("rule_broken", clause)


def adjacent_boxes_as_the_submission_says(rulebook: str, clause: str) -> None:
    table = sitting(rulebook, 2, 4, options={"adjacent_boxes": 2})
    table.open()
    table.bet(2)
    apart = table.refused(table.bets(6, "ben"))
    assert (apart.code, apart.clause) == ("rule_broken", clause)
    taken = table.refused(table.bets(4, "ben"))
    assert taken.code == "seat_taken"
    table.bet(3, "ben")
    third = table.refused(table.bets(1, "ben"))
    assert (third.code, third.clause) == ("rule_broken", clause)
    single = sitting(rulebook, 2, options={"adjacent_boxes": 1})
    single.open()
    single.bet(2)
    assert single.refused(single.bets(3, "ben")).clause == clause


def the_first_card_is_turned_up_before_anybody_is_asked(rulebook: str, clause: str) -> None:
    table = sitting(rulebook, 1)
    table.open()
    table.bet(1)
    table.deal()
    assert table.round.phase == "revealing"
    assert table.refused(table.says(1, "3x"), Actor("player", "ann")).code == "not_now"
    (turned,) = table.do(RevealCards())
    assert isinstance(turned, Revealed)
    assert turned.clause == clause
    assert [card is not None for card in seen(table, "dealer").community].count(True) == 1
    assert table.round.turn == 1
