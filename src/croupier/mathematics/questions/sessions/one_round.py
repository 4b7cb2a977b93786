"""The rounds of hold'em, separated by everything that the side wagers of a seat look at.

Side wagers share their cards with the main game and with each other, so their results do not simply
add up. Here every deal is sorted by how each wager ends, under the best play of the main game
alone. Payments of a progressive are those of a single player; envy is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import Path
from croupier.mathematics.counters.boards.numbering import RANK_BOARDS
from croupier.mathematics.counters.boards.rulebook import USUAL, best_play, holdem_game
from croupier.mathematics.game.payments import FOLDED, Loses, Paid
from croupier.mathematics.game.payoffs import Case
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.rounds import PlayedRounds, betting_of
from croupier.mathematics.questions.sessions.line_facts import (
    board_bits,
    boards_of,
    couples_of,
    deal_images,
    hands_at,
)
from croupier.mathematics.questions.sessions.sweep import (
    LineWager,
    Marks,
    TwoHandWager,
    cuts_of,
    side_wager,
    sweep,
)
from croupier.rulebooks.rules import Rules

Progress = Callable[[int, int], None]
SHARES = 96
"""24 exchanges of suits times the four suits that a flush can have."""


def rounds_with_sides(
    rules: Rules, sides: Sequence[str], progress: Progress = lambda _done, _all: None
) -> PlayedRounds:
    """Return the rounds of the main game with these side wagers, under the best play of the main
    game."""
    if holdem_game(rules).ranking is not None:
        raise Unsolvable(
            f"wagers together are not worked out for {rules.book.id}: it has another deck or "
            "another order of hands than the usual one"
        )
    return _Rounds(rules, sides).played(progress)


class _Deals(NamedTuple):
    """Similar deals: how they are played, the player's and the dealer's strengths, who wins, and
    the leaves that hold for each wager on own cards; in shares of a deal."""

    path: Path
    own: int
    facing: int
    result: int
    codes: tuple[int, ...]
    shares: int


class _Rounds:
    def __init__(self, rules: Rules, sides: Sequence[str]) -> None:
        self.rules, self.sides, self.game = rules, tuple(sides), holdem_game(rules)
        placed = [side_wager(rules, name) for name in sides]
        self.lines = [wager for wager in placed if isinstance(wager, LineWager)]
        self.pairs = [wager for wager in placed if isinstance(wager, TwoHandWager)]
        self.hands = hands_at(rules)
        self.leaves = [wager.tests.leaves for wager in self.lines]
        self.main = USUAL.cases(rules)
        self.alike = _numbers_alike(self.main)[USUAL.numbers]
        self.cases: list[Case] = []
        self._places: dict[tuple[int, tuple[Paid, ...]], int] = {}

    def played(self, progress: Progress) -> PlayedRounds:
        cells: dict[Path, Counter[tuple[int, int]]] = {}
        marks = self._marks()
        for deals in (*self._swept(marks, progress), *self._dealt_apart(marks)):
            outcome = 2 * deals.result + int(deals.facing < self.game.qualifier)
            cells.setdefault(deals.path, Counter())[self._case(deals), outcome] += deals.shares
        bettings = []
        for path, shares in cells.items():
            assert not any(count % SHARES for count in shares.values())
            listed = [(*at, count // SHARES) for at, count in shares.items() if count]
            bettings.append(betting_of(self.rules, path, listed))
        return PlayedRounds(self.rules, self.cases, bettings)

    def _case(self, deals: _Deals) -> int:
        """Return the index of the case in which every wager ends as in these deals."""
        ends = {
            wager.name: wager.ending(deals.own, deals.facing, deals.result) for wager in self.pairs
        }
        for line, code in zip(self.lines, deals.codes, strict=True):
            ends[line.name] = line.ending(code)
        key = int(self.alike[deals.own]), tuple(ends.values())
        if key not in self._places:
            self._places[key] = len(self.cases)
            self.cases.append(self._with_sides(self.main[int(USUAL.numbers[deals.own])], ends))
        return self._places[key]

    def _with_sides(self, main: Case, ends: dict[str, Paid]) -> Case:
        wagers = self.rules.book.wagers
        folded = {
            name: Paid(FOLDED, Loses()) if wagers[name].after_fold == "loses" else paid
            for name, paid in ends.items()
        }
        paid = {name: (end,) * 6 for name, end in ends.items()}
        return Case("", {**main.paid, **paid}, {**main.folded, **folded})

    # -- the sweep --------------------------------------------------------------------------------

    def _marks(self) -> Marks:
        """Return the distinctions that the sweep makes."""
        self._check_suits()
        labels, self.images = deal_images(self.game.deck, self.leaves, self.hands)
        both = [np.concatenate(board_bits(own, self.hands)) for own in self.leaves]
        kinds, self.boards = _numbered(
            np.array(both, np.int64).reshape(len(both), RANK_BOARDS + (1 << 13))
        )
        by_pairs = [cuts_of(wager.strengths[None]) for wager in self.pairs]
        edges = [cuts_of(self.alike[None]), *by_pairs]
        edges += [cuts_of(wager.strengths) for wager in self.lines]
        bins = [np.array([self.game.qualifier]), *(cuts[1:] for cuts in by_pairs)]
        return Marks(
            labels.astype(np.int16),
            kinds[:RANK_BOARDS].astype(np.int8),
            kinds[RANK_BOARDS:].astype(np.int8),
            np.unique(np.concatenate(edges)),
            np.unique(np.concatenate(bins)).astype(np.int64),
        )

    def _check_suits(self) -> None:
        """Refuse suits named in two places, which would need the places' suits together."""
        named = [leaf for own in self.leaves for leaf in own if leaf.suits]
        if len({self.hands[leaf.hand][0] == "final" for leaf in named}) > 1:
            raise Unsolvable("lines that name suits both on the flop and on all seven cards")

    def _swept(self, marks: Marks, progress: Progress) -> Iterator[_Deals]:
        paths, deals = sweep(best_play(self.rules), marks, progress)
        known: dict[tuple[int, int, int], Counter[tuple[int, ...]]] = {}
        for place in np.argwhere(deals).tolist():
            path, label, board, interval, cell = place
            own = int(marks.edges[interval])
            dealer, result = divmod(cell, 3)
            facing = int(marks.thresholds[dealer - 1]) if dealer else 0
            count, key = int(deals[tuple(place)]), (label, board, own)
            if key not in known:
                known[key] = self._codes(*key)
            for codes, shares in known[key].items():
                yield _Deals(paths[path], own, facing, result, codes, count * shares)

    def _codes(self, label: int, board: int, own: int) -> Counter[tuple[int, ...]]:
        """Yield the leaves that hold for each wager on own cards, with their shares."""
        shares: Counter[tuple[int, ...]] = Counter()
        for (codes, times), suit in product(self.images[label], range(4)):
            parts = zip(self.lines, codes, self.boards[board], strict=True)
            held = [code | shown | int(line.strengths[suit, own]) for line, code, shown in parts]
            shares[tuple(held)] += times
        return shares

    # -- lines on the dealer's two cards ----------------------------------------------------------

    def _dealt_apart(self, marks: Marks) -> Iterator[_Deals]:
        """Return deals to subtract where the sweep put them and to add elsewhere, because a line
        looks at the dealer's cards."""
        looking = [n for n, own in enumerate(self.leaves) if "dealer_pocket" in self._at(own)]
        if not looking:
            return
        place = looking[0]
        if len(looking) > 1 or self._at(self.leaves[place]) != {"pocket", "dealer_pocket"}:
            raise Unsolvable("lines on the dealer's cards and others beside them are not computed")
        if any(leaf.suits for own in self.leaves for leaf in own):
            raise Unsolvable("lines on suits beside lines on the dealer's cards are not computed")
        wager, strategy = self.lines[place], best_play(self.rules)

        def changes(own: int, theirs: int) -> bool:
            return wager.ending(own | theirs).pays != wager.ending(own).pays

        for couple in couples_of(wager.tests.leaves, self.hands, changes):
            for at in boards_of(
                couple, strategy, self.leaves, self.hands, marks.edges, marks.thresholds
            ):
                codes = [
                    code | int(line.strengths[0, at.own])
                    for line, code in zip(self.lines, at.codes, strict=True)
                ]
                shares = SHARES * at.deals * couple.weight
                yield _Deals(at.path, at.own, at.facing, at.result, tuple(codes), -shares)
                codes[place] = at.codes[place] | couple.held
                yield _Deals(at.path, at.own, at.facing, at.result, tuple(codes), shares)

    def _at(self, leaves: Sequence[Leaf]) -> set[str]:
        return {self.hands[leaf.hand][0] for leaf in leaves}


def _numbers_alike(cases: Sequence[Case]) -> I64:
    """Return a number for every case, equal for cases in which all wagers are paid the same."""
    numbers: dict[object, int] = {}
    paid = [
        tuple((each.pays, each.stake_stays) for row in case.paid.values() for each in row)
        for case in cases
    ]
    return np.array([numbers.setdefault(each, len(numbers)) for each in paid], np.int64)


def _numbered(columns: I64) -> tuple[I64, list[tuple[int, ...]]]:
    """Return a number for each column, and the distinct columns."""
    if not len(columns):
        return np.zeros(columns.shape[1], np.int64), [()]
    kinds, where = np.unique(columns, axis=1, return_inverse=True)
    return where.reshape(-1).astype(np.int64), [tuple(column) for column in kinds.T.tolist()]
