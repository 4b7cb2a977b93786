"""All hands of the cards in play counted in any ranking, without going through them one by one.

Suits are alike: hands that go over into each other when suits are exchanged are worth the same, so
only those with their four suits in descending order are looked at, with the number that each stands
for (some six million for the 133,784,560 hands of seven cards). Where several decks are shuffled
together a suit may hold a rank more than once, in as many ways as the copies can be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.mathematics.hand_values import CHOOSE, MOST_CARDS, number_of_ranks, values_by_ranks
from croupier.mathematics.kernels.decorators import kernel, part
from croupier.mathematics.side_wagers.columns import (
    ANY_SUITS,
    NO_RANKS,
    Columns,
    codes_of,
    rank_code,
)
from croupier.ranking.categories import CATEGORIES
from croupier.ranking.ranking import Ranking

_Counts: TypeAlias = NDArray[np.int64]


@cache
def ranked_rows(
    ranking: Ranking, cards: int, *, with_ranks: bool = False
) -> tuple[Columns, NDArray[np.int64]]:
    """All hands of this many cards of the ranking's decks as rows, and how many hands each row
    stands for; the ranks of the cards only where a line names some."""
    parts = list(_rows(ranking, cards, with_ranks=with_ranks))
    category, made, suits, best_suits, ranks, hands = np.concatenate(parts, axis=1)
    deck = 4 * len(ranking.ranks) * ranking.copies
    assert int(hands.sum()) == comb(deck, cards)
    rows = Columns(
        category=codes_of(ranking)[category],
        made=made.astype(np.uint8),
        suits=suits.astype(np.uint8),
        best_suits=best_suits.astype(np.uint8),
        ranks=ranks,
    )
    return rows, hands


def _rows(ranking: Ranking, cards: int, *, with_ranks: bool) -> Iterator[_Counts]:
    by_ranks, by_suit = _counts(ranking, cards)
    multisets = list(combinations_with_replacement(range(13), cards))
    order = np.argsort(number_of_ranks(np.array(multisets)))
    codes = np.array([rank_code(ranks) for ranks in multisets])[order] if with_ranks else None
    plain, suited = np.argwhere(by_ranks).T, np.argwhere(by_suit).T
    values = values_by_ranks(ranking, cards)[plain[0]]
    names = np.array(_suited_places(ranking) or [0])
    for where, category, made, hands, flush in (
        (plain, values >> 20, values >> 16 & 15, by_ranks[tuple(plain)], False),
        (suited, names[suited[2]], suited[3], by_suit[tuple(suited)], True),
    ):
        ranks = np.full(hands.size, NO_RANKS) if codes is None else codes[where[0]]
        key = ranks.astype(np.int64) << 12 | category << 8 | made << 4 | where[1] + 1
        key, place = np.unique(key, return_inverse=True)
        sums = np.zeros(key.size, np.int64)
        np.add.at(sums, place, hands)
        columns = np.stack([key >> 8 & 15, key >> 4 & 15, key >> 12, key & 15])
        yield from _by_suits(ranking, cards, columns, sums, flush=flush)


def _by_suits(
    ranking: Ranking, cards: int, columns: _Counts, hands: _Counts, *, flush: bool
) -> Iterator[_Counts]:
    """Rows as of `Columns`, with the category's place in the ranking, and the number of hands.

    Each row is repeated for every choice of its suits, all of them alike; a flush that only one
    suit is long enough for lies in each of them as often."""
    category, made, ranks, present = columns
    one_suit = flush and 2 * ranking.size > cards > ranking.size
    for count in range(1, 5):
        these = present == count
        for suits in combinations((1, 2, 4, 8), count):
            held = sum(suits)
            all_make_it = not cards > ranking.size > 0
            for best in suits if one_suit else (held if all_make_it else ANY_SUITS,):
                ways = comb(4, count) * (count if one_suit else 1)
                each, left = np.divmod(hands[these], ways)
                assert not left.any()
                same = [np.full(each.size, value) for value in (held, best)]
                yield np.stack([category[these], made[these], *same, ranks[these], each])


# -- by what each suit holds ----------------------------------------------------------------------


class _Holdings(NamedTuple):
    """What one suit may hold; k cards from starts[k] to starts[k + 1]."""

    codes: _Counts
    ways: _Counts
    """In which the copies of its cards can be chosen."""
    values: _Counts
    starts: _Counts


def _holdings(ranking: Ranking, cards: int) -> _Holdings:
    deck = [RANKS.index(rank) for rank in ranking.ranks]
    codes, ways, values, starts = [0], [1], [-1], [0, 1]
    for count in range(1, cards + 1):
        held = [
            ranks
            for ranks in combinations_with_replacement(deck, count)
            if max(map(ranks.count, ranks)) <= ranking.copies
        ]
        if held:
            worth = values_by_ranks(ranking, count, suited=True)
            values += worth[number_of_ranks(np.array(held))].tolist()
        codes += [rank_code(ranks) for ranks in held]
        for ranks in held:
            ways.append(prod(comb(ranking.copies, ranks.count(rank)) for rank in set(ranks)))
        starts.append(len(codes))
    return _Holdings(*(np.array(column, np.int64) for column in (codes, ways, values, starts)))


def _suited_places(ranking: Ranking) -> list[int]:
    """The places of the categories that lie in one suit."""
    if ranking.by == "longest_suit":
        return list(range(MOST_CARDS))
    names = enumerate(ranking.names)
    return [place for place, name in names if name in CATEGORIES and CATEGORIES[name].suited]


def _counts(ranking: Ranking, cards: int) -> tuple[_Counts, _Counts]:
    """[ranks, suits present - 1]: hands that are worth what their ranks are; and [ranks, suits
    present - 1, place among the suited categories, first made rank]: those of one suit."""
    numbers = comb(12 + cards, cards)
    named = _suited_places(ranking)
    places = np.full(len(ranking.names), -1, np.int64)
    places[named] = np.arange(len(named))
    by_ranks = np.zeros((numbers, 4), np.int64)
    by_suit = np.zeros((numbers, 4, len(named), 13), np.int64)
    holdings = _holdings(ranking, cards)
    plain = values_by_ranks(ranking, cards).astype(np.int64)
    _count_classes(cards, holdings, plain, CHOOSE, places, by_ranks, by_suit)
    return by_ranks, by_suit


@kernel
def _count_classes(
    cards: int,
    holdings: _Holdings,
    plain: _Counts,
    choose: _Counts,
    places: _Counts,
    by_ranks: _Counts,
    by_suit: _Counts,
) -> None:
    """Suits a >= b >= c >= d, in the order of `holdings`, that hold so many cards together."""
    codes, ways, values, starts = holdings
    for count_a in range(1, cards + 1):
        for a in range(starts[count_a], starts[count_a + 1]):
            left_a = cards - count_a
            for count_b in range(min(left_a, count_a) + 1):
                left_b = left_a - count_b
                for b in range(starts[count_b], min(starts[count_b + 1], a + 1)):
                    for count_c in range(min(left_b, count_b) + 1):
                        count_d = left_b - count_c
                        if count_d > count_c:
                            continue
                        present = 1 + (count_b > 0) + (count_c > 0) + (count_d > 0)
                        for c in range(starts[count_c], min(starts[count_c + 1], b + 1)):
                            three = codes[a] + codes[b] + codes[c]
                            best = max(values[a], values[b], values[c])
                            chosen = ways[a] * ways[b] * ways[c]
                            for d in range(starts[count_d], min(starts[count_d + 1], c + 1)):
                                number = _number(three + codes[d], choose)
                                hands = chosen * ways[d] * _arrangements(a, b, c, d)
                                value = max(best, values[d])
                                if value > plain[number]:
                                    place, made = places[value >> 20], value >> 16 & 15
                                    by_suit[number, present - 1, place, made] += hands
                                else:
                                    by_ranks[number, present - 1] += hands


@part
def _number(code: int, choose: _Counts) -> int:
    """The number of the multiset of ranks with this code."""
    number, place = 0, 0
    for rank in range(13):
        for _ in range(code >> 3 * rank & 7):
            number += choose[rank + place, place + 1]
            place += 1
    return number


@part
def _arrangements(a: int, b: int, c: int, d: int) -> int:
    """The different orders of four suits, alike ones next to each other: 24 over the repeats."""
    size, run = 24, 1
    run = run + 1 if a == b else 1
    size //= run
    run = run + 1 if b == c else 1
    size //= run
    run = run + 1 if c == d else 1
    return size // run
