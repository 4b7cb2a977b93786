"""All deals of a hold'em round with side wagers, and the endings of the side wagers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.counted_boards import (
    CountedBoards,
    boards_by_rank,
    boards_by_suit,
    new_ranked,
)
from croupier.mathematics.counters.boards.games import Path, RiverGame
from croupier.mathematics.counters.boards.numbering import CLASSES, STRENGTHS
from croupier.mathematics.counters.boards.outcomes import Cuts
from croupier.mathematics.counters.boards.strategies import (
    Group,
    Labeled,
    Strategy,
    groups_of,
    second_sweep,
)
from croupier.mathematics.game.payments import Paid
from croupier.mathematics.game.paytable_lines import LineTests, line_tests
from croupier.mathematics.kernels.arrays import I8, I16, I64
from croupier.mathematics.kernels.threads import cores
from croupier.mathematics.questions.sessions.line_facts import Hands, hands_at
from croupier.mathematics.shapes import refused
from croupier.mathematics.side_wagers.by_strength import strength_bits
from croupier.mathematics.side_wagers.shape import check_side
from croupier.ranking.lookup_tables import VALUES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import EitherHandBeaten, HighestHand, VersusPaytable

WON, TIED, LOST = range(3)


def cuts_of(rows: I64) -> I64:
    """Return the indexes at which any of the rows changes, 0 first."""
    changes = (rows[:, 1:] != rows[:, :-1]).any(axis=0)
    return np.concatenate([[0], np.flatnonzero(changes) + 1])


@dataclass(frozen=True)
class LineWager:
    """A wager settled by the seat's own cards and the board."""

    name: str
    tests: LineTests
    hands: Hands

    @cached_property
    def strengths(self) -> I64:
        """The bits of the leaves on all seven cards, as [suit, strength]."""
        final = {leaf.hand for leaf in self.tests.leaves if self.hands[leaf.hand][0] == "final"}
        return strength_bits(self.tests.leaves, final) if final else np.zeros((4, VALUES.size), int)

    @cached_property
    def _endings(self) -> dict[int, Paid]:
        return {}

    def ending(self, held: int) -> Paid:
        """Return how the wager ends when these leaves hold."""
        if held not in self._endings:
            self._endings[held] = self.tests.ending(held)
        return self._endings[held]


@dataclass(frozen=True)
class TwoHandWager:
    """A wager settled by one of the two hands: the beaten one, or the higher of the two."""

    name: str
    tests: LineTests
    hand: str
    beaten: bool
    player_only: bool = False

    @cached_property
    def strengths(self) -> I64:
        """The bits of the leaves, by strength."""
        bits = strength_bits(self.tests.leaves, {self.hand})
        if (bits != bits[0]).any():
            raise Unsolvable(f"{self.name}: the suit of a hand of two people is not distinguished")
        own: I64 = bits[0]
        return own

    def ending(self, own: int, dealer: int, result: int) -> Paid:
        """Return the ending for strengths of the player's and the dealer's hands, or any of their
        intervals. If nobody's hand counts, the wager loses."""
        if not self.beaten:
            shown = dealer if result == LOST else own
        elif result == TIED or (result == WON and self.player_only):
            return self.tests.endings[-1]
        else:
            shown = own if result == LOST else dealer
        return self.tests.ending(int(self.strengths[shown]))


def side_wager(rules: Rules, name: str) -> LineWager | TwoHandWager:
    """Return a placed side wager, or raise an error that says what it would need."""
    check_side(rules, name)
    settles = rules.book.wagers[name].settles
    match settles:
        case VersusPaytable():
            wager = LineWager(name, line_tests(rules, settles), hands_at(rules))
            _check_places(wager)
            return wager
        case EitherHandBeaten():
            only = settles.loser == "player_only"
            return TwoHandWager(name, line_tests(rules, settles), settles.hand, True, only)
        case HighestHand():
            return TwoHandWager(name, line_tests(rules, settles, "2"), settles.hand, False)
    raise refused(
        f"{name} beside the main game", f"wagers.{name}.settles looks at another wager of the seat"
    )


def _check_places(wager: LineWager) -> None:
    for leaf in wager.tests.leaves:
        place = wager.hands[leaf.hand][0] if leaf.hand in wager.hands else None
        if place == "box":
            raise refused(
                f"{wager.name} beside the main game",
                f"hands.{leaf.hand} has cards of the box, which nobody else sees (the wager "
                "alone is solved: croupier analyze)",
            )
        if place not in ("pocket", "opening", "board", "final", "dealer_pocket"):
            raise refused(
                f"{wager.name} beside the main game",
                f"hands.{leaf.hand} is none of own cards, own cards with the flop, the board, all "
                "seven cards and the dealer's two",
            )


_ROWS_AT_ONCE: Final = 24
_ROWS_WITH_TURN: Final = 9  # a row takes five times the memory there


@dataclass(frozen=True)
class Marks:
    """The distinctions between deals.

    `labels`: a number for each canonical (flop, hand); `plain_boards` and `flush_boards`: the kind
    of a board by its ranks, and by its mask if all five are of one suit; `edges`: where the
    intervals of own strength begin, 0 first; `thresholds`: those of the dealer's strength,
    ascending, the qualifier among them.
    """

    labels: I16
    plain_boards: I8
    flush_boards: I8
    edges: I64
    thresholds: I64

    @property
    def kinds_of_board(self) -> int:
        return 1 + int(max(self.plain_boards.max(), self.flush_boards.max()))


def sweep(
    strategy: Strategy,
    marks: Marks,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[tuple[Path, ...], I64]:
    """Return all deals as [path, label, board kind, interval, 3 * bin + result]; results are won,
    tied and lost. Only paths that some deal takes to its end are included."""
    threads, game = cores(), strategy.game
    at_once = _ROWS_WITH_TURN if game.level(4) else _ROWS_AT_ONCE
    groups = list(groups_of(strategy, at_once))
    ends = tuple(path for path in game.paths if any(path in group.ends for group in groups))
    labels = int(marks.labels.max()) + 1
    batch = max(1, min(labels, at_once // max(len(group.paths) for group in groups)))
    cells = 3 * (len(marks.thresholds) + 1)
    shape = (len(ends), labels, marks.kinds_of_board, len(marks.edges), cells)
    counted = np.zeros(shape, dtype=np.int64)
    # How the hands compare on every board is the same for all paths.
    first_game = groups[0].game
    boards = boards_by_rank(first_game, threads), boards_by_suit(first_game, threads)
    for first in range(0, labels, batch):
        progress(first, labels)
        kinds = min(batch, labels - first)
        labeled = _labeled(marks, first, kinds)
        for group in groups:
            deals = _sweep_group(strategy, marks, group, labeled, boards, threads)
            places = [ends.index(path) for path in group.ends]
            counted[places, first : first + kinds] = deals
    progress(labels, labels)
    return ends, counted


def _counted(game: RiverGame, threads: int) -> tuple[CountedBoards, CountedBoards]:
    """Return how the hands compare on every board, which is the same for all paths."""
    return boards_by_rank(game, threads), boards_by_suit(game, threads)


def _labeled(marks: Marks, first: int, kinds: int) -> Labeled:
    inside = (marks.labels >= first) & (marks.labels < first + kinds)
    return Labeled(np.where(inside, marks.labels - first, 0).astype(np.int8), kinds, inside)


def _sweep_group(
    strategy: Strategy,
    marks: Marks,
    group: Group,
    labeled: Labeled,
    boards: tuple[CountedBoards, CountedBoards],
    threads: int,
) -> I64:
    """Return [path, label, board kind, interval, cell] of some paths and labels."""
    kinds, width = labeled.kinds, 3 * (len(marks.thresholds) + 1)
    interval = np.searchsorted(marks.edges, np.arange(STRENGTHS), side="right") - 1
    qualifier = int(np.searchsorted(marks.thresholds, strategy.game.qualifier))
    boards_by = (interval.astype(np.int16), marks.plain_boards, marks.flush_boards)

    def cuts() -> Cuts:
        below = np.zeros((len(marks.thresholds), CLASSES), np.int32)
        under = np.zeros(len(marks.thresholds), np.int64)
        return Cuts(new_ranked(), marks.thresholds, qualifier, *boards_by, below, under)

    played = group.played(strategy, threads, labeled)
    shape = (marks.kinds_of_board, len(group.ends) * kinds, len(marks.edges), width)
    deals = second_sweep(group.game, played, shape, threads, boards, cuts)
    apart = deals.reshape(marks.kinds_of_board, len(group.ends), kinds, *shape[2:])
    return np.ascontiguousarray(apart.transpose(1, 2, 0, 3, 4))
