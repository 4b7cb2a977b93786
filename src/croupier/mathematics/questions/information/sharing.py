"""Games with the hands of other players seen: their cards have left the deck.

Each set of shared cards is a game of its own, solved exactly. If there are no more kinds of them
than draws, all are gone through and the value is exact; else some are drawn, and what one card of
each rank changes, which is exact, is taken off every draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from croupier.cards import DECK, RANKS, Card
from croupier.errors import Unsolvable
from croupier.mathematics.counters.opponents.decks import suits_of
from croupier.mathematics.counters.opponents.game import game_of
from croupier.mathematics.counters.opponents.solver import solve as solve_opponents
from croupier.mathematics.counters.stages.solver import StreetsSolution, solve_streets
from croupier.mathematics.questions.information.figures import KnowingFigures, not_worked_out
from croupier.mathematics.questions.information.holdem_knowing import sampled_mean
from croupier.mathematics.side_wagers.deals import exchanges_of_suits
from croupier.rulebooks.rules import Rules
from croupier.workers import workers

__all__ = ["opponents_sharing", "stages_sharing"]

_MOST_SETS: Final = 30_000
"""More sets of shared cards than this are not sorted into kinds."""

Cards: TypeAlias = tuple[int, ...]


class _Case(NamedTuple):
    """The value with some cards gone, and how often each word is said at the first decision."""

    value: Fraction
    said: dict[str, Fraction]


class _Piece(NamedTuple):
    rules: Rules
    gone: Cards
    solve: Callable[[Rules, Cards], _Case]


class _Sharing(NamedTuple):
    """A game whose cards are shared: so many are gone; the exchanges of suits that change nothing;
    what solves it with certain cards gone."""

    rules: Rules
    gone: int
    exchanges: list[tuple[int, ...]]
    solve: Callable[[Rules, Cards], _Case]

    @property
    def deck(self) -> list[int]:
        return [int(card) for card in DECK if RANKS[card.rank] in self.rules.book.deck.ranks]

    def solved(self, sets: Iterable[Cards]) -> list[_Case]:
        bare = replace(self.rules, prepared={})
        return list(workers().map(_solve, [_Piece(bare, cards, self.solve) for cards in sets]))

    def kinds(self) -> dict[Cards, int]:
        """One set of cards of each kind under exchange of suits, and how many are alike; none where
        there are too many sets."""
        if comb(len(self.deck), self.gone) > _MOST_SETS:
            return {}
        found: dict[Cards, int] = {}
        for cards in combinations(self.deck, self.gone):
            least = min(
                tuple(sorted(order[card // 13] * 13 + card % 13 for card in cards))
                for order in self.exchanges
            )
            found[least] = found.get(least, 0) + 1
        return found


def _solve(piece: _Piece) -> _Case:
    return piece.solve(piece.rules, piece.gone)


def stages_sharing(rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
    try:
        solution = solve_streets(rules)
        if not solution.asked:
            raise not_worked_out(rules, f"--shares {hands}", "nothing is decided in this game")
        named = frozenset(suits for hand in solution.stages.hands for suits in hand.suits)
        return _figures_sharing(
            _Sharing(
                rules, hands * rules.book.cards.player, exchanges_of_suits(named), _solve_stages
            ),
            hands,
            solution.stages.last,
            samples,
            seed,
        )
    except Unsolvable as error:
        raise _told(rules, hands, error) from None


def opponents_sharing(rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
    cards = rules.book.cards
    exchanges = exchanges_of_suits(frozenset())
    sharing = _Sharing(rules, hands * cards.player, exchanges, _solve_opponents)
    try:
        return _figures_sharing(sharing, hands, cards.player + cards.dealer, samples, seed)
    except Unsolvable as error:
        raise _told(rules, hands, error) from None


def _told(rules: Rules, hands: int, error: Unsolvable) -> Unsolvable:
    asked = f"--shares {hands}"
    if str(error).startswith(asked):
        return error
    return not_worked_out(rules, asked, f"with those cards gone, {error}")


def _figures_sharing(
    sharing: _Sharing, hands: int, needed: int, samples: int, seed: int
) -> KnowingFigures:
    """`needed` cards must be left for the round itself."""
    if len(sharing.deck) < sharing.gone + needed:
        raise not_worked_out(sharing.rules, f"--shares {hands}", "the deck holds fewer cards")
    kinds = sharing.kinds()
    if kinds and len(kinds) <= samples:
        return _mean_figures(sharing.rules, sharing.solved(kinds), list(kinds.values()))
    return _sampled(sharing, samples, seed)


def _sampled(sharing: _Sharing, samples: int, seed: int) -> KnowingFigures:
    random, deck = np.random.default_rng(seed), sharing.deck
    draws = [
        tuple(sorted(int(card) for card in random.choice(deck, sharing.gone, replace=False)))
        for _ in range(samples)
    ]
    ranks = sorted({card % 13 for card in deck})
    cases = sharing.solved([*((rank,) for rank in ranks), *draws])
    single, drawn = cases[: len(ranks)], cases[len(ranks) :]
    one_gone = {rank: case.value for rank, case in zip(ranks, single, strict=True)}
    mean, error = sampled_mean(draws, [case.value for case in drawn], one_gone)
    by_card = {
        RANKS[rank]: (case.value, case.said) for rank, case in zip(ranks, single, strict=True)
    }
    found = _mean_figures(sharing.rules, drawn, [1] * samples)
    return KnowingFigures(
        mean, found.decisions, by_card=by_card, standard_error=error, samples=samples
    )


def _mean_figures(rules: Rules, cases: list[_Case], weights: list[int]) -> KnowingFigures:
    """The mean of cases that come so often each."""
    value = _mean([case.value for case in cases], weights)
    said = {word: _mean([case.said[word] for case in cases], weights) for word in cases[0].said}
    return KnowingFigures(value, {rules.book.decisions[0].name: said})


def _mean(values: Iterable[Fraction], weights: list[int]) -> Fraction:
    pairs = zip(values, weights, strict=True)
    return sum((value * weight for value, weight in pairs), Fraction(0)) / sum(weights)


# -- one set of cards gone ------------------------------------------------------------------------


def _solve_opponents(rules: Rules, gone: Cards) -> _Case:
    game = replace(game_of(rules), gone=suits_of(map(Card, gone)))
    solution = solve_opponents(game, threads=1)
    words = rules.book.decisions[0].answers
    counts = solution.deals.sum(axis=(1, 2)).tolist()
    said = {word: Fraction(count, game.deals) for word, count in zip(words, counts, strict=True)}
    return _Case(solution.value, said)


def _solve_stages(rules: Rules, gone: Cards) -> _Case:
    cards = [Card(card) for card in gone]
    solution = StreetsSolution(rules, gone=len(cards), first=cards)
    asked = solution.asked[0]
    best = asked.best[:, asked.column[solution.pooled(solution.course.start)]]
    arriving = solution.stages.arriving(asked.question.time)
    total = int(arriving.sum())
    said = {
        answer.word: Fraction(int(arriving[best == number].sum()), total)
        for number, answer in enumerate(asked.question.answers)
    }
    return _Case(solution.expected_value, said)
