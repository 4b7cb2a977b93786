"""The exact value of every action a player has now, play optimal afterwards.

Before the flop and at the flop a solution's tables hold the answer. At the river, at the turn, and
at the flop where there is no solution, the remaining cards are dealt out one by one against every
dealer's hand: a million showdowns at the flop, in a few milliseconds. This way shares no code with
the solver's kernels, so each is a check of the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from croupier.errors import BadCards
from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame
from croupier.mathematics.counters.boards.geometry import Flops, flops_of, orbits_of
from croupier.mathematics.counters.boards.kernel_records import Showdowns, showdowns_of
from croupier.mathematics.counters.boards.ranking_pass import river_choices
from croupier.mathematics.counters.boards.solver import Solution, SolvedStage
from croupier.mathematics.kernels.arrays import I64, U16
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.ranking.fast import strengths_on_board

__all__ = ["HoldemValues", "advise", "pair_of_cards"]


@dataclass(frozen=True, slots=True)
class HoldemValues:
    """Values in units of one required wager, by action: `4x`, `2x`, `check`, `fold`."""

    seen: int
    actions: dict[str, Fraction]

    @property
    def best(self) -> str:
        """The first of the best actions: bets before declining, in the order offered."""
        return max(self.actions, key=lambda action: self.actions[action])


def advise(
    game: HoldemGame,
    hole: Sequence[int],
    community: Sequence[int],
    solution: Solution | None = None,
) -> HoldemValues:
    """Cards are numbers, suit * 13 + rank. Decisions before the flop need the game's solution."""
    _check_cards(game, hole, community)
    seen = len(community)
    decision = next((level for level in game.levels if level.seen == seen), None)
    if decision is None:
        raise BadCards(f"nothing is decided after {seen} community cards")
    if solution is not None and seen in solution.stages:
        return _stored(game, decision, solution.stages[seen], hole, community)
    if seen < 3:
        raise ValueError("advice before the flop needs the game's solution")
    return _dealt_out(game, decision, hole, community)


def _check_cards(game: HoldemGame, hole: Sequence[int], community: Sequence[int]) -> None:
    cards = [*hole, *community]
    if len(hole) != 2 or len(set(cards)) != len(cards):
        raise BadCards("advice takes two cards of one's own, and no card twice")
    if any(not 0 <= card < 52 or not game.deck >> card % 13 & 1 for card in cards):
        raise BadCards("a card is not of this deck")


def _advice(decision: BetDecision, values: Sequence[int], divisor: int) -> HoldemValues:
    required, decided, declined = values
    actions = {f"{k}x": Fraction(required + k * decided, divisor) for k in decision.multiples}
    actions[decision.decline] = Fraction(declined, divisor)
    return HoldemValues(decision.seen, actions)


# -- from a solution ------------------------------------------------------------------------------


def _stored(
    game: HoldemGame,
    decision: BetDecision,
    stage: SolvedStage,
    hole: Sequence[int],
    community: Sequence[int],
) -> HoldemValues:
    size = 1
    if stage.seen == 3:
        place = pair_of_cards(flops_of(game.deck), hole, community)
    else:
        orbits = orbits_of(game.deck, stage.seen)
        shown = (0, *community)[-1] if stage.seen < 2 else _hand(community)
        place = int(orbits.number[_hand(hole) * orbits.width + shown])
        size = int(orbits.size[place])
    values = [int(part[place]) for part in (stage.required, stage.decided, stage.declined)]
    return _advice(decision, values, size * stage.ways * game.scale)


def _hand(cards: Sequence[int]) -> int:
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


@lru_cache(maxsize=4)
def _flop_numbers(deck: int) -> dict[int, int]:
    cards = flops_of(deck).cards.tolist()
    return {sum(1 << card for card in flop): number for number, flop in enumerate(cards)}


def pair_of_cards(flops: Flops, hole: Sequence[int], flop: Sequence[int]) -> int:
    """The number of the canonical pair that a hand and a flop belong to."""
    columns = [0] * 4
    for card in flop:
        columns[card // 13] |= 1 << 13 + card % 13
    for card in hole:
        columns[card // 13] |= 1 << card % 13
    columns.sort(reverse=True)
    key = sum(column >> 13 << 13 * suit for suit, column in enumerate(columns))
    own = [13 * suit + rank for suit in range(4) for rank in range(13) if columns[suit] >> rank & 1]
    number = _flop_numbers(_deck_of(flops))[key]
    start, stop = int(flops.start[number]), int(flops.start[number + 1])
    return start + bisect_left(flops.hand[start:stop], _hand(own))


def _deck_of(flops: Flops) -> int:
    return int(np.bitwise_or.reduce(1 << (flops.cards.ravel().astype(np.int64) % 13)))


# -- by dealing out -------------------------------------------------------------------------------


def _dealt_out(
    game: HoldemGame, decision: BetDecision, hole: Sequence[int], community: Sequence[int]
) -> HoldemValues:
    choices, may_fold = river_choices(game)
    turn = next((level for level in game.levels if level.seen == 4), None)
    best_at_turn = turn is not None and decision.seen < 4
    out = np.zeros(4, dtype=np.int64)
    to_come = DecisionsToCome(
        np.array(choices, dtype=np.int64),
        may_fold,
        game.fold,
        np.array(turn.multiples if turn and best_at_turn else (), dtype=np.int64),
        best_at_turn,
        turn is not None and turn.decline == "fold",
    )
    shown = sum(1 << card for card in community)
    deal_out(max(hole), min(hole), shown, len(community), showdowns_of(game), to_come, out)
    required, decided, onward, ways = out.tolist()
    declined = game.fold * ways if decision.decline == "fold" else onward
    if decision.seen == 5 and decision.decline == "check":
        declined = required
    return _advice(decision, (required, decided, declined), ways * game.scale)


@part
def _showdown(high: int, low: int, board: int, game: Showdowns, strengths: U16, sums: I64) -> None:
    """sums = A, B and the number of dealer's hands on one board."""
    deck, required, decided, qualifier = game.deck, game.required, game.decided, game.qualifier
    strengths_on_board(np.uint64(board), strengths)
    cards = np.empty(52, np.int64)
    count = 0
    mine = whole(0)
    for card in range(52):
        if not board >> card & 1:
            cards[count] = card
            count += 1
    for j in range(1, count):
        for i in range(j):
            if cards[j] == high and cards[i] == low:
                mine = whole(strengths[j * (j - 1) // 2 + i])
    counts = np.zeros(6, np.int64)
    for j in range(1, count):
        if cards[j] == high or cards[j] == low or not deck >> cards[j] % 13 & 1:
            continue
        for i in range(j):
            if cards[i] == high or cards[i] == low or not deck >> cards[i] % 13 & 1:
                continue
            theirs = whole(strengths[j * (j - 1) // 2 + i])
            row = 0 if mine > theirs else 2 if mine == theirs else 4
            counts[row + (1 if theirs < qualifier else 0)] += 1
    sums[:] = 0
    for row in range(6):
        sums[0] += counts[row] * required[row, mine]
        sums[1] += counts[row] * decided[row, mine]
        sums[2] += counts[row]


class DecisionsToCome(NamedTuple):
    """What may still be decided: the river's multiples and fold, and those of the turn where it
    lies ahead."""

    choices: I64
    may_fold: bool
    fold: int  # what a fold is worth
    at_turn: I64
    best_at_turn: bool
    fold_at_turn: bool


@kernel
def deal_out(
    high: int,
    low: int,
    seen: int,
    known: int,
    game: Showdowns,
    to_come: DecisionsToCome,
    out: I64,
) -> None:
    """out = sums of A, of B and of the value of going on, over every way to complete the board.

    From the flop the turn and the river are dealt in order where the turn decides (or as two cards
    at once, which halves the work); the fourth number is that of the showdowns.
    """
    deck, choices, may_fold, fold = game.deck, to_come.choices, to_come.may_fold, to_come.fold
    at_turn, best_at_turn = to_come.at_turn, to_come.best_at_turn
    strengths = np.empty(1326, np.uint16)
    sums, turn = np.zeros(3, np.int64), np.zeros(4, np.int64)
    gone = seen | 1 << high | 1 << low
    for first in range(52 if known == 3 else 1):
        one = 1 << first if known == 3 else 0
        if known == 3 and (gone & one or not deck >> first % 13 & 1):
            continue
        turn[:] = 0
        for second in range(52 if known < 5 else 1):
            two = 1 << second if known < 5 else 0
            if known < 5 and (((gone | one) & two) or not deck >> second % 13 & 1):
                continue
            if known == 3 and second > first and not best_at_turn:
                break
            _showdown(high, low, seen | one | two, game, strengths, sums)
            best = sums[0] + choices[0] * sums[1]
            for k in choices:
                best = max(best, sums[0] + k * sums[1])
            if may_fold:
                best = max(best, fold * sums[2])
            turn[0] += sums[0]
            turn[1] += sums[1]
            turn[2] += best
            turn[3] += sums[2]
        if best_at_turn:
            if to_come.fold_at_turn:
                turn[2] = fold * turn[3]
            for k in at_turn:
                turn[2] = max(turn[2], turn[0] + k * turn[1])
        for i in range(4):
            out[i] += turn[i]
