"""Hold'em: decisions over the 169 starting hands, and what each decision is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from croupier.cards import RANKS, Card
from croupier.errors import BadRequest, suggest
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.geometry import flops_of, hand_number, orbits_of
from croupier.mathematics.counters.boards.rulebook import holdem_game, holdem_solution
from croupier.mathematics.counters.boards.solver import Stage, solve_holdem
from croupier.mathematics.kernels.arrays import I64, best_places
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.mathematics.questions.strategies.boards_decisions import (
    HoldemChoice,
    choices_of,
    forks,
)
from croupier.mathematics.questions.strategies.decisions import StrategyDecision
from croupier.mathematics.questions.strategies.grid import (
    Grid,
    HandCell,
    Skipped,
    grid_of,
    hand_name,
    members_of,
)
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.rulebooks.rules import Rules


def chart_of_holdem(rules: Rules, decision: str) -> Grid:
    """A decision on up to three community cards, the first where none is named, as if all hands
    came to it by the first path that is asked."""
    names = [each.name for each in rules.book.decisions]
    choices = choices_of(rules)
    if decision not in ("", *names):
        raise suggest("decision", decision, names)
    number = names.index(decision) if decision else min(n for n, _ in choices[0].actions)
    reached = [each for each in choices if any(n == number for n, _ in each.actions)]
    if not reached:
        raise BadRequest(f"nobody comes to {decision!r}: everybody has bet or folded before")
    choice = reached[0]
    if choice.seen > 3:
        raise BadRequest(
            f"{choice.decision.name!r} is decided on {choice.seen} community cards: a chart of "
            "starting hands is drawn for up to three"
        )
    if rules.book.deck.ranks != RANKS:
        raise BadRequest("the chart of starting hands is drawn for a deck of 52 cards")
    stage = holdem_solution(rules).stages[choice.seen]
    return grid_of(rules, choice.decision, _cells(stage, choice))


def _cells(stage: Stage, choice: HoldemChoice) -> Callable[[int, int], HandCell]:
    game = stage.game
    answers = stage.answers(stage.level.asked_paths[0])
    places = next(forks([choice], answers)).places
    sums = np.stack(
        [np.maximum.reduce([stage.worth(answers[n]) for n in numbers]) for numbers in places]
    )
    best = best_places(sums, game.takes_first)
    by_hand = orbits_of(game.deck, 0).number
    if choice.seen == 3:
        flops = flops_of(game.deck)
        sizes, hands = flops.orbit.astype(np.int64), by_hand[flops.hand]
        sums *= sizes  # before the flop they run over all members of an orbit as they are
    else:
        orbits = orbits_of(game.deck, choice.seen)
        sizes, hands = orbits.size, by_hand[orbits.example // orbits.width]
    unit = stage.ways * game.scale

    def cell(row: int, column: int) -> HandCell:
        members = members_of(row, column)
        here = np.flatnonzero(hands == by_hand[hand_number(members[0])])
        size: I64 = sizes[here]
        weight = int(size.sum())
        values = [Fraction(int(sum(part[here])), weight * unit) for part in sums]
        shares = [
            Fraction(int(size[best[here] == place].sum()), weight) for place in range(len(sums))
        ]
        top = Fraction(int(sum(sums[:, here].max(axis=0))), weight * unit)
        actions = choice.decision.actions
        return HandCell(
            hand_name(row, column),
            dict(zip(actions, values, strict=True)),
            dict(zip(actions, shares, strict=True)),
            top - values[-1],
            len(members),
        )

    return cell


def grid_by_advice(rules: Rules, advise: Callable[[Situation], Advice]) -> Grid:
    """The first decision, asked of the advice on one hand of each cell."""
    decision = rules.book.decisions[0]
    if decision.sees_community:
        raise BadRequest("a first decision after community cards has no chart of starting hands")
    if rules.book.deck.ranks != RANKS:
        raise BadRequest("the chart of starting hands is drawn for a deck of 52 cards")
    words = (*decision.bets, decision.otherwise)
    choice = StrategyDecision(decision.name, words, CardsSeen(decision.sees_player, 0))

    def cell(row: int, column: int) -> HandCell:
        members = members_of(row, column)
        advice = advise(Situation([Card(card) for card in members[0]]))
        best = max(advice.values.values())
        equal = [word for word in words if advice.values.get(word) == best]
        right = equal[0 if rules.takes_first else -1]
        return HandCell(
            hand_name(row, column),
            advice.values,
            {word: Fraction(word == right) for word in words},
            best - advice.values[decision.otherwise],
            len(members),
        )

    return grid_of(rules, choice, cell)


def holdem_values(rules: Rules) -> tuple[Fraction, list[Skipped]]:
    """The house edge of the best play, and what it becomes without each decision."""
    game = holdem_game(rules)
    skipped = [
        Skipped(choice.decision.name, f"always {how}", -solve_holdem(changed).value)
        for choice in choices_of(rules)
        for how, changed in _without(game, choice)
    ]
    return -holdem_solution(rules).value, skipped


def _without(game: HoldemGame, choice: HoldemChoice) -> Iterator[tuple[str, HoldemGame]]:
    """The games in which one answer is all that may be said."""
    numbers = sorted({number for number, _ in choice.actions})
    last, declined = game.questions[numbers[-1]], choice.decision.actions[-1]
    rest = tuple(each for n, each in enumerate(game.questions) if n not in numbers)
    if not last.folds:
        # Without its only decision a game is a showdown with nothing bet; none of ours is that.
        if rest:
            yield declined, replace(game, questions=rest)
        return
    bet = choice.decision.actions[0]
    if choice.seen < 5:
        asked = last._replace(decline="")
        questions = tuple(asked if each is last else each for each in game.questions)
        yield bet, replace(game, questions=questions)
    elif sum(each.folds for each in game.questions) == 1:
        # No fold can be worth it when it costs more than anything that can be lost.
        yield bet, replace(game, folded=(-4 * game.largest, *(0,) * len(game.decided)))
    before = game.questions[numbers[0] - 1] if numbers[0] else None
    same = all(each.wager == last.wager for each in game.questions)
    if before is not None and same and len(choice.decision.actions) == 2:
        folding = before._replace(folds=True)
        yield declined, replace(game, questions=(*game.questions[: numbers[0] - 1], folding))
