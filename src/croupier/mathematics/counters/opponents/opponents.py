"""How many of the dealer's hands are weaker than the player's, and how many are equal.

The dealer holds the cards that are seen and d others. Walk through the dealer's hands from the
weakest and keep, for every set S of fewer than d cards, the number of hands passed that hold S. By
inclusion and exclusion, those that hold none of the player's cards P number the sum over S within P
of (-1)^|S| passed[S], where a set of d cards is a single hand, passed or not. No two hands are ever
compared.

In rankings by the longest suit, a hand stays below a value if each of its suits does. For one suit,
let p(k) be the number of ways to take k of its remaining cards and stay below; the product of the
four polynomials has the number of hands of n cards at degree n. A suit of fewer cards than the
value's is always below, one of more never; one of as many is below if its ranks, read as a number,
are less. Those are counted from the top: at each rank of the value, the suits that have all above
it but not this one.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.opponents.decks import NOTHING, FourSuits, VersusDeck
from croupier.mathematics.hand_values import ValueTables, value_of_suits
from croupier.mathematics.kernels.arrays import I16, I32, I64, U8, U16
from croupier.mathematics.kernels.decorators import kernel, part, whole

U64 = NDArray[np.uint64]

# A set of cards c1 < c2 < ... has the number C(c1, 1) + C(c2, 2) + ... among those of its size.
# Numbers are unsigned, because numba checks a signed index twice.
_FEW: Final = 60
"""Up to this many hands, looking at each is faster than reading the counters."""
_BY_SIZE: Final = np.array([[comb(n, k) for n in range(54)] for k in range(9)], np.uint64)


class Opponents(NamedTuple):
    """For each class of player's hands, the number of dealer's hands that are weaker, that are
    equal, and that do not qualify."""

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
    """Write a hand's opponents by outcome: won, tied, lost, each against a dealer who qualifies and
    one who does not; `weak`: the hand itself would not qualify."""
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
    """The subsets of some places, by size: each is an earlier one, its `parent`, with a higher
    place added; those of a size begin at `starts`."""

    parent: U16
    place: U16
    starts: I64


def _subsets(count: int, most: int) -> _Subsets:
    """Return the subsets of up to `most` of `count` places; none if `most` is below 0."""
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
    """The sorted hands of `count` cards of a dealer who shows certain cards."""

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
        values, bits = np.zeros(number, np.uint16), np.zeros(number, np.uint64)
        _rank_hands(np.array(seen, np.int64), self.left, self.others, tables, values, bits)
        starts = np.zeros(strengths + 1, np.int64)
        order = np.zeros(number, np.int32)
        _sort(values, starts, order)
        self.walk = _Walk(values, order, starts, bits[order])
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
    """Replace a set by the one with the next number."""
    place = 0
    while place + 1 < len(chosen) and chosen[place] + 1 == chosen[place + 1]:
        place += 1
    chosen[place] += 1
    for lower in range(place):
        chosen[lower] = lower


@kernel
def _sort(strengths: U16, starts: I64, order: I32) -> None:
    """Sort hands by strength: order[starts[s]:starts[s + 1]] are those with strength s."""
    for strength in strengths:
        starts[whole(strength) + 1] += 1
    for group in range(1, len(starts)):
        starts[group] += starts[group - 1]
    free = starts.copy()
    for place in range(len(strengths)):
        strength = whole(strengths[place])
        order[free[strength]] = place
        free[strength] += 1


@kernel
def _places_of(masks: I16, place_of: I64, places: U8) -> None:
    """Write the cards of every hand by their index among the remaining cards."""
    for number in range(len(masks)):
        at = 0
        for card in range(52):
            if masks[number, card // 13] >> card % 13 & 1:
                places[number, at] = place_of[card]
                at += 1


def meet_sets(dealers: DealersHands, masks: I16, own: U16, qualifier: int, count: int) -> Opponents:
    """Return the opponents of every class of player's hands of `count` cards, with their
    strengths."""
    hands = np.zeros((len(own), count), np.uint8)
    _places_of(masks, dealers.place, hands)
    starts = np.zeros(len(dealers.walk.starts), np.int64)
    order = np.zeros(len(own), np.int32)
    _sort(own, starts, order)
    met = Opponents.of(len(own))
    counters = _counters(count, dealers.others, len(dealers.left))
    _walk(dealers.walk, dealers.others, hands, order, starts, qualifier, counters, met)
    return met


def _counters(own: int, others: int, cards: int) -> _Counters:
    """Return the counters for player's hands of `own` cards and `others` unseen cards of the
    dealer."""
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
    counts: Opponents,
) -> None:
    chosen = np.zeros(others, np.uint8)
    for strength in range(len(starts) - 1):
        if strength == qualifier and strength:
            for hand in range(len(hands)):
                counts.unqualified[hand] = _count(hands[hand], strength, others, walk, counters)
        for at in range(starts[strength], starts[strength + 1]):
            hand = order[at]
            counts.weaker[hand] = _count(hands[hand], strength, others, walk, counters)
        for at in range(walk.starts[strength], walk.starts[strength + 1]):
            _pass(walk.order[at], others, chosen, counters)
        few = walk.starts[strength + 1] - walk.starts[strength] <= _FEW
        for at in range(starts[strength], starts[strength + 1]):
            hand = order[at]
            if few:
                counts.equal[hand] = _disjoint(hands[hand], strength, walk)
            else:
                met = _count(hands[hand], strength + 1, others, walk, counters)
                counts.equal[hand] = met - counts.weaker[hand]


@part
def _disjoint(hand: U8, strength: int, walk: _Walk) -> int:
    """Count the dealer's hands of a strength that hold none of these cards, one by one."""
    own = np.uint64(0)
    for place in hand:
        own |= np.uint64(1) << np.uint64(place)
    total = 0
    for at in range(walk.starts[strength], walk.starts[strength + 1]):
        total += walk.bits[at] & own == 0
    return total


@part
def _pass(number: int, others: int, chosen: U8, counters: _Counters) -> None:
    """Add one of the dealer's hands to the counters of all its subsets."""
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
    """Write the index of every subset of a hand in `passed`, then those of whole hands."""
    numbers, first = counters.numbers, counters.first
    for size in range(1, len(subsets.starts) - 1):
        more = np.uint64(first[size] - first[size - 1])
        row = counters.binomials[size]
        for at in range(subsets.starts[size], subsets.starts[size + 1]):
            numbers[at] = numbers[subsets.parent[at]] + row[hand[subsets.place[at]]] + more


@part
def _count(hand: U8, strength: int, others: int, walk: _Walk, counters: _Counters) -> int:
    """Return how many dealer's hands below a strength hold none of a hand's cards."""
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


_BITS: Final = np.bitwise_count(np.arange(1 << 13)).astype(np.int64)
_CHOOSE: Final = np.array([[comb(n, k) for k in range(14)] for n in range(14)], np.int64)


def meet_suits(
    deck: VersusDeck,
    dealer: int,
    seen: FourSuits,
    masks: I16,
    suit: I32,
    qualifier: int,
    gone: FourSuits = NOTHING,
) -> Opponents:
    """Return the opponents of every class of player's hands: dealer's hands of `dealer` cards with
    those `seen`, which qualify from the strength `qualifier`. `suit` has the strength of every
    mask."""
    at_least = np.flatnonzero(suit >= qualifier)
    least = int(at_least[np.argmin(suit[at_least])]) if qualifier and len(at_least) else 0
    met = Opponents.of(len(masks))
    every = np.array([deck.mask & ~lost for lost in gone], np.int64)
    tables = _Tables(every, np.array(seen, np.int64), suit, _BITS, _CHOOSE)
    _meet(masks, dealer, tables, least, met)
    return met


class _Tables(NamedTuple):
    """The ranks of each suit that are not gone, the cards seen, the strength of every mask, the
    number of ranks in it, and binomial coefficients."""

    every: I64
    seen: I64
    strength: I32
    bits: I64
    choose: I64


@kernel
def _meet(masks: I16, dealer: int, tables: _Tables, least: int, met: Opponents) -> None:
    """Fill in the opponents of hands; `least` is the mask of the weakest suit that qualifies, or 0
    if every hand does."""
    ways = np.zeros((4, dealer + 1), np.int64)
    equal = np.zeros(4, np.int64)
    left = np.zeros(4, np.int64)
    for hand in range(len(masks)):
        best = 0
        for suit in range(4):
            mask = whole(masks[hand, suit])
            left[suit] = tables.every[suit] & ~mask & ~tables.seen[suit]
            if tables.strength[mask] > tables.strength[best]:
                best = mask
        length = tables.bits[best]
        _below(left, best, tables, ways, equal)
        weaker = _together(ways, dealer, length)
        if length <= dealer:
            for suit in range(4):
                ways[suit, length] += equal[suit]
        met.weaker[hand] = weaker
        met.equal[hand] = _together(ways, dealer, length) - weaker
        if least:
            _below(left, least, tables, ways, equal)
            met.unqualified[hand] = _together(ways, dealer, tables.bits[least])


@part
def _below(left: I64, value: int, tables: _Tables, ways: I64, equal: I64) -> None:
    """Write ways[suit, k] = how many ways to hold k cards of a suit, those seen among them, are
    below the value; equal[suit] = 1 if the suit can equal the value."""
    seen, bits, choose = tables.seen, tables.bits, tables.choose
    length = bits[value]
    for suit in range(4):
        free, held = bits[left[suit]], bits[seen[suit]]
        for count in range(min(length, ways.shape[1])):
            taken = count - held
            ways[suit, count] = choose[free, taken] if taken >= 0 else 0
        if length >= ways.shape[1]:
            continue
        below, need, same = 0, length, 1
        for rank in range(12, -1, -1):
            bit = 1 << rank
            if value & bit:
                if not seen[suit] & bit:
                    under = bit - 1
                    taken = need - bits[seen[suit] & under]
                    if taken >= 0:
                        below += choose[bits[left[suit] & under], taken]
                    if not left[suit] & bit:
                        same = 0
                        break
                need -= 1
            elif seen[suit] & bit:
                same = 0
                break
        ways[suit, length] = below
        equal[suit] = same


@part
def _together(ways: I64, cards: int, length: int) -> int:
    """Return the number of hands of `cards` cards: four suits with at most `length` cards each."""
    total = 0
    for both in range(min(2 * length, cards) + 1):
        others = cards - both
        if others > 2 * length:
            continue
        first, second = 0, 0
        for count in range(max(0, both - length), min(both, length) + 1):
            first += ways[0, count] * ways[1, both - count]
        for count in range(max(0, others - length), min(others, length) + 1):
            second += ways[2, count] * ways[3, others - count]
        total += first * second
    return total
