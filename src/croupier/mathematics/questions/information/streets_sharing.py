"""Games of streets with the hands of other players seen: their cards have left the deck.

Each set of shared cards is a game of its own, solved exactly. If there are no more kinds of them
than draws, all are gone through and the value is exact; else some are drawn, and what one card of
each rank changes, which is exact, is taken off every draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from croupier.cards import DECK, RANKS, Card
from croupier.errors import Unsolvable
from croupier.mathematics.counters.stages.solver import StreetsSolution, solve_streets
from croupier.mathematics.questions.information.figures import KnowingFigures, not_worked_out
from croupier.mathematics.questions.information.holdem_knowing import sampled_mean
from croupier.mathematics.side_wagers.deals import exchanges_of_suits
from croupier.rulebooks.rules import Rules
from croupier.workers import workers

__all__ = ["streets_sharing"]

_MOST_SETS: Final = 30_000
"""More sets of shared cards than this are not sorted into kinds."""

Cards: TypeAlias = tuple[int, ...]


class _Piece(NamedTuple):
    rules: Rules
    gone: Cards


class _Case(NamedTuple):
    """The value with some cards gone, and how often each word is said at the first decision."""

    value: Fraction
    said: dict[str, Fraction]


def streets_sharing(rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
    deck = [int(card) for card in DECK if RANKS[card.rank] in rules.book.deck.ranks]
    gone = hands * rules.book.cards.player
    try:
        solution = solve_streets(rules)
        if not solution.asked:
            raise not_worked_out(rules, f"--shares {hands}", "nothing is decided in this game")
        if len(deck) < gone + solution.stages.last:
            raise not_worked_out(rules, f"--shares {hands}", "the deck holds fewer cards")
        kinds = _kinds(deck, gone, solution)
        if kinds and len(kinds) <= samples:
            cases = _solved(rules, kinds)
            return _figures(solution, cases, list(kinds.values()))
        return _sampled(rules, solution, deck, gone, samples, seed)
    except Unsolvable as error:
        if str(error).startswith("--shares"):
            raise
        why = f"with those cards gone, {error}"
        raise not_worked_out(rules, f"--shares {hands}", why) from None


def _kinds(deck: list[int], gone: int, solution: StreetsSolution) -> dict[Cards, int]:
    """One set of cards of each kind under exchange of suits, and how many are alike; none where
    there are too many sets."""
    if comb(len(deck), gone) > _MOST_SETS:
        return {}
    named = frozenset(suits for hand in solution.stages.hands for suits in hand.suits)
    orders = exchanges_of_suits(named)
    kinds: dict[Cards, int] = {}
    for cards in combinations(deck, gone):
        least = min(
            tuple(sorted(order[card // 13] * 13 + card % 13 for card in cards)) for order in orders
        )
        kinds[least] = kinds.get(least, 0) + 1
    return kinds


def _sampled(
    rules: Rules, solution: StreetsSolution, deck: list[int], gone: int, samples: int, seed: int
) -> KnowingFigures:
    random = np.random.default_rng(seed)
    draws = [
        tuple(sorted(int(card) for card in random.choice(deck, gone, replace=False)))
        for _ in range(samples)
    ]
    ranks = sorted({card % 13 for card in deck})
    cases = _solved(rules, [*((rank,) for rank in ranks), *draws])
    single, drawn = cases[: len(ranks)], cases[len(ranks) :]
    one_gone = {rank: case.value for rank, case in zip(ranks, single, strict=True)}
    mean, error = sampled_mean(draws, [case.value for case in drawn], one_gone)
    by_card = {
        RANKS[rank]: (case.value, case.said) for rank, case in zip(ranks, single, strict=True)
    }
    found = _figures(solution, drawn, [1] * samples)
    return KnowingFigures(
        mean, found.decisions, by_card=by_card, standard_error=error, samples=samples
    )


def _figures(solution: StreetsSolution, cases: list[_Case], weights: list[int]) -> KnowingFigures:
    """The mean of cases that come so often each."""
    value = _mean([case.value for case in cases], weights)
    said = {word: _mean([case.said[word] for case in cases], weights) for word in cases[0].said}
    return KnowingFigures(value, {solution.asked[0].question.decision.name: said})


def _mean(values: Iterable[Fraction], weights: list[int]) -> Fraction:
    pairs = zip(values, weights, strict=True)
    return sum((value * weight for value, weight in pairs), Fraction(0)) / sum(weights)


def _solved(rules: Rules, sets: Iterable[Cards] | Mapping[Cards, int]) -> list[_Case]:
    bare = replace(rules, prepared={})
    return list(workers().map(_solve, [_Piece(bare, cards) for cards in sets]))


def _solve(piece: _Piece) -> _Case:
    cards = [Card(card) for card in piece.gone]
    solution = StreetsSolution(piece.rules, gone=len(cards), first=cards)
    asked = solution.asked[0]
    best = asked.best[:, asked.column[solution.pooled(solution.course.start)]]
    arriving = solution.stages.arriving(asked.question.time)
    total = int(arriving.sum())
    said = {
        answer.word: Fraction(int(arriving[best == number].sum()), total)
        for number, answer in enumerate(asked.question.answers)
    }
    return _Case(solution.expected_value, said)
