"""The words of a strategy the obvious way: card by card, with the reference evaluator."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from croupier.cards import DECK, Card
from croupier.ranking.hands import Category, category_of, kickers_of
from croupier.ranking.reference import best_five

Cards: TypeAlias = Sequence[Card]
Holds: TypeAlias = Callable[[Cards, Cards], bool]

RANK = {name: place for place, name in enumerate("23456789TJQKA")}
WINDOWS = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]


def made(cards: Cards) -> tuple[int, ...]:
    """Category and made ranks: what is left of a hand without its kickers."""
    if len(cards) >= 5:
        value = best_five(cards)[0]
        category = category_of(value)
        many = {
            Category.HIGH_CARD: 0,
            Category.TWO_PAIR: 2,
            Category.FULL_HOUSE: 2,
            Category.FLUSH: 5,
        }.get(category, 1)
        return (int(category), *kickers_of(value)[:many])
    counts = Counter(card.rank for card in cards)
    groups = sorted(((count, rank) for rank, count in counts.items() if count > 1), reverse=True)
    if not groups:
        return (0,)
    if groups[0][0] == 4:
        return (7, groups[0][1])
    if groups[0][0] == 3:
        return (3, groups[0][1])
    return (len(groups[:2]), *(rank for _, rank in groups[:2]))


def improved(own: Cards, board: Cards) -> bool:
    return made([*own, *board]) > made(board)


def hidden_rank(own: Cards, board: Cards) -> int:
    every = Counter(card.rank for card in [*own, *board])
    return max((card.rank for card in own if every[card.rank] > 1), default=-1)


def hidden_pair(own: Cards, board: Cards, least: int = 0) -> bool:
    return improved(own, board) and hidden_rank(own, board) >= least


def to_a_flush(own: Cards, board: Cards, number: int, least: int = 0) -> bool:
    return any(
        sum(card.suit == suit for card in [*own, *board]) >= number
        and any(card.suit == suit and card.rank >= least for card in own)
        for suit in range(4)
    )


def to_a_straight(own: Cards, board: Cards, number: int) -> bool:
    ranks = {card.rank for card in [*own, *board]}
    only_own = {card.rank for card in own} - {card.rank for card in board}
    return any(len(ranks & window) >= number and only_own & window for window in WINDOWS)


def to_a_straight_flush(own: Cards, board: Cards, number: int, windows: list[set[int]]) -> bool:
    for suit in range(4):
        ranks = {card.rank for card in [*own, *board] if card.suit == suit}
        held = {card.rank for card in own if card.suit == suit}
        if any(len(ranks & window) >= number and held & window for window in windows):
            return True
    return False


def open_ended(own: Cards, board: Cards) -> bool:
    ranks = {card.rank for card in [*own, *board]}
    only_own = {card.rank for card in own} - {card.rank for card in board}
    rows = [set(range(low, low + 4)) for low in range(9)]
    return any(row <= ranks and row & only_own for row in rows)


def connected(own: Cards) -> bool:
    ranks = sorted(card.rank for card in own)
    low = sorted(-1 if rank == 12 else rank for rank in ranks)
    return any(all(b - a == 1 for a, b in itertools.pairwise(row)) for row in (ranks, low))


def dealer_outs(own: Cards, board: Cards) -> int:
    mine = best_five([*own, *board])[0]
    unseen = [card for card in DECK if card not in own and card not in board]
    return sum(best_five([card, *board])[0] > mine for card in unseen)


def own_ranks(own: Cards) -> list[int]:
    return sorted((card.rank for card in own), reverse=True)


def better_kickers(own: Cards, board: Cards) -> int:
    shown = {card.rank for card in board}
    return sum(rank not in shown for rank in range(own_ranks(own)[0] + 1, 13))


def suited(own: Cards) -> bool:
    return len({card.suit for card in own}) == 1


def is_hand(own: Cards, text: str) -> bool:
    """`K5o+` and its like, by writing out every hand that it stands for."""
    high, low = RANK[text[0]], RANK[text[1]]
    kind = text[2:3] if text[2:3] in "so" else ""
    lows = [low]
    if text.endswith("+"):
        lows = list(range(low, 13 if high == low else high))
    if kind and suited(own) != (kind == "s"):
        return False
    wanted = [[rank, rank] if high == low else [high, rank] for rank in lows]
    return own_ranks(own) in wanted


OWN: dict[str, Holds] = {
    "any pair": lambda own, _: own[0].rank == own[1].rank,
    "pocket twos": lambda own, _: own_ranks(own) == [0, 0],
    "pocket eights or lower": lambda own, _: own[0].rank == own[1].rank <= 6,
    "any ace": lambda own, _: own_ranks(own)[0] == 12,
    "a seven": lambda own, _: 5 in own_ranks(own),
    "a queen or higher": lambda own, _: own_ranks(own)[0] >= 10,
    "two cards ten or higher": lambda own, _: own_ranks(own)[1] >= 8,
    "suited": lambda own, _: suited(own),
    "offsuit": lambda own, _: not suited(own),
    "connected": lambda own, _: connected(own),
    "33+": lambda own, _: is_hand(own, "33+"),
    "K5o+": lambda own, _: is_hand(own, "K5o+"),
    "Q6s+": lambda own, _: is_hand(own, "Q6s+"),
    "J8+": lambda own, _: is_hand(own, "J8+"),
    "JTo": lambda own, _: is_hand(own, "JTo"),
    "77-33": lambda own, _: own[0].rank == own[1].rank and 1 <= own[0].rank <= 5,
    "K9s-K5s": lambda own, _: (
        suited(own) and own_ranks(own)[0] == 11 and 3 <= own_ranks(own)[1] <= 7
    ),
    "two to a royal flush": lambda own, board: to_a_straight_flush(
        own, board, 2, [{8, 9, 10, 11, 12}]
    ),
    "(any ace or connected) and suited": lambda own, _: (
        suited(own) and (own_ranks(own)[0] == 12 or connected(own))
    ),
    "suited except (K9s, any ace)": lambda own, _: (
        suited(own) and own_ranks(own)[0] != 12 and own_ranks(own) != [11, 7]
    ),
}

MADE: dict[str, Holds] = {
    "a pair": lambda own, board: made([*own, *board])[0] == 1,
    "a pair or better": lambda own, board: made([*own, *board])[0] >= 1,
    "two pair or better": lambda own, board: made([*own, *board])[0] >= 2,
    "three of a kind or better": lambda own, board: made([*own, *board])[0] >= 3,
    "a pair of nines or better": lambda own, board: made([*own, *board]) >= (1, 7),
    "a hidden pair": hidden_pair,
    "a hidden pair of tens or higher": lambda own, board: hidden_pair(own, board, 8),
    "a hidden pair or better": improved,
    "a hidden two pair or better": lambda own, board: (
        improved(own, board) and made([*own, *board])[0] >= 2
    ),
    "a pair with the board": lambda own, board: bool(
        {card.rank for card in own} & {card.rank for card in board}
    ),
    "a pair of sevens or higher with the board": lambda own, board: any(
        card.rank >= 5 and card.rank in {c.rank for c in board} for card in own
    ),
    "top pair": lambda own, board: max(c.rank for c in board) in {c.rank for c in own},
    "two overcards": lambda own, board: min(c.rank for c in own) > max(c.rank for c in board),
    "one overcard": lambda own, board: max(c.rank for c in own) > max(c.rank for c in board),
    "a paired board": lambda _, board: made(board)[0] >= 1,
    "an unpaired board": lambda _, board: made(board)[0] == 0,
    "the second best kicker": lambda own, board: better_kickers(own, board) < 2,
}

DRAWS: dict[str, Holds] = {
    "three to a flush": lambda own, board: to_a_flush(own, board, 3),
    "four to a flush": lambda own, board: to_a_flush(own, board, 4),
    "three to a flush with a hidden card ten or higher": lambda own, board: to_a_flush(
        own, board, 3, 8
    ),
    "four to a flush with a hidden card ten or higher": lambda own, board: to_a_flush(
        own, board, 4, 8
    ),
    "three to a straight": lambda own, board: to_a_straight(own, board, 3),
    "four to a straight": lambda own, board: to_a_straight(own, board, 4),
    "three to a straight flush": lambda own, board: to_a_straight_flush(own, board, 3, WINDOWS),
    "four to a straight flush": lambda own, board: to_a_straight_flush(own, board, 4, WINDOWS),
    "three to a royal flush": lambda own, board: to_a_straight_flush(
        own, board, 3, [{8, 9, 10, 11, 12}]
    ),
    "an open-ended straight draw": open_ended,
}

RIVER: dict[str, Holds] = {
    "fewer than 21 dealer outs": lambda own, board: dealer_outs(own, board) < 21,
    "at most 16 dealer outs": lambda own, board: dealer_outs(own, board) <= 16,
    "more than 19 dealer outs": lambda own, board: dealer_outs(own, board) > 19,
    "a flush or better": lambda own, board: made([*own, *board])[0] >= 5,
    "a hidden straight or better": lambda own, board: (
        improved(own, board) and made([*own, *board])[0] >= 4
    ),
    "a board with two pair or better": lambda _, board: made(board)[0] >= 2,
    "a board with a straight": lambda _, board: made(board)[0] == 4,
}
