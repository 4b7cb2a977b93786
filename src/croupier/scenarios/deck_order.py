"""Deck orders that deal named cards to the places a scenario names.

The dealing procedure determines the place to which each card goes. Places without a named card, and
the rest of the deck, take the remaining cards in a new deck's order: 2c 3c … As.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from croupier.cards import Card
from croupier.rounds.dealing import whole_order
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from croupier.scenarios.scenario import LineError

Named = Mapping[tuple[str, int], Mapping[int, Card]]
"""Maps a place and seat (0 if it is not a seat) to the cards there, by their index from 0."""


def topped(cards: Sequence[Card], rules: Rules) -> tuple[Card, ...]:
    """Return a deck with these cards on top and the others below them."""
    return *cards, *_others(cards, rules)


def _others(cards: Iterable[Card], rules: Rules) -> list[Card]:
    """Return the rest of the deck, in the order of a new one."""
    taken = Counter(cards)
    others = []
    for card in cards_of(rules.book.deck):
        if taken[card]:
            taken[card] -= 1
        else:
            others.append(card)
    lost = next(taken.elements(), None)
    if lost is not None:
        raise LineError(f"{lost} is named, but the deck does not hold it (that often)")
    return others


def stacked(named: Named, rules: Rules, seats: Sequence[int]) -> tuple[Card, ...]:
    taken = [card for cards in named.values() for card in cards.values()]
    others = iter(_others(taken, rules))
    deck: list[Card] = []
    served: dict[tuple[str, int], int] = {}
    placed: set[tuple[tuple[str, int], int]] = set()
    for _, delivery in whole_order(rules, seats):
        spot = delivery.place, delivery.seat
        for _ in range(delivery.count):
            number = served.get(spot, 0)
            served[spot] = number + 1
            card = named.get(spot, {}).get(number)
            if card is None:
                card = next(others)
            else:
                placed.add((spot, number))
            deck.append(card)
    for (place, seat), cards in named.items():
        lost = [card for n, card in cards.items() if ((place, seat), n) not in placed]
        if lost:
            where = f"seat {seat}" if place == "player" else f"the {place}"
            dealt = ", ".join(map(str, sorted(seats)))
            raise LineError(
                f"{lost[0]} is named for {where}, but no such card is dealt in this round (seats "
                f"{dealt} are dealt in)"
            )
    return *deck, *others
