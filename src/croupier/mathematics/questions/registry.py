"""Every question about a game goes to the solver that models it, or is refused.

Each solver (`solvers`) declares its shape, as `holdem.shape` does; `solver_for` holds a rulebook
against them and picks the one that fits. Where none does, the error `unsolvable` names the field
that stands in the way, what is there and what could be solved. No other road leads from a rulebook
to a figure: what builds a solver's tables checks the same shape again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from croupier.errors import Unsolvable
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.game.course import is_lost_with_fold
from croupier.mathematics.questions.advice.situation import Advice, Situation, check_seen
from croupier.mathematics.questions.information.seen_cards import (
    DRAWS_SEED,
    check_known,
    rules_seeing,
)
from croupier.mathematics.questions.solvers.holdem import HoldemSolver
from croupier.mathematics.questions.solvers.main_solver import CountWager, MainSolver
from croupier.mathematics.questions.solvers.short_boards import ShortBoardSolver
from croupier.mathematics.questions.solvers.streets import StreetsSolver
from croupier.mathematics.questions.solvers.versus import VersusSolver
from croupier.mathematics.shapes.fields import main_fields
from croupier.mathematics.shapes.shape import Misfit, Shape, refused
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.model import WagerAnalysis
    from croupier.mathematics.questions.advice.situation import Player
    from croupier.mathematics.questions.information.figures import KnowingFigures
    from croupier.mathematics.questions.strategies.decisions import StrategyDecision
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped
    from croupier.mathematics.questions.strategies.pricing import Price
    from croupier.mathematics.questions.strategies.text import WrittenStrategy

__all__ = [
    "SOLVERS",
    "WORD_PRICE",
    "advise",
    "analyze_wager",
    "choices_for",
    "decision_chart",
    "decision_values",
    "figures_knowing",
    "figures_sharing",
    "first_decision",
    "optimal_player",
    "player_following",
    "price_plan",
    "search_plan",
    "solver_for",
]

WORD_PRICE: Final = 0.00003
SOLVERS: Final[tuple[MainSolver, ...]] = (
    HoldemSolver(),
    StreetsSolver(),
    VersusSolver(),
    ShortBoardSolver(),
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
    elif wager in book.wagers and isinstance(book.wagers[wager].settles, AllWon):
        count = _counting_all_won(rules, wager)
    else:
        from croupier.mathematics.side_wagers.analysis import analyze_side as count
    return count(rules, wager, stake_cents=stake_cents, meters=meters, others=others, hands=hands)


def _counting_folds(rules: Rules, wager: str) -> CountWager:
    """The counting of a side wager that knows which hands are folded in the main game."""
    hangs = f"wagers.{wager}.after_fold is 'loses', so it hangs on what is folded"
    try:
        solver = solver_for(rules)
    except Unsolvable as error:
        raise refused(wager, f"{hangs}, and {error}") from None
    count = solver.counting_folds()
    if count is None:
        known = " or ".join(each.shape.name for each in SOLVERS if each.counting_folds())
        why = f"{hangs}, and folds are not worked out for {solver.shape.name}"
        raise refused(wager, why, f"a wager that stands after a fold, or one beside {known}")
    return count


def _counting_all_won(rules: Rules, wager: str) -> CountWager:
    """The counting of a side wager that wins when others all win."""
    by = f"wagers.{wager}.settles.by is 'all_won'"
    try:
        solver = solver_for(rules)
    except Unsolvable as error:
        raise refused(wager, f"{by}, and {error}") from None
    count = solver.counting_all_won()
    if count is None:
        raise refused(wager, f"{by}, and wagers together are not counted for {solver.shape.name}")
    return count


# -- the questions, each put to the solver of the game --------------------------------------------


def advise(rules: Rules, situation: Situation) -> Advice:
    check_seen(rules, situation)
    return solver_for(rules).advise(rules, situation)


def figures_knowing(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    """What the main game is worth to a player who sees so many cards of each kind too early."""
    check_known(rules.book, knows)
    return solver_for(rules).figures_knowing(rules, knows) or _figures_seeing(rules, knows)


def figures_sharing(
    rules: Rules, hands: int, samples: int, seed: int = DRAWS_SEED
) -> KnowingFigures:
    """What the main game is worth to a player who sees the hands of so many others."""
    return solver_for(rules).figures_sharing(rules, hands, samples, seed)


def _figures_seeing(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    """The game in which those cards are turned up sooner, where that one has a solver."""
    from croupier.mathematics.questions.information.figures import (
        KnowingFigures,
        asked_to_know,
        not_worked_out,
    )

    seen = rules_seeing(rules, knows)
    try:
        with keeping_nothing():
            figures = solver_for(seen).figures(seen)
    except Unsolvable as error:
        why = f"with those cards seen, {error}"
        raise not_worked_out(rules, asked_to_know(knows), why) from None
    return KnowingFigures(figures.expected_value, figures.decisions, figures)


def choices_for(rules: Rules) -> tuple[StrategyDecision, ...]:
    return solver_for(rules).choices(rules)


def optimal_player(rules: Rules) -> Player:
    return solver_for(rules).player(rules)


def price_plan(rules: Rules, plan: WrittenStrategy, *, mistakes: int = 10) -> Price:
    return solver_for(rules).price(rules, plan, mistakes=mistakes)


def search_plan(
    rules: Rules,
    word_price: float | None = None,
    say: Callable[[str], None] = lambda _message: None,
) -> str:
    """The text of a simple strategy; `say` gets what each decision loses. `word_price`: units of
    one required wager that a word must save to be worth it."""
    price = WORD_PRICE if word_price is None else word_price
    return solver_for(rules).search(rules, price, say)


def player_following(rules: Rules, plan: WrittenStrategy) -> Player:
    """A written strategy as a player."""
    return solver_for(rules).following(rules, plan)


def first_decision(rules: Rules) -> Grid:
    return solver_for(rules).first_decision(rules)


def decision_chart(rules: Rules, decision: str = "") -> Grid:
    return solver_for(rules).chart(rules, decision)


def decision_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    return solver_for(rules).decision_values(rules)
