"""How often a hand beats the dealer's, over every card that may still come.

It is the reason behind a value, not a value: who wins is compared, whether the dealer qualifies or
not. In hold'em it is counted by dealing out the rest, so from the flop on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from croupier.cards import DECK, Card, mask_of
from croupier.mathematics.questions.advice.situation import Situation
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.fast import strengths
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules


class Showdown(NamedTuple):
    """In how many deals the player's hand is better, and the same; the rest is lost."""

    wins: int
    ties: int
    deals: int


def holdem_showdown(rules: Rules, seen: Situation) -> Showdown | None:
    """None before the flop, and in another ranking of hands than the usual."""
    assert rules.book.dealer is not None
    ranking = ranking_of(rules.book, rules.book.dealer.hand)
    is_usual = isinstance(ranking, ByCategories) and ranking.is_usual
    if not is_usual or not 3 <= len(seen.community) <= 5 or seen.dealer:
        return None
    return _dealt_out(seen.own, seen.community)


def _dealt_out(own: Sequence[Card], community: Sequence[Card]) -> Showdown:
    """Every way in which the board may be filled, with every two cards that the dealer may have."""
    gone = {*own, *community}
    left = np.array([1 << card for card in DECK if card not in gone], np.uint64)
    held, board = np.uint64(mask_of(own)), np.uint64(mask_of(community))
    dealers = np.array([a | b for a, b in combinations(left, 2)])
    wins = ties = deals = 0
    for more in combinations(left, 5 - len(community)):
        shared = np.bitwise_or.reduce([board, *more])
        mine = strengths(np.array([held | shared]))
        theirs = strengths(dealers[dealers & shared == 0] | shared)
        wins += int((theirs < mine).sum())
        ties += int((theirs == mine).sum())
        deals += theirs.size
    return Showdown(wins, ties, deals)
