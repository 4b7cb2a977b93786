"""The value of every action on given cards.

Where hands are ranked by categories, every hand that the dealer may have is dealt out and compared,
which shares nothing with the counting of `opponents`: each checks the other. By the longest suit
the hands are too many, and the polynomials of `meet_suits` are asked.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from croupier.cards import Card
from croupier.errors import BadCards, suggest
from croupier.mathematics.counters.opponents.decks import FourSuits, suits_of
from croupier.mathematics.counters.opponents.game import VersusGame, versus_game
from croupier.mathematics.counters.opponents.opponents import by_outcome, meet_suits, next_set
from croupier.mathematics.hand_values import ValueTables, strength_of, value_of_suits
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.kernels.decorators import kernel
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.rulebooks.rules import Rules


def advise_versus(rules: Rules, situation: Situation) -> Advice:
    _check(rules, situation)
    game, decision = versus_game(rules), rules.book.decisions[0]
    own, seen = suits_of(situation.own), suits_of(situation.dealer)
    counts = _outcomes(game, own, seen, [*situation.own, *situation.dealer])
    case, pays = game.case_of(own), game.payoffs
    required = sum(n * pay for n, pay in zip(counts, pays.required[case].tolist(), strict=True))
    decided = sum(n * pay for n, pay in zip(counts, pays.decided[case].tolist(), strict=True))
    unit = game.opponents * game.scale
    values = {
        said: Fraction(required + multiple * decided, unit)
        for said, multiple, allowed in zip(
            decision.bets, game.bets, pays.allowed[case].tolist(), strict=True
        )
        if allowed
    }
    declined = int(pays.fold[case]) * game.opponents if game.folds else required
    values[decision.otherwise] = Fraction(declined, unit)
    return Advice(decision.name, values, max(values, key=lambda said: values[said]))


def dealers_hands(rules: Rules, situation: Situation) -> tuple[int, int, int]:
    """How many of the dealer's hands are weaker, how many equal, and how many there are."""
    _check(rules, situation)
    game = versus_game(rules)
    own, seen = suits_of(situation.own), suits_of(situation.dealer)
    met = _met(game, own, seen, [*situation.own, *situation.dealer])
    return int(met[0]), int(met[1]), game.opponents


def _check(rules: Rules, situation: Situation) -> None:
    book, decision = rules.book, rules.book.decisions[0]
    if situation.decision not in ("", decision.name):
        raise suggest("decision", situation.decision, [decision.name])
    if situation.known:
        raise BadCards("no other player's card is seen in this game: leave out the known ones")
    if situation.community:
        raise BadCards("this game has no community cards: leave them out")
    for count, wanted, whose in (
        (len(situation.own), book.cards.player, "own"),
        (len(situation.dealer), decision.sees_dealer, "dealer's"),
    ):
        if count != wanted:
            raise BadCards(
                f"the decision is taken on {wanted} {whose} card{'s' * (wanted != 1)}, not on "
                f"{count}",
                clause=decision.clause,
            )


def _outcomes(game: VersusGame, own: FourSuits, seen: FourSuits, gone: list[Card]) -> list[int]:
    """How many of the dealer's hands lead to each outcome."""
    met = _met(game, own, seen, gone)
    if game.qualifier >= len(game.strengths.values):
        met[2] = game.opponents
    counts = np.zeros(6, np.int64)
    weak = strength_of(own, game.strengths.tables[game.own]) < game.qualifier
    by_outcome(int(met[0]), int(met[1]), int(met[2]), weak, game.opponents, counts)
    return [int(count) for count in counts]


def _met(game: VersusGame, own: FourSuits, seen: FourSuits, gone: list[Card]) -> I64:
    """How many of the dealer's hands are weaker, equal and below the qualifier."""
    strength = strength_of(own, game.strengths.tables[game.own])
    met = np.zeros(3, np.int64)
    if game.by_suit:
        masks, suit = np.array([own], np.int16), game.strengths.tables[game.theirs].suit
        found = meet_suits(game.deck, game.theirs, seen, masks, suit, game.qualifier)
        met[:] = [found.weaker[0], found.equal[0], found.unqualified[0]]
    else:
        left = np.array([card for card in game.deck.cards if card not in gone], np.int64)
        others = game.theirs - game.seen
        tables = game.strengths.tables[game.theirs]
        _deal_out(np.array(seen, np.int64), left, others, tables, strength, game.qualifier, met)
    return met


@kernel
def _deal_out(
    seen: I64,
    left: I64,
    others: int,
    tables: ValueTables,
    strength: int,
    qualifier: int,
    met: I64,
) -> None:
    """met = the dealer's hands that are weaker, equal and below the qualifier."""
    chosen = np.arange(others)
    hand = np.zeros(4, np.int64)
    while others == 0 or chosen[others - 1] < len(left):
        hand[:] = seen
        for place in chosen:
            hand[left[place] // 13] |= 1 << left[place] % 13
        theirs = value_of_suits(hand[0], hand[1], hand[2], hand[3], tables)
        met[0] += theirs < strength
        met[1] += theirs == strength
        met[2] += theirs < qualifier
        if others == 0:
            break
        next_set(chosen)
