"""How many of the dealer's hands are weaker than the player's, and how many equal.

The dealer holds the cards that are seen and d others. Walk through his hands from the weakest and
keep, for every set S of fewer than d cards, the number of hands passed that hold S. Those that hold
none of the player's cards P number

    sum over S within P of (-1)^|S| passed[S]

where a set of d cards is a single hand, passed or not. No two hands are ever compared.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.opponents.decks import I16, I64, NOTHING, FourSuits, VersusDeck
from croupier.mathematics.counters.opponents.strengths import U16
from croupier.mathematics.hand_values import ValueTables, value_of_suits
from croupier.mathematics.kernels.decorators import kernel, part, whole

__all__ = ["DealersHands", "Opponents", "by_outcome", "meet_sets", "next_set"]

I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]
U64 = NDArray[np.uint64]

# A set of cards c1 < c2 < ... has the number C(c1, 1) + C(c2, 2) + ... among those of its size.
# Numbers have no sign, since numba looks at an index with one twice.
_FEW: Final = 60
"""So many hands are looked at one by one sooner than counters are read."""
_BY_SIZE: Final = np.array([[comb(n, k) for n in range(54)] for k in range(9)], np.uint64)


class Opponents(NamedTuple):
    """For each class of player's hands: the dealer's hands that are weaker, those that are equal,
    and those that do not qualify."""

    weaker: I32
    equal: I32
    unqualified: I32

    @staticmethod
    def of(count: int) -> Opponents:
        return Opponents(*(np.zeros(count, np.int32) for _ in range(3)))


@part
def by_outcome(
    weaker: int, equal: int, unqualified: int, weak: bool, opponents: int, counts: I64
) -> None:
    """A hand's opponents by outcome: won, tied, lost, each against a dealer who qualifies and one
    who does not; `weak`: the hand itself would not qualify."""
    counts[:] = 0
    if weak:
        counts[1] = weaker
        counts[3] = equal
        counts[4] = opponents - unqualified
        counts[5] = unqualified - weaker - equal
    else:
        counts[0] = weaker - unqualified
        counts[1] = unqualified
        counts[2] = equal
        counts[4] = opponents - weaker - equal


class _Subsets(NamedTuple):
    """The subsets of so many places, by size: each is the one that `parent` names, which comes
    before it, with a higher place; those of a size begin at `starts`."""

    parent: U16
    place: U16
    starts: I64


def _subsets(count: int, most: int) -> _Subsets:
    """With at most so many places; none at all if that is below 0."""
    places = [chosen for size in range(most + 1) for chosen in combinations(range(count), size)]
    number = {chosen: at for at, chosen in enumerate(places)}
    return _Subsets(
        np.array([number[chosen[:-1]] if chosen else 0 for chosen in places], np.uint16),
        np.array([chosen[-1] if chosen else 0 for chosen in places], np.uint16),
        np.array([sum(comb(count, k) for k in range(size)) for size in range(most + 2)], np.int64),
    )


class _Walk(NamedTuple):
    """The dealer's hands given what is seen: `strengths` by the number of the other cards among
    those left; `order` from the weakest, and those cards as bits in the same order."""

    strengths: U16
    order: I32
    starts: I64
    bits: U64


class DealersHands:
    """The hands of `count` cards that a dealer can have who shows certain ones, sorted."""

    def __init__(
        self,
        deck: VersusDeck,
        count: int,
        seen: FourSuits,
        tables: ValueTables,
        strengths: int,
        gone: FourSuits = NOTHING,
    ) -> None:
        without = [shown | lost for shown, lost in zip(seen, gone, strict=True)]
        cards = [card for card in deck.cards if not without[card.suit] >> card.rank & 1]
        self.left = np.array(cards, np.int64)
        self.others = count - sum(mask.bit_count() for mask in seen)
        number = comb(len(cards), self.others)
        found, bits = np.zeros(number, np.uint16), np.zeros(number, np.uint64)
        _rank_hands(np.array(seen, np.int64), self.left, self.others, tables, found, bits)
        starts = np.zeros(strengths + 1, np.int64)
        order = np.zeros(number, np.int32)
        _sort(found, starts, order)
        self.walk = _Walk(found, order, starts, bits[order])
        self.place = np.full(52, -1, np.int64)
        self.place[self.left] = np.arange(len(self.left))


@kernel
def _rank_hands(
    seen: I64, left: I64, others: int, tables: ValueTables, strengths: U16, bits: U64
) -> None:
    chosen = np.arange(others)
    hand = np.zeros(4, np.int64)
    for number in range(len(strengths)):
        hand[:] = seen
        for place in chosen:
            card = left[place]
            hand[card // 13] |= 1 << card % 13
            bits[number] |= np.uint64(1 << place)
        strengths[number] = value_of_suits(hand[0], hand[1], hand[2], hand[3], tables)
        if number + 1 < len(strengths):
            next_set(chosen)


@part
def next_set(chosen: I64) -> None:
    """The set with the next number, in place."""
    place = 0
    while place + 1 < len(chosen) and chosen[place] + 1 == chosen[place + 1]:
        place += 1
    chosen[place] += 1
    for lower in range(place):
        chosen[lower] = lower


@kernel
def _sort(strengths: U16, starts: I64, order: I32) -> None:
    """order[starts[s]:starts[s + 1]] are the places with the strength s."""
    for strength in strengths:
        starts[whole(strength) + 1] += 1
    for kind in range(1, len(starts)):
        starts[kind] += starts[kind - 1]
    free = starts.copy()
    for place in range(len(strengths)):
        strength = whole(strengths[place])
        order[free[strength]] = place
        free[strength] += 1


@kernel
def _places_of(masks: I16, place_of: I64, found: U8) -> None:
    """The cards of every hand by their places among those left."""
    for number in range(len(masks)):
        at = 0
        for card in range(52):
            if masks[number, card // 13] >> card % 13 & 1:
                found[number, at] = place_of[card]
                at += 1


def meet_sets(dealers: DealersHands, masks: I16, own: U16, qualifier: int, count: int) -> Opponents:
    """The opponents of every class of player's hands, of so many cards and with these strengths."""
    hands = np.zeros((len(own), count), np.uint8)
    _places_of(masks, dealers.place, hands)
    starts = np.zeros(len(dealers.walk.starts), np.int64)
    order = np.zeros(len(own), np.int32)
    _sort(own, starts, order)
    found = Opponents.of(len(own))
    counters = _counters(count, dealers.others, len(dealers.left))
    _walk(dealers.walk, dealers.others, hands, order, starts, qualifier, counters, found)
    return found


def _counters(own: int, others: int, cards: int) -> _Counters:
    """For hands of so many cards of the player's and of the dealer's others."""
    first = np.array([sum(comb(cards, k) for k in range(size)) for size in range(others + 1)])
    sets, within = _subsets(others, others - 1), _subsets(own, min(own, others))
    room = max(len(sets.parent), len(within.parent))
    passed = np.zeros(int(first[others]), np.int32)
    return _Counters(passed, first, sets, within, _BY_SIZE, np.zeros(room, np.uint64))


class _Counters(NamedTuple):
    """passed[first[n] + number] for the sets of n cards; `sets` and `own` are the subsets of a
    dealer's and of a player's hand that are counted, `numbers` is room for theirs."""

    passed: I32
    first: I64
    sets: _Subsets
    own: _Subsets
    binomials: U64
    numbers: U64


@kernel
def _walk(
    walk: _Walk,
    others: int,
    hands: U8,
    order: I32,
    starts: I64,
    qualifier: int,
    counters: _Counters,
    found: Opponents,
) -> None:
    chosen = np.zeros(others, np.uint8)
    for strength in range(len(starts) - 1):
        if strength == qualifier and strength:
            for hand in range(len(hands)):
                found.unqualified[hand] = _count(hands[hand], strength, others, walk, counters)
        for at in range(starts[strength], starts[strength + 1]):
            hand = order[at]
            found.weaker[hand] = _count(hands[hand], strength, others, walk, counters)
        for at in range(walk.starts[strength], walk.starts[strength + 1]):
            _pass(walk.order[at], others, chosen, counters)
        few = walk.starts[strength + 1] - walk.starts[strength] <= _FEW
        for at in range(starts[strength], starts[strength + 1]):
            hand = order[at]
            if few:
                found.equal[hand] = _disjoint(hands[hand], strength, walk)
            else:
                met = _count(hands[hand], strength + 1, others, walk, counters)
                found.equal[hand] = met - found.weaker[hand]


@part
def _disjoint(hand: U8, strength: int, walk: _Walk) -> int:
    """The dealer's hands of a strength that hold none of these cards, looked at one by one."""
    own = np.uint64(0)
    for place in hand:
        own |= np.uint64(1) << np.uint64(place)
    total = 0
    for at in range(walk.starts[strength], walk.starts[strength + 1]):
        total += walk.bits[at] & own == 0
    return total


@part
def _pass(number: int, others: int, chosen: U8, counters: _Counters) -> None:
    """Count one of the dealer's hands in for every set that it holds."""
    binomials = counters.binomials
    left = whole(number)
    top = binomials.shape[1] - 1
    for size in range(others, 0, -1):
        while whole(binomials[size, top]) > left:
            top -= 1
        chosen[size - 1] = top
        left -= whole(binomials[size, top])
    _number_sets(chosen, counters.sets, counters)
    for at in range(len(counters.sets.parent)):
        counters.passed[counters.numbers[at]] += 1


@part
def _number_sets(hand: U8, subsets: _Subsets, counters: _Counters) -> None:
    """The place of every subset of a hand in `passed`; behind it, those of whole hands."""
    numbers, first = counters.numbers, counters.first
    for size in range(1, len(subsets.starts) - 1):
        more = np.uint64(first[size] - first[size - 1])
        row = counters.binomials[size]
        for at in range(subsets.starts[size], subsets.starts[size + 1]):
            numbers[at] = numbers[subsets.parent[at]] + row[hand[subsets.place[at]]] + more


@part
def _count(hand: U8, strength: int, others: int, walk: _Walk, counters: _Counters) -> int:
    """The dealer's hands below a strength that hold none of the cards of a hand."""
    # Numbers first, then sums: together the loop would wait for its own stores.
    _number_sets(hand, counters.own, counters)
    passed, numbers, starts = counters.passed, counters.numbers, counters.own.starts
    total = 0
    for size in range(len(starts) - 1):
        held = 0
        if size == others:
            for at in range(starts[size], starts[size + 1]):
                held += walk.strengths[numbers[at] - np.uint64(len(passed))] < strength
        else:
            for at in range(starts[size], starts[size + 1]):
                held += passed[numbers[at]]
        total += held if size % 2 == 0 else -held
    return total
