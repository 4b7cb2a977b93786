"""Hands in words, where the ranks that decide have to be told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.cards import RANK_WORDS, RANKS
from croupier.ranking.hands import describe_named
from croupier.rounds.paytable_lines import words_for
from croupier.rulebooks.schema import Dealer, LeastHand

__all__ = ["as_subject", "least_in_words", "or_better", "with_ranks"]


def least_in_words(least: Dealer | LeastHand) -> str:
    """`a pair of fours`, `ace-king high`, `a flush`: what a hand must be, without "or better"."""
    ranks = [RANKS.index(rank) for rank in least.of]
    if not ranks:
        return words_for(least.at_least, {})
    return with_ranks(least.at_least, ranks, len(ranks))


def or_better(words: str) -> str:
    """`a pair of fours or better`; `a flush, nine high, or better`."""
    return f"{as_subject(words)} or better"


_MADE: Final = {"pair": 1, "two_pair": 2, "three_of_a_kind": 1, "four_of_a_kind": 1}
"""The ranks that make the hand; those after them are kickers."""


def with_ranks(category: str, ranks: Sequence[int], shown: int) -> str:
    """A hand in words with the first `shown` of the ranks that decide."""
    words = describe_named(category, ranks)
    made = _MADE.get(category, 1)
    if shown <= made:
        return words
    named = [RANK_WORDS[rank] for rank in ranks[:shown]]
    if category in _MADE:
        kickers, hand = named[made:], as_subject(words)
        if len(kickers) > 1:
            return f"{hand} with {'-'.join(kickers)} kickers"
        article = "an" if kickers[0] in ("ace", "eight") else "a"
        return f"{hand} with {article} {kickers[0]} kicker"
    return words.replace(f"{named[0]} high", f"{'-'.join(named)} high")


def as_subject(words: str) -> str:
    """`two pair, sixes and twos,` goes on behind a comma."""
    return f"{words}," if "," in words else words
