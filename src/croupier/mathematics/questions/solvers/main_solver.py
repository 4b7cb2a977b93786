"""The questions that a solver of main games may answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

from croupier.errors import Unsolvable, suggest
from croupier.mathematics.questions.advice.situation import Advice, AdvisedPlayer, Situation
from croupier.mathematics.shapes.shape import Shape
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.model import MainFigures, WagerAnalysis
    from croupier.mathematics.payout_limits import PayoutLimit
    from croupier.mathematics.questions.advice.situation import Player
    from croupier.mathematics.questions.information.figures import KnowingFigures
    from croupier.mathematics.questions.open_lines.by_line import LinePricer
    from croupier.mathematics.questions.open_lines.open_table import OpenTable
    from croupier.mathematics.questions.rounds.played import PlayedRounds
    from croupier.mathematics.questions.strategies.decisions import Decisions, StrategyDecision
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped
    from croupier.mathematics.questions.strategies.pricing import Price
    from croupier.mathematics.questions.strategies.text import WrittenStrategy

__all__ = ["CountWager", "MainSolver", "ReportProgress"]

ReportProgress: TypeAlias = Callable[[int, int], None]
CountWager: TypeAlias = Callable[..., "WagerAnalysis"]
"""Takes what `registry.analyze_wager` takes."""


class MainSolver(ABC):
    """All that is asked about a main game. Solvers import their kernels when they are asked.

    `rounds` and `advise` every solver answers; what else one does not answer is refused here, with
    a list of what it does.
    """

    shape: Shape

    @abstractmethod
    def rounds(self, rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
        """All rounds under the best play, told apart by what these side wagers are paid as well."""

    def figures(self, rules: Rules) -> MainFigures:
        """Value, variance, decisions and outcomes under the best play."""
        return self.rounds(rules).figures()

    def changed_figures(
        self,
        rules: Rules,
        raised: Sequence[Rules] = (),  # noqa: ARG002
    ) -> tuple[MainFigures, tuple[Fraction, ...]]:
        """The same, for a game whose pays are moved about: it may remember the one before.

        `raised` are the rules with a line that pays more each, played in the same way. Beside the
        figures stands by how much each changes the value; nothing, where that is not known.
        """
        return self.figures(rules), ()

    @abstractmethod
    def advise(self, rules: Rules, situation: Situation) -> Advice:
        """The exact value of every action that may be said now."""

    def player(self, rules: Rules) -> Player:
        """The best play on what one sees."""
        return AdvisedPlayer(rules, self.advise)

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        """The decisions as a written strategy answers them."""
        raise self._unanswered(rules, MainSolver.price)

    def decisions(self, rules: Rules) -> Decisions:
        """Every information set of every decision, for written strategies."""
        raise self._unanswered(rules, MainSolver.price)

    def price(self, rules: Rules, plan: WrittenStrategy, *, mistakes: int) -> Price:
        """What a written strategy costs."""
        from croupier.mathematics.questions.strategies.pricing import price_written

        return price_written(self.decisions(rules), plan, mistakes=mistakes)

    def following(self, rules: Rules, plan: WrittenStrategy) -> Player:
        """A written strategy as a player."""
        from croupier.mathematics.questions.players.tables import player_following
        from croupier.mathematics.questions.strategies.decisions import TableDecisions

        decisions = self.decisions(rules)
        assert isinstance(decisions, TableDecisions)
        return player_following(decisions, plan)

    def search(self, rules: Rules, word_price: float, say: Callable[[str], None]) -> str:
        """The text of a simple strategy; `say` gets what each decision loses."""
        from croupier.mathematics.questions.strategies.searching import search_decisions

        return search_decisions(self.decisions(rules), word_price, say)

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
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
        progress: ReportProgress,
    ) -> dict[int, int]:
        """In how many deals the wagers placed (in cents) come to each net (in cents)."""
        progress(0, 1)
        rounds = self.rounds(rules, tuple(sides))
        return rounds.distribution(next(iter(main.values())), sides, meters, limits)

    def counting_folds(self) -> CountWager | None:
        """How a side wager is counted that a fold loses; None where folds are not worked out."""
        return None

    def counting_all_won(self) -> CountWager | None:
        """How a side wager is counted that wins when others all win."""
        return None

    def line_pricer(self, table: OpenTable) -> LinePricer | None:  # noqa: ARG002
        """For a paytable with open lines: where the figures are a sum over lines, what adds them
        up; None where every filling must be solved."""
        return None

    def figures_knowing(
        self,
        rules: Rules,  # noqa: ARG002
        knows: Mapping[str, int],  # noqa: ARG002
    ) -> KnowingFigures | None:
        """The best play of a player who has seen cards too early; None where the game with those
        cards seen is solved instead."""
        return None

    def figures_sharing(self, rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:  # noqa: ARG002
        """The best play of a player who has seen the hands of so many others."""
        raise Unsolvable(
            f"--shares {hands}: not worked out for {rules.book.id}, which is solved as "
            f"{self.shape.name}"
        )

    @staticmethod
    def _no_sides(rules: Rules, sides: Sequence[str]) -> None:
        if sides:
            raise Unsolvable(
                f"{' and '.join(sides)} together with the main game: what they come to is not "
                f"worked out for {rules.book.id}. Leave the side wagers out; `analyze` has their "
                "own figures"
            )

    @classmethod
    def questions(cls) -> dict[str, bool]:
        """All questions in words, and which of them are answered for games of this kind."""
        return {words: cls._answers(name) for name, words in _QUESTIONS.items()}

    @classmethod
    def _answers(cls, name: str) -> bool:
        """By its own method, or by what that rests on."""
        return name in _ALWAYS or any(
            getattr(cls, method) is not getattr(MainSolver, method)
            for method in (name, *_RESTS_ON.get(name, ()))
        )

    def _unanswered(self, rules: Rules, question: Callable[..., object]) -> Unsolvable:
        known = [words for words, answered in self.questions().items() if answered]
        return Unsolvable(
            f"{_QUESTIONS[question.__name__]}: not worked out for {rules.book.id}, which is solved "
            f"as {self.shape.name}. Of such a game are worked out: {'; '.join(known)}"
        )


_ALWAYS: Final = ("figures", "player", "distribution", "figures_knowing", "line_pricer")
_RESTS_ON: Final = {
    "price": ("decisions",),
    "search": ("decisions",),
}
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
