"""Games that no document describes: bets taken back, streets with a fold at each, a dealer's card
that is seen, bets for strong hands only, bonuses. Settled whole, and played at a table."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import DECK, Card, cards_in, parse_cards
from croupier.errors import BadCards, BadData, CroupierError
from croupier.randomness.shuffling import Seeded, matches_seal, seal, shuffle
from croupier.rounds.actions import legal_actions, refused_bets
from croupier.rounds.commands import (
    Act,
    EnterCards,
    LeaveRound,
    OpenBetting,
    RevealCards,
    ShowDealer,
    TakeBackAnswer,
    VoidRound,
)
from croupier.rounds.deciding import decide
from croupier.rounds.explaining import Holdings, explanation, holdings_of, sentence
from croupier.rounds.settlement import SeatOutcome, settle
from croupier.rounds.state import OPENING, CompletedRound, PlayedSeat, Round, SeatInRound
from croupier.rounds.views import Viewer, view
from croupier.rulebooks.decks import cards_of
from croupier.tables.commands import BuyIn, Tip
from tests.rounds.small_games import game_file, in_force
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
    seat = PlayedSeat(1, "ann", cards_in(cards), placed, actions)
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


def test_a_bet_whose_chips_are_spent_cannot_be_put_back() -> None:
    table = Sitting("ride-on", 1, source="live", money=30)
    table.open()
    table.bet(1)
    table.deal()
    table.say(1, "take_back")
    table.do(Tip("ann", 500))
    assert table.refused(TakeBackAnswer(1)).code == "not_enough_money"
    table.do(BuyIn("ann", 500))
    table.do(TakeBackAnswer(1))
    assert (table.rack(1), table.table.money["layout:1"]) == (0, 3000)


def test_a_bet_made_in_play_can_be_taken_back_later() -> None:
    later = {
        "name": "late",
        "sees_player": 2,
        "sees_community": 1,
        "takes_back": "early",
        "otherwise": "ride",
        "clause": "Early back",
    }
    changes: dict[str, Any] = {"decisions__1": later, "wagers__late": None}
    changes["decisions__0__otherwise"] = "check"
    outcome, _ = settled("two-streets", "Th Ts", "3x", "take_back", board="4c 4d 9s", **changes)
    assert nets(outcome) == {"ante": 2000, "early": 0}
    outcome, _ = settled("two-streets", "Th Ts", "check", board="4c 4d 9s", **changes)
    assert nets(outcome) == {"ante": 2000}  # nothing is there to be taken back: nothing is asked


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


# -- decks -----------------------------------------------------------------------------------------

SIX_UP = "6789TJQKA"


def test_a_stripped_deck_is_shuffled_sealed_and_dealt() -> None:
    rules = in_force("up-card", deck__ranks=SIX_UP)
    whole = cards_of(rules.book.deck)
    assert (len(whole), {str(card)[0] for card in whole}) == (36, set(SIX_UP))
    order = shuffle(Seeded("36 cards"), whole)
    assert sorted(order) == sorted(whole) != list(order)
    sealed = seal(order, Seeded("salt"), whole)
    assert matches_seal(sealed.commitment, sealed.salt, order)
    assert decide(OPENING, OpenBetting(1, "virtual", "c", "s", order), rules)
    with pytest.raises(BadCards, match="a seal is put on a whole deck: 36 cards"):
        seal(DECK, Seeded("salt"), whole)


@pytest.mark.parametrize("deck", [DECK, DECK[:36]])
def test_a_stripped_deck_holds_no_other_card(deck: tuple[Card, ...]) -> None:
    rules = in_force("up-card", deck__ranks=SIX_UP, deck__clause="36 cards")
    with pytest.raises(BadCards) as caught:
        decide(OPENING, OpenBetting(1, "virtual", "c", "s", deck), rules)
    assert caught.value.clause == "36 cards"
    assert "2c is not in the deck: this game is dealt with the ranks 6 to A" in str(caught.value)


def test_a_card_that_is_not_in_the_deck_is_refused_everywhere() -> None:
    error = refusal(
        "up-card", "6h 7s 8h 9h 2s", "double", dealer="As Qd 9c 8d Kc", deck__ranks=SIX_UP
    )
    assert "seat 1: 2s is not in the deck" in error.message
    rules = in_force("up-card", deck__ranks=SIX_UP)
    state = Round(1, "revealing", (SeatInRound(1, "ann", {"ante": 1000}),), "live", drawn=10)
    for command in (RevealCards(parse_cards("2c")), EnterCards("burn", parse_cards("3d"))):
        with pytest.raises(BadCards, match="is not in the deck"):
            decide(state, command, rules)


def test_with_two_decks_a_card_lies_twice_and_never_three_times() -> None:
    twice: dict[str, Any] = {"deck__copies": 2, "dealer": "As Kd 9c 8d 2c"}
    outcome, _ = settled("up-card", "As Ah 5d 6d 7c", "double", **twice)
    assert nets(outcome) == {"ante": 1000, "raise": 2000}
    assert outcome.hand == "pair"
    pair, told = settled("up-card", "Jh Jh 5d 6d 7c", "double", **twice)
    assert (pair.hand, nets(pair)["raise"]) == ("pair", 2000)
    assert told["raise"] == "A pair of jacks beat the dealer's ace high: 1 to 1, +$20."
    error = refusal("up-card", "As As 5d 6d 7c", "double", **twice)
    assert "As lies 3 times on the table, but 2 decks hold it 2 times" in error.message


def test_several_decks_are_shuffled_together_and_sealed() -> None:
    rules = in_force("up-card", deck__copies=6)
    whole = cards_of(rules.book.deck)
    order = shuffle(Seeded("six decks"), whole)
    assert len(order) == 312
    assert sorted(order) == sorted(whole)
    assert order[:20] != whole[:20]
    sealed = seal(order, Seeded("salt"), whole)
    assert decide(OPENING, OpenBetting(1, "virtual", sealed.commitment, sealed.salt, order), rules)
    with pytest.raises(BadCards, match="a deck holds 312 cards"):
        decide(OPENING, OpenBetting(1, "virtual", "c", "s", (*order[:-1], order[0])), rules)


def test_one_deck_is_shuffled_as_it_always_was() -> None:
    assert shuffle(Seeded(7)) == shuffle(Seeded(7), DECK)
    assert [str(card) for card in shuffle(Seeded(7))[:5]] == FIRST_OF_SEED_7


FIRST_OF_SEED_7 = ["Jh", "2s", "3c", "9c", "7s"]


# -- what a file may not say -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "changes", "said"),
    [
        ("up-card", {"deck__ranks": "6678"}, "at deck.ranks: '6' stands there twice"),
        ("up-card", {"deck__ranks": "678X"}, "at deck.ranks: 'X' is no rank"),
        ("up-card", {"deck__ranks": "A678"}, "write the lowest first: '678A'"),
        ("up-card", {"deck__ranks": ""}, "at deck.ranks: a deck has at least one rank"),
        ("up-card", {"deck__copies": 0}, "at deck.copies: 1 to 8 decks"),
        ("up-card", {"deck__ranks": "TJQKA"}, "4 positions need more than the 20 cards of a deck"),
        ("up-card", {"positions__most": 10}, "need more than the 52 cards of a deck"),
        ("up-card", {"dealer__at_least": "three_card_flush"}, "at dealer.at_least: "),
        ("up-card", {"dealer__of": "5", "deck__ranks": SIX_UP}, "a rank that the deck lacks"),
        ("up-card", {"reveals__0__dealer": 6}, "turn up 6 of the dealer's 5 cards"),
        ("up-card", {"reveals__0__dealer": -1}, "no reveal turns up fewer than 0 cards"),
        (
            "up-card",
            {"decisions__0__sees_dealer": 2},
            "decisions[0].sees_dealer: the reveals turn up 1 cards of the dealer's",
        ),
        (
            "up-card",
            {"decisions__0__only_with": {"4x": {"hand": "mine", "at_least": "pair"}}},
            "decisions[0].only_with: unknown bet '4x'",
        ),
        (
            "up-card",
            {"decisions__0__only_with": {"double": {"hand": "yours", "at_least": "pair"}}},
            "decisions[0].only_with.double.hand: unknown hand 'yours'",
        ),
        (
            "up-card",
            {"decisions__0__only_with": {"double": {"hand": "mine", "at_least": "pairs"}}},
            "decisions[0].only_with.double.at_least: unknown hand 'pairs'",
        ),
        (
            "up-card",
            {"decisions__0__only_with": {"double": {"hand": "theirs", "at_least": "pair"}}},
            "takes 5 cards of dealer, of which the player sees 1 at this decision",
        ),
        ("up-card", {"decisions__0__otherwise": "ride"}, "a bet rides only where one can be taken"),
        (
            "up-card",
            {"decisions__0__bets": {"take_back": 1, "triple it": 3}},
            "cannot be called take_back",
        ),
        ("up-card", {"decisions__0__bets": {}}, "there is no bet"),
        ("up-card", {"bonuses__ante_bonus__on": "aunt"}, "at bonuses.ante_bonus: unknown wager"),
        ("up-card", {"bonuses__ante_bonus__paytable": "x"}, "at bonuses.ante_bonus: unknown pay"),
        (
            "up-card",
            {"paytables__ante_bonus__only__lines__0__pays": "5 for 1"},
            "at paytables.ante_bonus.only: flush must pay odds ('5 to 1') or a fixed sum",
        ),
        ("up-card", {"hands__mine__cards": ["player:4"]}, "4 cards cannot be ranked as five_card"),
        ("up-card", {"announces": "bare"}, "at announces: unknown hand"),
        ("ride-on", {"decisions__0__takes_back": "four"}, "at decisions[0]: unknown wager 'four'"),
        ("ride-on", {"decisions__0__otherwise": "stay"}, "decisions[0].otherwise"),
        ("ride-on", {"wagers__one__taken_before_deal": True}, "is in the tray before the deal"),
        ("ride-on", {"decisions__0__wager": "one"}, "a wager is named, but no bet that puts it"),
        (
            "two-streets",
            {"decisions__0__takes_back": "late"},
            "takes_back: 'late' is not down yet: no earlier decision puts it there",
        ),
    ],
)
def test_a_mistake_in_a_file_is_told(game: str, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BadData) as caught:
        game_file(game, **changes)
    assert said in caught.value.message


def test_a_hand_is_compared_with_one_of_its_own_ranking_only() -> None:
    ranking = {"size": 4, "order": ["four_of_a_kind", "pair", "high_card"]}
    with pytest.raises(BadData) as caught:
        game_file("up-card", rankings__four=ranking, hands__mine__ranking="four")
    assert "'mine' is ranked as four, the dealer's hand as five_card" in caught.value.message
