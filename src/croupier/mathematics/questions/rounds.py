"""All rounds of a main game under the best play, for every counter, and the sums over them.

A counter lists its deals by betting, case and outcome; figures, line tables and sessions are sums
over that list.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame, Path
from croupier.mathematics.counters.boards.rulebook import (
    HandTops,
    decided_wagers,
    holdem_game,
    table_of,
    tops_of,
)
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.counters.opponents.game import game_with
from croupier.mathematics.counters.opponents.solver import (
    VersusSolution,
    solve_versus,
    versus_solution,
)
from croupier.mathematics.counters.shapes import BESIDE
from croupier.mathematics.counters.short_boards import short_board_solution
from croupier.mathematics.counters.stages.solver import (
    Played,
    StreetsSolution,
    Told,
    played_out,
    solve_streets,
)
from croupier.mathematics.game.course import can_fold, led_by
from croupier.mathematics.game.payments import FOLDED, Loses, Paid
from croupier.mathematics.game.payoffs import (
    Case,
    Payoffs,
    main_wagers,
    results_of,
    wager_with_stake,
    wagers_with_bonuses,
)
from croupier.mathematics.game.paytable_lines import line_tests
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.model import MainFigures
from croupier.mathematics.shapes import refused, side_fields
from croupier.mathematics.stakes import PayoutLimit, SeatLimits, meters_for
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, VersusPaytable

Answers: TypeAlias = tuple[tuple[str, str], ...]
"""The answer at each decision that was reached."""
Cells: TypeAlias = Sequence[tuple[int, int, int]]
"""Deals by case and outcome."""
Numbers: TypeAlias = NDArray[np.object_]
"""Python's integers, which have no size limit."""


class Betting(NamedTuple):
    """One way in which the betting ends: the answers, the units on each wager, and the deals by
    case and outcome. A bonus counts its units on the wager that it is paid on."""

    answers: Answers
    units: Mapping[str, int]
    folded: bool
    cells: Cells

    @property
    def deals(self) -> int:
        return sum(count for _, _, count in self.cells)


def cells_of(deals: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Return the cells of deals[case, outcome]."""
    places, counts = np.argwhere(deals).tolist(), deals[deals != 0].tolist()
    return [(case, outcome, count) for (case, outcome), count in zip(places, counts, strict=True)]


@dataclass(frozen=True)
class PlayedRounds:
    """All rounds of a main game under one strategy.

    `categories` are those of the ranking in which hands meet the dealer's, lowest first; empty
    without a dealer's hand. `tied` is the word for equal hands, `lists_answers` whether outcomes
    list all answers.
    """

    rules: Rules
    cases: Sequence[Case]
    bettings: Sequence[Betting]
    categories: tuple[str, ...] = ()
    tied: str = "push"
    lists_answers: bool = False
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(betting.deals for betting in self.bettings))

    # -- nets in units of one required wager -------------------------------------------------------

    @cached_property
    def _unit_nets(self) -> tuple[int, dict[str, Numbers], dict[str, Numbers]]:
        """Return a scale, and the nets multiplied by it: the net of a unit of each wager and bonus,
        as [case, outcome] if played and [case, 1] if folded."""
        names = main_wagers(self.rules.book)
        tables = [
            {n: [[paid.unit_net for paid in case.paid[n]] for case in self.cases] for n in names},
            {
                n: [[case.folded[n].unit_net] for case in self.cases]
                for n in names
                if n in self.rules.book.wagers
            },
        ]
        every = (net for table in tables for rows in table.values() for row in rows for net in row)
        scale = lcm(*{net.denominator for net in every})
        played, folded = (
            {name: _scaled(rows, scale) for name, rows in table.items()} for table in tables
        )
        return scale, played, folded

    def nets_of(self, betting: Betting) -> Numbers:
        """Return [case, outcome]: the net of the round, scaled."""
        _, played, folded = self._unit_nets
        shape = next(iter(played.values())).shape
        net = np.zeros(shape, object)
        for name, each in (folded if betting.folded else played).items():
            units = self.units_of(betting, name)
            if units:
                net = net + units * each
        return net

    def units_of(self, betting: Betting, name: str) -> int:
        """Return the units on a wager, or on the wager that a bonus is paid on."""
        return betting.units.get(wager_with_stake(self.rules.book, name), 0)

    @property
    def scale(self) -> int:
        return self._unit_nets[0]

    def by_net(self) -> Counter[int]:
        """Return the deals by the round's net, scaled."""
        deals_at: Counter[int] = Counter()
        for betting in self.bettings:
            nets = self.nets_of(betting)
            for case, outcome, deals in betting.cells:
                deals_at[nets[case, outcome]] += deals
        return deals_at

    @property
    def value(self) -> Fraction:
        net = sum(net * deals for net, deals in self.by_net().items())
        return Fraction(net, self.total * self.scale)

    # -- figures ----------------------------------------------------------------------------------

    def figures(self) -> MainFigures:
        total = self.total
        scale, nets, mean = self.scale, self.by_net(), self.value
        squares = Fraction(sum(net**2 * deals for net, deals in nets.items()), total * scale**2)
        wagered = sum(sum(each.units.values()) * each.deals for each in self.bettings)
        return MainFigures(
            expected_value=mean,
            standard_deviation=sqrt(squares - mean**2),
            hit_frequency=Fraction(sum(n for net, n in nets.items() if net > 0), total),
            units_wagered=Fraction(wagered, total),
            decisions=self._decisions(),
            outcomes=tuple(self._showdowns() if self.categories else self._hands_paid()),
        )

    def _decisions(self) -> dict[str, dict[str, Fraction]]:
        """Return how often each word is said at each decision, as a share of all rounds."""
        counts = {each.name: dict.fromkeys(each.answers, 0) for each in self.rules.book.decisions}
        for betting in self.bettings:
            for name, word in betting.answers:
                counts[name][word] += betting.deals
        return {
            name: {word: Fraction(count, self.total) for word, count in words.items()}
            for name, words in counts.items()
        }

    def _showdowns(self) -> Iterator[dict[str, object]]:
        """Yield the contract's outcomes by the last answer, the category of the hand, how the
        dealer's hand compares, and the net."""
        scale, ranks = self.scale, {name: at for at, name in enumerate(self.categories)}
        results = ("win", self.tied, "lose")
        for betting in self.bettings:
            nets, counts = self.nets_of(betting), Counter[tuple[int, int, int]]()
            for case, outcome, deals in betting.cells:
                counts[-ranks[self.cases[case].name], outcome, -nets[case, outcome]] += deals
            decision, said = betting.answers[-1]
            for (rank, outcome, lost), deals in sorted(counts.items()):
                answers = [word for _, word in betting.answers]
                yield {
                    "decision": decision,
                    "said": said,
                    **({"answers": answers} if self.lists_answers else {}),
                    "hand": self.categories[-rank],
                    "result": "fold" if betting.folded else results[outcome // 2],
                    "dealer_qualifies": outcome % 2 == 0,
                    "combinations": deals,
                    "probability": deals / self.total,
                    "pays": {"net": str(Fraction(-lost, scale))},
                }

    def _hands_paid(self) -> Iterator[dict[str, object]]:
        """Yield the contract's outcomes of a game without a dealer's hand: the answers, the line
        that decides each wager, and the net; the highest first."""
        scale, counts = self.scale, Counter[tuple[Answers, Answers, int]]()
        for betting in self.bettings:
            nets = self.nets_of(betting)
            for case, outcome, deals in betting.cells:
                hands = tuple(self._hands(betting, self.cases[case], outcome))
                counts[betting.answers, hands, nets[case, outcome]] += deals
        for (said, hands, net), deals in sorted(counts.items(), key=lambda at: (-at[0][2], -at[1])):
            yield {
                "said": dict(said),
                "hands": dict(hands),
                "combinations": deals,
                "probability": deals / self.total,
                "pays": {"net": str(Fraction(net, scale))},
            }

    def _hands(self, betting: Betting, case: Case, outcome: int) -> Iterator[tuple[str, str]]:
        bonuses = self.rules.book.bonuses
        for name, row in case.paid.items():
            if not self.units_of(betting, name):
                continue
            if name not in bonuses:
                paid = case.folded[name] if betting.folded else row[outcome]
                yield name, paid.hand
            elif not betting.folded and row[outcome].wins:
                yield name, row[outcome].hand

    # -- nets in cents ----------------------------------------------------------------------------

    def distribution(
        self,
        unit: int,
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
    ) -> dict[int, int]:
        """Return the number of deals at each net of a seat, in cents, with `unit` cents on every
        required wager and these stakes on side wagers."""
        book, shown = self.rules.book, meters_for(self.rules, meters)
        limited = SeatLimits(book, limits)
        by_cents: Counter[int] = Counter()
        for betting in self.bettings:
            placed = {name: units * unit for name, units in betting.units.items() if units}
            stakes, net_of = placed | dict(sides), dict[tuple[int, int | None], int]()
            for case, at, deals in betting.cells:
                key = case, None if betting.folded else at
                if key not in net_of:
                    results = results_of(book, self.cases[case], key[1], stakes, shown)
                    net_of[key] = limited.net(results)
                by_cents[net_of[key]] += deals
        return dict(sorted(by_cents.items()))


def _scaled(rows: list[list[Fraction]], scale: int) -> Numbers:
    return np.array([[int(net * scale) for net in row] for row in rows], object)


def holdem_rounds(rules: Rules) -> PlayedRounds:
    return rounds_of_table(rules, table_of(rules))


def rounds_of_table(rules: Rules, table: OutcomeTable) -> PlayedRounds:
    several = len(decided_wagers(rules.book)) > 1
    return _rounds(rules, tops_of(table.game), dict(table.endings), lists_answers=several)


def short_board_rounds(rules: Rules) -> PlayedRounds:
    solution = short_board_solution(rules)
    return _rounds(rules, solution.game.tops, solution.played(), lists_answers=True)


def _rounds(
    rules: Rules, tops: HandTops, endings: Mapping[Path, I64], *, lists_answers: bool
) -> PlayedRounds:
    """Return the rounds, from the deals[strength, outcome] of every path to its end."""
    bettings = []
    for path, deals in endings.items():
        by_case = np.zeros((len(tops), deals.shape[1]), np.int64)
        np.add.at(by_case, tops.numbers, deals[: len(tops.numbers)])
        bettings.append(betting_of(rules, path, cells_of(by_case)))
    return PlayedRounds(rules, tops.cases(rules), bettings, tops.names, lists_answers=lists_answers)


def betting_of(rules: Rules, path: Path, cells: Cells) -> Betting:
    decisions, wagers = rules.book.decisions, decided_wagers(rules.book)
    answers = tuple((decisions[number].name, word) for number, word in path.said)
    units = dict.fromkeys(rules.required, 1) | dict(zip(wagers, path.bets, strict=True))
    return Betting(answers, units, path.folded, cells)


_counted: Final[deque[OutcomeTable]] = deque(maxlen=4)
"""The most recently counted tables; two megabytes each."""


def changed_figures(
    rules: Rules, raised: Sequence[Rules]
) -> tuple[MainFigures, tuple[Fraction, ...]]:
    """Return the figures, and what each of the `raised` rules adds to the value if play stays the
    same.

    The value of a game is the maximum of linear functions of its pays, one for each strategy. If
    the strategy that was best at pays P is still the best at 2Q - P, as far beyond Q, it is the
    best at Q between them; and a strategy that is equally good at Q is equally good at both ends,
    so the rule for equal actions chooses the same. Then the deals counted at P are those of Q, and
    one solve without a second sweep gives all figures of Q, exactly.
    """
    rounds = rounds_of_table(rules, _counted_now(holdem_game(rules)))
    tops = tops_of(holdem_game(rules))
    added = [replace(rounds, rules=each, cases=tops.cases(each)).value for each in raised]
    return rounds.figures(), tuple(value - rounds.value for value in added)


def _counted_now(game: HoldemGame) -> OutcomeTable:
    near = next((table for table in reversed(_counted) if _alike(table.game, game)), None)
    table = None if near is None else _played_alike(near, game)
    if table is None:
        table = outcome_table(optimal_strategy(solve_holdem(game)))
        _counted.append(table)
    return table


def _alike(first: HoldemGame, second: HoldemGame) -> bool:
    """Return whether two games differ only in what the required wagers pay."""
    decided = zip(first.decided, second.decided, strict=True)
    folded = zip(first.folded[1:], second.folded[1:], strict=True)
    return (
        first.questions == second.questions
        and (first.qualifier, first.deck, first.takes_first)
        == (second.qualifier, second.deck, second.takes_first)
        and first.ranking is second.ranking
        and all(np.array_equal(mine * second.scale, its * first.scale) for mine, its in decided)
        and all(mine * second.scale == its * first.scale for mine, its in folded)
    )


def _played_alike(near: OutcomeTable, game: HoldemGame) -> OutcomeTable | None:
    """Return the deals of `near` at the pays of `game` if the best play is the same, else None."""
    mine, its = game.scale, near.game.scale
    try:
        beyond = replace(
            game,
            required=2 * its * game.required - mine * near.game.required,
            decided=tuple(its * pays for pays in game.decided),
            folded=(
                2 * its * game.folded[0] - mine * near.game.folded[0],
                *(its * lost for lost in game.folded[1:]),
            ),
            scale=mine * its,
        )
    except OverflowError:
        return None
    if replace(near, game=beyond).value != solve_holdem(beyond).value:
        return None
    return replace(near, game=game)


def versus_rounds(rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
    """Return the rounds of hand against hand. Side wagers on the player's own cards only separate
    more cases; the deals are counted and played as if the side wagers were not there."""
    for name in sides:
        misfit = next(BESIDE.misfits(rules, side_fields(rules, name)), None)
        if misfit is not None:
            raise refused(f"{name} beside the main game", str(misfit), BESIDE.solves)
    solution = solve_versus(game_with(rules, sides)) if sides else versus_solution(rules)
    return versus_rounds_of(rules, solution)


def versus_rounds_of(rules: Rules, solution: VersusSolution) -> PlayedRounds:
    """Return the rounds of a game that is played as its table of deals says."""
    game, decision = solution.game, rules.book.decisions[0]
    required = dict.fromkeys(rules.required, 1)
    bettings = []
    for word, multiple, deals in zip(
        (*decision.bets, decision.otherwise), (*game.bets, 0), solution.deals, strict=True
    ):
        units = required | ({decision.wager: multiple} if multiple else {})
        folded = game.folds and not multiple
        bettings.append(Betting(((decision.name, word),), units, folded, cells_of(deals)))
    return PlayedRounds(rules, game.cases, bettings, game.categories, tied="tie")


def streets_rounds(rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
    """Return the rounds of a game of streets, separated also by what these side wagers look at, and
    then played to the end."""
    solution = _together(rules, sides) if sides else solve_streets(rules)
    return streets_rounds_of(solution, played_out(solution, to_the_end=bool(sides)))


def streets_rounds_of(solution: StreetsSolution, played: Played) -> PlayedRounds:
    # The last case is a hand that was folded, with all wagers lost, before it was known.
    known = solution.cases
    folded = dict.fromkeys(known[0].folded, Paid(FOLDED, Loses()))
    cases = [*known, Case("", known[0].paid, folded)]
    cells_of_line: dict[Told, list[tuple[int, int, int]]] = {}
    for (line, result), deals in played.deals.items():
        case = len(known) if result is None else result
        cells_of_line.setdefault(line, []).append((case, 0, deals))
    wagers = solution.course.wagers
    bettings = [
        Betting(line.said, dict(zip(wagers, line.units, strict=True)), line.folded, cells)
        for line, cells in cells_of_line.items()
    ]
    return PlayedRounds(solution.rules, cases, bettings)


# -- side wagers ----------------------------------------------------------------------------------


def _together(rules: Rules, sides: Sequence[str]) -> StreetsSolution:
    """Return the main game with its deals separated also by what these wagers look at."""
    for name in sides:
        _check_side(rules, name)
    try:
        main = solve_streets(rules)
        names = wagers_with_bonuses(rules.book, (*main.course.wagers, *sides))
        # If they look at nothing more, the same information sets serve.
        alike = Payoffs(rules, names).leaves == main.payoffs.leaves
        return StreetsSolution(rules, sides, stages=main.stages if alike else None)
    except Unsolvable as error:
        raise refused(f"{' and '.join(sides)} beside the main game", str(error)) from None


def _check_side(rules: Rules, name: str) -> None:
    """Refuse a side wager unless it looks at own and community cards only."""
    if isinstance(rules.book.wagers[name].settles, AllWon) and can_fold(rules.book):
        why = f"wagers.{name}.settles.by is 'all_won', in a game with a fold"
        raise refused(f"{name} beside the main game", why)
    for led in _looked_at(rules, name):
        settles = rules.book.wagers[led].settles
        places = set()
        if isinstance(settles, VersusPaytable):
            hands = [settles.hand, *(leaf.hand for leaf in line_tests(rules, settles).leaves)]
            texts = [text for hand in hands for text in rules.book.hands[hand].cards]
            places = {text.partition(":")[0] for text in texts}
        if not places or not places <= {"player", "community"}:
            raise refused(
                f"{name} beside the main game",
                f"wagers.{name}.settles looks at other cards than the seat's own and the board",
            )


def _looked_at(rules: Rules, name: str) -> Iterator[str]:
    settles = rules.book.wagers[name].settles
    names = settles.wagers if isinstance(settles, AllWon) else (name,)
    yield from (led_by(rules.book, each) for each in names)
