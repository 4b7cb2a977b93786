"""Kinds of cards on the way to a hand, as players speak of them: for charts.

A kind is what is paired; or, where nothing is, whether all cards are of a suit, how many straights
they can still become, and how many of them would pay as a pair or bring the bet back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from croupier.cards import RANK_WORDS, RANKS
from croupier.money import Push, parse_pays
from croupier.ranking.hands import ACE
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Pattern, VersusPaytable

_MADE = {(4,): "four of a kind", (3, 2): "full house", (3,): "three of a kind", (2, 2): "two pair"}


class Kind(NamedTuple):
    """`made` orders what is paired, best first; the rest is for cards of different ranks."""

    made: int
    rank: int = 0
    unsuited: int = 0
    straights: int = 0
    high: int = 0
    middle: int = 0

    @property
    def order(self) -> tuple[int, ...]:
        points = 2 * self.high + self.middle
        return (self.made, -self.rank, self.unsuited, -self.straights, -points, -self.high)


class KindsOfCards:
    """How the cards of one rulebook are told apart: by the tables of its required wagers."""

    def __init__(self, rules: Rules) -> None:
        book = rules.book
        settles = [book.wagers[name].settles for name in rules.required]
        by_table = [settling for settling in settles if isinstance(settling, VersusPaytable)]
        self._high, self._middle = _paying_ranks(rules, by_table)
        sizes = [ranking_of(book, settling.hand).size for settling in by_table]
        self._windows = _straights(book.deck.ranks, max(sizes, default=0))

    @property
    def points(self) -> tuple[int, ...]:
        """By rank: 2 if its pair is paid, 1 if it brings the bet back."""
        bits = range(len(RANKS))
        return tuple([2 * (self._high >> n & 1) + (self._middle >> n & 1) for n in bits])

    def of(self, mask: int) -> Kind:
        suits = [mask >> 13 * suit & 8191 for suit in range(4)]
        counts = {rank: sum(bits >> rank & 1 for bits in suits) for rank in range(13)}
        paired = tuple(sorted((n for n in counts.values() if n > 1), reverse=True))
        if paired in _MADE:
            return Kind(list(_MADE).index(paired))
        if paired == (2,):
            return Kind(len(_MADE), rank=next(rank for rank, n in counts.items() if n == 2))
        ranks = suits[0] | suits[1] | suits[2] | suits[3]
        return Kind(
            len(_MADE) + 1 + len(paired),
            unsuited=int(sum(map(bool, suits)) > 1),
            straights=sum(ranks & ~window == 0 for window in self._windows),
            high=(ranks & self._high).bit_count(),
            middle=(ranks & self._middle).bit_count(),
        )

    def name(self, kinds: Sequence[Kind], every: Iterable[Kind]) -> str:
        """One row of a chart, made of neighbours in the order of kinds."""
        first, last = kinds[0], kinds[-1]
        if first.made < len(_MADE):
            names = list(_MADE.values())[first.made : last.made + 1]
            return names[0] if len(names) == 1 else f"{names[-1]} to {names[0]}"
        if first.made == len(_MADE):
            low, high = RANK_WORDS[last.rank], RANK_WORDS[first.rank]
            return f"pair of {_plural(low)}" + (f" to {_plural(high)}" if low != high else "")
        alike = [kind for kind in every if _family(kind) == _family(first)]
        suited = "not of one suit" if first.unsuited else "all of one suit"
        if len(kinds) == len(alike):
            return suited
        fewest, most = last.straights, first.straights
        runs = f"{fewest} to {most}" if fewest != most else str(most)
        words = f"{suited}, {runs} straight{'s' * (most != 1)} open"
        whole = [kind for kind in alike if fewest <= kind.straights <= most]
        return words if len(kinds) == len(whole) else f"{words}, {self._cards(kinds)}"

    def _cards(self, kinds: Sequence[Kind]) -> str:
        if self._middle:
            ends = [f"{kind.high} high {kind.middle} middle" for kind in (kinds[-1], kinds[0])]
            return " to ".join(dict.fromkeys(ends))
        counts = [str(kind.high) for kind in (kinds[-1], kinds[0])]
        return f"{' to '.join(dict.fromkeys(counts))} high"


def joined(kinds: Sequence[Kind], answers: Mapping[Kind, object]) -> list[tuple[Kind, ...]]:
    """Neighbours with the same answer as one row; where the answer is None it is not always the
    same, and the kind stays alone. Different numbers of straights are joined as wholes."""
    ordered = sorted(kinds, key=lambda kind: kind.order)
    rows = _merged([(kind,) for kind in ordered], answers, _same_straights)
    sizes = Counter((_family(kind), kind.straights) for kind in ordered)

    def is_whole(row: tuple[Kind, ...]) -> bool:
        groups = {(_family(kind), kind.straights) for kind in row}
        return len(row) == sum(sizes[group] for group in groups)

    return _merged(rows, answers, lambda row, following: is_whole(row) and is_whole(following))


def _same_straights(row: tuple[Kind, ...], following: tuple[Kind, ...]) -> bool:
    return row[-1].straights == following[0].straights


def _merged(
    rows: Sequence[tuple[Kind, ...]],
    answers: Mapping[Kind, object],
    may_join: Callable[[tuple[Kind, ...], tuple[Kind, ...]], bool],
) -> list[tuple[Kind, ...]]:
    merged: list[tuple[Kind, ...]] = []
    for row in rows:
        before = merged[-1] if merged else None
        if (
            before is not None
            and _family(before[0]) == _family(row[0])
            and answers[before[0]] == answers[row[0]] is not None
            and may_join(before, row)
        ):
            merged[-1] = before + row
        else:
            merged.append(row)
    return merged


def _family(kind: Kind) -> tuple[int, int]:
    """What may stand in one row at all: made hands, pairs, cards of one suit, others."""
    return max(kind.made, len(_MADE) - 1), kind.unsuited


def _plural(word: str) -> str:
    return f"{word}es" if word == "six" else f"{word}s"


def _paying_ranks(rules: Rules, settles: Sequence[VersusPaytable]) -> tuple[int, int]:
    """The ranks whose pair is paid, and those whose pair brings the bet back, as bits."""
    bits = [0, 0]
    for settling in settles:
        for line in rules.paytable(settling.paytable).lines:
            for name in line.covers or (line.hand,):
                pattern = rules.book.patterns.get(name) or Pattern(category=(name,))
                if pattern.category == ("pair",):
                    made = sum(1 << RANKS.index(rank) for rank in pattern.made or RANKS)
                    bits[isinstance(parse_pays(line.pays), Push)] |= made
    return bits[0], bits[1] & ~bits[0]


def _straights(deck: str, size: int) -> list[int]:
    """Every straight of `size` ranks, as bits."""
    order = [RANKS.index(rank) for rank in deck]
    if order[-1] == ACE:
        order.insert(0, ACE)
    runs = [order[n : n + size] for n in range(len(order) - size + 1)] if size > 1 else []
    return [sum(1 << rank for rank in run) for run in runs if len(set(run)) == size]
