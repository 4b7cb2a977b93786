"""Live tables: a mistyped card or answer is taken back by an added entry, until it is final."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.cards import parse_cards
from croupier.errors import Refusal
from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.rounds.commands import (
    Act,
    AnswerAll,
    CloseBets,
    Collect,
    Deal,
    EnterCards,
    LeaveRound,
    OpenBetting,
    PlaceWagers,
    RepeatWagers,
    ReplaceCards,
    RevealCards,
    Settle,
    ShowDealer,
    TakeBackAnswer,
    VoidRound,
)
from croupier.rounds.declaration import Actor
from croupier.rounds.events import AnswerTakenBack, DealerShown
from croupier.runtime.house import House
from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
from tests.tables.accidents import Live
from tests.tables.seated import FLOOR, NAMES, Sitting


def _dealt(*seats: int, book: str = "md-uth") -> Live:
    table = Live(book, *(seats or (1, 2, 3)), offered=())
    table.open()
    for seat in seats or (1, 2, 3):
        table.bet(seat)
    table.deal()
    return table


def _replace(place: Any, cards: str, seat: int = 0) -> ReplaceCards:
    return ReplaceCards(place, parse_cards(cards), seat)


# -- cards ----------------------------------------------------------------------------------------


def test_a_mistyped_hand_is_replaced_until_its_seat_is_settled() -> None:
    table = _dealt(1, 2)
    table.enter(1, "7h 2d")
    table.do(_replace("player", "7s 2d", 1))
    assert table.seat(1).cards == parse_cards("7s 2d")
    table.enter(2, "7h Kd")  # the card that was never there is free again
    table.do(AnswerAll("4x"))
    table.do(RevealCards(parse_cards("Ac Kc Qc")))
    table.do(RevealCards(parse_cards("3d 4d")))
    table.do(ShowDealer(parse_cards("9h 9d")))
    table.do(Settle())  # seat 2
    assert table.refused(_replace("player", "7h Ks", 2)).code == "not_now"
    table.do(_replace("player", "8s 2d", 1))
    table.do(Settle())
    assert table.refused(_replace("player", "7s 2d", 1)).code == "not_now"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (_replace("player", "7s 7h", 2), "nothing_there"),
        (_replace("player", "7s 7h", 5), "bad_request"),
        (_replace("player", "7s", 1), "bad_cards"),
        (ReplaceCards("player", parse_cards("7s") * 2, 1), "bad_cards"),
        (_replace("player", "9c 7s", 1), "bad_cards"),
        (_replace("player", "7h 2d", 1), "already_done"),
        (_replace("dealer", "7s 2d"), "nothing_there"),
        (_replace("dealer", "7s 2d", 1), "bad_request"),
        (_replace("box", "7s 2d"), "nothing_there"),
    ],
    ids=str,
)
def test_impossible_cards_are_refused(command: ReplaceCards, code: str) -> None:
    table = _dealt(1, 2)
    table.enter(1, "7h 2d")
    table.do(EnterCards("community", parse_cards("9c")))
    assert table.refused(command).code == code


def test_11_G_a_board_put_right_announces_the_dealer_anew() -> None:
    """His hand was shown on a wrong board: it did not qualify, and now it does."""
    table = _dealt(1)
    table.do(AnswerAll("4x"))
    table.do(RevealCards(parse_cards("Ac Kc Qc")))
    table.do(RevealCards(parse_cards("3d 4d")))
    table.do(ShowDealer(parse_cards("9h 8d")))
    assert not table.round.qualifies
    told = table.do(_replace("community", "Ac Kc Qc 3d 9s"))
    assert [type(event) for event in told] == [ReplaceCards, DealerShown]
    assert table.round.qualifies
    assert table.round.dealer_hand == "pair"
    told = table.do(_replace("dealer", "2h 8d"))
    assert not table.round.qualifies
    table.enter(1, "As Ad")
    table.do(Settle(every=True))
    assert table.refused(_replace("dealer", "9h 8d")).code == "not_now"
    assert table.line(1, "ante").result == "push", "settled against the dealer as he lies"


def test_one_settled_seat_makes_the_board_final() -> None:
    table = _dealt(1, 2)
    table.do(AnswerAll("4x"))
    table.go()
    table.enter(1, "Ts Th")
    table.enter(2, "Js Jh")
    table.do(Settle())
    assert table.refused(_replace("community", "Td Jd Qd Kd Ad")).code == "not_now"


def test_with_virtual_cards_there_is_nothing_to_mistype() -> None:
    table = Sitting("md-uth", 1, offered=())
    table.open()
    table.bet(1)
    table.deal()
    assert table.refused(_replace("player", "7s 7h", 1)).code == "sealed_deck"
    table.say(1, "check")
    refused = table.refused(TakeBackAnswer(1))
    assert refused.code == "sealed_deck"
    assert "themselves" in refused.message


@pytest.mark.parametrize("command", [_replace("player", "7s 7h", 1), TakeBackAnswer(1)], ids=str)
@pytest.mark.parametrize("by", [FLOOR, Actor("player", NAMES[0])], ids=str)
def test_the_dealer_alone_puts_his_slips_right(command: Any, by: Actor) -> None:
    table = _dealt(1)
    assert table.refused(command, by).code == "wrong_role"


# -- answers --------------------------------------------------------------------------------------


def test_11_B_an_answer_and_its_wager_go_back() -> None:
    table = _dealt(1, 2)
    had = table.rack(1)
    table.say(1, "4x")
    assert table.rack(1) == had - 4000
    (event,) = table.do(TakeBackAnswer(1))
    assert isinstance(event, AnswerTakenBack)
    assert (table.rack(1), table.round.turn) == (had, 1)
    table.say(1, "3x")
    assert (table.rack(1), table.round.turn) == (had - 3000, 2)


def test_11_B_others_who_answered_after_it_are_not_asked_again() -> None:
    table = _dealt(1, 2, 3)
    table.say(1, "check")
    table.say(2, "check")
    table.do(TakeBackAnswer(1))
    assert table.round.turn == 1
    table.say(1, "4x")
    assert table.round.turn == 3
    assert table.seat(2).actions == ("check",)
    table.say(3, "check")
    assert table.round.phase == "revealing"


def test_11_B_two_answers_are_taken_back_and_asked_in_their_order() -> None:
    table = _dealt(1, 2, 3)
    table.do(AnswerAll("check"))
    for seat in (1, 3, 2):
        table.do(TakeBackAnswer(seat))
    for seat in (1, 2, 3):
        assert table.round.turn == seat
        table.say(seat, "4x")
    assert table.round.phase == "revealing"
    assert table.refused(TakeBackAnswer(4)).code == "not_now"


def test_11_C_an_answer_stands_once_cards_are_turned_up_after_it() -> None:
    table = _dealt(1, 2)
    table.do(AnswerAll("check"))
    table.do(RevealCards(parse_cards("Ac Kc Qc")))
    assert table.refused(TakeBackAnswer(1)).code == "not_now"
    table.say(1, "2x")
    table.do(TakeBackAnswer(1))
    assert table.seat(1).actions == ("check",)
    assert table.refused(TakeBackAnswer(1)).code == "not_now", "the one before stands"


def test_11_F_a_fold_is_taken_back_until_the_dealer_s_hand_is_shown() -> None:
    table = _dealt(1, 2)
    for cards in ("Ac Kc Qc", "3d 4d"):
        table.do(AnswerAll("check"))
        table.do(RevealCards(parse_cards(cards)))
    table.say(1, "fold")
    table.say(2, "1x")
    assert table.round.phase == "showdown"
    table.do(TakeBackAnswer(1))
    assert not table.seat(1).folded
    table.say(1, "1x")
    assert table.round.phase == "showdown"
    table.do(ShowDealer(parse_cards("9h 8d")))
    assert table.refused(TakeBackAnswer(1)).code == "not_now"


def test_a_player_who_left_has_no_answer_to_take_back() -> None:
    table = _dealt(1, 2)
    table.say(1, "check")
    table.do(LeaveRound(1, NAMES[0]))
    assert table.refused(TakeBackAnswer(1)).code == "nothing_there"
    assert table.refused(TakeBackAnswer(2)).code == "nothing_there"


def test_11_B_two_raises_of_235_are_taken_back_one_by_one() -> None:
    table = _dealt(1, book="md-235")
    had = table.rack(1)
    table.say(1, "raise")
    table.do(TakeBackAnswer(1))
    assert table.rack(1) == had
    table.say(1, "raise")
    table.do(RevealCards())
    table.say(1, "raise")
    table.do(TakeBackAnswer(1))
    assert table.rack(1) == had - 1000
    assert table.refused(TakeBackAnswer(1)).code == "not_now"


def test_a_void_round_after_an_answer_taken_back_returns_what_lies_there() -> None:
    table = _dealt(1)
    table.say(1, "4x")
    table.do(TakeBackAnswer(1))
    table.do(VoidRound("a misdeal"), FLOOR)
    assert table.rack(1) == 1_000_000


# -- fewer words ----------------------------------------------------------------------------------


def test_all_the_others_say_the_same() -> None:
    table = _dealt(1, 2, 3)
    table.say(1, "4x")
    table.do(AnswerAll("check"))
    assert table.round.phase == "revealing"
    assert [seat.actions for seat in table.round.seats] == [("4x",), ("check",), ("check",)]
    assert table.refused(AnswerAll("check")).code == "not_now"


def test_all_is_refused_where_one_cannot_pay() -> None:
    table = Live("md-uth", 1, 2, offered=(), money=50)
    table.open()
    table.bet(1)
    table.do(PlaceWagers(2, NAMES[1], {"ante": 500, "blind": 500}))
    table.deal()
    assert table.refused(AnswerAll("4x")).code == "not_enough_money"
    assert table.refused(AnswerAll("5x")).code == "rule_broken"
    assert table.seat(1).actions == ()


def test_the_same_bets_as_before() -> None:
    table = Live("md-uth", 1, 2, 3, offered=("trips",), money=50)
    table.open()
    assert table.refused(RepeatWagers()).code == "nothing_there"
    table.bet(1, trips=5)
    table.bet(2)
    table.bet(3)
    table.deal()
    for cards in ("Ac Kc Qc", "3d 4d"):
        table.do(AnswerAll("check"))
        table.do(RevealCards(parse_cards(cards)))
    table.do(AnswerAll("fold"))
    table.do(ShowDealer(parse_cards("9h 8d")))
    table.enter(1, "2c 7s")
    table.do(Settle(every=True))
    table.do(Collect())
    table.open()
    table.bet(3, ante=5, blind=5)
    events = table.do(RepeatWagers())
    assert [(e.seat, e.wagers) for e in events] == [  # type: ignore[union-attr]
        (1, {"ante": 1000, "blind": 1000, "trips": 500}),
        (2, {"ante": 1000, "blind": 1000}),
    ]
    assert table.seat(3).wagers == {"ante": 500, "blind": 500}, "what he has bet stays"
    table.deal()
    assert table.refused(RepeatWagers()).code == "not_now"


def test_bets_that_the_chips_are_not_enough_for_are_left_out() -> None:
    table = Live("md-uth", 1, 2, offered=(), money=25)
    table.open()
    table.bet(1)
    table.do(PlaceWagers(2, NAMES[1], {"ante": 500, "blind": 500}))
    table.deal()
    for cards in ("Ac Kc Qc", "3d 4d"):
        table.do(AnswerAll("check"))
        table.do(RevealCards(parse_cards(cards)))
    table.do(AnswerAll("fold"))
    table.do(ShowDealer(parse_cards("9h 8d")))
    table.do(Settle(every=True))
    table.do(Collect())
    table.open()
    (event,) = table.do(RepeatWagers())
    assert event.seat == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("command", [RepeatWagers(), AnswerAll("check")], ids=str)
def test_with_virtual_cards_players_speak_for_themselves(command: Any) -> None:
    table = Sitting("md-uth", 1, offered=())
    table.open()
    if isinstance(command, AnswerAll):
        table.bet(1)
        table.deal()
    assert table.refused(command).code == "not_yours"


def test_a_six_seat_live_round_takes_few_commands() -> None:
    """What a dealer's console sends beside the cards: eleven commands, so the keys are enough."""
    table = _dealt(1, 2, 3, 4, 5, 6)
    table.do(VoidRound("the second round counts"), FLOOR)
    given: list[Any] = []

    def give(*commands: Any) -> None:
        for command in commands:
            table.do(command)
            given.append(command)

    give(OpenBetting(2, "live"), RepeatWagers(), CloseBets(), Deal(), AnswerAll("check"))
    give(RevealCards(parse_cards("Ac Kc Qc")), AnswerAll("check"))
    give(RevealCards(parse_cards("3d 4d")), AnswerAll("1x"), ShowDealer(parse_cards("9h 8d")))
    hands = ("2c 2d", "5c 5d", "6c 6d", "7c 7d", "8c 8s", "Tc Td")
    give(*[EnterCards("player", parse_cards(hand), n) for n, hand in enumerate(hands, 1)])
    give(Settle(every=True), Collect())
    without_cards = [command for command in given if not getattr(command, "cards", ())]
    assert len(without_cards) == 9


# -- on disk --------------------------------------------------------------------------------------


def test_a_journal_with_slips_put_right_verifies(tmp_path: Path) -> None:
    dan, flo = Actor("dealer", "Dan"), Actor("floorperson", "Flo")
    with open_journal(str(tmp_path / "journal.db")) as store:
        house = House(store)
        opening = OpenTable("T1", "md-uth", '{"offered": []}', source="live", care=False)
        house.do("T1", opening, flo)
        for seat, name in ((1, "ann"), (2, "bob")):
            house.do("T1", TakeSeat(name, seat), dan)
            house.do("T1", BuyIn(name, 100_000), dan)
        house.do("T1", OpenBetting(), dan)
        for seat, name in ((1, "ann"), (2, "bob")):
            bets = PlaceWagers(seat, name, {"ante": 1000, "blind": 1000})
            house.do("T1", bets, dan)
        for command in (
            CloseBets(),
            Deal(),
            Act(1, "ann", "4x"),
            Act(2, "bob", "check"),
            TakeBackAnswer(1),
            EnterCards("player", parse_cards("As Ah"), 1),
            _replace("player", "As Ad", 1),
            Act(1, "ann", "3x"),
            RevealCards(parse_cards("Ac Kc Qc")),
            AnswerAll("check"),
            RevealCards(parse_cards("3d 4d")),
            AnswerAll("fold"),
            ShowDealer(parse_cards("9h 8d")),
            _replace("community", "Ac Kc Qc 3d 9s"),
            Settle(every=True),
        ):
            house.do("T1", command, dan)
        with pytest.raises(Refusal):
            house.do("T1", TakeBackAnswer(1), dan)
        house.do("T1", Collect(), dan)
        assert house.table("T1").rack("ann") == 100_000 + 1000 + 3000
        assert verify(store).valid
