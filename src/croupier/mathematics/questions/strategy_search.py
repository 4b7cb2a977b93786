"""The search that found the shipped simple strategies: greedy over a library of phrases
(`croupier strategy search md-uth`).

Decision by decision, in order, it looks for the set of phrases to bet with whose loss, counted on
every hand that comes there, plus a price for every word to remember is least: adding, dropping and
exchanging phrases until nothing helps. Hands on which all phrases say the same are counted as one,
so a candidate costs microseconds. What comes out is a text, priced exactly like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.games import Path
from croupier.mathematics.counters.boards.rulebook import game_of, solution_of
from croupier.mathematics.counters.boards.solver import Solution, is_asked_at_river
from croupier.mathematics.counters.boards.strategies import Strategy, best_river
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.strategies.choices import (
    Fork,
    HoldemChoice,
    choices_of,
    forks,
)
from croupier.mathematics.questions.strategies.choosing import (
    Counter,
    Floats,
    choose,
    usable_phrases,
    written_section,
)
from croupier.mathematics.questions.strategies.compiling import (
    check_ranking,
    compile_section,
    strategy_of,
)
from croupier.mathematics.questions.strategies.decisions_reached import (
    Arrived,
    AtTurn,
    arrivals_at_flop,
    orders_before,
    visit_river,
    visit_turn,
)
from croupier.mathematics.questions.strategies.losses import deals_of, river_values
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


def _count(solution: Solution, strategy: Strategy, here: HoldemChoice, counter: Counter) -> None:
    """What the first bet offered gains over declining, for every hand that comes here."""
    game, seen = solution.game, here.seen
    if seen == 5:
        _count_river(strategy, counter)
        return
    if seen == 4:
        _count_turn(strategy, here, counter)
        return
    stage = solution.stages[seen]
    total = float(deals_of(game, seen)) * stage.ways * game.scale
    situations = flop_situations(game.deck) if seen == 3 else early_situations(game.deck, seen)
    arriving = arrivals_at_flop(strategy) if seen == 3 else orders_before(strategy, seen)
    for path in stage.level.asked_paths:
        for fork in forks([here], stage.answers(path)):
            # The sums before the flop already run over the members of an orbit.
            more = _gain(fork, [stage.worth(answer) for answer in stage.answers(path)])
            counter.add(situations.features, more * arriving[path] / total)


def _gain(fork: Fork, values: Sequence[NDArray[Any]]) -> Floats:
    bet, declined = (
        np.maximum.reduce([values[place] for place in fork.places[action]]) for action in (0, -1)
    )
    return np.asarray(bet - declined).astype(np.float64)


def _count_turn(strategy: Strategy, here: HoldemChoice, counter: Counter) -> None:
    game = strategy.game
    total = float(deals_of(game, 4)) * (game.cards - 6) * game.dealer_hands * game.scale

    def visit(arrived: AtTurn) -> None:
        for fork in forks([here], game.answers(4, arrived.path)):
            gains = _gain(fork, list(arrived.values)) * arrived.deals / total
            features = turn_situations(game.deck, arrived.start, arrived.stop).features
            counter.add(features, gains)

    visit_turn(strategy, visit)


def _count_river(strategy: Strategy, counter: Counter) -> None:
    game = strategy.game
    total = float(deals_of(game, 5)) * game.dealer_hands * game.scale

    def add(path: Path, arrived: Arrived) -> None:
        values = river_values(game, path, arrived)
        gains = (values[0] - values[-1]) * arrived.deals.ravel() / total
        part = (arrived.suited, arrived.start, arrived.stop)
        features = river_situations(game.deck, *part).features
        counter.add(features.reshape(len(features), -1), gains)

    for path in strategy.origins:
        if not path.folded and is_asked_at_river(game, path):
            visit_river(strategy, path, partial(add, path))


def search_holdem(
    rules: Rules,
    word_price: float,
    say: Callable[[str], None],
) -> str:
    """The text of a simple strategy; `say` gets what each decision loses."""
    game = game_of(rules)
    check_ranking(game)
    solution = solution_of(rules)
    taken: dict[str, I8] = {}
    parts = []
    every = choices_of(rules)
    for here in every:
        choice = here.decision
        usable = usable_phrases(library(choice.scene, folds="fold" in choice.actions), choice.scene)
        counter = Counter(list(usable.values()))
        strategy = strategy_of(game, every, taken, best_river())
        _count(solution, strategy, here, counter)
        found = choose(counter.cases(), list(usable), word_price)
        say(f"{choice.name}: loses {found.lost:.6f} with {', '.join(found.phrases)}")
        lines = [(choice.actions[0], found.phrases)]
        parts.append(written_section(choice.name, lines, choice.actions[-1]))
        if here.seen < 5:
            plan = read_text(parts[-1], [choice])
            taken[choice.name] = compile_section(game, plan, plan.sections[0])
    return "".join(parts)
