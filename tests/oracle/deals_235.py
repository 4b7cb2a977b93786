"""Rigged deals for 235 Stud: three cards a seat and two community cards."""

from __future__ import annotations

import random

from tests.oracle.deals import ROYAL, WHEEL, Scenario, Wish, hole, mixed, spread, suited, two_ranks
from tests.oracle.hands import ACE, SUITS

BOARD = ["b0", "b1"]
THREES = (
    *((12, 13, ACE), (11, 12, 13), (ACE, 2, 3), (13, ACE, 2), (2, 3, 4), (9, 10, 11)),
    *((6, 6, 6), (10, 10, 4), (9, 9, 13)),
)


def three(rng: random.Random, seats: int) -> list[str]:
    return hole(rng.randrange(seats), 3)


def royal(rng: random.Random, seats: int) -> Wish:
    return spread(rng, three(rng, seats) + BOARD, suited(ROYAL, rng.choice(SUITS)))


def straight_flush(rng: random.Random, seats: int) -> Wish:
    low = rng.randint(1, 9)
    cards = suited(range(low, low + 5), rng.choice(SUITS))
    return spread(rng, three(rng, seats) + BOARD, cards)


def two_straight_flushes(rng: random.Random, seats: int) -> Wish:
    """Around two suited community cards; the upper one may be royal, the lower one the wheel."""
    suit, low = rng.choice(SUITS), rng.randint(1, 7)
    wish = spread(rng, BOARD, suited((low + 3, low + 4), suit))
    first, second = rng.sample(range(max(seats, 2)), 2)
    if first < seats:
        wish |= spread(rng, hole(first, 3), suited((low, low + 1, low + 2), suit))
    if second < seats:
        wish |= spread(rng, hole(second, 3), suited((low + 5, low + 6, low + 7), suit))
    return wish


def quads(rng: random.Random, seats: int) -> Wish:
    """Trips in the hand and the fourth on the board; another seat likewise."""
    ranks = two_ranks(rng)
    wish: Wish = {}
    for rank, slot, seat in zip(ranks, BOARD, range(seats), strict=False):
        wish |= spread(rng, [*hole(seat, 3), slot], [(rank, suit) for suit in SUITS])
    return wish


def board_pair(rng: random.Random, seats: int) -> Wish:
    """A pair on the board: quads, full houses, trips and two pairs around it."""
    x, y = two_ranks(rng)
    suits = rng.sample(SUITS, 4)
    wish: Wish = dict(zip(BOARD, [(x, suits[0]), (x, suits[1])], strict=True))
    mine = rng.choice(
        [
            [(x, suits[2]), (x, suits[3])],
            [(x, suits[2]), (y, suits[0]), (y, suits[1])],
            [(y, suits[0]), (y, suits[1]), (y, suits[2])],
            [(y, suits[0]), (y, suits[1])],
        ]
    )
    slots = rng.sample(three(rng, seats), len(mine))
    return {**wish, **spread(rng, slots, mine)}


def flush_or_straight(rng: random.Random, seats: int) -> Wish:
    low = rng.randint(1, 10)
    cards = rng.choice(
        [
            suited(rng.sample(range(2, ACE + 1), 5), rng.choice(SUITS)),
            mixed(rng, range(low, low + 5)),
            mixed(rng, WHEEL),
            mixed(rng, (12, 13, ACE, 2, 3)),
        ]
    )
    return spread(rng, three(rng, seats) + BOARD, cards)


def small_hands(rng: random.Random, seats: int) -> Wish:
    """Three cards that a three-card table looks at, for every seat that can have them."""
    wish: Wish = {}
    for seat in range(seats):
        ranks = rng.choice(THREES)
        flush = len(set(ranks)) == 3 and rng.random() < 0.5
        cards = suited(ranks, rng.choice(SUITS)) if flush else mixed(rng, ranks)
        if not set(cards) & set(wish.values()):
            wish |= spread(rng, hole(seat, 3), cards)
    return wish


def first_two(rng: random.Random, seats: int) -> Wish:
    """A-2 and its neighbors as the first two cards, suited or not."""
    ranks = rng.choice([(ACE, 2), (ACE, 2), (ACE, 13), (2, 3), (ACE, 3), (13, 12), (5, 5)])
    suits = rng.sample(SUITS, 2)
    same = ranks[0] != ranks[1] and rng.random() < 0.4
    cards = [(ranks[0], suits[0]), (ranks[1], suits[0] if same else suits[1])]
    return spread(rng, three(rng, seats)[:2], cards)


def border_pair(rng: random.Random, seats: int) -> Wish:
    """One pair in five cards, around the tens."""
    rank = rng.choice([8, 9, 9, 10, 10, 11, ACE])
    others = rng.sample([r for r in range(2, ACE + 1) if r != rank], 3)
    return spread(rng, three(rng, seats) + BOARD, mixed(rng, (rank, rank, *others)))


def everything_wins(rng: random.Random, seats: int) -> Wish:
    """A pair in the first two cards wins all three wagers from tens up."""
    rank = rng.choice([9, 10, 11, 12, 13, ACE])
    cards = [(rank, suit) for suit in rng.sample(SUITS, 2)]
    return spread(rng, three(rng, seats)[:2], cards)


STUD: list[Scenario] = [
    royal,
    straight_flush,
    two_straight_flushes,
    two_straight_flushes,
    quads,
    board_pair,
    board_pair,
    flush_or_straight,
    small_hands,
    small_hands,
    small_hands,
    first_two,
    border_pair,
    everything_wins,
]
