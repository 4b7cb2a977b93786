"""The search that found the shipped simple strategies: greedy over a library of phrases
(`croupier strategy search md-uth`).

Decision by decision, in order, it looks for the set of phrases to bet with whose loss, counted on
every hand that comes there, plus a price for every word to remember is least: adding, dropping and
exchanging phrases until nothing helps. Hands on which all phrases say the same are counted as one,
so a candidate costs microseconds. What comes out is a text, priced exactly like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from threading import Lock
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.cards import RANKS
from croupier.mathematics.holdem.arrays import I8
from croupier.mathematics.holdem.games import HoldemGame
from croupier.mathematics.holdem.geometry import orbits_of
from croupier.mathematics.holdem.rulebook import game_of
from croupier.mathematics.holdem.solution_cache import solution_of
from croupier.mathematics.holdem.solver import Solution
from croupier.mathematics.holdem.strategies import StrategyArrays
from croupier.mathematics.registry import choices_for, solver_for
from croupier.mathematics.strategies.choices import StrategyDecision
from croupier.mathematics.strategies.compiling import compile_section
from croupier.mathematics.strategies.decisions_reached import (
    Arrived,
    ArrivedAtTurn,
    arrivals_at_flop,
    orders_of_flop,
    runouts_of,
    visit_river,
    visit_turn,
)
from croupier.mathematics.strategies.situations import (
    early_situations,
    flop_situations,
    river_situations,
    stud_situations,
    turn_situations,
)
from croupier.mathematics.strategies.stud_plans import stud_value
from croupier.mathematics.strategies.text import phrase_test, read_text
from croupier.mathematics.strategies.vocabulary import CardsSeen, HandTest
from croupier.mathematics.stud.shape import STUD
from croupier.mathematics.stud.solver import solve_stud
from croupier.rulebooks.rules import Rules

__all__ = ["WORD_PRICE", "ChosenPhrases", "library", "search_strategy"]

WORD_PRICE: Final = 0.00003  # units of one required wager that a word must save to be worth it

Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cases:
    """Hands on which all phrases agree, together: holds[phrase, case], and what betting gains."""

    holds: npt.NDArray[np.bool_]
    gain: Floats
    best: float  # the gain of the best play


@dataclass(frozen=True)
class ChosenPhrases:
    phrases: tuple[str, ...]
    lost: float


# -- phrases --------------------------------------------------------------------------------------


def library(scene: CardsSeen) -> tuple[str, ...]:
    """Phrases worth trying at a decision; those that it does not allow are left out later."""
    if scene.own == 3:
        return tuple(_stud_phrases())
    if scene.community == 0:
        return tuple(_ranges())
    if scene.community == 1:
        return (*_ranges(), *_first_card_phrases())
    if scene.community == 4:
        return (*_flop_phrases(), *_outs(range(4, 26, 2)))
    return tuple(_river_phrases() if scene.river else _flop_phrases())


def _ranges() -> Iterable[str]:
    yield from ("any pair", "any ace", "suited", "connected", "suited and connected")
    yield from ("connected except any ace", "connected except (AK, A2, 32)")
    for pair in range(1, 9):
        yield f"{RANKS[pair]}{RANKS[pair]}+"
    for high in range(12, 7, -1):
        for low in range(high):
            for kind in ("", "s", "o"):
                yield f"{RANKS[high]}{RANKS[low]}{kind}+"
    for rank in ("nine", "ten", "jack", "queen"):
        yield f"two cards {rank} or higher"
        yield f"suited and two cards {rank} or higher"
    for rank in ("ten", "jack", "queen", "king"):
        yield f"suited and a {rank} or higher"
        yield f"a {rank} or higher"


def _first_card_phrases() -> Iterable[str]:
    yield from ("a pair with the board", "three of a kind", "a pair or better")
    for rank in ("fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks"):
        yield f"a pair of {rank} or better"
    yield from ("three to a straight flush", "three to a royal flush", "three to a flush")
    for rank in ("ten", "jack", "queen"):
        yield f"three to a straight and a {rank} or higher"
        yield f"three to a straight and two cards {rank} or higher"
    for rank in ("ten", "jack", "queen", "king"):
        yield f"three to a flush with a hidden card {rank} or higher"
        yield f"three to a straight flush and a {rank} or higher"


def _flop_phrases() -> Iterable[str]:
    yield from ("two pair or better", "a hidden pair", "a hidden pair or better")
    yield from ("a hidden two pair or better", "a pair with the board", "top pair")
    yield from ("a hidden pair except pocket twos", "three of a kind or better")
    yield from ("a hidden pair of threes or higher", "a hidden pair of fours or higher")
    yield from ("a pocket pair and a hidden pair", "a straight or better")
    for rank in ("eight", "nine", "ten", "jack", "queen", "king", "ace"):
        yield f"four to a flush with a hidden card {rank} or higher"
    yield from ("four to a flush", "four to a straight flush", "an open-ended straight draw")
    for rank in ("ten", "jack", "queen", "king"):
        yield f"an open-ended straight draw and a {rank} or higher"
        yield f"a {rank} or higher on a board with three of a kind"
        yield f"four to a straight and two cards {rank} or higher"
        yield f"a {rank} or higher on a paired board"
    yield from ("an ace on a paired board", "the best kicker on a paired board")
    yield from ("an open-ended straight draw and two overcards", "four to a royal flush")
    yield "an open-ended straight draw and one overcard"


def _outs(numbers: Iterable[int]) -> Iterable[str]:
    return (f"fewer than {outs} dealer outs" for outs in numbers)


def _river_phrases() -> Iterable[str]:
    yield "a hidden pair or better"
    yield from _outs(range(15, 26))
    yield from ("the best kicker", "the second best kicker", "the third best kicker")
    for place in ("best", "second best", "third best"):
        yield f"the {place} kicker on a paired board"
        yield f"the {place} kicker on a board with two pair or better"
    for rank in ("ten", "jack", "queen", "king"):
        yield f"a {rank} or higher on a paired board"
        yield f"a {rank} or higher on a board with two pair or better"
        yield f"the second best kicker and a {rank} or higher"
    yield from ("an ace", "a king or higher", "a board with three of a kind or better")
    yield "a board with a straight or better"


def _stud_phrases() -> Iterable[str]:
    yield from ("a pair", "a pair or better", "three of a kind", "suited", "connected")
    yield from ("three to a flush", "three to a straight", "three to a straight flush")
    yield from ("three to a royal flush", "suited and connected", "an ace")
    for rank in ("fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens"):
        yield f"a pair of {rank} or better"
    for rank in ("eight", "nine", "ten", "jack", "queen", "king"):
        yield f"three cards {rank} or higher"
        yield f"two cards {rank} or higher"
        yield f"three to a straight and two cards {rank} or higher"
        yield f"connected and a {rank} or higher"
        yield f"suited and a {rank} or higher"


# -- counting -------------------------------------------------------------------------------------


class _Counter:
    """Adds up gains by which phrases hold; a case is the packed row of their answers."""

    def __init__(self, tests: Sequence[HandTest]) -> None:
        self.tests = tests
        self.sums: dict[bytes, float] = {}
        self.best = 0.0
        self._lock = Lock()

    def add(self, features: I8, gains: Floats) -> None:
        used = np.flatnonzero(gains)
        if not len(used):
            return
        features, gains = features[:, used], gains[used]
        bits = np.packbits(np.stack([test(features) for test in self.tests]), axis=0)
        rows = np.ascontiguousarray(bits.T)
        packed = rows.view([("", np.uint8)] * rows.shape[1]).ravel()
        kinds, where = np.unique(packed, return_inverse=True)
        sums = np.bincount(where.ravel(), weights=gains, minlength=len(kinds))
        with self._lock:
            self.best += float(np.maximum(gains, 0).sum())
            for kind, total in zip(kinds, sums.tolist(), strict=True):
                key = kind.tobytes()
                self.sums[key] = self.sums.get(key, 0.0) + total

    def cases(self) -> Cases:
        packed = np.frombuffer(b"".join(self.sums), np.uint8).reshape(len(self.sums), -1)
        holds = np.unpackbits(packed, axis=1, count=len(self.tests)).T.astype(np.bool_)
        return Cases(holds, np.array(list(self.sums.values())), self.best)


def _count(solution: Solution, strategy: StrategyArrays, seen: int, counter: _Counter) -> None:
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


def _count_turn(game: HoldemGame, strategy: StrategyArrays, counter: _Counter) -> None:
    deals = _deals(game, 3) * orders_of_flop(game) * (game.cards - 5) * (game.cards - 6)
    total = deals * game.dealer_hands * game.scale

    def visit(arrived: ArrivedAtTurn) -> None:
        found = arrived.found
        gains = (found.values[0] - found.values[-1]) * arrived.deals / total
        counter.add(turn_situations(game.deck, found.start, found.stop).features, gains)

    visit_turn(game, strategy, visit)


def _count_river(game: HoldemGame, strategy: StrategyArrays, k: int, counter: _Counter) -> None:
    deals = _deals(game, 3) * orders_of_flop(game) * runouts_of(game)
    total = deals * game.dealer_hands * game.scale
    folds = game.levels[-1].decline == "fold"

    def visit(found: Arrived) -> None:
        declined = game.fold * game.dealer_hands if folds else found.required
        gains = (found.required + k * found.decided - declined) * found.deals / total
        features = river_situations(game.deck, found.suited, found.start, found.stop).features
        counter.add(features.reshape(len(features), -1), gains.ravel())

    visit_river(game, strategy, visit)


# -- choosing -------------------------------------------------------------------------------------


def choose(cases: Cases, phrases: Sequence[str], word_price: float) -> ChosenPhrases:
    """The phrases whose loss plus the price of their words is least, as far as steps can tell."""
    prices = [word_price * len(phrase.split()) for phrase in phrases]

    def worth(chosen: frozenset[int]) -> float:
        if not chosen:
            return 0.0
        taken = np.logical_or.reduce([cases.holds[i] for i in chosen])
        return float(cases.gain @ taken) - sum(prices[i] for i in chosen)

    chosen: frozenset[int] = frozenset()
    while True:
        better = _step(chosen, worth, len(phrases))
        if better is None:
            break
        chosen = better
    taken = cases.holds[sorted(chosen)].any(axis=0) if chosen else np.zeros(len(cases.gain), bool)
    lost = cases.best - float(cases.gain[taken].sum())
    order = sorted(chosen, key=lambda i: -float(cases.gain[cases.holds[i]].sum()))
    return ChosenPhrases(tuple(phrases[i] for i in order), lost)


Worth: TypeAlias = Callable[[frozenset[int]], float]


def _step(chosen: frozenset[int], worth: Worth, phrases: int) -> frozenset[int] | None:
    """The best of adding, dropping or exchanging one; failing that, of one for two others."""
    others = [i for i in range(phrases) if i not in chosen]
    single = [chosen | {i} for i in others]
    single += [chosen - {i} for i in chosen]
    single += [chosen - {i} | {j} for i in chosen for j in others]
    now = worth(chosen) + 1e-12
    best = max(single, key=worth)
    if worth(best) > now:
        return best
    double = (chosen - {i} | set(two) for i in chosen for two in combinations(others, 2))
    best = max(double, key=worth, default=chosen)
    return best if worth(best) > now else None


def _usable(choice: StrategyDecision) -> dict[str, HandTest]:
    found = {}
    for phrase in library(choice.scene):
        test = phrase_test(phrase, choice.scene)
        if test is not None:
            found[phrase] = test
    return found


def search_strategy(
    rules: Rules,
    word_price: float = WORD_PRICE,
    say: Callable[[str], None] = lambda _told: None,
) -> str:
    """The text of a simple strategy; `say` is told what each decision loses."""
    choices = choices_for(rules)
    if solver_for(rules).shape is STUD:
        return _search_stud(rules, choices, word_price)
    solution = solution_of(rules, game_of(rules))
    actions: dict[int, I8] = {}
    parts = []
    for choice in choices:
        seen = choice.scene.community
        usable = _usable(choice)
        counter = _Counter(list(usable.values()))
        _count(solution, StrategyArrays(actions), seen, counter)
        found = choose(counter.cases(), list(usable), word_price)
        say(f"{choice.name}: loses {found.lost:.6f} with {', '.join(found.phrases)}")
        parts.append(_written(choice, found))
        if seen < 5:
            plan = read_text(parts[-1], [choice])
            actions[seen] = compile_section(solution.game, plan, plan.sections[0])
    return "".join(parts)


def _search_stud(rules: Rules, choices: Sequence[StrategyDecision], word_price: float) -> str:
    parts = []
    for choice in choices:
        usable = _usable(choice)
        counter = _Counter(list(usable.values()))
        gains, total = stud_value(solve_stud(rules), choice.name)
        counter.add(stud_situations(choice.scene.own).features, gains / total)
        parts.append(_written(choice, choose(counter.cases(), list(usable), word_price)))
    return "".join(parts)


def _written(choice: StrategyDecision, found: ChosenPhrases) -> str:
    lines = [f"{choice.name.replace('_', ' ')}:\n"]
    if found.phrases:
        lines.append(f"    {choice.actions[0]} with {', '.join(found.phrases)}\n")
    lines.append(f"    {choice.actions[-1]} otherwise\n")
    return "".join(lines)
