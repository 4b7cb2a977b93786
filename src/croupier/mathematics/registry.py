"""Every question about a game goes to the solver that models it, or is refused.

Each solver declares its shape (`holdem.shape`, `stud.shape`, `versus.shape`, `sides.shape`);
`solver_for` holds a rulebook against them and picks the one that fits. Where none does, the error
`unsolvable` names the field that stands in the way, what is there and what could be solved. No
other road leads from a rulebook to a figure: what builds a solver's tables checks the same shape
again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from croupier.errors import BadCards, Unsolvable, suggest
from croupier.mathematics.advice import Advice, AdvisedPlayer, Situation, check_seen
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.holdem.shape import HOLDEM
from croupier.mathematics.knowing.seen_cards import DEALER, check_known, rules_seeing
from croupier.mathematics.several_bets.shape import SEVERAL
from croupier.mathematics.shapes.course import asked_decisions, is_lost_with_fold
from croupier.mathematics.shapes.fields import main_fields
from croupier.mathematics.shapes.shape import Misfit, Shape, refused
from croupier.mathematics.streets.shape import STREETS
from croupier.mathematics.stud.shape import STUD
from croupier.mathematics.versus.shape import VERSUS
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.knowing.figures import KnowingFigures
    from croupier.mathematics.model import MainFigures, WagerAnalysis
    from croupier.mathematics.open_lines.by_line import LinePricer
    from croupier.mathematics.open_lines.open_table import OpenTable
    from croupier.mathematics.strategies.choices import StrategyDecision
    from croupier.mathematics.strategies.grid import Grid, Skipped
    from croupier.mathematics.strategies.optimal import Player
    from croupier.mathematics.strategies.pricing import Price
    from croupier.mathematics.strategies.text import WrittenStrategy

__all__ = [
    "SOLVERS",
    "MainSolver",
    "ReportProgress",
    "advise",
    "analyze_wager",
    "choices_for",
    "decision_chart",
    "decision_values",
    "figures_knowing",
    "first_decision",
    "optimal_player",
    "price_plan",
    "solver_for",
]

ReportProgress = Callable[[int, int], None]


class MainSolver(ABC):
    """All that is asked about a main game. Solvers import their kernels when they are asked.

    `figures` and `advise` every solver answers; what else one does not answer is refused here, with
    a list of what it does.
    """

    shape: Shape

    @abstractmethod
    def figures(self, rules: Rules) -> MainFigures:
        """Value, variance, decisions and outcomes under the best play."""

    @abstractmethod
    def advise(self, rules: Rules, situation: Situation) -> Advice:
        """The exact value of every action that may be said now."""

    def player(self, rules: Rules) -> Player:
        """The best play on what one sees."""
        return AdvisedPlayer(rules, self.advise)

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        """The decisions as a written strategy answers them."""
        raise self._unanswered(rules, MainSolver.price)

    def price(self, rules: Rules, plan: WrittenStrategy, *, mistakes: int) -> Price:  # noqa: ARG002
        """What a written strategy costs."""
        raise self._unanswered(rules, MainSolver.price)

    def first_decision(self, rules: Rules) -> Grid:
        """The first decision over the 169 starting hands."""
        raise self._unanswered(rules, MainSolver.first_decision)

    def chart(self, rules: Rules, decision: str) -> Grid:
        """A decision by name, hand by hand; the first where none is named."""
        names = [one.name for one in rules.book.decisions]
        if decision not in ("", *names):
            raise suggest("decision", decision, names)
        if decision not in ("", *names[:1]):
            raise self._unanswered(rules, MainSolver.chart)
        return self.first_decision(rules)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        """The house edge of the best play, and what it becomes without each decision."""
        raise self._unanswered(rules, MainSolver.decision_values)

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,  # noqa: ARG002
        progress: ReportProgress,
    ) -> dict[int, int]:
        """In how many deals the wagers placed (in cents) come to each net (in cents). A solver that
        does not say more can say it of the main game alone."""
        from croupier.mathematics.plain_nets import distribution_of_main

        progress(0, 1)
        return distribution_of_main(rules, self.figures(rules), main, sides)

    def counting_folds(self, wager: str) -> Callable[..., WagerAnalysis]:
        """How a side wager is counted that a fold loses; it takes what `analyze_wager` takes."""
        known = " or ".join(
            solver.shape.name
            for solver in SOLVERS
            if type(solver).counting_folds is not MainSolver.counting_folds
        )
        raise refused(
            wager,
            f"folds are not worked out for {self.shape.name}",
            f"a wager that stands after a fold, or one beside {known}",
        )

    def line_pricer(self, table: OpenTable) -> LinePricer | None:  # noqa: ARG002
        """For a paytable with open lines: where the figures are a sum over lines, what adds them
        up; None where every filling must be solved."""
        return None

    def figures_knowing(self, rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
        """The best play of a player who has seen cards too early: where the game with those cards
        seen has a solver, that one is asked."""
        from croupier.mathematics.knowing.figures import KnowingFigures, not_worked_out

        seen = rules_seeing(rules, knows)
        try:
            with keeping_nothing():
                figures = solver_for(seen).figures(seen)
        except Unsolvable as error:
            raise not_worked_out(rules, knows, f"with those cards seen, {error}") from None
        return KnowingFigures(figures.expected_value, figures.decisions, figures)

    def _unanswered(self, rules: Rules, question: Callable[..., object]) -> Unsolvable:
        known = [
            told
            for name, told in _QUESTIONS.items()
            if name in _ALWAYS or getattr(type(self), name) is not getattr(MainSolver, name)
        ]
        return Unsolvable(
            f"{_QUESTIONS[question.__name__]}: not worked out for {rules.book.id}, which is solved "
            f"as {self.shape.name}. Of such a game are worked out: {'; '.join(known)}"
        )


_ALWAYS: Final = ("player", "distribution")
_QUESTIONS: Final = {
    "figures": "the exact figures of every wager (analyze)",
    "advise": "the value of every action on given cards (advise)",
    "player": "the best play (simulate)",
    "price": "what a written strategy costs (strategy price, compare)",
    "first_decision": "a chart of the starting hands (strategy chart)",
    "chart": "charts of later decisions (strategy chart --decision)",
    "decision_values": "what each decision is worth (strategy chart)",
    "distribution": "what wagers placed together come to (session)",
}


class _Holdem(MainSolver):
    shape = HOLDEM

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.holdem.figures import holdem_figures

        return holdem_figures(rules)

    def counting_folds(self, wager: str) -> Callable[..., WagerAnalysis]:  # noqa: ARG002
        from croupier.mathematics.sessions.after_fold import analyze_lost_with_fold

        return analyze_lost_with_fold

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.holdem.rulebook_advice import advise_holdem

        if situation.known:
            raise BadCards("no other player's card is seen in this game: leave out the known ones")
        return advise_holdem(rules, situation)

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.strategies.choices import merged_choices

        return merged_choices(asked_decisions(rules.book))

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.strategies.optimal import optimal_holdem

        return optimal_holdem(rules, self.choices(rules))

    def price(self, rules: Rules, plan: WrittenStrategy, *, mistakes: int) -> Price:
        from croupier.mathematics.strategies.pricing import price_holdem_plan

        return price_holdem_plan(rules, plan, self.choices(rules), mistakes=mistakes)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.strategies.grid import first_of_holdem

        return first_of_holdem(rules, self.choices(rules)[0])

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.strategies.grid import holdem_values

        return holdem_values(rules, self.choices(rules))

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.sessions.one_round import holdem_distribution

        return holdem_distribution(rules, main, sides, meters, progress)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:
        from croupier.mathematics.open_lines.holdem_tables import holdem_pricer

        return holdem_pricer(table)

    def figures_knowing(self, rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
        if DEALER not in knows:
            return super().figures_knowing(rules, knows)
        from croupier.mathematics.knowing.figures import figures_with_dealers_card

        return figures_with_dealers_card(rules, knows)


class _SeveralBets(MainSolver):
    shape = SEVERAL

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.several_bets.figures import bets_figures

        return bets_figures(rules)

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.several_bets.advice import advise_several_bets

        return advise_several_bets(rules, situation)

    def counting_folds(self, wager: str) -> Callable[..., WagerAnalysis]:  # noqa: ARG002
        from croupier.mathematics.several_bets.lost_with_fold import analyze_lost_with_fold

        return analyze_lost_with_fold

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.several_bets.player import BetsPlayer

        return BetsPlayer(rules)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.several_bets.chart import bets_grid

        return bets_grid(rules)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.several_bets.chart import bets_values

        return bets_values(rules)


class _Stud(MainSolver):
    shape = STUD

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.stud.figures import stud_figures

        return stud_figures(rules)

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.stud.advice import advise_stud

        if situation.community:
            raise BadCards(
                "the last decision is taken before the community cards are seen",
                clause=rules.book.decisions[-1].clause,
            )
        raised = None
        if situation.said:
            raised = rules.book.decisions[0].bets.get(situation.said[0], 0)
        found = advise_stud(rules, situation.own, situation.known, raised=raised)
        if situation.decision not in ("", found.decision):
            raise BadCards(f"on {len(situation.own)} cards the decision is {found.decision!r}")
        return found

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.strategies.choices import merged_choices

        return merged_choices(rules.book.decisions)

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.strategies.optimal import optimal_stud

        return optimal_stud(rules, self.choices(rules))

    def price(self, rules: Rules, plan: WrittenStrategy, *, mistakes: int) -> Price:
        from croupier.mathematics.strategies.stud_plans import price_stud

        return price_stud(rules, plan, self.choices(rules), mistakes=mistakes)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.strategies.grid import first_of_stud

        return first_of_stud(rules, self.choices(rules)[0])

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.strategies.grid import stud_values

        return stud_values(rules, self.choices(rules))

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.stud.joint import joint_distribution

        progress(0, 1)
        return joint_distribution(rules, next(iter(main.values())), sides, meters=meters)


class _Streets(MainSolver):
    shape = STREETS

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.streets.figures import streets_figures

        return streets_figures(rules)

    def counting_folds(self, wager: str) -> Callable[..., WagerAnalysis]:  # noqa: ARG002
        from croupier.mathematics.streets.nets import analyze_unless_folded

        return analyze_unless_folded

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.streets.advice import advise_streets

        return advise_streets(rules, situation)

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.streets.charts import streets_choices

        return streets_choices(rules)

    def first_decision(self, rules: Rules) -> Grid:
        return self.chart(rules, "")

    def chart(self, rules: Rules, decision: str) -> Grid:
        from croupier.mathematics.streets.charts import chart_of_streets

        return chart_of_streets(rules, decision)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.streets.charts import streets_values

        return streets_values(rules)

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.streets.nets import streets_distribution

        progress(0, 1)
        return streets_distribution(rules, main, sides, meters)


class _Versus(MainSolver):
    shape = VERSUS

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.versus.figures import versus_figures

        return versus_figures(rules)

    def counting_folds(self, wager: str) -> Callable[..., WagerAnalysis]:  # noqa: ARG002
        from croupier.mathematics.versus.lost_with_fold import analyze_lost_with_fold

        return analyze_lost_with_fold

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.versus.advice import advise_versus

        return advise_versus(rules, situation)

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.versus.player import VersusPlayer

        return VersusPlayer(rules)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.versus.chart import versus_values

        return versus_values(rules)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.versus.chart import versus_grid

        return versus_grid(rules)

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.versus.joint import versus_distribution

        progress(0, 1)
        return versus_distribution(rules, main, sides, meters)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:
        from croupier.mathematics.open_lines.versus_tables import versus_pricer

        return versus_pricer(table)


SOLVERS: Final[tuple[MainSolver, ...]] = (
    _Holdem(),
    _SeveralBets(),
    _Stud(),
    _Streets(),
    _Versus(),
)


def solver_for(rules: Rules) -> MainSolver:
    """The solver of the main game; `unsolvable` where none models it."""
    found = rules.prepared.get(MainSolver)
    if not isinstance(found, MainSolver):
        found = rules.prepared[MainSolver] = _pick(rules)
    return found


def _pick(rules: Rules) -> MainSolver:
    fields = tuple(main_fields(rules))
    misfits = {solver: tuple(solver.shape.misfits(rules, fields)) for solver in SOLVERS}
    nearest = min(SOLVERS, key=lambda solver: len(misfits[solver]))
    if misfits[nearest]:
        raise _refusal(misfits[nearest], nearest.shape)
    return nearest


def _refusal(misfits: tuple[Misfit, ...], nearest: Shape) -> Unsolvable:
    """Told of the solver that comes nearest; the first field is the reason, all others follow."""
    shapes = (nearest, *(solver.shape for solver in SOLVERS if solver.shape is not nearest))
    first, *more = dict.fromkeys(map(str, misfits))
    others = f" (and {len(more)} more)" if more else ""
    listed = "; or ".join(f"{shape.name}, {shape.solves}" for shape in shapes)
    return refused("the main game", f"{first}{others}", listed)


def analyze_wager(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,
) -> WagerAnalysis:
    """The exact figures of a side wager, by the counting that models it.

    One that a fold loses hangs on how the main game is played, so the main game must be solved.
    """
    book = rules.book
    if wager in book.wagers and is_lost_with_fold(book, book.wagers[wager]):
        count = _counting_folds(rules, wager)
    else:
        from croupier.mathematics.side_analysis import analyze_side as count
    return count(rules, wager, stake_cents=stake_cents, meters=meters, others=others, hands=hands)


def _counting_folds(rules: Rules, wager: str) -> Callable[..., WagerAnalysis]:
    """The counting of a side wager that knows which hands are folded in the main game."""
    try:
        return solver_for(rules).counting_folds(wager)
    except Unsolvable as error:
        why = f"wagers.{wager}.after_fold is 'loses', so it hangs on what is folded, and {error}"
        raise refused(wager, why) from None


# -- the questions, each put to the solver of the game --------------------------------------------


def advise(rules: Rules, situation: Situation) -> Advice:
    check_seen(rules, situation)
    return solver_for(rules).advise(rules, situation)


def figures_knowing(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    """What the main game is worth to a player who sees so many cards of each kind too early."""
    check_known(rules.book, knows)
    return solver_for(rules).figures_knowing(rules, knows)


def choices_for(rules: Rules) -> tuple[StrategyDecision, ...]:
    return solver_for(rules).choices(rules)


def optimal_player(rules: Rules) -> Player:
    return solver_for(rules).player(rules)


def price_plan(rules: Rules, plan: WrittenStrategy, *, mistakes: int = 10) -> Price:
    return solver_for(rules).price(rules, plan, mistakes=mistakes)


def first_decision(rules: Rules) -> Grid:
    return solver_for(rules).first_decision(rules)


def decision_chart(rules: Rules, decision: str = "") -> Grid:
    return solver_for(rules).chart(rules, decision)


def decision_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    return solver_for(rules).decision_values(rules)
