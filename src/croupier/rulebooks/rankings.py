"""The ranking of each hand of a rulebook: built in, or described by the rulebook."""

from __future__ import annotations

from functools import cache

from croupier.ranking.built_in import BUILT_IN, built_in
from croupier.ranking.by_categories import ByCategories, order_of
from croupier.ranking.ranking import SUIT_NAMES, ByLongestSuit, Ranking
from croupier.rulebooks.schema import Deck, Hand, Rulebook
from croupier.rulebooks.schema import Ranking as DescribedRanking


def ranking_of(book: Rulebook, hand: str) -> Ranking:
    """Return the ranking of a named hand of the rulebook, with the rulebook's deck."""
    named, deck = book.hands[hand], book.deck
    own = book.rankings.get(named.ranking)
    if own is not None:
        return _described(own, deck)
    return built_in(named.ranking, ace_low=named.ace_low, ranks=deck.ranks, copies=deck.copies)


def names_of(book: Rulebook, ranking: str) -> tuple[str, ...]:
    """Return every name that a hand of this ranking can have, the lowest first; unranked cards have
    none."""
    own = book.rankings.get(ranking)
    if own is not None:
        return SUIT_NAMES if own.by == "longest_suit" else order_of(own.order)[::-1]
    return () if ranking not in BUILT_IN or ranking == "cards" else built_in(ranking).names


def names_held(book: Rulebook, hand: str) -> tuple[str, ...]:
    """Return the names that a named hand can have: a suit is not longer than the hand."""
    names = names_of(book, book.hands[hand].ranking)
    return names[: card_count(book, book.hands[hand])] if names == SUIT_NAMES else names


def card_count(book: Rulebook, hand: Hand) -> int:
    """Return the number of cards in a hand, from all its places."""
    total = 0
    for place in hand.cards:
        name, _, first = place.partition(":")
        total += int(first) if first else getattr(book.cards, name)
    return total


@cache
def _described(own: DescribedRanking, deck: Deck) -> Ranking:
    if own.by == "longest_suit":
        return ByLongestSuit(ranks=deck.ranks)
    return ByCategories(
        own.order, size=own.size, ace_low=own.ace_low, ranks=deck.ranks, copies=deck.copies
    )
