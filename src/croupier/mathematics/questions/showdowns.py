"""How often a hand beats the dealer's, over every card that may still come.

It is the reason behind a value, not a value: who wins is compared, whether the dealer qualifies or
not. Answered where all deals can be dealt out at once: after the flop of a hold'em game, and where
one hand meets another.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, Card, mask_of
from croupier.mathematics.kernels.decorators import kernel, part
from croupier.mathematics.questions.advice.situation import Situation, check_seen
from croupier.mathematics.questions.registry import VersusSolver, solver_for
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.fast import strength_of
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules

__all__ = ["Showdown", "showdown"]


class Showdown(NamedTuple):
    """In how many deals the player's hand is better, and the same; the rest is lost."""

    wins: int
    ties: int
    deals: int

    @property
    def win_chance(self) -> Fraction:
        return Fraction(self.wins, self.deals)

    @property
    def tie_chance(self) -> Fraction:
        return Fraction(self.ties, self.deals)


def showdown(rules: Rules, seen: Situation) -> Showdown | None:
    """None where there is no dealer's hand, or too many cards are to come."""
    check_seen(rules, seen)
    if isinstance(solver_for(rules), VersusSolver):
        from croupier.mathematics.questions.advice.opponents import dealers_hands

        return Showdown(*dealers_hands(rules, seen))
    if not _is_holdem(rules) or not 3 <= len(seen.community) <= 5 or seen.dealer:
        return None
    return _dealt_out(seen.own, seen.community)


def _is_holdem(rules: Rules) -> bool:
    """Two own cards and five on the board for both, the best five of them all."""
    book = rules.book
    if book.dealer is None or (book.cards.player, book.cards.dealer, book.cards.community) != (
        2,
        2,
        5,
    ):
        return False
    ranking = ranking_of(book, book.dealer.hand)
    return isinstance(ranking, ByCategories) and ranking.is_usual


def _dealt_out(own: Sequence[Card], community: Sequence[Card]) -> Showdown:
    gone = {*own, *community}
    left = np.array([card for card in DECK if card not in gone], np.int64)
    counts = np.zeros(3, np.int64)
    _deal_boards(mask_of(own), mask_of(community), left, 5 - len(community), counts)
    return Showdown(int(counts[0]), int(counts[1]), int(counts[2]))


@kernel
def _deal_boards(own: int, board: int, left: NDArray[np.int64], more: int, out: object) -> None:
    """Every way in which the board may be filled; `out` = better, equal, all."""
    if more == 0:
        _meet(own, board, left, -1, -1, out)
    for a in range(len(left)):
        if more == 1:
            _meet(own, board | 1 << left[a], left, a, -1, out)
        if more == 2:
            for b in range(a):
                _meet(own, board | 1 << left[a] | 1 << left[b], left, a, b, out)


@part
def _meet(
    own: int, board: int, left: NDArray[np.int64], a: int, b: int, out: NDArray[np.int64]
) -> None:
    """Every two cards that the dealer may have."""
    mine = strength_of(np.uint64(own | board))
    for high in range(len(left)):
        if high in (a, b):
            continue
        for low in range(high):
            if low in (a, b):
                continue
            theirs = strength_of(np.uint64(board | 1 << left[high] | 1 << left[low]))
            out[0] += mine > theirs
            out[1] += mine == theirs
            out[2] += 1
