"""A deck in the order that puts named cards where a scenario wants them.

The way of dealing says for which place each card leaves the deck. Places that nobody named a card
for, and the rest of the deck, take the cards that are left in a new deck's order: 2c 3c … As.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.cards import DECK, Card
from croupier.rounds.dealing import whole_order
from croupier.rulebooks.rules import Rules
from croupier.scenarios.scenario import LineError

__all__ = ["Named", "stacked", "topped"]

Named = Mapping[tuple[str, int], Mapping[int, Card]]
"""Place and seat (0 where it is nobody's) to the cards there, by their number from 0."""


def topped(cards: Sequence[Card]) -> tuple[Card, ...]:
    """These cards on top, the others below them."""
    return *cards, *(card for card in DECK if card not in cards)


def stacked(named: Named, rules: Rules, seats: Sequence[int]) -> tuple[Card, ...]:
    taken = {card for cards in named.values() for card in cards.values()}
    others = iter([card for card in DECK if card not in taken])
    deck: list[Card] = []
    served: dict[tuple[str, int], int] = {}
    placed = set()
    for _, delivery in whole_order(rules, seats):
        spot = delivery.place, delivery.seat
        for _ in range(delivery.count):
            number = served.get(spot, 0)
            served[spot] = number + 1
            card = named.get(spot, {}).get(number)
            if card is None:
                card = next(others)
            else:
                placed.add(card)
            deck.append(card)
    for (place, seat), cards in named.items():
        lost = [card for card in cards.values() if card not in placed]
        if lost:
            where = f"seat {seat}" if place == "player" else f"the {place}"
            dealt = ", ".join(map(str, sorted(seats)))
            raise LineError(
                f"{lost[0]} is named for {where}, but no such card is dealt in this round (seats "
                f"{dealt} are dealt in)"
            )
    return *deck, *others
