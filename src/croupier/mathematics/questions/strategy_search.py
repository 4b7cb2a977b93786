"""The search that found the shipped simple strategies: greedy over a library of phrases
(`croupier strategy search md-uth`).

Decision by decision, in order, it looks for the set of phrases to bet with whose loss, counted on
every hand that comes there, plus a price for every word to remember is least: adding, dropping and
exchanging phrases until nothing helps. Hands on which all phrases say the same are counted as one,
so a candidate costs microseconds. What comes out is a text, priced exactly like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solution_cache import solution_of
from croupier.mathematics.counters.boards.solver import Solution
from croupier.mathematics.counters.boards.strategies import StrategyArrays
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.choosing import (
    Counter,
    choose,
    usable_phrases,
    written_section,
)
from croupier.mathematics.questions.strategies.compiling import compile_section
from croupier.mathematics.questions.strategies.decisions_reached import (
    Arrived,
    ArrivedAtTurn,
    arrivals_at_flop,
    orders_of_flop,
    runouts_of,
    visit_river,
    visit_turn,
)
from croupier.mathematics.questions.strategies.phrases import library
from croupier.mathematics.questions.strategies.situations import (
    early_situations,
    flop_situations,
    river_situations,
    turn_situations,
)
from croupier.mathematics.questions.strategies.text import read_text
from croupier.rulebooks.rules import Rules

__all__ = ["search_holdem"]

# -- counting -------------------------------------------------------------------------------------


def _count(solution: Solution, strategy: StrategyArrays, seen: int, counter: Counter) -> None:
    """What the first bet offered gains over declining, for every hand that comes here."""
    game = solution.game
    level = next(level for level in game.levels if level.seen == seen)
    k = level.multiples[0]
    if seen == 5:
        _count_river(game, strategy, k, counter)
        return
    if seen == 4:
        _count_turn(game, strategy, counter)
        return
    stage = solution.stages[seen]
    more = (stage.required + k * stage.decided - stage.declined).astype(np.float64)
    if seen == 3:
        weights = arrivals_at_flop(game, strategy)
        deals = _deals(game, 3) * orders_of_flop(game)
        counter.add(
            flop_situations(game.deck).features, more * weights / (deals * stage.ways * game.scale)
        )
        return
    # The sums before the flop already run over the members of an orbit. A decision after another
    # one before the flop is weighed as if everything came to it: no game of ours has two.
    sizes = orbits_of(game.deck, seen).size
    total = float(sizes.sum()) * stage.ways * game.scale
    counter.add(early_situations(game.deck, seen).features, more / total)


def _deals(game: HoldemGame, seen: int) -> float:
    n = game.cards
    return n * (n - 1) / 2 * ((n - 2) * (n - 3) * (n - 4) / 6 if seen == 3 else 1)


def _count_turn(game: HoldemGame, strategy: StrategyArrays, counter: Counter) -> None:
    deals = _deals(game, 3) * orders_of_flop(game) * (game.cards - 5) * (game.cards - 6)
    total = deals * game.dealer_hands * game.scale

    def visit(arrived: ArrivedAtTurn) -> None:
        found = arrived.found
        gains = (found.values[0] - found.values[-1]) * arrived.deals / total
        counter.add(turn_situations(game.deck, found.start, found.stop).features, gains)

    visit_turn(game, strategy, visit)


def _count_river(game: HoldemGame, strategy: StrategyArrays, k: int, counter: Counter) -> None:
    deals = _deals(game, 3) * orders_of_flop(game) * runouts_of(game)
    total = deals * game.dealer_hands * game.scale
    folds = game.levels[-1].decline == "fold"

    def visit(found: Arrived) -> None:
        declined = game.fold * game.dealer_hands if folds else found.required
        gains = (found.required + k * found.decided - declined) * found.deals / total
        features = river_situations(game.deck, found.suited, found.start, found.stop).features
        counter.add(features.reshape(len(features), -1), gains.ravel())

    visit_river(game, strategy, visit)


def search_holdem(
    rules: Rules,
    choices: Sequence[StrategyDecision],
    word_price: float,
    say: Callable[[str], None],
) -> str:
    """The text of a simple strategy; `say` gets what each decision loses."""
    solution = solution_of(rules, game_of(rules))
    actions: dict[int, I8] = {}
    parts = []
    for choice in choices:
        seen = choice.scene.community
        usable = usable_phrases(library(choice.scene), choice.scene)
        counter = Counter(list(usable.values()))
        _count(solution, StrategyArrays(actions), seen, counter)
        found = choose(counter.cases(), list(usable), word_price)
        say(f"{choice.name}: loses {found.lost:.6f} with {', '.join(found.phrases)}")
        lines = [(choice.actions[0], found.phrases)]
        parts.append(written_section(choice.name, lines, choice.actions[-1]))
        if seen < 5:
            plan = read_text(parts[-1], [choice])
            actions[seen] = compile_section(solution.game, plan, plan.sections[0])
    return "".join(parts)
