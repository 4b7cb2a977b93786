"""What to say with which hands, and what the decision is worth.

A row is a kind of hand: a category, its first rank or its first two where they matter; a column is
the rank of the dealer's card that is seen. Kinds that are next to each other and ask for the same
in every column are one row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.mathematics.counters.opponents.decks import I64
from croupier.mathematics.counters.opponents.game import VersusGame, game_of
from croupier.mathematics.counters.opponents.solver import (
    I8,
    CountedHands,
    Prices,
    Task,
    choose_actions,
    prices_of,
    solution_of,
    tasks_of,
    value_of_hand,
)
from croupier.mathematics.kernels.decorators import kernel, whole
from croupier.mathematics.kernels.threads import cores, spread
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.grid import Grid, HandCell, Skipped
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.mathematics.shapes.shape import refused
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules

__all__ = ["versus_grid", "versus_values"]


def versus_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """The house edge of the best play, and of one answer to every hand, where it may be said."""
    solution, decision = solution_of(rules), rules.book.decisions[0]
    game, deals = solution.game, solution.deals.sum(axis=0).astype(object)
    always = [bool(game.payoffs.allowed[:, bet].all()) for bet in range(len(game.bets))]
    found = []
    for action, said in enumerate(decision.answers):
        if action == len(game.bets) or always[action]:
            total = int((deals * solution.nets_of(action)).sum())
            edge = -Fraction(total, game.deals * game.scale)
            found.append(Skipped(decision.name, f"always {said}", edge))
    return -solution.value, found


# -- the chart ------------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """Hands of one category with the same first ranks, at most two of them."""

    category: int
    ranks: tuple[int, ...]


class _Sums(NamedTuple):
    """Over the deals of each kind: what the required wagers come to, one unit of the decided one,
    a fold, and the best play; how many deals; how often each action is right; which bets may be
    said with all of these hands."""

    required: int
    decided: int
    fold: int
    best: int
    deals: int
    said: tuple[int, ...]
    allowed: tuple[bool, ...]

    def __or__(self, other: _Sums) -> _Sums:
        return _Sums(
            self.required + other.required,
            self.decided + other.decided,
            self.fold + other.fold,
            self.best + other.best,
            self.deals + other.deals,
            tuple(a + b for a, b in zip(self.said, other.said, strict=True)),
            tuple(a and b for a, b in zip(self.allowed, other.allowed, strict=True)),
        )

    @property
    def only(self) -> int | None:
        """The action that is right with all of these hands."""
        used = [action for action, count in enumerate(self.said) if count]
        return used[0] if len(used) == 1 else None


class _Row(NamedTuple):
    kinds: tuple[_Kind, ...]  # from the strongest
    cells: tuple[_Sums, ...]  # a column each

    def is_like(self, other: _Row) -> bool:
        """Is the same to be done in every column? A column without deals says nothing."""
        pairs = zip(self.cells, other.cells, strict=True)
        return all(not (a.deals and b.deals) or a.only == b.only is not None for a, b in pairs)


def versus_grid(rules: Rules) -> Grid:
    game, decision = game_of(rules), rules.book.decisions[0]
    assert rules.book.dealer is not None
    ranking = ranking_of(rules.book, rules.book.dealer.hand)
    kinds, kind_of = _kinds(ranking, game)
    columns = _columns(game)
    sums = _charted(game, kind_of, len(kinds), columns)
    dealt = list(_rows(kinds, sums))
    kinds = [kind for row in dealt for kind in row.kinds]
    rows = list(_merged(_merged(dealt, kinds), kinds))
    names = [_name(ranking, row.kinds, kinds) for row in rows]
    choice = StrategyDecision(decision.name, decision.answers, CardsSeen(game.own, 0))
    heads = tuple(columns.values()) or ("",)
    return Grid(
        rules.book.id,
        choice,
        tuple(
            tuple(
                _cell(game, choice, f"{name} against {head}" if head else name, cell)
                for head, cell in zip(heads, row.cells, strict=True)
            )
            for name, row in zip(names, rows, strict=True)
        ),
        tuple(names),
        heads,
    )


def _kinds(ranking: Ranking, game: VersusGame) -> tuple[list[_Kind], I64]:
    """Every kind of hand, from the strongest, and the place of each strength's."""
    found: dict[_Kind, int] = {}
    values = game.strengths.values.tolist()
    of = [_Kind(value >> 20, ranking.deciding(value)[:2]) for value in reversed(values)]
    places = [found.setdefault(kind, len(found)) for kind in of]
    return list(found), np.array(places[::-1], np.int64)


def _columns(game: VersusGame) -> dict[int, str]:
    """The ranks of a single card seen; nothing where there is none, or where there are more."""
    if game.seen != 1:
        return {}
    ranks = [rank for rank in range(12, -1, -1) if game.deck.mask >> rank & 1]
    return {rank: RANKS[rank] for rank in ranks}


def _charted(
    game: VersusGame, kind_of: I64, kinds: int, columns: dict[int, str]
) -> list[list[_Sums]]:
    """For every column the sums of every kind."""
    pays = game.payoffs
    most = int(np.abs(pays.required).max()) + int(np.abs(pays.fold).max())
    most += max(game.bets, default=0) * int(np.abs(pays.decided).max())
    if most * game.deals >= 2**62:
        raise refused("a chart", "the bets and paytables lead too far to be added up")
    threads, places, prices = cores(), list(columns), prices_of(game)
    width, actions = max(1, len(columns)), len(game.bets) + 1
    sums = np.zeros((threads, width, kinds, 5), np.int64)
    said = np.zeros((threads, width, kinds, actions), np.int64)
    allowed = np.ones((threads, kinds, len(game.bets)), np.bool_)

    def work(thread: int, task: Task) -> None:
        hands = task.hands(game)
        shown = max(task.seen.masks).bit_length() - 1
        column = places.index(shown) if columns else 0
        deals = np.zeros((actions, *game.payoffs.required.shape), np.int64)
        words = choose_actions(prices, hands, deals)
        place = thread, column
        kind = kind_of[hands.strengths]
        _add_up(prices, hands, words, kind, sums[place], said[place], allowed[thread])

    spread(tasks_of(game, threads), work, threads)
    numbers, words, may = sums.sum(axis=0), said.sum(axis=0), np.all(allowed, axis=0)
    return [
        [_sums_of(numbers[n, kind], words[n, kind], may[kind]) for kind in range(kinds)]
        for n in range(width)
    ]


def _sums_of(numbers: I64, words: I64, may: NDArray[np.bool_]) -> _Sums:
    required, decided, fold, best, deals = numbers.tolist()
    return _Sums(
        required,
        decided,
        fold,
        best,
        deals,
        tuple(int(count) for count in words),
        tuple(bool(flag) for flag in may),
    )


@kernel
def _add_up(
    prices: Prices,
    hands: CountedHands,
    actions: I8,
    kinds: I64,
    sums: I64,
    said: I64,
    allowed: NDArray[np.bool_],
) -> None:
    payoffs, bets = prices.payoffs, prices.bets
    counts = np.zeros(6, np.int64)
    for hand in range(len(actions)):
        required, decided = value_of_hand(prices, hands, hand, counts)
        kind, case, times = kinds[hand], hands.cases[hand], hands.times[hand]
        action = whole(actions[hand])
        fold = payoffs.fold[case] * prices.opponents
        best = fold if prices.folds else required
        if action < len(bets):
            best = required + bets[action] * decided
        sums[kind, 0] += times * required
        sums[kind, 1] += times * decided
        sums[kind, 2] += times * fold
        sums[kind, 3] += times * best
        sums[kind, 4] += times
        said[kind, action] += times
        for bet in range(len(bets)):
            allowed[kind, bet] &= payoffs.allowed[case, bet]


def _rows(kinds: Sequence[_Kind], sums: Sequence[Sequence[_Sums]]) -> Iterator[_Row]:
    """The kinds that are dealt at all, from the strongest."""
    for place, kind in enumerate(kinds):
        cells = tuple(column[place] for column in sums)
        if any(cell.deals for cell in cells):
            yield _Row((kind,), cells)


def _merged(rows: Iterable[_Row], kinds: Sequence[_Kind]) -> Iterator[_Row]:
    """Neighbours that ask for the same as one: kinds of one category, and whole categories."""
    held: _Row | None = None
    for row in rows:
        if held is not None and held.is_like(row) and _may_join(held, row, kinds):
            cells = tuple(a | b for a, b in zip(held.cells, row.cells, strict=True))
            held = _Row(held.kinds + row.kinds, cells)
            continue
        if held is not None:
            yield held
        held = row
    if held is not None:
        yield held


def _may_join(one: _Row, other: _Row, kinds: Sequence[_Kind]) -> bool:
    same = one.kinds[-1].category == other.kinds[0].category
    return same or (_is_whole(one.kinds, kinds) and _is_whole(other.kinds, kinds))


def _is_whole(of: Sequence[_Kind], kinds: Sequence[_Kind]) -> bool:
    """All hands of the categories that are there?"""
    categories = {kind.category for kind in of}
    return sum(kind.category in categories for kind in kinds) == len(of)


def _name(ranking: Ranking, of: Sequence[_Kind], kinds: Sequence[_Kind]) -> str:
    """`pair to flush`, `pair`, `pair 4 to A`, `high card Q6`: as short as it can be told."""
    low, high = (ranking.names[of[at].category].replace("_", " ") for at in (-1, 0))
    if _is_whole(of, kinds):
        return low if low == high else f"{low} to {high}"
    same = [kind for kind in kinds if kind.category == of[0].category]
    firsts = [kind.ranks[:1] for kind in of]
    is_by_first = all((kind.ranks[:1] in firsts) <= (kind in of) for kind in same)
    top, bottom = (k.ranks[: 1 if is_by_first else 2] for k in (of[0], of[-1]))
    ends = ["".join(RANKS[rank] for rank in ranks) for ranks in (bottom, top)]
    return f"{low} {' to '.join(dict.fromkeys(ends))}"


def _cell(game: VersusGame, choice: StrategyDecision, name: str, sums: _Sums) -> HandCell:
    unit = max(sums.deals, 1) * game.opponents * game.scale
    *bets, declined = choice.actions
    values = {
        said: Fraction(sums.required + multiple * sums.decided, unit)
        for said, multiple, allowed in zip(bets, game.bets, sums.allowed, strict=True)
        if allowed
    }
    values[declined] = Fraction(sums.fold if game.folds else sums.required, unit)
    return HandCell(
        name,
        values,
        {
            said: Fraction(count, max(sums.deals, 1))
            for said, count in zip(choice.actions, sums.said, strict=True)
        },
        Fraction(sums.best, unit) - values[declined],
        sums.deals,
    )
