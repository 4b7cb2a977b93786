"""The decision of hand against hand, as strategies see it: class by class of the dealer's cards
seen, because all together would not fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.cards import Card
from croupier.mathematics.counters.opponents.decks import FourSuits, HandClasses, seen_cards
from croupier.mathematics.counters.opponents.game import VersusGame, versus_game
from croupier.mathematics.counters.opponents.solver import (
    CountedHands,
    Task,
    VersusSolution,
    choose_actions,
    enter_actions,
    looked_at,
    prices_of,
    shape_of,
    tasks_of,
    values_of_hands,
    versus_solution,
)
from croupier.mathematics.kernels.arrays import I8, I16, I64, U16
from croupier.mathematics.kernels.threads import cores, spread
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.rounds import versus_rounds_of
from croupier.mathematics.questions.strategies.compared_hands import (
    HeldFeatures,
    RankedHands,
    note_held,
)
from croupier.mathematics.questions.strategies.decisions import (
    Choose,
    Look,
    RowKey,
    SeenCards,
    StrategyDecision,
    TableDecisions,
    Unit,
)
from croupier.mathematics.questions.strategies.situations import ExampleHand
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.mathematics.shapes import refused
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules

_MOST_CLASSES: Final = 20 * 10**6
"""The most classes of hands with the cards seen, each of nine bytes."""


def opponents_choices(rules: Rules) -> tuple[StrategyDecision, ...]:
    game, decision = versus_game(rules), rules.book.decisions[0]
    assert rules.book.dealer is not None
    ranked = RankedHands(ranking_of(rules.book, rules.book.dealer.hand), game.strengths)
    scene = CardsSeen(game.own, 0, dealer=game.seen, ranked=ranked)
    return (StrategyDecision(decision.name, decision.answers, scene),)


class OpponentsSets:
    """The hands of one task; values that nobody requests are not computed."""

    place = column = 0
    possible = None

    def __init__(self, game: VersusGame, task: Task) -> None:
        self.game, self.task = game, task

    @cached_property
    def classes(self) -> HandClasses:
        return self.task.classes(self.game)

    @cached_property
    def hands(self) -> CountedHands:
        return self.task.hands(self.game, self.classes)

    @property
    def weights(self) -> I64:
        return self.hands.times

    @property
    def rows(self) -> I64:
        shown = np.array(self.task.seen.masks, np.int64) << 13
        return self.classes.masks | shown

    @cached_property
    def _looked_at(self) -> tuple[U16, I64]:
        return looked_at(self.game, self.classes.masks)

    @cached_property
    def features(self) -> HeldFeatures:
        return note_held(self.classes.masks, self._looked_at[0], self.task.seen.masks)

    @property
    def allowed(self) -> NDArray[np.bool_]:
        bets = self.game.payoffs.allowed[self._looked_at[1]].T
        return np.concatenate([bets, np.ones((1, bets.shape[1]), np.bool_)])

    @cached_property
    def values(self) -> I64:
        return values_of_hands(prices_of(self.game), self.hands)

    @property
    def best(self) -> I8:
        deals = np.zeros(shape_of(self.game), np.int64)
        return choose_actions(prices_of(self.game), self.hands, deals)

    @property
    def example(self) -> Callable[[int], ExampleHand]:
        return partial(_example, self.classes.masks, self.task.seen.masks)


def _example(masks: I16, seen: FourSuits, number: int) -> ExampleHand:
    own = sorted(_cards(masks[number].tolist()), key=lambda card: -card.rank)
    return ExampleHand(tuple(own), (), tuple(_cards(seen)))


def _cards(suits: Sequence[int]) -> list[Card]:
    cards = [Card(13 * suit + rank) for suit in range(4) for rank in range(13)]
    return [card for card in cards if suits[card.suit] >> card.rank & 1]


class OpponentsDecisions(TableDecisions):
    def __init__(self, rules: Rules) -> None:
        self.rulebook, self.rules, self.game = rules.book.id, rules, versus_game(rules)
        self.choices = opponents_choices(rules)

    @property
    def has_tables(self) -> bool:
        """Whether the sets are few enough to be stored."""
        size, game = self.game.deck.size, self.game
        classes = comb(size, game.seen) * comb(size - game.seen, game.own) // 24
        return not game.by_suit and classes <= _MOST_CLASSES

    @property
    def best_value(self) -> Fraction:
        return versus_solution(self.rules).value

    @cached_property
    def seen(self) -> tuple[SeenCards, ...]:
        game, choice = self.game, self.choices[0]
        counts = {"player": game.own, "dealer": game.seen}
        places = [(source, n) for source, count in counts.items() for n in range(count)]
        groups = (0,) * game.own + (1,) * game.seen
        return (SeenCards(choice.name, choice.actions, tuple(places), groups, own_bits=13),)

    def unit(self, place: int) -> Unit:  # noqa: ARG002
        ways = self.game.opponents * self.game.scale
        return Unit(self.game.deals * self.game.scale, ways)

    def parts(self, place: int) -> Sequence[RowKey]:  # noqa: ARG002
        return [shown.masks for shown in seen_cards(self.game.deck, self.game.seen)]

    def sets(self, place: int, part: RowKey) -> Iterator[OpponentsSets]:  # noqa: ARG002
        for task in tasks_of(self.game, 1, part):
            yield OpponentsSets(self.game, task)

    def answers_used(self, place: int) -> set[int]:  # noqa: ARG002
        by_action = versus_solution(self.rules).deals.sum(axis=(1, 2))
        return set(np.flatnonzero(by_action).tolist())

    def visit_all(self, look: Callable[[int, OpponentsSets], None], threads: int) -> None:
        """Show `look` all information sets, spread over threads, with the thread's number."""
        self._check_size()

        def work(thread: int, task: Task) -> None:
            look(thread, OpponentsSets(self.game, task))

        spread(tasks_of(self.game, threads), work, threads)

    def main_figures(self, choose: Choose, look: Look) -> MainFigures:
        game, threads, prices = self.game, cores(), prices_of(self.game)
        tables = [np.zeros(shape_of(game), np.int64) for _ in range(threads)]

        def work(thread: int, sets: OpponentsSets) -> None:
            answers = choose(sets)
            enter_actions(prices, sets.hands, answers, tables[thread])
            look(sets, answers, sets.weights)

        self.visit_all(work, threads)
        deals = np.sum(tables, axis=0)
        assert int(deals.sum()) == game.deals
        return versus_rounds_of(self.rules, VersusSolution(game, deals)).figures()

    def _check_size(self) -> None:
        pays = self.game.payoffs
        most = int(np.abs(pays.required).max()) + int(np.abs(pays.fold).max())
        most += max(self.game.bets, default=0) * int(np.abs(pays.decided).max())
        if most * self.game.deals >= 2**61:
            why = "the bets and paytables lead too far to be added up"
            raise refused("a strategy or a chart", why)
