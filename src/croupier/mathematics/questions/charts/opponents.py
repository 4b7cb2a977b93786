"""What to say with which hands, and what the decision is worth.

A row is a kind of hand: a category, with as many of the ranks that decide as it takes to tell what
is right, if that leaves few enough rows; a column is the rank of the dealer's card that is seen.
Kinds that are next to each other and ask for the same in every column are one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from croupier.cards import RANKS
from croupier.mathematics.counters.opponents.game import VersusGame
from croupier.mathematics.counters.opponents.solver import versus_solution
from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.kernels.threads import cores
from croupier.mathematics.questions.strategies.compared_hands import HeldFeature, RankedHands
from croupier.mathematics.questions.strategies.decisions import NEVER
from croupier.mathematics.questions.strategies.grid import Grid, HandCell, Skipped
from croupier.mathematics.questions.strategies.opponents_decisions import (
    OpponentsDecisions,
    OpponentsSets,
)
from croupier.rulebooks.rules import Rules

_MOST_ROWS: Final = 40


def versus_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """The house edge of the best play, and of one answer to every hand, where it may be said."""
    solution, decision = versus_solution(rules), rules.book.decisions[0]
    game, deals = solution.game, solution.deals.sum(axis=0).astype(object)
    always = [bool(game.payoffs.allowed[:, bet].all()) for bet in range(len(game.bets))]
    skipped = []
    for action, said in enumerate(decision.answers):
        if action == len(game.bets) or always[action]:
            total = int((deals * solution.nets_of(action)).sum())
            edge = -Fraction(total, game.deals * game.scale)
            skipped.append(Skipped(decision.name, f"always {said}", edge))
    return -solution.value, skipped


# -- the chart ------------------------------------------------------------------------------------


class _Sums:
    """By strength, against one column: what each answer comes to over all deals, and the best; how
    many deals; how often each answer is right; which may be given with every such hand."""

    def __init__(self, answers: int, strengths: int) -> None:
        self.values = np.zeros((answers + 1, strengths), np.int64)
        self.said = np.zeros((answers, strengths), np.int64)
        self.allowed = np.ones((answers, strengths), np.bool_)

    @property
    def deals(self) -> I64:
        return np.asarray(self.said.sum(axis=0))

    def add(self, strengths: I64, values: I64, best: I8, weights: I64) -> None:
        for answer, row in enumerate(values):
            may = row != NEVER
            np.add.at(self.values[answer], strengths, np.where(may, row, 0) * weights)
            self.allowed[answer, strengths[~may]] = False
            np.add.at(self.said[answer], strengths[best == answer], weights[best == answer])
        np.add.at(self.values[-1], strengths, values.max(axis=0) * weights)

    def __iadd__(self, other: _Sums) -> _Sums:
        self.values += other.values
        self.said += other.said
        self.allowed &= other.allowed
        return self

    def only(self, part: slice) -> int:
        """The answer that is right with all of these hands; -1 if it is not always the same, -2 if
        they are not dealt."""
        used = np.flatnonzero(self.said[:, part].any(axis=1))
        return -2 if not len(used) else int(used[0]) if len(used) == 1 else -1


def versus_grid(rules: Rules) -> Grid:
    decisions = OpponentsDecisions(rules)
    choice, game = decisions.choices[0], decisions.game
    ranked = choice.scene.ranked
    assert ranked is not None
    heads = _columns(game)
    columns = _charted(decisions, ranked, heads)
    rows = _Rows(ranked, columns)
    listed = rows.fewest()
    names = [rows.name(part) for part in listed]
    cells = tuple(
        tuple(
            _cell(game, choice.actions, f"{name} against {head}" if head else name, column, part)
            for head, column in zip(heads, columns, strict=True)
        )
        for name, part in zip(names, listed, strict=True)
    )
    return Grid(rules.book.id, choice, cells, tuple(names), heads)


def _columns(game: VersusGame) -> tuple[str, ...]:
    """The ranks of a single card seen; nothing where there is none, or where there are more."""
    ranks = [RANKS[rank] for rank in range(12, -1, -1) if game.deck.mask >> rank & 1]
    return tuple(ranks) if game.seen == 1 else ("",)


def _charted(
    decisions: OpponentsDecisions, ranked: RankedHands, heads: Sequence[str]
) -> list[_Sums]:
    answers, threads = len(decisions.choices[0].actions), cores()
    columns = [[_Sums(answers, ranked.count) for _ in heads] for _ in range(threads)]

    def look(thread: int, sets: OpponentsSets) -> None:
        features = sets.features
        shown = int(features[HeldFeature.DEALER, 0])
        place = heads.index(RANKS[shown]) if len(heads) > 1 else 0
        strengths = features[HeldFeature.STRENGTH].astype(np.int64)
        columns[thread][place].add(strengths, sets.values, sets.best, sets.weights)

    decisions.visit_all(look, threads)
    for thread in columns[1:]:
        for place, sums in enumerate(thread):
            columns[0][place] += sums
    return columns[0]


class _Part(NamedTuple):
    """The hands from `start` to `stop` among those dealt, weakest first, of one kind or several."""

    start: int
    stop: int


class _Rows:
    """The rows of a chart: hands that are dealt, told apart as far as it takes."""

    def __init__(self, ranked: RankedHands, columns: Sequence[_Sums]) -> None:
        self._ranked, self._columns = ranked, columns
        dealt = np.flatnonzero(sum(column.deals for column in columns))
        self._dealt = dealt.tolist()
        self._keys = [
            (int(ranked.categories[strength]), *ranked.deciding(strength))
            for strength in self._dealt
        ]

    def fewest(self) -> list[slice]:
        """With as many ranks as leave few rows; the strongest hands first."""
        most = max(map(len, self._keys))
        every = _Part(0, len(self._keys))
        for depth in range(most, 1, -1):
            rows = self._merged(self._merged(list(self._kinds(every, 0, depth))))
            if len(rows) <= _MOST_ROWS:
                break
        return [self._slice(row) for row in reversed(rows)]

    def _kinds(self, part: _Part, known: int, depth: int) -> Iterator[_Part]:
        """Hands that share a category and ranks, split by the next rank where that decides."""
        if known and (known >= depth or -1 not in self._said(part)):
            yield part
            return
        start = part.start
        for place in range(part.start, part.stop):
            here = self._keys[place][: known + 1]
            if place + 1 == part.stop or self._keys[place + 1][: known + 1] != here:
                inner = _Part(start, place + 1)
                last = len(here) == len(self._keys[place])
                yield from ((inner,) if last else self._kinds(inner, known + 1, depth))
                start = place + 1

    def _slice(self, part: _Part) -> slice:
        return slice(self._dealt[part.start], self._dealt[part.stop - 1] + 1)

    def _said(self, part: _Part) -> list[int]:
        return [column.only(self._slice(part)) for column in self._columns]

    def _merged(self, rows: Sequence[_Part]) -> list[_Part]:
        """Neighbours that ask for the same as one: kinds of one category, and whole categories."""
        merged: list[_Part] = []
        for row in rows:
            if merged and self._may_join(merged[-1], row):
                merged[-1] = _Part(merged[-1].start, row.stop)
            else:
                merged.append(row)
        return merged

    def _may_join(self, row: _Part, following: _Part) -> bool:
        pairs = zip(self._said(row), self._said(following), strict=True)
        if not all(-2 in pair or pair[0] == pair[1] != -1 for pair in pairs):
            return False
        same = self._keys[row.start][0] == self._keys[following.start][0]
        return same or (self._is_whole(row) and self._is_whole(following))

    def _is_whole(self, part: _Part) -> bool:
        """All hands of the categories that are there?"""
        first, last = self._keys[part.start][0], self._keys[part.stop - 1][0]
        before, after = self._keys[: part.start][-1:], self._keys[part.stop :][:1]
        return all(key[0] != first for key in before) and all(key[0] != last for key in after)

    def name(self, row: slice) -> str:
        """`pair to flush`, `pair`, `pair 4 to A`, `high card Q64 to A`: as short as can be."""
        part = _Part(self._dealt.index(row.start), self._dealt.index(row.stop - 1) + 1)
        first, last = self._keys[part.start], self._keys[part.stop - 1]
        low, high = (self._ranked.names[key[0]].replace("_", " ") for key in (first, last))
        if self._is_whole(part):
            return low if low == high else f"{low} to {high}"
        outside = self._keys[: part.start] + self._keys[part.stop :]
        ends = [_shortest(key, outside) for key in (first, last)]
        return f"{low} {' to '.join(dict.fromkeys(ends))}"


def _shortest(key: tuple[int, ...], others: Sequence[tuple[int, ...]]) -> str:
    """The first ranks of a hand, as many as set it apart from the others."""
    for known in range(2, len(key) + 1):
        if not any(other[:known] == key[:known] for other in others):
            break
    return "".join(RANKS[rank] for rank in key[1:known])


def _cell(game: VersusGame, words: Sequence[str], name: str, sums: _Sums, part: slice) -> HandCell:
    totals = [sum(row) for row in sums.values[:, part].tolist()]
    said = [sum(row) for row in sums.said[:, part].tolist()]
    deals, allowed = sum(said), [bool(row.all()) for row in sums.allowed[:, part]]
    unit = max(deals, 1) * game.opponents * game.scale
    values = {
        word: Fraction(total, unit)
        for word, total, may in zip(words, totals[:-1], allowed, strict=True)
        if may
    }
    shares = {word: Fraction(n, max(deals, 1)) for word, n in zip(words, said, strict=True)}
    return HandCell(name, values, shares, Fraction(totals[-1], unit) - values[words[-1]], deals)
