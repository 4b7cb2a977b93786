"""Hold'em on a board of three or four cards, solved by going through the boards.

On one board all hands of two cards are ranked once. Walking through them from the weakest with a
counter for each card gives every hand's weaker, equal and unqualified opponents, as on a board of
five. The required wagers then pay A and a unit of each decided one B, C, ... summed over the
dealer's hands; for the bets of a path a board is worth A + kB + lC.

Suits are exchanged once: on the first community cards that a decision looks at, only one of each
class of cards is visited, with its weight. Before them a hand is known by its ranks and by whether
it is suited. After them cards are taken as they come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.games import BoardGame, Level, Path
from croupier.mathematics.counters.boards.geometry import HANDS, canonical_boards, card_pairs
from croupier.mathematics.counters.boards.rulebook import HandTops, UnitNets, questions_of
from croupier.mathematics.counters.opponents.opponents import by_outcome
from croupier.mathematics.counters.shapes import SHORT_BOARDS, check_main_game
from croupier.mathematics.hand_values import ValueTables, deck_mask, strength_in, strengths_of
from croupier.mathematics.kernels.arrays import I32, I64, best_places
from croupier.mathematics.kernels.decorators import kernel, part
from croupier.mathematics.shapes import refused
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules

_MOST_BOARDS: Final = 400_000
Hands: TypeAlias = NDArray[np.bool_]
"""Whether something holds, by hand or by board and hand."""
Values: TypeAlias = Mapping[Path, I64]
"""By path: a sum for each hand (or each board and hand)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ShortGame(BoardGame):
    """A game on a board of `board` cards."""

    board: int
    tables: ValueTables
    tops: HandTops

    @cached_property
    def cards(self) -> tuple[int, ...]:
        return tuple(card for card in range(52) if self.deck >> card % 13 & 1)


def short_board_game(rules: Rules) -> ShortGame:
    """Return the main game under the rules in force; refuse one that the solver does not model."""
    return rules.once(ShortGame, _game)


def _game(rules: Rules) -> ShortGame:
    book = rules.book
    check_main_game(rules, SHORT_BOARDS)
    assert book.dealer is not None
    ranking = ranking_of(book, book.dealer.hand)
    strengths = strengths_of(ranking, {book.cards.community + 2})
    tops = HandTops(strengths.values, ranking.names)
    nets = UnitNets(rules, tops)
    required, *decided = nets.tables()
    game = ShortGame(
        questions=questions_of(book),
        required=required,
        decided=tuple(decided),
        folded=nets.folded,
        qualifier=strengths.least(ranking.least(book.dealer.at_least, book.dealer.of)),
        scale=nets.scale,
        deck=deck_mask(ranking),
        takes_first=rules.takes_first,
        board=book.cards.community,
        tables=strengths.tables[book.cards.community + 2],
        tops=tops,
    )
    _check_size(game)
    return game


def _check_size(game: ShortGame) -> None:
    if 24 * game.largest * comb(len(game.cards), game.board) * 24 * HANDS >= 1 << 62:
        raise refused("the main game", "the bets and paytables lead to sums too large to count")
    seen = [level.seen for level in game.levels if level.seen]
    first, *later = [*seen, *([] if game.board in seen else [game.board])]
    boards, shown = len(canonical_boards(game.deck, first)[0]), first
    for more in later:
        boards, shown = boards * comb(len(game.cards) - shown, more - shown), more
    if boards > _MOST_BOARDS:
        raise refused(
            "the main game", f"decisions lead through {boards:,} boards, which are too many"
        )


def short_board_solution(rules: Rules) -> ShortBoardSolution:
    return rules.once(ShortBoardSolution, lambda rules: ShortBoardSolution(short_board_game(rules)))


class _Met(NamedTuple):
    """Every hand on some boards: [wager, board, hand] what the required wagers and a unit of each
    decided one pay over all the dealer's hands, [board, hand] the strength, and if requested
    [board, hand, outcome] the dealer's hands. All 0 if a hand cannot be dealt."""

    sums: I64
    strength: I64
    counts: I32


class ShortBoardSolution:
    """The best play. `before` is the level without community cards, by class of hand, if there is
    one; `after` are those on community cards."""

    def __init__(self, game: ShortGame) -> None:
        self.game = game
        self.ends = card_pairs().astype(np.int64)
        inside = np.array([game.deck >> card % 13 & 1 for card in range(52)], np.bool_)
        self.dealt = inside[self.ends].all(axis=1)
        self.classes = _classes(self.ends)
        self.before = next((level for level in game.levels if not level.seen), None)
        self.after = tuple(level for level in game.levels if level.seen)
        first = self.after[0].seen if self.after else game.board
        cards, weights = canonical_boards(game.deck, first)
        self._first = [sum(1 << card for card in row) for row in cards.tolist()]
        self._weights = [int(weight) for weight in weights]
        self._solve()

    def deals_after(self, at: int) -> int:
        """Return how many deals there are for a hand after a level on community cards (-1: before
        all of them). A board counts once for each way in which it is turned up level by level."""
        shown = self.after[at].seen if at >= 0 else 0
        ways = comb(len(self.game.cards) - 2 - self.game.board, 2)
        for more in [*(level.seen for level in self.after[at + 1 :]), self.game.board]:
            ways *= comb(len(self.game.cards) - 2 - shown, more - shown)
            shown = more
        return ways

    # -- backwards --------------------------------------------------------------------------------

    def _solve(self) -> None:
        paths = self.before.onward if self.before else self.game.levels[0].arriving
        with ThreadPoolExecutor(2) as pool:
            worth = list(pool.map(partial(self._worth, 0), self._first))
        sums = {path: np.zeros(HANDS, np.int64) for path in paths}
        for values, weight in zip(worth, self._weights, strict=True):
            for path in paths:
                sums[path] += weight * values[path]
        self.by_class: dict[Path, I64] = {}
        self.number = np.bincount(self.classes[self.dealt], minlength=169)
        for path, each in sums.items():
            totals = np.zeros(169, np.int64)
            np.add.at(totals, self.classes, each)
            self.by_class[path] = totals
        if self.before is not None:
            for path in (p for paths in self.before.leaving for p in paths if p.folded):
                lost = self.game.fold(path.bets) * self.deals_after(-1)
                self.by_class[path] = lost * self.number

    def _worth(self, at: int, board: int) -> Values:
        """Return by arriving path its value for every hand, with these cards seen."""
        if at == len(self.after):
            return self._shown_down(self._completed(board), None)
        return {path: values.max(axis=0) for path, values in self.seen(at, board).items()}

    def seen(self, at: int, board: int) -> Values:
        """Return for a level on exactly these community cards, by arriving path, the values of the
        paths that leave, stacked in their order."""
        level = self.after[at]
        onward = self._onward(at, board)
        fits = self._fits(board)
        lost = self.deals_after(at)
        return {
            arriving: np.stack(
                [
                    fits * (self.game.fold(path.bets) * lost) if path.folded else onward[path]
                    for path in paths
                ]
            )
            for arriving, paths in zip(level.arriving, level.leaving, strict=True)
        }

    def _onward(self, at: int, board: int) -> Values:
        """Return by path that goes on the sum over all that may come, under the best play."""
        level = self.after[at]
        later = self.after[at + 1] if at + 1 < len(self.after) else None
        if later is None:
            return self._shown_down(self._completed(board), level)
        sums = {path: np.zeros(HANDS, np.int64) for path in level.onward}
        boards = self._completed(board, later.seen)
        if later.seen == self.game.board:
            worth = self._shown_down(boards, later, apart=True)
            for arriving, paths in zip(later.arriving, later.leaving, strict=True):
                each = [self._at_end(path, worth, boards) for path in paths]
                sums[arriving] += np.maximum.reduce(each).sum(axis=0)
            return sums
        for more in boards:
            for path, values in self._worth(at + 1, more).items():
                sums[path] += values
        return sums

    def _at_end(self, path: Path, worth: Values, boards: list[int]) -> I64:
        if not path.folded:
            return worth[path]
        masks = np.array(boards, np.uint64)[:, None]
        gone = (masks >> np.arange(52, dtype=np.uint64) & np.uint64(1)).astype(np.bool_)
        fits = self.dealt & ~gone[:, self.ends[:, 0]] & ~gone[:, self.ends[:, 1]]
        return fits * (self.game.fold(path.bets) * self.deals_after(len(self.after) - 1))

    def _completed(self, board: int, seen: int = 0) -> list[int]:
        """Return the boards that these cards may grow into."""
        left = [1 << card for card in self.game.cards if not board >> card & 1]
        more = (seen or self.game.board) - board.bit_count()
        return [board | sum(cards) for cards in combinations(left, more)]

    def _shown_down(
        self, boards: list[int], level: Level | None, *, apart: bool = False
    ) -> dict[Path, I64]:
        """Return by path that goes on from the level the sum over the boards, or one row
        for each."""
        sums = self._meet(boards).sums
        if not apart:
            sums = sums.sum(axis=1)
        return self._by_path(sums, level.onward if level else self.game.levels[-1].onward)

    def _by_path(self, sums: I64, paths: tuple[Path, ...]) -> dict[Path, I64]:
        """Return A + kB + lC, with the bets of each path."""
        return {
            path: np.asarray(
                sum((k * b for k, b in zip(path.bets, sums[1:], strict=True)), sums[0])
            )
            for path in paths
        }

    def _meet(self, boards: list[int], *, counted: bool = False) -> _Met:
        game, shape = self.game, (len(boards), HANDS)
        deck, size = np.uint64(sum(1 << card for card in game.cards)), game.required.shape[1]
        pays = np.stack([game.required, *game.decided])
        met = _Met(
            np.zeros((len(pays), *shape), np.int64),
            np.zeros(shape, np.int64),
            np.zeros((*shape, 6) if counted else (0, 0, 0), np.int32),
        )
        masks = np.array(boards, np.uint64)
        _meet_all(masks, deck, game.tables, game.qualifier, size, pays, *met)
        return met

    def _fits(self, board: int) -> I64:
        """Return 1 for each hand that can be held beside the cards, else 0."""
        gone = np.array([board >> card & 1 for card in range(52)], np.bool_)
        return np.asarray((self.dealt & ~gone[self.ends].any(axis=1)).astype(np.int64))

    # -- forwards ---------------------------------------------------------------------------------

    def played(self) -> dict[Path, I64]:
        """Return by path at the end of the betting the deals [strength, outcome]."""
        shape = (self.game.required.shape[1], 6)
        with ThreadPoolExecutor(2) as pool:
            parts = pool.map(self._played_from, self._first, self._weights)
            endings: dict[Path, I64] = {}
            for part in parts:
                for path, deals in part.items():
                    endings.setdefault(path, np.zeros(shape, np.int64))
                    endings[path] += deals
        order = {path: place for place, path in enumerate(self._ends())}
        return dict(sorted(endings.items(), key=lambda item: order[item[0]]))

    def _ends(self) -> Iterator[Path]:
        for level in self.game.levels:
            for paths in level.leaving:
                yield from (p for p in paths if p.folded or level is self.game.levels[-1])

    def first_answers(self) -> tuple[tuple[Path, ...], I64]:
        """Return the paths of the level without community cards, and the best answer by class of
        hand."""
        assert self.before is not None
        (paths,) = self.before.leaving
        stacked = np.stack([self.by_class[path] for path in paths])
        return paths, best_places(stacked, self.game.takes_first)

    def _played_from(self, board: int, weight: int) -> dict[Path, I64]:
        """`at`: for each path, the hands that have come along it."""
        fits = self._fits(board).astype(np.bool_)
        at = {self.game.levels[0].arriving[0]: fits}
        if self.before is not None:
            paths, best = self.first_answers()
            at = {path: fits & (best[self.classes] == n) for n, path in enumerate(paths)}
        endings: dict[Path, I64] = {}
        self._go_on(0, board, at, weight, endings)
        return endings

    def _go_on(
        self, level: int, board: int, at: dict[Path, Hands], weight: int, endings: dict[Path, I64]
    ) -> None:
        at = {path: hands for path, hands in at.items() if hands.any()}
        if not at:
            return
        if level == len(self.after):
            met = self._meet(self._completed(board), counted=True)
            for path, hands in at.items():
                self._count(met, path, np.broadcast_to(hands, met.strength.shape), weight, endings)
            return
        values, ahead = self.seen(level, board), dict[Path, Hands]()
        for path, hands in at.items():
            if path.folded:
                ahead[path] = hands
                continue
            best = best_places(values[path], self.game.takes_first)
            for place, following in enumerate(self.after[level].answers(path)):
                ahead[following] = hands & (best == place)
        later = self.after[level + 1 :]
        if not later:
            self._go_on(level + 1, board, ahead, weight, endings)
            return
        boards = self._completed(board, later[0].seen)
        if later[0].seen == self.game.board:
            self._end(later[0], boards, ahead, weight, endings)
            return
        for more in boards:
            fits = self._fits(more).astype(np.bool_)
            self._go_on(level + 1, more, {p: h & fits for p, h in ahead.items()}, weight, endings)

    def _end(
        self,
        level: Level,
        boards: list[int],
        at: dict[Path, Hands],
        weight: int,
        endings: dict[Path, I64],
    ) -> None:
        """Play the last decision, on whole boards."""
        met = self._meet(boards, counted=True)
        worth = self._by_path(met.sums, level.onward)
        for path, hands in at.items():
            if path.folded:
                self._count(met, path, np.broadcast_to(hands, met.strength.shape), weight, endings)
                continue
            values = [self._at_end(each, worth, boards) for each in level.answers(path)]
            best = best_places(np.stack(values), self.game.takes_first)
            for place, following in enumerate(level.answers(path)):
                self._count(met, following, hands & (best == place), weight, endings)

    def _count(
        self, met: _Met, path: Path, hands: Hands, weight: int, endings: dict[Path, I64]
    ) -> None:
        """Add the deals of these hands, [board, hand], to the path's."""
        size = self.game.required.shape[1]
        held, deals = met.strength[hands], met.counts[hands]
        total = endings.setdefault(path, np.zeros((size, 6), np.int64))
        for outcome in range(6):
            # Sums of less than 2**53, so the floats are exact.
            sums = np.bincount(held, weights=deals[:, outcome], minlength=size)
            total[:, outcome] += weight * sums.astype(np.int64)


def _classes(ends: I64) -> I64:
    """Return the class of each hand: two ranks, suited hands apart."""
    ranks, suits = ends % 13, ends // 13
    low, high = ranks.min(axis=1), ranks.max(axis=1)
    return np.asarray(np.where(suits[:, 0] == suits[:, 1], low * 13 + high, high * 13 + low))


@kernel
def _meet_all(
    boards: I64,
    deck: np.uint64,
    tables: ValueTables,
    qualifier: int,
    strengths: int,
    pays: I64,
    sums: I64,
    met: I64,
    counts: I32,
) -> None:
    """Count the opponents of every hand on every board, by a walk from the weakest hand."""
    bit = np.uint64(1)
    ends, start = np.empty((1326, 2), np.int64), np.empty(strengths + 1, np.int64)
    held, order = np.empty(1326, np.int64), np.empty(1326, np.int64)
    opponents = np.zeros((1326, 6), np.int64)
    for number in range(boards.size):
        board = boards[number]
        left = deck & ~board
        start[:] = 0
        hands = 0
        for high in range(52):
            if not left >> np.uint64(high) & bit:
                continue
            for low in range(high):
                if left >> np.uint64(low) & bit:
                    hand = high * (high - 1) // 2 + low
                    ends[hand, 0], ends[hand, 1] = low, high
                    both = bit << np.uint64(high) | bit << np.uint64(low)
                    strength = strength_in(board | both, tables)
                    met[number, hand] = strength
                    start[strength + 1] += 1
                    held[hands] = hand
                    hands += 1
        for strength in range(strengths):
            start[strength + 1] += start[strength]
        for place in range(hands):
            strength = met[number, held[place]]
            order[start[strength]] = held[place]
            start[strength] += 1
        _walk(order[:hands], ends, met[number], qualifier, opponents)
        for place in range(hands):
            hand = order[place]
            for wager in range(pays.shape[0]):
                for outcome in range(6):
                    pay = pays[wager, outcome, met[number, hand]]
                    sums[wager, number, hand] += opponents[hand, outcome] * pay
            if counts.size:
                counts[number, hand] = opponents[hand]


@part
def _walk(order: I64, ends: I64, strength: I64, qualifier: int, counts: I64) -> None:
    """Walk through the hands from the weakest to the strongest; two that share a card never
    meet."""
    passed, below = 0, 0
    with_card, below_with = np.zeros(52, np.int64), np.zeros(52, np.int64)
    weaker, outcomes = np.empty(1326, np.int64), np.empty(6, np.int64)
    first = 0
    while first < order.size:
        value, last = strength[order[first]], first
        if value < qualifier:
            below = -1  # the walk is still among the unqualified hands
        elif below < 0:
            below = passed
            below_with[:] = with_card
        while last < order.size and strength[order[last]] == value:
            low, high = ends[order[last]]
            weaker[order[last]] = passed - with_card[low] - with_card[high]
            last += 1
        for place in range(first, last):
            low, high = ends[order[place]]
            passed += 1
            with_card[low] += 1
            with_card[high] += 1
        for place in range(first, last):
            hand = order[place]
            low, high = ends[hand]
            equal = passed - with_card[low] - with_card[high] + 1 - weaker[hand]
            counts[hand, 0], counts[hand, 1] = weaker[hand], equal
        first = last
    if below < 0:
        below = passed
        below_with[:] = with_card
    for place in range(order.size):
        hand = order[place]
        low, high = ends[hand]
        weak = strength[hand] < qualifier
        unqualified = below - below_with[low] - below_with[high] + (1 if weak else 0)
        opponents = passed - with_card[low] - with_card[high] + 1
        by_outcome(weaker[hand], counts[hand, 1], unqualified, weak, opponents, outcomes)
        for outcome in range(6):
            counts[hand, outcome] = outcomes[outcome]
