"""A round as a value: the same as at a table, and nothing changes in place."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

import croupier
from croupier import Money, Round

GAMES = croupier.bundled_rulebooks()


def bets(book: croupier.Rulebook) -> dict[str, int]:
    return dict.fromkeys(book.rules.required, 10)


def dealt(rulebook: str, seed: int) -> Round:
    """Two players have bet, and the first is asked."""
    start = Round.start(rulebook, seed=seed)
    for seat, player in ((1, "ann"), (3, "bob")):
        start = start.play("place_wagers", seat=seat, player=player, wagers=bets(start.rulebook))
    return start.advance()


def played_out(state: Round, dice: random.Random) -> Round:
    while state.phase != "over":
        choices = [legal.action for legal in state.legal_actions(state.turn) if legal.action]
        answer = dice.choice(choices)
        state = state.play("act", seat=state.turn, player=state.seats[state.turn], action=answer)
        state = state.advance()
    return state


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_round_settles_as_settle_does(rulebook: str) -> None:
    dice = random.Random(rulebook)
    for seed in range(5):
        over = played_out(dealt(rulebook, seed), dice)
        settled, state = over.settlement, over.state
        assert settled is not None
        if any(len(seat.cards) < over.rulebook.rules.book.cards.player for seat in state.seats):
            continue
        wanted_cards = over.rulebook.rules.book.cards
        if len(state.community) < wanted_cards.community or len(state.dealer) < wanted_cards.dealer:
            continue  # everybody folded before all cards were dealt
        again = croupier.settle(
            rulebook=rulebook,
            seats=[
                {
                    "seat": seat.number,
                    "player": seat.player,
                    "cards": seat.cards,
                    "wagers": {name: Money.of_cents(cents) for name, cents in seat.wagers.items()},
                    "actions": list(seat.actions),
                }
                for seat in state.seats
            ],
            dealer=state.dealer or None,
            community=state.community,
        )
        assert [(line.wager, line.net) for seat in again.seats for line in seat.lines] == [
            (line.wager, line.net) for seat in settled.seats for line in seat.lines
        ]


@pytest.mark.parametrize("rulebook", GAMES)
def test_play_is_decide_and_evolve_and_changes_nothing(rulebook: str) -> None:
    state = dealt(rulebook, 7)
    before = pickle.dumps(state)
    answer = next(legal.action for legal in state.legal_actions(state.turn) if legal.action)
    terms: Any = {"seat": state.turn, "player": state.seats[state.turn], "action": answer}
    events = state.decide("act", **terms)
    evolved = state
    for event in events:
        evolved = evolved.evolve(event)
        assert evolved.describe(event) == evolved.describe(copy.deepcopy(event))
        assert event.to_dict()["type"] == event.name
    assert evolved == state.play("act", **terms) != state
    assert pickle.dumps(state) == before
    assert pickle.loads(before) == copy.deepcopy(state) == state
    assert played_out(state, random.Random(1)) == played_out(state, random.Random(1))


@pytest.mark.parametrize("rulebook", GAMES)
def test_listed_actions_are_accepted_and_others_refused(rulebook: str) -> None:
    state = dealt(rulebook, 11)
    listed = {legal.action for legal in state.legal_actions(state.turn) if legal.action}
    words = {word for decision in state.rulebook.decisions for word in decision.answers}
    for word in words:
        terms: Any = {"seat": state.turn, "player": state.seats[state.turn], "action": word}
        if word in listed:
            state.play("act", **terms)
        else:
            with pytest.raises(croupier.CroupierError):
                state.play("act", **terms)


def test_a_deck_may_be_named_from_the_top_and_a_seed_repeats_the_rest() -> None:
    one = Round.start("md-uth", deck="As Kd", seed=3)
    assert one.state.deck[:2] == croupier.parse_cards("As Kd")
    assert sorted(one.state.deck) == sorted(croupier.DECK)
    assert one == Round.start("md-uth", deck=croupier.parse_cards("As Kd"), seed=3)
    assert one != Round.start("md-uth", deck="As Kd", seed=4)
    with pytest.raises(croupier.BadRequest):
        Round.start("md-uth", deck="As As")


def test_a_view_hides_what_a_player_may_not_see() -> None:
    state = dealt("md-uth", 3)
    assert state.turn == 1
    assert state.decision is not None
    assert state.decision.name == state.view("ann").decision == "preflop"
    assert None not in state.view("ann").seat(1).cards
    assert state.view("ann").seat(3).cards == state.view().seat(1).cards == (None, None)
    assert not state.view("ann").deck
    assert state.settlement is None
    assert "ann is asked" in repr(state)


def test_a_meter_pays_and_falls() -> None:
    """A royal flush on the flop wins the whole meter, which then shows its reset amount."""
    state = Round.start("md-uth", seed=1, meters={"main": "12500"})
    cards = _with_a_royal(state)
    state = Round.start("md-uth", deck=cards, seed=1, meters={"main": "12500"})
    wagers = {"ante": 10, "blind": 10, "progressive": 1}
    state = state.play("place_wagers", seat=1, player="ann", wagers=wagers).advance()
    state = state.play("act", seat=1, player="ann", action="4x").advance()
    assert state.phase == "over"
    assert state.settlement is not None
    assert state.settlement.seat(1)["progressive"].net == Money("12499")
    assert state.meters["main"] == Money.of_cents(state.rulebook.rules.resets["main"]) != 12500


def _with_a_royal(state: Round) -> tuple[croupier.Card, ...]:
    """The order of the deck in which seat 1 and the flop are a royal flush."""
    state = state.play("place_wagers", seat=1, player="ann", wagers={"ante": 10, "blind": 10})
    state = state.advance()
    deck = list(state.state.deck)
    lying = [*state.state.seats[0].cards, *_flop(state)]
    for place, card in zip(lying, croupier.parse_cards("As Ks Qs Js Ts"), strict=True):
        here, there = deck.index(place), deck.index(card)
        if place != card:
            deck[here], deck[there] = deck[there], deck[here]
            lying = [deck[here] if old == place else old for old in lying]
    return tuple(deck)


def _flop(state: Round) -> tuple[croupier.Card, ...]:
    state = state.play("act", seat=1, player="ann", action="check").advance()
    return state.state.community[:3]


def test_what_is_no_command_of_a_round_is_refused() -> None:
    state = dealt("md-uth", 3)
    for wrong in ("open_betting", "close_table", "dance", "collect"):
        with pytest.raises(croupier.CroupierError):
            state.decide(wrong)
    with pytest.raises(croupier.BadRequest, match="not a command of a round"):
        state.decide("buy_in", player="ann", amount=Money(5))
    with pytest.raises(croupier.Refusal, match="nobody has bet"):
        Round.start("md-uth").advance()
    with pytest.raises(croupier.BadRequest, match="not a meter"):
        Round.start("md-uth", meters={"mini": 5})
