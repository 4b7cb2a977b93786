"""Games that no document describes: bets taken back, streets with a fold at each, a dealer's card
that is seen, bets for strong hands only, bonuses. Settled whole, and played at a table."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import parse_cards
from croupier.errors import CroupierError
from croupier.rounds.actions import legal_actions, refused_bets
from croupier.rounds.commands import (
    Act,
    EnterCards,
    LeaveRound,
    RevealCards,
    ShowDealer,
    TakeBackAnswer,
    VoidRound,
)
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.explaining import Holdings, explanation, holdings_of, sentence
from croupier.rounds.settlement import SeatOutcome, settle
from croupier.rounds.views import Viewer, view
from tests.rounds.small_games import in_force
from tests.tables.seated import FLOOR, NAMES, Sitting


def settled(
    name: str,
    cards: str,
    *actions: str,
    board: str = "",
    dealer: str = "",
    wagers: dict[str, int] | None = None,
    **changes: Any,
) -> tuple[SeatOutcome, dict[str, str]]:
    """One seat with $10 on what is required; the outcome and each line's explanation."""
    rules = in_force(name, **changes)
    placed = dict.fromkeys(rules.required, 1000) | (wagers or {})
    seat = PlayedSeat(1, "ann", parse_cards(cards), placed, actions)
    played = CompletedRound((seat,), parse_cards(board), parse_cards(dealer))
    found = settle(played, rules)
    outcome = found.seats[0]
    hands = holdings_of(outcome, found)
    return outcome, {line.wager: explanation(line, rules, hands) for line in outcome.lines}


def nets(outcome: SeatOutcome) -> dict[str, int]:
    return {line.wager: line.net for line in outcome.lines}


def refusal(name: str, cards: str, *actions: str, **more: Any) -> CroupierError:
    with pytest.raises(CroupierError) as caught:
        settled(name, cards, *actions, **more)
    return caught.value


# -- settled whole ---------------------------------------------------------------------------------


def test_a_bet_that_was_taken_back_pushes_and_the_others_ride() -> None:
    outcome, told = settled("ride-on", "Th Ts 4d", "take_back", "ride", board="4c 9s")
    assert nets(outcome) == {"one": 0, "two": 2000, "three": 2000}
    back = outcome.lines[0]
    assert (back.result, back.stake, back.clause) == ("push", 1000, "First bet back")
    assert back.reason.code == "taken_back"
    assert told["one"] == "The player took it back: $10 came back."
    assert sentence(back, in_force("ride-on"), Holdings()) == "Bet 1 was taken back."


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        (("check", "ride"), "'check' cannot be said at the first bet decision: say take_back or"),
        (("take_back",), "the second bet decision is missing: say take_back or ride"),
        (("ride", "ride", "ride"), "'ride' comes after the last decision"),
    ],
)
def test_what_cannot_be_said_where_bets_are_taken_back(actions: tuple[str, ...], said: str) -> None:
    assert said in refusal("ride-on", "Th Ts 4d", *actions, board="4c 9s").message


def test_a_fold_at_any_decision_ends_the_hand() -> None:
    outcome, told = settled("two-streets", "Th Ts", "3x", "fold", board="4c 4d 9s")
    assert nets(outcome) == {"ante": -1000, "early": -3000}
    assert outcome.folded
    assert told["early"] == "The hand was folded: $30 is lost."
    error = refusal("two-streets", "Th Ts", "fold", "1x", board="4c 4d 9s")
    assert "'1x' comes after the last decision" in error.message


def test_each_decided_wager_is_settled_by_itself() -> None:
    outcome, _ = settled("two-streets", "Th Ts", "1x", "3x", board="4c 4d 9s")
    assert nets(outcome) == {"ante": 2000, "early": 2000, "late": 6000}


def test_a_bonus_is_paid_whatever_the_dealer_has() -> None:
    flush = "2h 5h 7h 9h Jh"
    outcome, told = settled("up-card", flush, "double", dealer="As Ad Ac Kd Kh")
    assert nets(outcome) == {"ante": -1000, "raise": -2000, "ante_bonus": 5000}
    bonus = outcome.lines[-1]
    assert (bonus.stake, bonus.result, bonus.clause) == (0, "win", "Ante Bonus, flush")
    assert told["ante_bonus"] == "The hand is a flush, jack high: 5 to 1, +$50."


def test_a_folded_hand_gets_no_bonus_and_neither_does_one_without_a_line() -> None:
    folded, _ = settled("up-card", "2h 5h 7h 9h Jh", "fold", dealer="As Ad Ac Kd Kh")
    assert nets(folded) == {"ante": -1000}
    plain, _ = settled("up-card", "2h 5h 7h 9h Js", "double", dealer="As Ad Ac Kd Kh")
    assert nets(plain) == {"ante": -1000, "raise": -2000}


def test_a_bonus_can_be_a_fixed_sum() -> None:
    outcome, _ = settled("up-card", "2h 3h 4h 5h 6s", "double", dealer="As Kd 9c 8d 2c")
    assert nets(outcome) == {"ante": 1000, "raise": 2000, "ante_bonus": 700}


def test_the_dealer_qualifies_by_his_own_ranking() -> None:
    outcome, _ = settled("up-card", "2h 2s 7h 9h Js", "double", dealer="As Qd 9c 8d 3c")
    assert nets(outcome) == {"ante": 1000, "raise": 0}
    outcome, _ = settled("up-card", "2h 2s 7h 9h Js", "double", dealer="As Kd 9c 8d 3c")
    assert nets(outcome) == {"ante": 1000, "raise": 2000}


def test_a_bet_that_takes_a_better_hand_is_refused_with_its_clause() -> None:
    error = refusal("up-card", "Kh Ks 7h 9h Js", "triple it", dealer="As Qd 9c 8d 3c")
    assert error.clause == "Triple"
    assert "triple it takes a pair of aces or better" in error.message
    outcome, _ = settled("up-card", "Ah Ac 7h 9h Js", "triple it", dealer="As Qd 9c 8d 3c")
    assert nets(outcome)["raise"] == 0


# -- at a table ------------------------------------------------------------------------------------


def test_chips_taken_back_are_the_players_at_once() -> None:
    table = Sitting("ride-on", 1, 2)
    table.open({1: "Th Ts 4d", 2: "2h 3s 7d"}, board="4c 9s")
    table.bet(1)
    table.bet(2)
    table.deal()
    before = table.rack(1)
    table.say(1, "take_back")
    assert table.rack(1) == before + 1000
    assert table.table.money["layout:1"] == 2000
    shown = view(table.round, Viewer("player", "ben"), table.rules)
    assert shown.seats[0].wagers == {"two": 1000, "three": 1000}
    table.say(2, "ride")
    table.go()
    table.everyone("ride")
    table.settle()
    assert [line.net for line in table.seat(1).lines] == [0, 2000, 2000]
    assert table.rack(1) == before + 3000 + 4000
    assert "layout:1" not in table.table.money


def test_a_void_round_gives_back_only_what_still_lies_there() -> None:
    table = Sitting("ride-on", 1)
    table.open({1: "Th Ts 4d"}, board="4c 9s")
    table.bet(1)
    full = table.rack(1) + 3000
    table.deal()
    table.say(1, "take_back")
    table.do(VoidRound("a misdeal"), FLOOR)
    assert table.rack(1) == full


def test_who_leaves_after_taking_back_keeps_what_came_back() -> None:
    table = Sitting("ride-on", 1, 2)
    table.open({1: "Th Ts 4d", 2: "2h 3s 7d"}, board="4c 9s")
    table.bet(1)
    table.bet(2)
    table.deal()
    table.say(1, "take_back")
    table.do(LeaveRound(1, "ann"))
    table.play_out()
    assert [line.result for line in table.seat(1).lines] == ["push", "win", "win"]


def test_a_live_dealers_slip_about_a_taken_back_bet_is_put_right() -> None:
    table = Sitting("ride-on", 1, 2, source="live")
    table.open()
    table.bet(1)
    table.bet(2)
    table.deal()
    before = table.rack(1)
    table.say(1, "take_back")
    table.do(TakeBackAnswer(1))
    assert (table.rack(1), table.seat(1).taken_back) == (before, {})
    assert table.round.turn == 1
    table.say(1, "ride")
    assert table.seat(1).actions == ("ride",)


def test_a_fold_on_the_first_street_is_not_asked_again() -> None:
    table = Sitting("two-streets", 1, 2)
    table.open({1: "Th Ts", 2: "2h 3s"}, board="4c 4d 9s")
    table.bet(1)
    table.bet(2)
    table.deal()
    table.say(1, "fold")
    table.say(2, "3x")
    table.go()
    assert table.round.turn == 2
    table.say(2, "1x")
    table.go()
    table.settle()
    assert {line.wager for line in table.seat(1).lines} == {"ante"}
    assert {line.wager for line in table.seat(2).lines} == {"ante", "early", "late"}


@pytest.mark.parametrize("viewer", [Viewer("player", "ann"), Viewer("dealer"), Viewer("player")])
def test_everybody_sees_the_dealers_up_card_and_no_other(viewer: Viewer) -> None:
    table = Sitting("up-card", 1)
    table.open({1: "Th Ts 4d 5d 9c"}, dealer="As Kd 9h 8d 3c")
    table.bet(1)
    table.deal()
    assert table.round.phase == "revealing"
    assert not any(view(table.round, viewer, table.rules).dealer)
    table.go()
    assert [str(card) for card in view(table.round, viewer, table.rules).dealer] == (
        ["As", "None", "None", "None", "None"]
    )
    table.say(1, "double")
    table.go()
    assert None not in view(table.round, viewer, table.rules).dealer


def test_a_bet_for_strong_hands_is_listed_only_with_one() -> None:
    table = Sitting("up-card", 1, 2)
    table.open({1: "Th Ts 4d 5d 9c", 2: "Ah Ac 2d 5c 9h"}, dealer="As Kd 9d 8d 3c")
    table.bet(1)
    table.bet(2)
    table.deal()
    table.go()
    said = [x.action for x in legal_actions(table.round, table.rules, 1, "ann") if x.do == "say"]
    assert said == ["double", "fold"]
    assert refused_bets(table.round, table.rules, 1) == {
        "triple it": "triple it takes a pair of aces or better"
    }
    assert table.refused(Act(1, NAMES[0], "triple it")).clause == "Triple"
    table.say(1, "fold")
    table.say(2, "triple it")
    assert table.seat(2).decided == {"raise": 3000}


def live() -> Sitting:
    table = Sitting("up-card", 1, source="live")
    table.open()
    table.bet(1)
    table.deal()
    return table


def test_a_live_dealer_names_his_up_card_and_later_the_rest() -> None:
    table = live()
    error = table.refused(RevealCards())
    assert "0 cards are named, but 1 of the dealer's cards are to be turned up" in error.message
    table.do(RevealCards(parse_cards("As")))
    assert table.round.dealer == parse_cards("As")
    table.say(1, "double")
    wrong = table.refused(ShowDealer(parse_cards("As Kd 9d 8d 3c")))
    assert "dealer: 5 entered, but 4 are to be entered there" in wrong.message
    assert "As has been seen" in table.refused(ShowDealer(parse_cards("As Kd 9d 8d"))).message
    table.do(ShowDealer(parse_cards("Kd 9d 8d 3c")))
    table.do(EnterCards("player", parse_cards("Ah Ac 2d 5c 9h"), 1))
    table.settle()
    assert table.line(1, "raise").net == 2000


def test_a_live_bet_with_too_weak_a_hand_is_told_at_its_settlement() -> None:
    table = live()
    table.do(RevealCards(parse_cards("As")))
    table.say(1, "triple it")
    table.do(ShowDealer(parse_cards("Kd 9d 8d 3c")))
    table.do(EnterCards("player", parse_cards("Kh Kc 2d 5c 9h"), 1))
    table.settle()
    line = table.line(1, "raise")
    assert (line.net, line.too_weak_for) == (3000, "triple it")
    assert sentence(line, table.rules, Holdings.at(table.round, 1)).endswith(
        "But triple it takes a pair of aces or better (Triple): a floorperson decides whether the "
        "bet stands."
    )


def test_a_live_bet_is_refused_where_the_hand_is_known_already() -> None:
    table = live()
    table.do(RevealCards(parse_cards("As")))
    table.do(EnterCards("player", parse_cards("Kh Kc 2d 5c 9h"), 1))
    assert table.refused(Act(1, "ann", "triple it")).clause == "Triple"
