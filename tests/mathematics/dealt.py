"""Dealing and playing rounds for the proofs: cards at random, played as the mathematics advises."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from croupier.cards import DECK, Card
from croupier.mathematics.counters.boards import rulebook
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import decided_wagers
from croupier.mathematics.counters.boards.solver import Solution
from croupier.mathematics.counters.shapes import HOLDEM as HOLDEM_SHAPE
from croupier.mathematics.questions import registry
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.situation import Situation
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.mathematics.changed import RULEBOOKS

STAKE = 200  # cents: halves of it are whole


@cache
def rules_of(book: str, **chosen: str) -> Rules:
    return put_in_force(open_rulebook(book), Submission(paytables=dict(chosen)))


HOLDEM = tuple(
    book
    for book in RULEBOOKS
    if solver_for(rules_of(book)).shape is HOLDEM_SHAPE
    and len(decided_wagers(rules_of(book).book)) == 1
)
"""Those with one wager decided in play."""


@cache
def solution_of(book: str) -> tuple[HoldemGame, Solution]:
    solution = rulebook.holdem_solution(rules_of(book))
    return solution.game, solution


def stakes_of(rules: Rules) -> dict[str, int]:
    """Everything that can go down before the deal."""
    return {
        name: min(rules.stakes.get(name, (STAKE,)))
        for name, wager in rules.book.wagers.items()
        if wager.role != "decided"
    }


def deal(rules: Rules, chance: random.Random, *, narrow: bool = False) -> CompletedRound:
    """One seat, all wagers down, nothing said yet; `narrow`: from few ranks, so that hands are
    high."""
    cards = rules.book.cards
    needed = cards.player + cards.dealer + cards.community + cards.box
    deck: list[Card] = list(DECK)
    if narrow:
        ranks = chance.sample(range(13), 5) if chance.random() < 0.5 else range(8, 13)
        suits = chance.sample(range(4), 4 if needed > 10 else 3)
        deck = [card for card in DECK if card.rank in ranks and card.suit in suits]
    drawn = chance.sample(deck, needed)

    def take(count: int) -> tuple[Card, ...]:
        taken, drawn[:] = tuple(drawn[:count]), drawn[count:]
        return taken

    seat = PlayedSeat(1, "p", take(cards.player), stakes_of(rules), ())
    return CompletedRound((seat,), take(cards.community), take(cards.dealer), take(cards.box))


def saying(played: CompletedRound, actions: tuple[str, ...]) -> CompletedRound:
    seat = played.seats[0]
    said = PlayedSeat(seat.number, seat.player, seat.cards, seat.wagers, actions)
    return CompletedRound((said,), played.community, played.dealer, played.box)


def every_play(rules: Rules) -> Iterator[tuple[tuple[str, ...], int | None]]:
    """All that can be said in a hold'em round, with the multiple bet (None: folded)."""
    declined: tuple[str, ...] = ()
    for decision in rules.book.decisions:
        for word, multiple in decision.bets.items():
            yield (*declined, word), multiple
        declined = (*declined, decision.otherwise)
    yield declined, None if rules.book.decisions[-1].otherwise == "fold" else 0


def best_play(book: str, rules: Rules, played: CompletedRound) -> tuple[str, ...]:
    """What the mathematics advises, decision by decision."""
    seat = played.seats[0]
    said: list[str] = []
    if rules.book.dealer is None:
        for decision in rules.book.decisions:
            seen = Situation(seat.cards[: decision.sees_player])
            said.append(registry.advise(rules, seen).best)
        return tuple(said)
    for decision in rules.book.decisions:
        community = played.community[: decision.sees_community]
        seen = Situation(seat.cards, community, (), decision.name, tuple(said))
        said.append(registry.advise(rules, seen).best)
        if said[-1] in decision.bets:
            break
    return tuple(said)
