"""What named hands come to as cards are seen: for each hand the few results that anything asks for.

A `SeenHand` sorts sets of cards into results: by the leaves of paytable lines that hold for them,
or by whether they are good enough for a bet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.stages.course import Course, Place
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.hand_values import values_of
from croupier.mathematics.side_wagers.columns import bits_of_hand
from croupier.mathematics.side_wagers.enumeration import Masks
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import LeastHand

__all__ = ["SeenHand", "kept_apart", "least_hand", "paid_hands"]


@dataclass
class SeenHand:
    """`sort` gives a number for every set of cards; `results` has them as they come up, so that a
    result is a place in it."""

    name: str
    places: frozenset[Place]
    sort: Callable[[Masks], NDArray[np.int64]]
    suits: frozenset[str]
    """The sets of suits that are named: others are all alike."""
    results: list[int] = field(default_factory=list)

    def of(self, masks: Masks) -> NDArray[np.int64]:
        """The results of these sets of cards."""
        numbers, where = np.unique(self.sort(masks), return_inverse=True)
        for number in numbers.tolist():
            if number not in self.results:
                self.results.append(number)
        places = np.array([self.results.index(number) for number in numbers.tolist()], np.int64)
        return places[where]


def paid_hands(rules: Rules, course: Course, leaves: Sequence[Leaf]) -> Iterable[SeenHand]:
    """A hand for each that a leaf looks at; its numbers are the leaves that hold, as bits."""
    for name in dict.fromkeys(leaf.hand for leaf in leaves):
        hand = rules.book.hands[name]

        def sort(masks: Masks, name: str = name) -> NDArray[np.int64]:
            return bits_of_hand(leaves, name, ranking_of(rules.book, name), masks)

        suits = frozenset(leaf.suits for leaf in leaves if leaf.hand == name and leaf.suits)
        yield SeenHand(name, course.places_of(hand), sort, suits)


def least_hand(rules: Rules, course: Course, least: LeastHand) -> SeenHand:
    """1 where the hand is good enough for the bet."""
    hand = rules.book.hands[least.hand]
    ranking = ranking_of(rules.book, least.hand)
    enough = ranking.least(least.at_least, least.of)

    def sort(masks: Masks) -> NDArray[np.int64]:
        return (values_of(ranking, masks) >= enough).astype(np.int64)

    return SeenHand(least.hand, course.places_of(hand), sort, frozenset())


def kept_apart(course: Course) -> SeenHand:
    """A hand that pays nothing and keeps own cards apart from the community's up to the last."""
    own = frozenset(place for place in course.order if place[0] == "player")

    def sort(masks: Masks) -> NDArray[np.int64]:
        return np.zeros(masks.size, np.int64)

    return SeenHand("own cards", own | {course.order[-1]}, sort, frozenset())
