"""The decisions of hold'em on a board, as strategies see them.

A strategy's loss at a decision is the sum, over the hands with which it arrives there, of the best
action's value less the chosen action's, both with the best play afterwards. Summed over the
decisions, that is exactly the whole difference from the best play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from math import comb, sqrt
from typing import Final, NamedTuple

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame, Path
from croupier.mathematics.counters.boards.geometry import orbits_of, turns_of
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    SUITED_BOARDS,
)
from croupier.mathematics.counters.boards.outcomes import River
from croupier.mathematics.counters.boards.rulebook import holdem_game, holdem_solution
from croupier.mathematics.counters.boards.solver import Solution, Stage, is_asked_at_river
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    Strategy,
    best_river,
    orders_of_flop,
    outcome_table,
    runouts_of,
)
from croupier.mathematics.kernels.arrays import I8, I64, NEVER
from croupier.mathematics.kernels.threads import cores, spread
from croupier.mathematics.questions.strategies.decisions import (
    Choose,
    Decisions,
    InformationSets,
    Look,
    PlayedFigures,
    StrategyDecision,
    Unit,
)
from croupier.mathematics.questions.strategies.decisions_reached import (
    Arrived,
    AtTurn,
    arrivals_at_flop,
    orders_before,
    river_values,
    visit_river,
    visit_turn,
)
from croupier.mathematics.questions.strategies.situations import (
    ExampleHand,
    Situations,
    early_situations,
    flop_situations,
    river_chunks,
    river_example,
    river_situations,
    turn_chunks,
    turn_situations,
)
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Features, Flags
from croupier.rulebooks.rules import Rules

NO_VALUES: Final = np.zeros((0, 0), np.int64)


# -- choices --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HoldemChoice:
    """The questions about one wager on the same cards are one choice, under the first question's
    name; of two words for the same bet, the first is used."""

    decision: StrategyDecision
    actions: Mapping[tuple[int, str], int]
    """The index of the action, by question and word."""

    @property
    def seen(self) -> int:
        return self.decision.scene.community


def holdem_choices(game: HoldemGame, names: Sequence[str]) -> tuple[HoldemChoice, ...]:
    """Return the choices at which some path arrives; `names` are those of the questions."""
    reached = {number for path in game.paths for number, _ in path.said}
    groups: dict[tuple[int, int], list[int]] = {}
    for number, question in enumerate(game.questions):
        if number in reached:
            groups.setdefault((question.seen, question.wager), []).append(number)
    choices = []
    for (seen, _), numbers in groups.items():
        words: dict[int, str] = {}
        for number in numbers:
            for word, multiple in game.questions[number].bets:
                words.setdefault(multiple, word)
        decline = game.questions[numbers[-1]].decline
        actions = (*words.values(), decline) if decline else tuple(words.values())
        decision = StrategyDecision(names[numbers[0]], actions, CardsSeen(2, seen))
        places = {}
        for number in numbers:
            question = game.questions[number]
            places[number, question.decline] = len(words)
            for word, multiple in question.bets:
                places[number, word] = list(words).index(multiple)
        choices.append(HoldemChoice(decision, places))
    return tuple(choices)


def choices_of(rules: Rules) -> tuple[HoldemChoice, ...]:
    return holdem_choices(holdem_game(rules), [decision.name for decision in rules.book.decisions])


class Fork(NamedTuple):
    """A choice at which a path arrives; for each action, the indexes of the answers of the path's
    level that remain after it."""

    choice: HoldemChoice
    places: tuple[tuple[int, ...], ...]


def forks(
    choices: Sequence[HoldemChoice], answers: Sequence[Path], among: Sequence[int] | None = None
) -> Iterator[Fork]:
    """Yield the choices of one level that lead to these answers, one after another."""
    left = range(len(answers)) if among is None else among
    for number, choice in enumerate(choices):
        by_action: list[list[int]] = [[] for _ in choice.decision.actions]
        for place in left:
            said = [choice.actions[each] for each in answers[place].said if each in choice.actions]
            if said:
                by_action[said[-1]].append(place)
        if not any(by_action):
            continue
        yield Fork(choice, tuple(map(tuple, by_action)))
        for places in by_action:
            if len(places) > 1:
                yield from forks(choices[number + 1 :], answers, places)
        return


def _answers_of_level(
    choices: Sequence[HoldemChoice], answers: Sequence[Path], taken: Mapping[str, I8]
) -> I8:
    """Return the indexes of the answers that the actions taken at the choices of one level
    lead to."""
    every = list(forks(choices, answers))
    if len(every) == 1 and every[0].places == tuple((n,) for n in range(len(answers))):
        return taken[every[0].choice.decision.name]
    combined = np.zeros(0, np.int8)
    for number, fork in enumerate(every):
        actions = taken[fork.choice.decision.name]
        if number == 0:
            combined = np.zeros(len(actions), np.int8)
        first = min(place for places in fork.places for place in places)
        here = np.ones(len(actions), np.bool_) if number == 0 else combined == first
        for action, places in enumerate(fork.places):
            if places:
                combined[here & (actions == action)] = places[0]
    return combined


# -- decisions ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardSets:
    """Hands on some boards. Values are there only if a strategy is evaluated."""

    place: int
    features: Features
    example: Callable[[int], ExampleHand]
    values: I64 = field(default_factory=lambda: NO_VALUES)
    possible: Flags | None = None
    allowed: Flags | None = None

    @property
    def best(self) -> I8:
        return np.asarray(self.values.argmax(axis=0).astype(np.int8))


def holdem_decisions(rules: Rules) -> HoldemDecisions:
    game = holdem_game(rules)
    if game.ranking is not None:
        raise Unsolvable(
            "written strategies: their words mean the usual hands of 52 cards, and this game has "
            "another deck or another order of hands"
        )
    return HoldemDecisions(rules.book.id, game, choices_of(rules), partial(holdem_solution, rules))


class HoldemDecisions(Decisions):
    """The decisions of a game of hold'em. The game is solved only when values are needed."""

    def __init__(
        self,
        rulebook: str,
        game: HoldemGame,
        choices: Sequence[HoldemChoice],
        solve: Callable[[], Solution],
    ) -> None:
        self.rulebook, self.game = rulebook, game
        self.choices = tuple(choice.decision for choice in choices)
        self._choices, self._solve = tuple(choices), solve

    @cached_property
    def solution(self) -> Solution:
        return self._solve()

    @property
    def best_value(self) -> Fraction:
        return self.solution.value

    def unit(self, place: int) -> Unit:
        game, seen = self.game, self._choices[place].seen
        if seen > 3:
            ways = game.dealer_hands * (game.cards - 6 if seen == 4 else 1)
        else:
            ways = self.solution.stages[seen].ways
        return Unit(_deals(game, seen) * ways * game.scale, ways * game.scale)

    def searched(self, place: int) -> tuple[Sequence[int], int]:
        """Return the index of the first bet offered, and that of declining."""
        return (0,), len(self.choices[place].actions) - 1

    def played(self, choose: Choose, look: Look) -> PlayedFigures:
        return self.followed(self.strategy(choose), look)

    def followed(self, strategy: Strategy, look: Look) -> PlayedFigures:
        """Return the figures of a strategy; `look` receives every choice at which it arrives."""
        table = outcome_table(strategy)
        for seen in dict.fromkeys(choice.seen for choice in self._choices):
            self._visit(strategy, [c for c in self._choices if c.seen == seen], look)
        return PlayedFigures(
            table.value,
            sqrt(table.variance),
            table.decided_units(),
            {choice.decision.name: _shares(table, choice) for choice in self._choices},
        )

    def visit(
        self, place: int, choose: Choose, look: Callable[[InformationSets, I64], None]
    ) -> None:
        strategy = self.strategy(choose, place)
        self._visit(strategy, [self._choices[place]], lambda sets, _, weights: look(sets, weights))

    # -- the answers in every situation -----------------------------------------------------------

    def strategy(self, choose: Choose, until: int | None = None) -> Strategy:
        """Return the answers to all decisions, or to those before the one numbered `until`."""
        river, taken = best_river(self.game.takes_first), dict[str, I8]()
        for place, choice in enumerate(self._choices[:until]):
            if choice.seen == 5:
                river = self._choose_at_river(place, choose)
            elif choice.seen == 4:
                taken[choice.decision.name] = self._choose_at_turn(place, choose)
            else:
                hands = _situations(self.game, choice.seen)
                sets = BoardSets(place, hands.features, hands.example)
                taken[choice.decision.name] = choose(sets)
        answers: dict[int, dict[Path, I8]] = {}
        for level in self.game.levels:
            here = [choice for choice in self._choices if choice.seen == level.seen]
            if level.seen < 5 and all(choice.decision.name in taken for choice in here):
                answers[level.seen] = {
                    path: _answers_of_level(here, self.game.answers(level.seen, path), taken)
                    for path in level.asked_paths
                }
        return Strategy(self.game, answers, river)

    def _choose_at_turn(self, place: int, choose: Choose) -> I8:
        deck = self.game.deck
        turns = turns_of(deck)
        taken = np.zeros(len(turns.hand), np.int8)

        def work(_: int, piece: tuple[int, int]) -> None:
            hands = turn_situations(deck, *piece)
            part = slice(int(turns.start[piece[0]]), int(turns.start[piece[1]]))
            taken[part] = choose(BoardSets(place, hands.features, hands.example))

        spread(turn_chunks(deck), work, cores())
        return taken

    def _choose_at_river(self, place: int, choose: Choose) -> River:
        river = best_river()._replace(
            plain=np.zeros((RANK_BOARDS, PAIRS), np.int8),
            suited=np.zeros((SUITED_BOARDS, CLASSES), np.int8),
        )

        def work(_: int, piece: tuple[bool, int, int]) -> None:
            suited, start, stop = piece
            boards = (river.suited if suited else river.plain)[start:stop]
            boards[:] = choose(self._river_sets(place, *piece)).reshape(boards.shape)

        spread(river_chunks(), work, cores())
        return river

    def _river_sets(
        self, place: int, suited: bool, start: int, stop: int, values: I64 = NO_VALUES
    ) -> BoardSets:
        deck = self.game.deck
        features, possible = river_situations(deck, suited, start, stop)

        def example(number: int) -> ExampleHand:
            board, hand = divmod(number, possible.shape[1])
            return river_example(deck, suited, start + board, hand)

        flat = features.reshape(len(features), -1)
        return BoardSets(place, flat, example, values, possible.ravel() == 1)

    # -- what a strategy comes to -----------------------------------------------------------------

    def _visit(self, strategy: Strategy, here: Sequence[HoldemChoice], look: Look) -> None:
        """Show `look` some choices on the same cards with the hands that arrive there."""
        seen = here[0].seen
        if seen == 5:
            self._visit_river(strategy, here[0], look)
        elif seen == 4:
            self._visit_turn(strategy, here, look)
        else:
            self._visit_before_turn(strategy, here, look)

    def _visit_before_turn(
        self, strategy: Strategy, here: Sequence[HoldemChoice], look: Look
    ) -> None:
        seen = here[0].seen
        stage, hands = self.solution.stages[seen], _situations(self.game, seen)
        if seen == 3:
            arriving = arrivals_at_flop(strategy)
        else:
            size = orbits_of(self.game.deck, seen).size
            arriving = {path: size * times for path, times in orders_before(strategy, seen).items()}
        for path in stage.level.asked_paths:
            values = [_each(stage, answer) for answer in stage.answers(path)]
            chosen = strategy.answers.get(seen, {}).get(path)
            self._show(here, path, hands, arriving[path], values, chosen, look)

    def _visit_turn(self, strategy: Strategy, here: Sequence[HoldemChoice], look: Look) -> None:
        def visit(arrived: AtTurn) -> None:
            hands = turn_situations(self.game.deck, arrived.start, arrived.stop)
            chosen = strategy.answers.get(4, {}).get(arrived.path)
            if chosen is not None:
                chosen = chosen[arrived.situations]
            values = list(arrived.values)
            self._show(here, arrived.path, hands, arrived.deals, values, chosen, look)

        visit_turn(strategy, visit)

    def _show(
        self,
        here: Sequence[HoldemChoice],
        path: Path,
        hands: Situations,
        weights: I64,
        values: Sequence[I64],
        chosen: I8 | None,
        look: Look,
    ) -> None:
        """Show each choice of a path: `values` are those of its answers, `chosen` the indexes of
        the answers given, the best ones if None."""
        answers = self.game.answers(here[0].seen, path)
        for fork in forks(here, answers):
            worth = np.stack([_best_of(values, places) for places in fork.places])
            sets = BoardSets(self._choices.index(fork.choice), hands.features, hands.example, worth)
            if chosen is None:
                look(sets, sets.best, weights)
                continue
            action = np.full(len(answers), -1, np.int8)
            for number, places in enumerate(fork.places):
                action[list(places)] = number
            taken = action[chosen]
            look(sets, taken, weights * (taken >= 0))

    def _visit_river(self, strategy: Strategy, here: HoldemChoice, look: Look) -> None:
        place = self._choices.index(here)

        def visit(path: Path, arrived: Arrived) -> None:
            values = river_values(self.game, path, arrived)
            sets = self._river_sets(place, arrived.suited, arrived.start, arrived.stop, values)
            policy = strategy.river.suited if arrived.suited else strategy.river.plain
            chosen = policy[arrived.start : arrived.stop].ravel() if policy.size else sets.best
            look(sets, chosen, arrived.deals.ravel())

        for path in strategy.origins:
            if not path.folded and is_asked_at_river(self.game, path):
                visit_river(strategy, path, partial(visit, path))


def _situations(game: HoldemGame, seen: int) -> Situations:
    return flop_situations(game.deck) if seen == 3 else early_situations(game.deck, seen)


def _deals(game: HoldemGame, seen: int) -> int:
    """Return the number of hands with the community cards seen, in the orders that the game
    distinguishes."""
    hands = comb(game.cards, 2)
    if seen < 3:
        return hands * comb(game.cards - 2, seen) * (2 if seen == 2 else 1)
    flops = hands * comb(game.cards - 2, 3) * orders_of_flop(game)
    return flops * (1, game.cards - 5, runouts_of(game))[seen - 3]


def _best_of(values: Sequence[I64], places: Sequence[int]) -> I64:
    """Return the best of these values; `NEVER` if there is none, because the same bet is offered in
    other words."""
    if not places:
        return np.full(len(values[0]), NEVER)
    return np.asarray(np.maximum.reduce([values[place] for place in places]))


def _each(stage: Stage, path: Path) -> I64:
    """Return the sums of one member of every orbit: before the flop they run over all members and
    are Python's integers (refused if one does not fit in 64 bits)."""
    sums = stage.worth(path)
    if stage.size is None:
        return sums
    each = [divmod(int(value), int(size)) for value, size in zip(sums, stage.size, strict=True)]
    assert not any(rest for _, rest in each), "all members of an orbit have the same value"
    return np.array([value for value, _ in each])


def _shares(table: OutcomeTable, choice: HoldemChoice) -> dict[str, Fraction]:
    """Return how often each action is taken, as a share of all rounds. A player who answered
    elsewhere or bet before does not arrive at the choice."""
    said, last = table.said(), max(number for number, _ in choice.actions)
    shares = dict.fromkeys(choice.decision.actions, Fraction(0))
    for (number, word), place in choice.actions.items():
        is_bet = word in dict(table.game.questions[number].bets)
        if is_bet or number == last:  # to decline an earlier question leads to the next
            shares[choice.decision.actions[place]] += said.get((number, word), Fraction(0))
    return shares
