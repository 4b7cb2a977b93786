"""Rigged deals: wishes for some slots of the table, the rest dealt at random.

A slot is `b0`..`b4` (community, in order of exposure), `d0`, `d1` (dealer), `x0`..`x3` (Six Card
box) or `h2.0` (first card of the third seat in the request). A scenario wishes cards onto slots.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.oracle.hands import ACE, SUITS, Card, best_name, deck

Wish = dict[str, Card]
Scenario = Callable[[random.Random, int], Wish]

BOARD = ["b0", "b1", "b2", "b3", "b4"]
FLOP = BOARD[:3]
BOX = ["x0", "x1", "x2", "x3"]
DEALER = ["d0", "d1"]
ROYAL = (10, 11, 12, 13, ACE)
WHEEL = (ACE, 2, 3, 4, 5)
POCKETS = (
    *((ACE, ACE), (ACE, 13), (ACE, 12), (ACE, 11), (ACE, 10)),
    *((13, 13), (13, 12), (11, 11), (10, 10), (9, 9), (2, 2)),
)


def hole(seat: int, count: int = 2) -> list[str]:
    return [f"h{seat}.{i}" for i in range(count)]


def any_hole(rng: random.Random, seats: int) -> list[str]:
    return hole(rng.randrange(seats))


def holders(rng: random.Random, seats: int) -> list[list[str]]:
    """Everybody's two slots, players and dealer, in random order: the first two are rivals."""
    everybody = [hole(i) for i in range(seats)] + [DEALER]
    rng.shuffle(everybody)
    return everybody


def real(rank: int) -> int:
    return ACE if rank == 1 else rank


def suited(ranks: Sequence[int], suit: str) -> list[Card]:
    return [(real(rank), suit) for rank in ranks]


def mixed(rng: random.Random, ranks: Sequence[int]) -> list[Card]:
    """Distinct cards of these ranks (repeats get different suits), never all of one suit."""
    while True:
        cards = [(real(rank), rng.choice(SUITS)) for rank in ranks]
        if len(set(cards)) == len(cards) and len({suit for _, suit in cards}) > 1:
            return cards


def spread(rng: random.Random, slots: Sequence[str], cards: Sequence[Card]) -> Wish:
    """The cards on the slots in any order."""
    shuffled = list(cards)
    rng.shuffle(shuffled)
    return dict(zip(slots, shuffled, strict=True))


def two_ranks(rng: random.Random) -> tuple[int, int]:
    first, second = rng.sample(range(2, ACE + 1), 2)
    return first, second


# Hold'em ----------------------------------------------------------------------------------------


def flopped_royal(rng: random.Random, seats: int) -> Wish:
    return spread(rng, any_hole(rng, seats) + FLOP, suited(ROYAL, rng.choice(SUITS + "ds")))


def late_royal(rng: random.Random, seats: int) -> Wish:
    board = [*rng.sample(FLOP, 2), rng.choice(BOARD[3:])]
    return spread(rng, any_hole(rng, seats) + board, suited(ROYAL, rng.choice(SUITS)))


def one_card_royal(rng: random.Random, seats: int) -> Wish:
    holder = rng.choice(holders(rng, seats))
    return spread(rng, holder[:1] + rng.sample(BOARD, 4), suited(ROYAL, rng.choice(SUITS)))


def community_royal(rng: random.Random, seats: int) -> Wish:
    return spread(rng, BOARD, suited(ROYAL, rng.choice(SUITS)))


def flopped_straight_flush(rng: random.Random, seats: int) -> Wish:
    low = rng.randint(1, 9)
    cards = suited(range(low, low + 5), rng.choice(SUITS))
    return spread(rng, any_hole(rng, seats) + FLOP, cards)


def flopped_straight_flush_then_royal(rng: random.Random, seats: int) -> Wish:
    suit = rng.choice(SUITS)
    wish = spread(rng, any_hole(rng, seats) + FLOP, suited((9, 10, 11, 12, 13), suit))
    return {**wish, rng.choice(BOARD[3:]): (ACE, suit)}


def two_straight_flushes(rng: random.Random, seats: int) -> Wish:
    """Below and above one suited flop; the upper one may be royal, the lower one the wheel."""
    suit, low = rng.choice(SUITS), rng.randint(1, 8)
    first, second = holders(rng, seats)[:2]
    board = FLOP if rng.random() < 0.7 else rng.sample(BOARD, 3)
    return {
        **spread(rng, first, suited((low, low + 1), suit)),
        **spread(rng, board, suited((low + 2, low + 3, low + 4), suit)),
        **spread(rng, second, suited((low + 5, low + 6), suit)),
    }


def royal_over_straight_flush(rng: random.Random, seats: int) -> Wish:
    suit = rng.choice(SUITS)
    first, second = holders(rng, seats)[:2]
    wish = spread(rng, rng.sample(BOARD, 4), suited((10, 11, 12, 13), suit))
    return {**wish, first[0]: (ACE, suit), second[0]: (9, suit)}


def quads(rng: random.Random, seats: int) -> Wish:
    rank = rng.randint(2, ACE)
    holder = any_hole(rng, seats)
    slots = rng.choice([holder + FLOP[:2], [*holder, "b1", "b4"], [*FLOP, holder[1]]])
    return spread(rng, slots, [(rank, suit) for suit in SUITS])


def quads_over_quads(rng: random.Random, seats: int) -> Wish:
    high, low = two_ranks(rng)
    first, second = holders(rng, seats)[:2]
    board = rng.sample(BOARD, 4)
    wish = spread(rng, first + board[:2], [(high, suit) for suit in SUITS])
    return {**wish, **spread(rng, second + board[2:], [(low, suit) for suit in SUITS])}


def full_houses(rng: random.Random, seats: int) -> Wish:
    """Flop x x y: y y and x y both fill up."""
    x, y = two_ranks(rng)
    first, second = holders(rng, seats)[:2]
    xs, ys = rng.sample(SUITS, 3), rng.sample(SUITS, 4)
    return {
        **dict(zip(FLOP, [(x, xs[0]), (x, xs[1]), (y, ys[0])], strict=True)),
        **dict(zip(first, [(y, ys[1]), (y, ys[2])], strict=True)),
        **dict(zip(second, [(x, xs[2]), (y, ys[3])], strict=True)),
    }


def trips_on_the_flop(rng: random.Random, seats: int) -> Wish:
    """Everybody has trips, pocket pairs fill up; one holder may have the case card."""
    ranks = rng.sample(range(2, ACE + 1), 4)
    wish = dict(zip(FLOP, [(ranks[0], suit) for suit in rng.sample(SUITS, 3)], strict=True))
    for rank, holder in zip(ranks[1:], holders(rng, seats), strict=False):
        wish |= dict(zip(holder, [(rank, suit) for suit in rng.sample(SUITS, 2)], strict=True))
    return wish


def flushes(rng: random.Random, seats: int) -> Wish:
    suit, ranks = rng.choice(SUITS), rng.sample(range(2, ACE + 1), 9)
    board = FLOP if rng.random() < 0.7 else rng.sample(BOARD, 3)
    wish = dict(zip(board, suited(ranks[:3], suit), strict=True))
    for i, holder in enumerate(holders(rng, seats)[:3]):
        wish |= dict(zip(holder, suited(ranks[3 + 2 * i : 5 + 2 * i], suit), strict=True))
    return wish


def straights(rng: random.Random, seats: int) -> Wish:
    low = rng.randint(1, 8)
    first, second = holders(rng, seats)[:2]
    board = FLOP if rng.random() < 0.7 else rng.sample(BOARD, 3)
    return {
        **spread(rng, first, mixed(rng, (low, low + 1))),
        **spread(rng, board, mixed(rng, (low + 2, low + 3, low + 4))),
        **spread(rng, second, mixed(rng, (low + 5, low + 6))),
    }


def wheel_or_wrap(rng: random.Random, seats: int) -> Wish:
    """A-2-3-4-5, or a sequence round the corner, which is none."""
    ranks = rng.choice([WHEEL, WHEEL, (12, 13, ACE, 2, 3), (13, ACE, 2, 3, 4)])
    cards = suited(ranks, rng.choice(SUITS)) if rng.random() < 0.4 else mixed(rng, ranks)
    slots = any_hole(rng, seats) + (FLOP if rng.random() < 0.6 else rng.sample(BOARD, 3))
    return spread(rng, slots, cards)


def strong_board(rng: random.Random, seats: int) -> Wish:
    """Boards that many will play: ties, and every line of Play the Board."""
    x, y = two_ranks(rng)
    low, suit = rng.randint(1, 9), rng.choice(SUITS)
    cards = rng.choice(
        [
            mixed(rng, range(low, low + 5)),
            mixed(rng, ROYAL),
            suited(range(low, low + 5), suit),
            suited(rng.sample(range(2, ACE + 1), 5), suit),
            mixed(rng, (x, x, x, y, y)),
            mixed(rng, (x, x, x, x, y)),
            mixed(rng, (x, x, y, y, ACE if ACE not in (x, y) else 7)),
        ]
    )
    return spread(rng, BOARD, cards)


def border_pair_board(rng: random.Random, seats: int) -> Wish:
    rank = rng.choice([8, 9, 10, 10, 11, ACE])
    others = rng.sample([r for r in range(2, ACE + 1) if r != rank], 3)
    return spread(rng, BOARD, mixed(rng, (rank, rank, *others)))


def beaten_hands(rng: random.Random, seats: int) -> Wish:
    """A straight under a flush, trips under a straight, a flush under a full house, and so on."""
    s, t, u, v = rng.sample(SUITS, 4)
    first, second = holders(rng, seats)[:2]
    board, low, high = rng.choice(
        [
            ([(7, s), (8, s), (9, t), (2, s)], [(10, t), (11, u)], [(4, s), (13, s)]),
            ([(7, s), (8, t), (9, u), (13, t)], [(7, t), (7, u)], [(10, t), (11, u)]),
            ([(12, s), (5, s), (2, s), (12, t)], [(9, s), (7, s)], [(5, t), (5, u)]),
            ([(12, s), (5, s), (5, t), (12, t)], [(12, u), (9, t)], [(5, u), (5, v)]),
        ]
    )
    return {
        **spread(rng, rng.sample(BOARD, 4), board),
        **spread(rng, first, low),
        **spread(rng, second, high),
    }


def aces_both(rng: random.Random, seats: int) -> Wish:
    suits = rng.sample(SUITS, 4)
    cards = [(ACE, suit) for suit in suits]
    return {**spread(rng, any_hole(rng, seats), cards[:2]), **spread(rng, DEALER, cards[2:])}


def pockets(rng: random.Random, seats: int) -> Wish:
    """Every seat gets a starting hand that a pocket wager looks at, or one just beside it."""
    pool = deck()
    wish: Wish = {}
    for seat in range(seats):
        high, low = rng.choice(POCKETS)
        first = rng.choice([card for card in pool if card[0] == high] or pool)
        pool.remove(first)
        matching = [card for card in pool if card[0] == low]
        same = [card for card in matching if card[1] == first[1]]
        second = rng.choice((same if same and rng.random() < 0.5 else matching) or pool)
        pool.remove(second)
        wish |= spread(rng, hole(seat), [first, second])
    return wish


def red_aces(rng: random.Random, seats: int) -> Wish:
    return spread(rng, any_hole(rng, seats), [(ACE, "h"), (ACE, "d")])


def dealer_below_pair(rng: random.Random, seats: int) -> Wish:
    while True:
        seven = rng.sample(deck(), 7)
        if best_name(seven) == "high_card":
            return dict(zip(DEALER + BOARD, seven, strict=True))


def super_royal(rng: random.Random, seats: int) -> Wish:
    suit = rng.choice("ddchs")
    return spread(rng, any_hole(rng, seats) + BOX, suited((9, *ROYAL), suit))


def strong_six(rng: random.Random, seats: int) -> Wish:
    suit = rng.choice(SUITS)
    low = rng.choice([1, 5, 9, 10, 10])
    slots = any_hole(rng, seats) + BOX
    extra = rng.choice([slots[0], slots[-1]])
    slots.remove(extra)
    five = spread(rng, slots, suited(range(low, low + 5), suit))
    wishes = [
        five,
        five,
        spread(rng, slots, mixed(rng, WHEEL)),
        spread(rng, [*slots, extra], mixed(rng, (ACE, ACE, ACE, 13, 13, 13))),
        spread(rng, [*slots, extra], mixed(rng, (9, 9, 9, 9, 4, 4))),
        spread(rng, slots[:3], mixed(rng, (6, 6, 6))),
    ]
    return rng.choice(wishes)


HOLDEM: list[Scenario] = [
    flopped_royal,
    late_royal,
    one_card_royal,
    community_royal,
    flopped_straight_flush,
    flopped_straight_flush_then_royal,
    two_straight_flushes,
    two_straight_flushes,
    royal_over_straight_flush,
    quads,
    quads_over_quads,
    full_houses,
    trips_on_the_flop,
    flushes,
    straights,
    wheel_or_wrap,
    strong_board,
    border_pair_board,
    beaten_hands,
    aces_both,
    pockets,
    red_aces,
    dealer_below_pair,
    dealer_below_pair,
]
SIX_CARD: list[Scenario] = [super_royal, strong_six]


# Dealing ----------------------------------------------------------------------------------------


def rigged(rng: random.Random, scenarios: Sequence[Scenario], seats: int) -> Wish:
    """None to three scenarios; one that contradicts an earlier one is dropped."""
    wish: Wish = {}
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3])):
        more = rng.choice(scenarios)(rng, seats)
        if not set(more) & set(wish) and not set(more.values()) & set(wish.values()):
            wish |= more
    return wish


def deal(rng: random.Random, slots: Sequence[str], wish: Wish) -> Wish:
    """Every slot gets its wished card, or a random one."""
    rest = [card for card in deck() if card not in wish.values()]
    rng.shuffle(rest)
    return {slot: wish[slot] if slot in wish else rest.pop() for slot in slots}
