"""The type of situation of a decision in a few words, the name of a leak.

`river, low pair`: the decision, then the best hand so far by the game's own ranking. Without a made
hand, the highest own card and the draw distinguish situations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from croupier.cards import RANK_WORDS, Card
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import card_count, ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

_JACK: Final = 9
_ACE: Final = 12
_NUMBER: Final = {3: "three", 4: "four"}
_OWN: Final = frozenset({"player", "community"})
_BY_RANKS: Final = ("high_card", "pair", "two_pair", "three_of_a_kind", "full_house")


def situation_of(
    rules: Rules, decision: str, own: Sequence[Card], community: Sequence[Card]
) -> str:
    return f"{decision.replace('_', ' ')}, {kind_of_hand(rules.book, own, community)}"


def kind_of_hand(book: Rulebook, own: Sequence[Card], community: Sequence[Card]) -> str:
    ranking, cards = _ranking_of_player(book), [*own, *community]
    if ranking.by == "longest_suit":
        value = ranking.value_of(cards)
        name = ranking.name_of(value).replace("_card_flush", " of a suit")
        return f"{name}, {_high_word(ranking.deciding(value)[0])}"
    if len(cards) >= ranking.size:
        name = ranking.name_of(ranking.value_of(cards))
        if name not in _BY_RANKS:
            return name.replace("_", " ") + _whose(ranking, name, community)
    return _of_a_kind(own, community) or _high(own, community, ranking.size)


def _ranking_of_player(book: Rulebook) -> Ranking:
    """Return the ranking of the largest hand made of the player's and the community cards."""
    hands = {
        name: card_count(book, hand)
        for name, hand in book.hands.items()
        if {place.partition(":")[0] for place in hand.cards} <= _OWN and "player" in hand.cards
    }
    return ranking_of(book, max(hands, key=lambda name: hands[name]))


def _whose(ranking: Ranking, name: str, community: Sequence[Card]) -> str:
    if len(community) < ranking.size:
        return ""
    return " on the board" if ranking.name_of(ranking.value_of(community)) == name else ""


def _of_a_kind(own: Sequence[Card], community: Sequence[Card]) -> str:
    counts = Counter(card.rank for card in [*own, *community])
    mine = {card.rank for card in own}
    several = {rank: count for rank, count in counts.items() if count > 1}
    if not several:
        return ""
    whose = "" if mine & several.keys() else " on the board"
    most = max(several.values())
    if most >= 4:
        return f"four of a kind{whose}"
    if most == 3:
        return f"{'full house' if len(several) > 1 else 'three of a kind'}{whose}"
    if len(several) > 1:
        return f"two pair{whose}"
    if whose:
        return f"pair on the board, {_own_high(own)}"
    return f"{'high' if max(several) >= _JACK else 'low'} pair"


def _high(own: Sequence[Card], community: Sequence[Card], size: int) -> str:
    suits = Counter(card.suit for card in [*own, *community])
    most, row = max(suits.values(), default=0), _longest_row([*own, *community])
    if not community and len(own) == 2:
        return f"{_own_high(own)}, {'suited' if most == 2 else 'offsuit'}"
    if size > 3 and most == size - 1:
        return f"{_own_high(own)}, {_NUMBER[most]} to a flush"
    if size > 3 and row == size - 1:
        return f"{_own_high(own)}, {_NUMBER[row]} to a straight"
    return _own_high(own)


def _own_high(own: Sequence[Card]) -> str:
    return _high_word(max((card.rank for card in own), default=0))


def _high_word(rank: int) -> str:
    return f"{RANK_WORDS[rank]} high" if rank >= _JACK else "ten high or lower"


def _longest_row(cards: Sequence[Card]) -> int:
    """Return the length of the longest run of ranks; the ace counts high or low."""
    ranks = {card.rank for card in cards}
    if _ACE in ranks:
        ranks |= {-1}
    longest = row = 0
    for rank in range(-1, 13):
        row = row + 1 if rank in ranks else 0
        longest = max(longest, row)
    return longest
