"""The obvious way: every hand, every board, every dealer's hand, one deal at a time.

No suit isomorphism, no collapsing, no sweep, no sums of A and B: the payoff of each deal is looked
up and added. Only for decks of up to 24 cards. Strengths come from the plain evaluator.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit

from croupier.mathematics.counters.boards.games import HoldemGame, Path
from croupier.mathematics.counters.boards.numbering import STRENGTHS
from croupier.mathematics.counters.boards.strategies import OutcomeTable
from croupier.mathematics.kernels.arrays import I8, I16, I64
from croupier.ranking.lookup_tables import VALUES
from croupier.ranking.plain import value_of
from tests.mathematics.counters.boards.examples import OneBetGame

__all__ = ["Ending", "brute_table", "brute_value", "by_ending", "ending_of", "endings_of"]


class Ending(NamedTuple):
    """How the betting ended: a bet of `multiple` after `seen` cards; 0 is a free showdown."""

    seen: int
    multiple: int
    fold: bool = False


def endings_of(game: OneBetGame) -> tuple[Ending, ...]:
    """All endings, those of the river last."""
    endings: list[Ending] = []
    for level in game.levels:
        if level.seen < 5:
            endings += [Ending(level.seen, k) for k in level.multiples]
            if level.decline == "fold":
                endings.append(Ending(level.seen, 0, fold=True))
    choices, may_fold = game.river
    endings += [Ending(5, k) for k in choices]
    if may_fold:
        endings.append(Ending(5, 0, fold=True))
    return tuple(endings)


def ending_of(game: HoldemGame, path: Path) -> Ending:
    if not path.folded and not sum(path.bets):
        return Ending(5, 0)
    return Ending(game.questions[path.said[-1][0]].seen, sum(path.bets), path.folded)


def by_ending(table: OutcomeTable, game: OneBetGame) -> I64:
    """[ending, strength, outcome]"""
    endings = endings_of(game)
    found = np.zeros((len(endings), STRENGTHS, 6), np.int64)
    for path, deals in table.endings:
        found[endings.index(ending_of(table.game, path))] += deals
    return found


def deck_cards(game: OneBetGame) -> list[int]:
    return [card for card in range(52) if game.deck >> card % 13 & 1]


def strengths_by_mask(game: OneBetGame) -> I16:
    """The strength of every seven cards of the deck, by the mask of their places in it."""
    return _strengths_by_mask(tuple(deck_cards(game)))


@lru_cache(maxsize=1)
def _strengths_by_mask(cards: tuple[int, ...]) -> I16:
    place_of_value = {int(value): place for place, value in enumerate(VALUES)}
    table = np.full(1 << len(cards), -1, dtype=np.int16)
    for seven in combinations(range(len(cards)), 7):
        mask = sum(1 << place for place in seven)
        table[mask] = place_of_value[value_of(sum(1 << cards[place] for place in seven))]
    return table


def sets_by_size(cards: int) -> tuple[list[I64], I64]:
    """The sets of 0 to 5 cards as masks, and the place of a mask among those of its size."""
    sets = [
        np.array([sum(1 << card for card in chosen) for chosen in combinations(range(cards), size)])
        for size in range(6)
    ]
    places = np.full(1 << cards, -1, dtype=np.int64)
    for masks in sets:
        places[masks] = np.arange(len(masks))
    return sets, places


@njit(cache=True)
def _showdowns(
    hand: int,
    cards: int,
    boards: I64,
    table: I16,
    required: I64,
    decided: I64,
    qualifier: int,
    a: I64,
    b: I64,
) -> None:
    """a[board], b[board] for every board beside one hand: the sums over its dealer's hands."""
    for place in range(len(boards)):
        board = boards[place]
        if board & hand:
            continue
        mine = table[board | hand]
        for high in range(cards):
            for low in range(high):
                dealer = 1 << high | 1 << low
                if dealer & (board | hand):
                    continue
                theirs = table[board | dealer]
                row = 0 if mine > theirs else 2 if mine == theirs else 4
                if theirs < qualifier:
                    row += 1
                a[place] += required[row, mine]
                b[place] += decided[row, mine]


@njit(cache=True)
def _step(hand: int, later: I64, now: I64, places: I64, values: I64, out: I64) -> None:
    """out[seen] = the sum of values over all larger sets (`later`) that contain it."""
    wanted = now[0]
    size = 0
    while wanted:
        wanted &= wanted - 1
        size += 1
    for place in range(len(later)):
        board = later[place]
        if board & hand:
            continue
        part = board
        while True:
            bits = 0
            rest = part
            while rest:
                rest &= rest - 1
                bits += 1
            if bits == size:
                out[places[part]] += values[place]
            if part == 0:
                break
            part = (part - 1) & board


def _hand_value(game: OneBetGame, hand: int, table: I16, sets: list[I64], places: I64) -> Fraction:
    cards = game.cards
    a, b = (np.zeros(len(sets[5]), np.int64) for _ in range(2))
    _showdowns(hand, cards, sets[5], table, game.required, game.decided, game.qualifier, a, b)
    ways, level, value = game.dealer_hands, 5, a
    for decision in (*reversed(game.decisions), None):
        now = decision.seen if decision else 0
        if now < level:
            ways *= comb(cards - 2 - now, level - now)
            stepped = [np.zeros(len(sets[now]), np.int64) for _ in range(3)]
            for old, new in zip((a, b, value), stepped, strict=True):
                _step(hand, sets[level], sets[now], places, old, new)
            (a, b, value), level = stepped, now
        if decision:
            onward = np.full_like(value, game.fold * ways) if decision.decline == "fold" else value
            value = np.max([a + k * b for k in decision.multiples] + [onward], axis=0)
    return Fraction(int(value[0]), ways * game.scale)


def brute_value(game: OneBetGame) -> Fraction:
    table = strengths_by_mask(game)
    sets, places = sets_by_size(game.cards)
    hands = sets[2].tolist()
    total = sum((_hand_value(game, hand, table, sets, places) for hand in hands), Fraction(0))
    return total / len(hands)


# -- the outcome table ----------------------------------------------------------------------------


@njit(cache=True)
def _results(hand: int, cards: int, boards: I64, table: I16, qualifier: int, results: I64) -> None:
    """results[board, outcome]: how the showdowns of one hand end."""
    for place in range(len(boards)):
        board = boards[place]
        if board & hand:
            continue
        for high in range(cards):
            for low in range(high):
                dealer = 1 << high | 1 << low
                if not dealer & (board | hand):
                    mine, theirs = table[board | hand], table[board | dealer]
                    row = 0 if mine > theirs else 2 if mine == theirs else 4
                    results[place, row + (1 if theirs < qualifier else 0)] += 1


@njit(cache=True)
def _deal_out(hand: int, cards: int, places: I64, said: I8, ends: I64) -> None:
    """ends[board, ending]: all 5! orders of all boards; said[seen, place] is an ending or -1."""
    shown, ending = np.zeros(6, np.int64), np.full(6, -1, np.int8)
    next_card = np.zeros(6, np.int64)
    seen = 0
    ending[0] = said[0, 0]
    while seen >= 0:
        if seen == 5:
            ends[places[shown[5]], ending[5]] += 1
            seen -= 1
        elif next_card[seen] == cards:
            next_card[seen] = 0
            seen -= 1
        else:
            card = 1 << next_card[seen]
            next_card[seen] += 1
            if not card & (hand | shown[seen]):
                shown[seen + 1] = shown[seen] | card
                before = ending[seen]
                seen += 1
                ending[seen] = before if before >= 0 else said[seen, places[shown[seen]]]


@njit(cache=True)
def _add_up(mine: I16, ends: I64, results: I64, found: I64) -> None:
    for board in range(len(mine)):
        for ending in range(ends.shape[1]):
            for outcome in range(6):
                found[ending, mine[board], outcome] += ends[board, ending] * results[board, outcome]


def _said(game: OneBetGame, hand: int, a: I64, b: I64, sets: list[I64], places: I64) -> I8:
    """The best play of one hand, as endings: of equally good actions the first bet offered."""
    said = np.full((6, len(sets[5])), -1, np.int8)
    endings = endings_of(game)
    level, ways, value = 5, game.dealer_hands, a
    said[5] = endings.index(Ending(5, 0)) if Ending(5, 0) in endings else -1
    for decision in reversed(game.levels):
        now = decision.seen
        if now < level:
            ways *= comb(game.cards - 2 - now, level - now)
            stepped = [np.zeros(len(sets[now]), np.int64) for _ in range(3)]
            for old, new in zip((a, b, value), stepped, strict=True):
                _step(hand, sets[level], sets[now], places, old, new)
            (a, b, value), level = stepped, now
        folds = decision.decline == "fold"
        value = np.full_like(value, game.fold * ways) if folds else value
        if folds:
            said[now, : len(value)] = endings.index(Ending(now, 0, fold=True))
        for k in reversed(decision.multiples):
            bets = a + k * b >= value
            said[now, : len(value)][bets] = endings.index(Ending(now, k))
            value = np.where(bets, a + k * b, value)
    return said


def brute_table(game: OneBetGame, said_by: Callable[[int], I8] | None = None) -> I64:
    """[ending, strength, outcome] over all orders of the five community cards: the best play's, or
    that of `said_by` (of a hand: the endings as `_deal_out` reads them)."""
    table = strengths_by_mask(game)
    sets, places = sets_by_size(game.cards)
    endings = endings_of(game)
    found = np.zeros((len(endings), STRENGTHS, 6), np.int64)
    for hand in sets[2].tolist():
        a, b = (np.zeros(len(sets[5]), np.int64) for _ in range(2))
        _showdowns(
            hand, game.cards, sets[5], table, game.required, game.decided, game.qualifier, a, b
        )
        results = np.zeros((len(sets[5]), 6), np.int64)
        _results(hand, game.cards, sets[5], table, game.qualifier, results)
        said = said_by(hand) if said_by else _said(game, hand, a, b, sets, places)
        ends = np.zeros((len(sets[5]), len(endings)), np.int64)
        _deal_out(hand, game.cards, places, said, ends)
        free = (sets[5] & hand) == 0
        mine = table[sets[5][free] | hand]
        _add_up(mine, ends[free], results[free], found)
    return found
