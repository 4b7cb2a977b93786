"""Shared meters: a progressive's value when others may be paid from the meter first.

Seats are settled one after another, and a meter is read, lowered or reset at each winner's turn. So
a bettor with `before` others ahead may find less than the meter showed. Few hands can win on the
same shared cards: on each of these boards W is the list of own cards that are paid from the meter,
and R(A) its reading after the holders of A have been paid in turn. Given my own winning cards,
inclusion and exclusion over the others' winning cards gives the mean:

sum over b of C(before, b) / (ways to deal b hands) * sum over ordered disjoint T of g(T), where
g(T) = sum over A within T of (-1)**(b - |A|) * my award at R(A)

If all shares are equal, g depends on b only, and the tuples are b! times the matchings of W.
Bettors settled later do not matter, and nobody's envy does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, factorial, prod
from typing import Final, NamedTuple

import msgspec
import numpy as np

from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.game.course import cards_of
from croupier.mathematics.game.paytable_lines import LineTests
from croupier.mathematics.hand_values import subsets
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.side_wagers.columns import bits_of, columns_of, columns_of_all, ranking_at
from croupier.mathematics.side_wagers.highest import Graph, matching_polynomial
from croupier.money import MeterShare, parse_pays
from croupier.rulebooks.rankings import card_count
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Deck, VersusPaytable

_FEW: Final = 12
"""Up to this number of winning hands on a board are visited set by set."""


class _Share(NamedTuple):
    """Own cards that are paid from a meter."""

    own: int
    percent: int


def change_by_others(rules: Rules, analysis: WagerAnalysis, before: int) -> Fraction:
    """Return how other bettors who are settled earlier change the expected net per unit of
    stake."""
    if not 0 <= before <= 6:
        raise BadRequest("before: none to six other bettors can be settled earlier")
    settles = rules.book.wagers[analysis.wager].settles
    if not isinstance(settles, VersusPaytable):
        raise Unsolvable(f"{analysis.wager!r} is not paid from meters")
    if rules.book.deck != Deck():
        raise Unsolvable("several winners of a meter are counted with one deck of 52 cards")
    tests = _tests(rules, settles, meters_only=True)
    if all(leaf.category == ("royal_flush",) for leaf in tests.leaves):
        change = _shared_royals(rules, settles, analysis, before)
    else:
        change = _few_winners(_MeterTable(rules, settles), analysis, before)
    return change / analysis.stake_cents


def _few_winners(table: _MeterTable, analysis: WagerAnalysis, before: int) -> Fraction:
    change = Fraction(0)
    for name, boards in table.winners().items():
        meter = _Meter(analysis, name, table.own_size, before)
        for shares in boards.values():
            change += sum((meter.change(share, shares) for share in shares), Fraction(0))
    return change / table.deals


def _tests(rules: Rules, settles: VersusPaytable, *, meters_only: bool = False) -> LineTests:
    table = rules.paytable(settles.paytable)
    if meters_only:
        lines = tuple(x for x in table.lines if isinstance(parse_pays(x.pays), MeterShare))
        table = msgspec.structs.replace(table, lines=lines)
    return LineTests(table, rules.book.patterns, settles.hand, tested_first=settles.tested_first)


def _shared_royals(
    rules: Rules, settles: VersusPaytable, analysis: WagerAnalysis, before: int
) -> Fraction:
    """Return the meters that only royal flushes touch: two people hold one only if it lies on the
    board (cards that one lacks, the other cannot have), and then everybody holds it and is paid
    alike."""
    hands, cards = rules.book.hands, rules.book.cards
    tests = _tests(rules, settles)
    for leaf in tests.leaves:
        made = cards_of(hands[leaf.hand], cards) or {}
        if "community" not in made or not made.keys() <= {"player", "community"} or leaf.ranks:
            raise Unsolvable(
                f"several winners of a meter: hands.{leaf.hand} is not made of own and community "
                "cards, or a line names its ranks"
            )
    change = 0
    for suit in range(4):
        board = [13 * suit + rank for rank in range(8, 13)]
        spare = [13 * ((suit + 1) % 4) + rank for rank in range(8)]
        places = {"community": board, "player": spare[:2], "dealer": spare[2:4], "box": spare[4:]}
        columns = {}
        for name in {leaf.hand for leaf in tests.leaves}:
            made = cards_of(hands[name], cards) or {}
            held = [card for place, count in made.items() for card in places[place][:count]]
            mask = np.array([sum(1 << card for card in held)], np.uint64)
            columns[name] = columns_of(hands[name], mask)
        pays = tests.ending(int(bits_of(tests.leaves, columns)[0])).pays
        if cards.community == 5 and isinstance(pays, MeterShare):
            meter = _Meter(analysis, pays.meter, cards.player, before)
            ahead = (pays.percent,) * before
            change += meter.award(pays.percent, ahead) - meter.award(pays.percent, ())
    return Fraction(change, comb(52, 5))


class _MeterTable:
    """The cards that are paid from each meter, for a hand of five: some shared, some the player's
    own.

    If lines look at several hands, those on meters must come first and look at one of them.
    """

    def __init__(self, rules: Rules, settles: VersusPaytable) -> None:
        book = rules.book
        self.tests = _tests(rules, settles)
        self.name = settles.hand
        if any(leaf.hand != settles.hand for leaf in self.tests.leaves):
            kinds = [isinstance(line.pays, MeterShare) for line in self.tests.lines]
            self.tests = _tests(rules, settles, meters_only=True)
            names = {leaf.hand for leaf in self.tests.leaves}
            if len(names) == 1 and kinds == sorted(kinds, reverse=True):
                self.name = names.pop()
        self.hand = book.hands[self.name]
        own = [place for place in self.hand.cards if place.startswith("player")]
        self.own_size = book.cards.player
        looks_elsewhere = any(leaf.hand != self.name for leaf in self.tests.leaves)
        if card_count(book, self.hand) != 5 or own != ["player"] or looks_elsewhere:
            raise Unsolvable(
                "several winners of a meter are counted for hands of exactly five cards, some "
                "shared and all of one's own, or for royal flushes: not for these lines"
            )
        self.deals = comb(52, 5 - self.own_size) * comb(47 + self.own_size, self.own_size)

    def winners(self) -> dict[str, dict[int, list[_Share]]]:
        """Return for each meter and each set of shared cards the own cards that are paid
        from it."""
        columns = columns_of_all(ranking_at(self.hand), 5)
        held = bits_of(self.tests.leaves, {self.name: columns})
        pays = {bits: self._share(bits) for bits in np.unique(held).tolist()}
        paid = [bits for bits, share in pays.items() if share is not None]
        boards_of: dict[str, dict[int, list[_Share]]] = {}
        where = np.isin(held, paid)
        for mask, bits in zip(subsets(5)[where].tolist(), held[where].tolist(), strict=True):
            share = pays[bits]
            assert share is not None
            boards = boards_of.setdefault(share.meter, {})
            for own in _own_cards(mask, self.own_size):
                boards.setdefault(mask ^ own, []).append(_Share(own, share.percent))
        return boards_of

    def _share(self, held: int) -> MeterShare | None:
        pays = self.tests.ending(held).pays
        return pays if isinstance(pays, MeterShare) else None


def _own_cards(mask: int, size: int) -> Iterator[int]:
    cards = [1 << card for card in range(52) if mask >> card & 1]
    for own in combinations(cards, size):
        yield sum(own)


class _Meter:
    """A meter with others ahead; `change` is what they cost one own hand, in cents."""

    def __init__(self, analysis: WagerAnalysis, name: str, own_size: int, before: int) -> None:
        self.reading, self.reset = analysis.meters[name], analysis.resets[name]
        self.before = before
        self._ordered: dict[tuple[int, tuple[int, ...]], int] = {}
        # The chance that b given players ahead hold b given disjoint hands, times the choice of
        # the players; the places keep their order, so tuples are ordered.
        left, chance = 47, Fraction(1)
        self.chances = [Fraction(1)]
        for others in range(1, before + 1):
            chance /= comb(left, own_size)
            left -= own_size
            self.chances.append(comb(before, others) * chance)

    def after(self, percents: tuple[int, ...]) -> int:
        """Return the reading when these shares have been paid in turn."""
        shown = self.reading
        for percent in percents:
            taken = MeterShare("", percent).award(shown)
            shown = self.reset if percent == 100 else shown - taken
        return shown

    def award(self, percent: int, ahead: tuple[int, ...]) -> int:
        return MeterShare("", percent).award(self.after(ahead))

    def signed(self, percent: int, ahead: tuple[int, ...]) -> int:
        """Return g: the sum over the parts of `ahead`, with signs."""
        number = len(ahead)
        return sum(
            (-1) ** (number - size) * self.award(percent, part)
            for size in range(number + 1)
            for part in combinations(ahead, size)
        )

    def change(self, mine: _Share, shares: list[_Share]) -> Fraction:
        """Return the mean of my award, less what it is with nobody ahead."""
        others = [share for share in shares if not share.own & mine.own]
        if not others or not self.before:
            return Fraction(0)
        if len(others) <= _FEW or others[0].own.bit_count() != 2:
            return self._set_by_set(mine, others)
        percents = {share.percent for share in others}
        if len(percents) > 1:
            raise Unsolvable("too many winners with different shares of a meter on one board")
        ahead = percents.pop()
        total = Fraction(0)
        for number, ways in _matchings(others, self.before).items():
            if number:
                g = self.signed(mine.percent, (ahead,) * number)
                total += self.chances[number] * factorial(number) * ways * g
        return total

    def _set_by_set(self, mine: _Share, others: list[_Share]) -> Fraction:
        total = Fraction(0)
        for percents, ways in _disjoint_sets(others, self.before).items():
            if percents:
                orders = self._in_all_orders(mine.percent, percents)
                total += self.chances[len(percents)] * ways * orders
        return total

    def _in_all_orders(self, percent: int, percents: tuple[int, ...]) -> int:
        """Return the sum of g over every order of the hands ahead; hands with equal shares are
        alike."""
        key = (percent, percents)
        if key not in self._ordered:
            alike = prod(factorial(count) for count in Counter(percents).values())
            self._ordered[key] = alike * sum(
                self.signed(percent, order) for order in set(permutations(percents))
            )
        return self._ordered[key]


def _disjoint_sets(shares: list[_Share], most: int) -> Counter[tuple[int, ...]]:
    """Return how many sets of up to `most` hands have no card in common, by their shares.

    Hands that never meet, such as those of two suits, are counted separately and multiplied.
    """
    sets: Counter[tuple[int, ...]] = Counter({(): 1})
    for group in _groups(shares):
        longer: Counter[tuple[int, ...]] = Counter()
        own = Counter(
            tuple(sorted(share.percent for share in part)) for part in _parts(group, most)
        )
        for some, ways in sets.items():
            for more, times in own.items():
                if len(some) + len(more) <= most:
                    longer[tuple(sorted(some + more))] += ways * times
        sets = longer
    return sets


def _groups(shares: list[_Share]) -> Iterator[list[_Share]]:
    """Return the groups of hands that share cards with one another, directly or through others."""
    left = list(shares)
    while left:
        cards, group = left[0].own, []
        while more := [share for share in left if share.own & cards]:
            group += more
            left = [share for share in left if not share.own & cards]
            for share in more:
                cards |= share.own
        yield group


def _parts(shares: list[_Share], most: int) -> Iterator[tuple[_Share, ...]]:
    """Return all sets of up to `most` of these hands without a common card."""
    yield ()
    if most:
        for place, share in enumerate(shares):
            left = [later for later in shares[place + 1 :] if not later.own & share.own]
            for rest in _parts(left, most - 1):
                yield (share, *rest)


def _matchings(shares: list[_Share], most: int) -> dict[int, int]:
    """Return how many sets of k disjoint hands of two cards there are."""
    joined = [0] * 52
    for share in shares:
        low = (share.own & -share.own).bit_length() - 1
        high = share.own.bit_length() - 1
        joined[low] |= 1 << high
        joined[high] |= 1 << low
    counts = tuple(1 if row else 0 for row in joined)
    polynomial = matching_polynomial(Graph(counts, tuple(joined), 0), most)
    return {edges: ways for (edges, _), ways in polynomial.items()}
