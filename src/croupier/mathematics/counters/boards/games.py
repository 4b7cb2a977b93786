"""Hold'em as its solver sees it: decisions, the paths of answers, and payoffs.

A `Path` is the sequence of answers up to some point, with the bets they placed. Required wagers pay
A, a unit of each wager decided in play pays B, C, ...; all depend on the player's final strength
and on how it compares with the dealer's. With k units of the first decided wager and l of the
second, a showdown is worth A + kB + lC, and a fold what it leaves of each. Amounts are integers, in
units of 1/scale of one required wager.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import groupby
from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.numbering import (
    STRENGTHS,
    DeckStrengths,
    Numbering,
    StrengthTables,
    deck_strengths,
    numbering,
)
from croupier.mathematics.hand_values import FULL_DECK
from croupier.mathematics.kernels.arrays import I64
from croupier.ranking.ranking import Ranking


class Question(NamedTuple):
    """A decision: the index of its wager among those decided in play, and the legal answers: a bet
    of a multiple, or declining, which is a fold or a check. Without a word for it nobody may
    decline."""

    seen: int
    wager: int
    bets: tuple[tuple[str, int], ...]
    decline: str
    folds: bool


class Path(NamedTuple):
    """The answers so far: `said` has the number of each question with its answer, `bets` the
    multiple of each wager that has been bet."""

    said: tuple[tuple[int, str], ...]
    bets: tuple[int, ...]
    folded: bool = False


class Level(NamedTuple):
    """The decisions on the same cards: `leaving[i]` are the paths that `arriving[i]` can become, in
    the order offered; only itself if nothing is asked."""

    seen: int
    arriving: tuple[Path, ...]
    leaving: tuple[tuple[Path, ...], ...]

    def answers(self, path: Path) -> tuple[Path, ...]:
        """Return the paths that an arriving path can become."""
        return self.leaving[self.arriving.index(path)]

    @property
    def asked_cases(self) -> tuple[int, ...]:
        """Return the indexes of the arriving paths that have a decision here."""
        pairs = zip(self.arriving, self.leaving, strict=True)
        return tuple(number for number, (path, after) in enumerate(pairs) if after != (path,))

    @property
    def asked_paths(self) -> tuple[Path, ...]:
        return tuple(self.arriving[number] for number in self.asked_cases)

    @property
    def onward(self) -> tuple[Path, ...]:
        """Return all paths that go on from here."""
        return tuple(path for paths in self.leaving for path in paths if not path.folded)


def levels_of(questions: Sequence[Question], wagers: int) -> tuple[Level, ...]:
    """Return the levels of a game; its questions are in the order of the cards seen."""
    numbered = list(enumerate(questions))
    arriving: tuple[Path, ...] = (Path((), (0,) * wagers),)
    levels: list[Level] = []
    for seen, questions_here in groupby(numbered, key=lambda item: item[1].seen):
        here = list(questions_here)
        leaving = []
        for start in arriving:
            paths = [start]
            for number, question in here:
                paths = [new for path in paths for new in answers_to(path, number, question)]
            leaving.append(tuple(paths))
        levels.append(Level(seen, arriving, tuple(leaving)))
        arriving = levels[-1].onward
    return tuple(levels)


def answers_to(path: Path, number: int, question: Question) -> list[Path]:
    if path.folded or path.bets[question.wager]:
        return [path]
    before, after = path.bets[: question.wager], path.bets[question.wager + 1 :]
    paths = [
        Path((*path.said, (number, word)), (*before, multiple, *after))
        for word, multiple in question.bets
    ]
    if question.decline:
        paths.append(Path((*path.said, (number, question.decline)), path.bets, question.folds))
    return paths


def paths_of(levels: Sequence[Level]) -> tuple[Path, ...]:
    """Return all paths, the empty one first."""
    every = dict.fromkeys(levels[0].arriving)
    for level in levels:
        every.update(dict.fromkeys(path for paths in level.leaving for path in paths))
    return tuple(every)


# -- payoffs --------------------------------------------------------------------------------------

MOST_PATHS: Final = 100  # numbered in eight bits
_INT64: Final = (1 << 63) - 1


class ShowdownResult(IntEnum):
    """The results of a showdown: the rows of a payoff array."""

    WIN_QUALIFIED = 0
    WIN_UNQUALIFIED = 1
    TIE_QUALIFIED = 2
    TIE_UNQUALIFIED = 3
    LOSS_QUALIFIED = 4
    LOSS_UNQUALIFIED = 5


OUTCOMES: Final = len(ShowdownResult)


def payoffs(rows: Sequence[int | Sequence[int] | I64]) -> I64:
    """Six rows over strengths, in the order of `ShowdownResult`; a single number fills its row."""
    if len(rows) != OUTCOMES:
        raise ValueError(f"six outcomes have six rows of payoffs, not {len(rows)}")
    table = np.zeros((OUTCOMES, STRENGTHS), dtype=np.int64)
    for row, amounts in enumerate(rows):
        table[row] = amounts
    table.flags.writeable = False
    return table


def _check_range(cards: int, largest: int, classes: int = 1) -> None:
    """Refuse amounts whose sums could overflow.

    Every stored sum runs over at most (47 * 46) runouts times 990 showdowns of one hand. Larger
    sums (a player's hand over all flops) are kept in two halves and joined in Python's integers.
    The factor four leaves room for the differences between two of them.
    """
    if 4 * classes * (cards - 5) * (cards - 6) * comb(cards - 7, 2) * largest > _INT64:
        raise OverflowError(f"payoffs of up to {largest} units are too large to be exact")


@dataclass(frozen=True, eq=False)
class BoardGame:
    """A game on a shared board. `folded` has what a fold makes of all required wagers together, and
    then of a unit of each decided one. `deck` is the mask of the ranks in play."""

    questions: tuple[Question, ...]
    required: I64  # [result, strength]
    decided: tuple[I64, ...]  # for one unit of each
    folded: tuple[int, ...]
    qualifier: int = 0
    scale: int = 1
    deck: int = FULL_DECK
    takes_first: bool = True  # of equally good actions the first; else the last

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        return levels_of(self.questions, len(self.decided))

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        return paths_of(self.levels)

    @property
    def largest(self) -> int:
        """The maximum of any path's payoff in absolute value."""
        most = [max(path.bets[wager] for path in self.paths) for wager in range(len(self.decided))]
        each = [int(np.abs(pays).max()) for pays in self.decided]
        decided = sum(
            k * max(pay, abs(f)) for k, pay, f in zip(most, each, self.folded[1:], strict=True)
        )
        return max(int(np.abs(self.required).max()), abs(self.folded[0])) + decided

    def fold(self, bets: Sequence[int]) -> int:
        """Return what a fold is worth after these bets."""
        lost = zip(bets, self.folded[1:], strict=True)
        return self.folded[0] + sum(multiple * each for multiple, each in lost)


@dataclass(frozen=True, eq=False)
class HoldemGame(BoardGame):
    """Hold'em on a board of five cards."""

    ranking: Ranking | None = None
    """The ranking if it is not the usual one; strengths are then indexes of its values."""

    def __post_init__(self) -> None:
        seen = [question.seen for question in self.questions]
        if not seen or seen != sorted(seen):
            raise ValueError(f"decisions come in order of the cards seen, at least one: {seen}")
        if len({question.wager for question in self.questions if question.seen == 5}) > 1:
            raise ValueError("one wager at most is decided on all five community cards")
        if any(question.seen == 5 and not question.decline for question in self.questions):
            raise ValueError("a bet on all five community cards can be declined")
        if len(self.paths) > MOST_PATHS:
            raise OverflowError(f"there are more than {MOST_PATHS} ways to bet")
        # Sums at the turn are kept for a whole class under exchange of suits.
        _check_range(self.cards, self.largest, 24 if self.level(4) else 1)

    @cached_property
    def strengths(self) -> DeckStrengths:
        return deck_strengths(self.ranking)

    def level(self, seen: int) -> Level | None:
        return next((level for level in self.levels if level.seen == seen), None)

    def answers(self, seen: int, path: Path) -> tuple[Path, ...]:
        """Return what a path that comes to the decisions on `seen` cards can become there."""
        level = self.level(seen)
        return (path,) if level is None else level.answers(path)

    @property
    def cards(self) -> int:
        return 4 * self.deck.bit_count()

    @property
    def dealer_hands(self) -> int:
        return comb(self.cards - 7, 2)

    def payoffs(self, bets: Sequence[int]) -> I64:
        """Return [result, strength]: what the round is worth after these bets."""
        total: I64 = self.required.copy()
        for multiple, pays in zip(bets, self.decided, strict=True):
            total += multiple * pays
        return total


@dataclass(frozen=True, eq=False)
class RiverGame:
    """The end of a path: a showdown pays A, and B for each unit of one of the `multiples` bet on
    all five community cards (0 is a check). A fold there, if allowed, is worth 0."""

    required: I64
    decided: I64
    qualifier: int
    deck: int
    tables: StrengthTables
    multiples: tuple[int, ...] = (0,)
    folds: bool = False

    def __post_init__(self) -> None:
        decided = max(1, *self.multiples) * int(np.abs(self.decided).max())
        _check_range(self.cards, int(np.abs(self.required).max()) + decided)

    @property
    def cards(self) -> int:
        return 4 * self.deck.bit_count()

    @property
    def dealer_hands(self) -> int:
        return comb(self.cards - 7, 2)


# -- records for kernels --------------------------------------------------------------------------
# A kernel unpacks these records once, before its loops: plain arrays are faster there.


class DeckTables(NamedTuple):
    """The tables that kernels look up for every board of a deck."""

    deck: int  # the mask of the ranks in play
    strengths: StrengthTables
    numbering: Numbering


def deck_tables(game: RiverGame) -> DeckTables:
    return DeckTables(game.deck, game.tables, numbering())


class Showdowns(NamedTuple):
    """The payments at a showdown: rows by result, columns by the player's strength."""

    deck: int
    required: I64
    decided: I64
    qualifier: int


def showdowns_of(game: RiverGame) -> Showdowns:
    return Showdowns(game.deck, game.required, game.decided, game.qualifier)
