"""Main games with open lines whose figures are a sum over the lines.

Hold'em with open lines on a required wager is one, where a pay can change the last decision only.
Take what the required wagers pay off the value of every situation. What is left of a bet does not
know the open lines, and what is left of a fold is the less the more they pay. So what it is worth
to go on, less the required wagers, falls as the pays rise, in every situation: where an action is
best with all lines at their lowest and with all at their highest, it is the best with every
filling between. Where that holds for all decisions before the river, only folds at the river are
left to depend on pays; there the hand is made, and belongs to one line.

Hand against hand is another: one decision, on a hand that belongs to one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
from msgspec import structs

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import holdem_game, tops_of
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.counters.opponents.game import VersusGame, game_with
from croupier.mathematics.counters.opponents.solver import solve_holdem as solve_versus
from croupier.mathematics.game.payoffs import Case
from croupier.mathematics.questions.open_lines.by_line import REST, LinePricer, Moments, Pays
from croupier.mathematics.questions.open_lines.open_table import OpenTable
from croupier.mathematics.questions.rounds.by_opponent import versus_rounds_of
from croupier.mathematics.questions.rounds.on_boards import rounds_of_table
from croupier.mathematics.questions.rounds.played import PlayedRounds
from croupier.mathematics.shapes.fields import MAIN_ROLES
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook, VersusDealer, VersusPaytable, Wager
from croupier.rulebooks.wager_families import families_of

_PROBE: Final = "open lines"
_ONLY: Final = "only"

CasesAt: TypeAlias = Callable[[Rules], Sequence[Case]]


class RoundsPricer(LinePricer):
    """`rounds_at` plays all rounds under some rules, `cases_at` has their cases, the same hands
    under any pays. `line_of` has the open line that pays each case, or `REST`."""

    def __init__(
        self,
        table: OpenTable,
        line_of: Sequence[int],
        cases_at: CasesAt,
        rounds_at: Callable[[Rules], PlayedRounds],
    ) -> None:
        self.table, self._line_of = table, line_of
        self._cases_at, self._rounds_at = cases_at, rounds_at

    def counted(self, pays: Pays) -> PlayedRounds:
        return self._rounds_at(self.table.filled(pays))

    def part(self, counted: PlayedRounds, pays: Pays, line: int) -> Moments:
        rules = self.table.filled(pays)
        rounds = replace(counted, rules=rules, cases=self._cases_at(rules))
        mean = squares = hits = wagered = 0
        for betting in rounds.bettings:
            nets, units = rounds.nets_of(betting), sum(betting.units.values())
            for case, outcome, deals in betting.cells:
                if self._line_of[case] == line:
                    net = nets[case, outcome]
                    mean += net * deals
                    squares += net**2 * deals
                    hits += deals if net > 0 else 0
                    wagered += units * deals
        total, scale = rounds.total, rounds.scale
        return Moments(
            Fraction(mean, total * scale),
            Fraction(squares, total * scale**2),
            Fraction(hits, total),
            Fraction(wagered, total),
        )


def _line_of_case(table: OpenTable, cases_at: CasesAt) -> list[int] | None:
    """The open line that pays each case, or `REST`; None where several pay one."""
    low = [line.low for line in table.lines]
    base = cases_at(table.filled(low))
    line_of = [REST] * len(base)
    for place in range(len(low)):
        raised = cases_at(table.filled([pay + (n == place) for n, pay in enumerate(low)]))
        for number, (before, after) in enumerate(zip(base, raised, strict=True)):
            if any(before.nets([name]) != after.nets([name]) for name in before.paid):
                if line_of[number] != REST:
                    return None
                line_of[number] = place
    return line_of


# -- hold'em --------------------------------------------------------------------------------------


def holdem_pricer(table: OpenTable) -> LinePricer | None:
    """None where a pay can change more than the last decision."""
    low, high = ([getattr(line, end) for line in table.lines] for end in ("low", "high"))
    game = holdem_game(table.filled(low))
    tops = tops_of(game)
    line_of = _line_of_case(table, tops.cases)
    if line_of is None or (low != high and not _decides_last_at_river(game)):
        return None
    strategy = optimal_strategy(solve_holdem(game))
    if low != high:
        last = holdem_game(table.filled(high))
        if not all(
            np.array_equal(mine * game.scale, its * last.scale)
            for mine, its in zip(last.decided, game.decided, strict=True)
        ):
            return None
        other = optimal_strategy(solve_holdem(last)).answers
        if any(
            not np.array_equal(places, other[seen][path])
            for seen, by_path in strategy.answers.items()
            for path, places in by_path.items()
        ):
            return None

    def rounds_at(rules: Rules) -> PlayedRounds:
        return rounds_of_table(rules, outcome_table(replace(strategy, game=holdem_game(rules))))

    return RoundsPricer(table, line_of, tops.cases, rounds_at)


def _decides_last_at_river(game: HoldemGame) -> bool:
    """A fold comes at the river or never; and the turn, which is not looked at, decides nothing."""
    return all(
        question.seen == 5 or not (question.folds or question.seen == 4)
        for question in game.questions
    )


# -- hand against hand ----------------------------------------------------------------------------


def versus_pricer(table: OpenTable) -> LinePricer | None:
    """None where the table pays hands of two rankings."""
    book = table.rules.book
    hands = list(_hands_paid(book, table.family))
    if len({ranking_of(book, hand) for hand in hands}) != 1:
        return None

    def cases_at(rules: Rules) -> Sequence[Case]:
        return _probed(rules, table, hands[0]).cases

    def rounds_at(rules: Rules) -> PlayedRounds:
        return versus_rounds_of(rules, solve_versus(_probed(rules, table, hands[0])))

    line_of = _line_of_case(table, cases_at)
    return None if line_of is None else RoundsPricer(table, line_of, cases_at, rounds_at)


def _hands_paid(book: Rulebook, family: str) -> Iterator[str]:
    """The hands of the main game that a family's tables look at."""
    for wager in book.wagers.values():
        if wager.role in MAIN_ROLES and family in families_of(wager.settles):
            assert isinstance(wager.settles, VersusDealer | VersusPaytable)
            yield wager.settles.hand
    for bonus in book.bonuses.values():
        if bonus.paytable == family and book.wagers[bonus.on].role in MAIN_ROLES:
            yield bonus.hand


def _probed(rules: Rules, table: OpenTable, hand: str) -> VersusGame:
    """The game with a wager that nobody makes: paid by the printed table, it tells the cases apart
    by line, whatever the lines pay."""
    probe = Wager(
        title=_PROBE,
        role="optional",
        clause="",
        settles=VersusPaytable(hand=hand, paytable=_PROBE, lost=""),
    )
    book = structs.replace(
        rules.book,
        wagers={**rules.book.wagers, _PROBE: probe},
        paytables={**rules.book.paytables, _PROBE: {_ONLY: table.printed}},
    )
    chosen = {**rules.chosen, _PROBE: _ONLY}
    return game_with(replace(rules, book=book, chosen=chosen), (_PROBE,))
