"""A rulebook's main game as a hold'em game, with its solution and best play.

Required wagers are one unit each. What they pay together (A) and what a unit of each decided wager
pays is tabulated for every strength and the six results of a showdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.errors import Unsolvable
from croupier.mathematics.cache import key_of, read_arrays, write_arrays
from croupier.mathematics.counters.boards.games import HoldemGame, Question, payoffs
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.boards.numbering import STRENGTHS, deck_strengths
from croupier.mathematics.counters.boards.prices import TooManyColumns
from croupier.mathematics.counters.boards.solver import Solution, Stage, solve_holdem
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    Strategy,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.counters.shapes import HOLDEM, check_main_game
from croupier.mathematics.game.payoffs import Case, Payoffs, main_wagers, wagers_with_bonuses
from croupier.mathematics.game.paytable_lines import HandTop
from croupier.mathematics.hand_values import deck_mask
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.shapes import refused
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.lookup_tables import VALUES
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook


class HandTops:
    """The tops of hands, in ascending order: a paytable line looks only at the category and the
    first made rank, so about 130 tops are enough. `names` are the categories, `numbers` has the
    index of the top by strength."""

    def __init__(self, values: I64, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._tops, self.numbers = np.unique(np.asarray(values) >> 16, return_inverse=True)

    def __len__(self) -> int:
        return len(self._tops)

    def cases(self, rules: Rules) -> tuple[Case, ...]:
        """Return how every wager and bonus of the main game ends, by top."""
        payoffs = Payoffs(rules, main_wagers(rules.book))
        tops = [HandTop(self.names[top >> 4], RANKS[top & 15]) for top in self._tops.tolist()]
        return tuple([payoffs.of(top.held(payoffs.leaves), top.category) for top in tops])


USUAL: Final = HandTops(VALUES, CATEGORY_NAMES)


def too_far(error: OverflowError) -> Unsolvable:
    return refused("the main game", f"the bets and paytables lead too far ({error})")


class UnitNets:
    """What all required wagers together and each decided one pay for a unit, with the bonuses on
    them, scaled to integers. `folded` has what a fold leaves of all required wagers, and then of
    each decided one."""

    def __init__(self, rules: Rules, tops: HandTops) -> None:
        self._tops = tops
        cases = tops.cases(rules)
        together = [rules.required, *((name,) for name in decided_wagers(rules.book))]
        paid = [wagers_with_bonuses(rules.book, names) for names in together]
        self._rows = [[case.nets(names) for case in cases] for names in paid]
        folded = [cases[0].fold_net(names) for names in together]
        every = (pay for rows in self._rows for row in rows for pay in row)
        self.scale = lcm(*{pay.denominator for pay in every})
        self.folded = tuple([int(net * self.scale) for net in folded])

    def tables(self) -> list[I64]:
        """Return [outcome, strength] of all required wagers together, then of each decided one; 0
        beyond the strengths that occur."""
        try:
            return [
                payoffs([self._by_strength(row) for row in zip(*rows, strict=True)])
                for rows in self._rows
            ]
        except OverflowError as error:
            raise too_far(error) from None

    def _by_strength(self, row: Sequence[Fraction]) -> I64:
        amounts = np.zeros(STRENGTHS, np.int64)
        scaled = np.array([int(pay * self.scale) for pay in row], dtype=np.int64)
        amounts[: len(self._tops.numbers)] = scaled[self._tops.numbers]
        return amounts


def decided_wagers(book: Rulebook) -> tuple[str, ...]:
    """Return the wagers that are bet in play, in the order of the decisions."""
    return tuple(dict.fromkeys(decision.wager for decision in book.decisions))


def tops_of(game: HoldemGame) -> HandTops:
    """Return the tops of the hands that the game ranks."""
    names = CATEGORY_NAMES if game.ranking is None else game.ranking.names
    return HandTops(game.strengths.values, names)


def holdem_game(rules: Rules) -> HoldemGame:
    """Return the main game under the rules in force; refuse one that the solver does not model."""
    return rules.once(HoldemGame, _game)


def _game(rules: Rules) -> HoldemGame:
    book = rules.book
    check_main_game(rules, HOLDEM)
    assert book.dealer is not None
    ranking = ranking_of(book, book.dealer.hand)
    own_ranking = None if isinstance(ranking, ByCategories) and ranking.is_usual else ranking
    least = ranking.least(book.dealer.at_least, book.dealer.of)
    values = VALUES if own_ranking is None else deck_strengths(own_ranking).values
    nets = UnitNets(rules, HandTops(values, ranking.names))
    required, *decided = nets.tables()
    try:
        return HoldemGame(
            questions=questions_of(book),
            required=required,
            decided=tuple(decided),
            folded=nets.folded,
            qualifier=int(np.searchsorted(values, least)),
            scale=nets.scale,
            deck=deck_mask(ranking),
            ranking=own_ranking,
            takes_first=rules.takes_first,
        )
    except OverflowError as error:
        raise too_far(error) from None


def questions_of(book: Rulebook) -> tuple[Question, ...]:
    wagers = decided_wagers(book)
    return tuple(
        Question(
            seen=decision.sees_community,
            wager=wagers.index(decision.wager),
            bets=tuple(decision.bets.items()),
            decline=decision.otherwise,
            folds=decision.otherwise == "fold",
        )
        for decision in book.decisions
    )


def holdem_solution(rules: Rules) -> Solution:
    """Return the solved main game under these rules: memoized, read from disk, or solved now."""
    return rules.once(Solution, _solution)


def _solution(rules: Rules) -> Solution:
    game, key = holdem_game(rules), key_of(rules, "solution by paths")
    stored = read_arrays(key)
    solution = None if stored is None else _restored(game, stored)
    if solution is None:
        try:
            solution = solve_holdem(game)
        except TooManyColumns:
            raise refused(
                "the main game",
                "the wagers that decisions bet pay in too many different ways together: with fewer "
                "multiples, or paytables that are alike, it can be solved",
            ) from None
        write_arrays(key, _arrays(solution))
    return solution


def best_play(rules: Rules) -> Strategy:
    return rules.once(Strategy, lambda rules: optimal_strategy(holdem_solution(rules)))


def table_of(rules: Rules) -> OutcomeTable:
    """Return every deal under the best play of these rules."""
    return rules.once(OutcomeTable, lambda rules: outcome_table(best_play(rules)))


def _arrays(solution: Solution) -> dict[str, NDArray[np.generic]]:
    """Return the sums of the paths that can be chosen, for the disk; the answers at the turn are
    large and quickly recomputed."""
    arrays: dict[str, NDArray[np.generic]] = {"value": np.array([str(solution.value)])}
    for seen, stage in solution.stages.items():
        arrays[f"{seen}.ways"] = np.array([str(stage.ways)])
        for place, path in enumerate(stage.level.onward):
            if path in stage.onward:
                arrays[f"{seen}.{place}"] = _stored(stage.onward[path])
    return arrays


def _stored(numbers: NDArray[Any]) -> NDArray[np.generic]:
    """Return the sums in 32 bits if they fit. Before the flop they are Python's integers, which can
    exceed 64 bits."""
    if numbers.dtype == object:
        return numbers.astype(str)
    room = np.iinfo(np.int32)
    fit = bool(len(numbers)) and numbers.min() >= room.min and numbers.max() <= room.max
    return numbers.astype(np.int32) if fit else numbers


def _restored(game: HoldemGame, arrays: dict[str, NDArray[np.generic]]) -> Solution | None:
    def numbers(name: str) -> NDArray[np.generic]:
        stored = arrays[name]
        if stored.dtype.kind != "U":
            return stored.astype(np.int64)
        return np.array([int(text) for text in stored.tolist()], dtype=object)

    stages = {}
    try:
        for level in game.levels:
            if level.seen > 3:
                continue
            onward = {
                path: numbers(f"{level.seen}.{place}")
                for place, path in enumerate(level.onward)
                if f"{level.seen}.{place}" in arrays
            }
            size = orbits_of(game.deck, level.seen).size if level.seen < 3 else None
            ways = int(str(arrays[f"{level.seen}.ways"][0]))
            stages[level.seen] = Stage(game, level, onward, size, ways)
        value = Fraction(str(arrays["value"][0]))
    except (KeyError, ValueError):
        return None
    return Solution(game, value, dict(sorted(stages.items(), reverse=True)))
