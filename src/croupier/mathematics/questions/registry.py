"""The solvers of main games: the function for each question, and the games it is for.

Each solver declares its shape; `solver_for` compares a rulebook with the shapes and picks the
solver that fits. If none does, the error `unsolvable` names the field that prevents it, its value
and what could be solved. There is no other way from a rulebook to a figure: the builders of a
solver's tables check the same shape again.

A solver imports the function for a question when the question is asked: results are read from disk
without the kernels, and some kernels run without the compiler.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from croupier.errors import Unsolvable, suggest
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.counters.shapes import HOLDEM, SHORT_BOARDS, STREETS, VERSUS
from croupier.mathematics.game.course import is_lost_with_fold
from croupier.mathematics.questions.information.seen_cards import (
    DEALER,
    DRAWS_SEED,
    check_known,
    rules_seeing,
)
from croupier.mathematics.questions.situation import (
    Advice,
    AdvisedPlayer,
    Player,
    Situation,
    check_seen,
)
from croupier.mathematics.shapes import Shape, main_fields, refused
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.model import MainFigures, WagerAnalysis
    from croupier.mathematics.questions.advice import Showdown
    from croupier.mathematics.questions.information.seen_cards import KnowingFigures
    from croupier.mathematics.questions.open_lines.by_line import LinePricer
    from croupier.mathematics.questions.open_lines.open_table import OpenTable
    from croupier.mathematics.questions.rounds import PlayedRounds
    from croupier.mathematics.questions.strategies.decisions import Decisions, StrategyDecision
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped
    from croupier.mathematics.questions.strategies.opponents_decisions import OpponentsDecisions
    from croupier.mathematics.questions.strategies.pricing import Price
    from croupier.mathematics.questions.strategies.text import WrittenStrategy
    from croupier.mathematics.stakes import PayoutLimit

WORD_PRICE: Final = 0.00003
"""What a word of a strategy must save to be included, in units of one required wager."""
ReportProgress: TypeAlias = Callable[[int, int], None]
CountWager: TypeAlias = Callable[..., "WagerAnalysis"]
"""Takes the arguments of `analyze_wager`."""


class MainSolver(ABC):
    """The questions about the main game of a rulebook.

    Every solver answers `rounds` and `advise`. Any other question that a solver does not answer is
    refused here, with a list of those that it does.
    """

    shape: Shape
    counts_folds = False
    """Whether it counts side wagers that a fold loses."""
    counts_all_won = False
    """Whether it counts side wagers that win when several others win."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules

    @abstractmethod
    def rounds(self, sides: Sequence[str] = ()) -> PlayedRounds:
        """Return all rounds under the best play, separated also by what these side wagers pay."""

    def figures(self) -> MainFigures:
        """Return value, variance, decisions and outcomes under the best play."""
        return self.rounds().figures()

    def changed_figures(
        self,
        raised: Sequence[Rules] = (),  # noqa: ARG002
    ) -> tuple[MainFigures, tuple[Fraction, ...]]:
        """Return the figures of one of many games that differ in their pays; may reuse the last
        solution.

        Each of the `raised` rules has one line that pays more and is played in the same way. The
        second part is the amount by which each changes the value; it is empty if that is not known.
        """
        return self.figures(), ()

    @abstractmethod
    def advise(self, situation: Situation) -> Advice:
        """Return the exact value of every legal action."""

    def showdown(self, situation: Situation) -> Showdown | None:  # noqa: ARG002
        """Return how often the hand beats the dealer's; None if that is not counted."""
        return None

    def player(self) -> Player:
        """Return the best play."""
        return AdvisedPlayer(self.rules.book.id, self.advise)

    def choices(self) -> tuple[StrategyDecision, ...]:
        """Return the decisions as a written strategy answers them."""
        raise self._unanswered("price")

    def decisions(self) -> Decisions:
        """Return every information set of every decision, for written strategies."""
        raise self._unanswered("price")

    def price(self, plan: WrittenStrategy, *, mistakes: int = 10) -> Price:
        """Return what a written strategy costs."""
        from croupier.mathematics.questions.strategies.pricing import price_written

        return price_written(self.decisions(), plan, mistakes=mistakes)

    def following(self, plan: WrittenStrategy) -> Player:
        """Return a written strategy as a player."""
        from croupier.mathematics.questions.players.tables import player_following
        from croupier.mathematics.questions.strategies.decisions import TableDecisions

        decisions = self.decisions()
        assert isinstance(decisions, TableDecisions)
        return player_following(decisions, plan)

    def search(
        self, word_price: float = WORD_PRICE, say: Callable[[str], None] = lambda _message: None
    ) -> str:
        """Return the text of a simple strategy; `say` is called with what each decision loses."""
        from croupier.mathematics.questions.strategies.searching import search_decisions

        return search_decisions(self.decisions(), word_price, say)

    def first_decision(self) -> Grid:
        """Return the first decision over the 169 starting hands, for solvers without
        another chart."""
        raise self._unanswered("first_decision")

    def chart(self, decision: str = "") -> Grid:
        """Return a decision by name, hand by hand; the first if none is named."""
        names = [each.name for each in self.rules.book.decisions]
        if decision not in ("", *names):
            raise suggest("decision", decision, names)
        if decision not in ("", *names[:1]):
            raise self._unanswered("chart")
        return self.first_decision()

    def decision_values(self) -> tuple[Fraction, list[Skipped]]:
        """Return the house edge of the best play, and the edge without each decision."""
        raise self._unanswered("decision_values")

    def distribution(
        self,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
        progress: ReportProgress,
    ) -> dict[int, int]:
        """Return the number of deals at each net (in cents) of the wagers placed (in cents)."""
        progress(0, 1)
        rounds = self.rounds(tuple(sides))
        return rounds.distribution(next(iter(main.values())), sides, meters, limits)

    def counting(self) -> CountWager:
        """Return the function that counts a side wager that depends on the play of the main
        game."""
        from croupier.mathematics.questions.lost_with_fold import analyze_beside

        return partial(analyze_beside, self.rounds)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:  # noqa: ARG002
        """Return the pricer of a paytable with open lines whose figures are a sum over lines; None
        if every filling must be solved."""
        return None

    def figures_knowing(self, knows: Mapping[str, int]) -> KnowingFigures:
        """Return the best play of a player who has seen cards too early: here that of the game in
        which those cards are turned up sooner."""
        from croupier.mathematics.questions.information.seen_cards import (
            KnowingFigures,
            asked_to_know,
            not_worked_out,
        )

        seen = rules_seeing(self.rules, knows)
        try:
            with keeping_nothing():
                figures = solver_for(seen).figures()
        except Unsolvable as error:
            why = f"with those cards seen, {error}"
            raise not_worked_out(self.rules, asked_to_know(knows), why) from None
        return KnowingFigures(figures.expected_value, figures.decisions, figures)

    def figures_sharing(
        self,
        hands: int,
        samples: int,  # noqa: ARG002
        seed: int = DRAWS_SEED,  # noqa: ARG002
    ) -> KnowingFigures:
        """Return the best play of a player who has seen the hands of this many other players."""
        raise Unsolvable(
            f"--shares {hands}: not worked out for {self.rules.book.id}, which is solved as "
            f"{self.shape.name}"
        )

    def _no_sides(self, sides: Sequence[str]) -> None:
        if sides:
            raise Unsolvable(
                f"{' and '.join(sides)} together with the main game: what they come to is not "
                f"worked out for {self.rules.book.id}. Leave the side wagers out; `analyze` has "
                "their own figures"
            )

    @classmethod
    def questions(cls) -> dict[str, bool]:
        """Return all questions in words, and which of them are answered for games of this shape."""
        return {words: cls._answers(name) for name, words in _QUESTIONS.items()}

    @classmethod
    def _answers(cls, name: str) -> bool:
        """Return whether the question is answered, by its own method or by the method that it
        calls."""
        return name in _ALWAYS or any(
            getattr(cls, method) is not getattr(MainSolver, method)
            for method in (name, *_CALLS.get(name, ()))
        )

    def _unanswered(self, question: str) -> Unsolvable:
        known = [words for words, answered in self.questions().items() if answered]
        return Unsolvable(
            f"{_QUESTIONS[question]}: not worked out for {self.rules.book.id}, which is solved "
            f"as {self.shape.name}. Of such a game are worked out: {'; '.join(known)}"
        )


_ALWAYS: Final = ("figures", "player", "distribution", "figures_knowing", "line_pricer")
_CALLS: Final = {"price": ("decisions",), "search": ("decisions",), "first_decision": ("chart",)}
_QUESTIONS: Final = {
    "figures": "the exact figures of every wager (analyze)",
    "advise": "the value of every action on given cards (advise)",
    "player": "the best play (simulate)",
    "price": "what a written strategy costs (strategy price, compare, simulate)",
    "search": "the search for a simple strategy (strategy search)",
    "first_decision": "a chart of the starting hands (strategy chart)",
    "chart": "charts of later decisions (strategy chart --decision)",
    "decision_values": "what each decision is worth (strategy chart)",
    "distribution": "what wagers placed together come to (session)",
    "figures_knowing": "cards seen too early (analyze --knows)",
    "figures_sharing": "other players' cards seen (analyze --shares)",
    "line_pricer": "pays that reach a target (design)",
}


class HoldemSolver(MainSolver):
    shape = HOLDEM
    counts_folds = True

    def rounds(self, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds import holdem_rounds

        self._no_sides(sides)
        return holdem_rounds(self.rules)

    def changed_figures(
        self, raised: Sequence[Rules] = ()
    ) -> tuple[MainFigures, tuple[Fraction, ...]]:
        from croupier.mathematics.questions.rounds import changed_figures

        return changed_figures(self.rules, raised)

    def counting(self) -> CountWager:
        from croupier.mathematics.questions.lost_with_fold import analyze_lost_with_fold

        return analyze_lost_with_fold

    def advise(self, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice import advise_holdem

        return advise_holdem(self.rules, situation)

    def showdown(self, situation: Situation) -> Showdown | None:
        from croupier.mathematics.questions.advice import holdem_showdown

        return holdem_showdown(self.rules, situation)

    def choices(self) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.questions.strategies.boards_decisions import choices_of

        return tuple(choice.decision for choice in choices_of(self.rules))

    def player(self) -> Player:
        from croupier.mathematics.questions.players.boards import best_holdem

        return best_holdem(self.rules)

    def following(self, plan: WrittenStrategy) -> Player:
        from croupier.mathematics.questions.players.boards import holdem_following

        return holdem_following(self.rules, plan)

    def decisions(self) -> Decisions:
        from croupier.mathematics.questions.strategies.boards_decisions import holdem_decisions

        return holdem_decisions(self.rules)

    def chart(self, decision: str = "") -> Grid:
        from croupier.mathematics.questions.charts import chart_of_holdem

        return chart_of_holdem(self.rules, decision)

    def decision_values(self) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.questions.charts import holdem_values

        return holdem_values(self.rules)

    def distribution(
        self,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.questions.sessions.one_round import rounds_with_sides

        rounds = rounds_with_sides(self.rules, tuple(sides), progress)
        return rounds.distribution(next(iter(main.values())), sides, meters, limits)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:
        from croupier.mathematics.questions.open_lines.by_line import holdem_pricer

        return holdem_pricer(table)

    def figures_knowing(self, knows: Mapping[str, int]) -> KnowingFigures:
        if DEALER not in knows:
            return super().figures_knowing(knows)
        from croupier.mathematics.questions.information.holdem_knowing import (
            figures_with_dealers_cards,
        )

        return figures_with_dealers_cards(self.rules, knows)

    def figures_sharing(self, hands: int, samples: int, seed: int = DRAWS_SEED) -> KnowingFigures:
        from croupier.mathematics.questions.information.holdem_knowing import figures_sharing

        return figures_sharing(self.rules, hands, samples, seed)


class StreetsSolver(MainSolver):
    shape = STREETS
    counts_folds = counts_all_won = True

    def rounds(self, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds import streets_rounds

        return streets_rounds(self.rules, sides)

    def advise(self, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice import advise_streets

        return advise_streets(self.rules, situation)

    def choices(self) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.questions.strategies.stages_decisions import stages_choices

        return stages_choices(self.rules)

    def decisions(self) -> Decisions:
        from croupier.mathematics.questions.strategies.stages_decisions import stages_decisions

        return stages_decisions(self.rules)

    def player(self) -> Player:
        from croupier.mathematics.questions.players.tables import best_player
        from croupier.mathematics.questions.strategies.stages_decisions import best_of_stages

        try:
            return best_player(best_of_stages(self.rules))
        except Unsolvable:
            return super().player()

    def chart(self, decision: str = "") -> Grid:
        from croupier.mathematics.questions.charts import chart_of_streets

        return chart_of_streets(self.rules, decision)

    def decision_values(self) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.questions.charts import streets_values

        return streets_values(self.rules)

    def figures_knowing(self, knows: Mapping[str, int]) -> KnowingFigures:
        from croupier.mathematics.questions.information.sharing import figures_of_streets

        return figures_of_streets(self.rules, knows)

    def figures_sharing(self, hands: int, samples: int, seed: int = DRAWS_SEED) -> KnowingFigures:
        from croupier.mathematics.questions.information.sharing import stages_sharing

        return stages_sharing(self.rules, hands, samples, seed)


class VersusSolver(MainSolver):
    shape = VERSUS
    counts_folds = True

    def rounds(self, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds import versus_rounds

        return versus_rounds(self.rules, sides)

    def advise(self, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice import advise_versus

        return advise_versus(self.rules, situation)

    def showdown(self, situation: Situation) -> Showdown | None:
        from croupier.mathematics.questions.advice import Showdown, dealers_hands

        return Showdown(*dealers_hands(self.rules, situation))

    def choices(self) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.questions.strategies.opponents_decisions import opponents_choices

        return opponents_choices(self.rules)

    def decisions(self) -> OpponentsDecisions:
        from croupier.mathematics.questions.strategies.opponents_decisions import OpponentsDecisions

        return OpponentsDecisions(self.rules)

    def player(self) -> Player:
        from croupier.mathematics.questions.players.tables import best_player

        decisions = self.decisions()
        return best_player(decisions) if decisions.has_tables else super().player()

    def chart(self, decision: str = "") -> Grid:
        from croupier.mathematics.questions.charts import versus_grid

        (only,) = self.rules.book.decisions
        if decision not in ("", only.name):
            raise suggest("decision", decision, [only.name])
        return versus_grid(self.rules)

    def decision_values(self) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.questions.charts import versus_values

        return versus_values(self.rules)

    def figures_sharing(self, hands: int, samples: int, seed: int = DRAWS_SEED) -> KnowingFigures:
        from croupier.mathematics.questions.information.sharing import opponents_sharing

        return opponents_sharing(self.rules, hands, samples, seed)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:
        from croupier.mathematics.questions.open_lines.by_line import versus_pricer

        return versus_pricer(table)


class ShortBoardSolver(MainSolver):
    shape = SHORT_BOARDS

    def rounds(self, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds import short_board_rounds

        self._no_sides(sides)
        return short_board_rounds(self.rules)

    def advise(self, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice import advise_short_board

        return advise_short_board(self.rules, situation)

    def first_decision(self) -> Grid:
        from croupier.mathematics.questions.charts import grid_by_advice

        return grid_by_advice(self.rules, self.advise)


SOLVERS: Final[tuple[type[MainSolver], ...]] = (
    HoldemSolver,
    StreetsSolver,
    VersusSolver,
    ShortBoardSolver,
)


def solver_for(rules: Rules) -> MainSolver:
    """Return the solver of the main game; `unsolvable` if none models it."""
    return rules.once(MainSolver, _pick)  # type: ignore[type-abstract]  # only a key


def _pick(rules: Rules) -> MainSolver:
    """Return the first solver that fits, or the refusal of the one that comes nearest, with its
    first misfit as the reason."""
    fields = tuple(main_fields(rules))
    misfits = {solver: tuple(solver.shape.misfits(rules, fields)) for solver in SOLVERS}
    nearest = min(SOLVERS, key=lambda solver: len(misfits[solver]))
    if not misfits[nearest]:
        return nearest(rules)
    first, *more = dict.fromkeys(map(str, misfits[nearest]))
    and_more = f" (and {len(more)} more)" if more else ""
    raise refused("the main game", f"{first}{and_more} ({nearest.shape.name})")


def analyze_wager(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,
) -> WagerAnalysis:
    """Return the exact figures of a side wager.

    A wager that is lost on a fold depends on the main game's strategy, so the main game must be
    solved; likewise for a wager that wins when others all win.
    """
    count = _counting(rules, wager)
    return count(rules, wager, stake_cents=stake_cents, meters=meters, others=others, hands=hands)


def _counting(rules: Rules, wager: str) -> CountWager:
    declared = rules.book.wagers.get(wager)
    if declared is not None and is_lost_with_fold(rules.book, declared):
        why = f"wagers.{wager}.after_fold is 'loses', so it depends on what is folded"
        known = " or ".join(solver.shape.name for solver in SOLVERS if solver.counts_folds)
        solved = f"a wager that stands after a fold, or one beside {known}"
        counts, uncounted = "counts_folds", "folds are not worked out"
    elif declared is not None and isinstance(declared.settles, AllWon):
        why, solved = f"wagers.{wager}.settles.by is 'all_won'", ""
        counts, uncounted = "counts_all_won", "wagers together are not counted"
    else:
        from croupier.mathematics.side_wagers.analysis import analyze_side

        return analyze_side
    try:
        solver = solver_for(rules)
    except Unsolvable as error:
        raise refused(wager, f"{why}, and {error}") from None
    if not getattr(solver, counts):
        raise refused(wager, f"{why}, and {uncounted} for {solver.shape.name}", solved)
    return solver.counting()


def advise(rules: Rules, situation: Situation) -> Advice:
    """Return the exact value of every action that is allowed on these cards."""
    check_seen(rules, situation)
    return solver_for(rules).advise(situation)


def showdown(rules: Rules, situation: Situation) -> Showdown | None:
    """Return how often the hand beats the dealer's, over every card that may still come."""
    check_seen(rules, situation)
    return solver_for(rules).showdown(situation)


def figures_knowing(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    """Return the value of the main game to a player who sees cards too early: how many of each
    place."""
    check_known(rules.book, knows)
    return solver_for(rules).figures_knowing(knows)
