"""Streets and hand against hand with cards seen: community cards that are turned up too early, and
hands of other players, whose cards have left the deck.

Each set of shared cards is a game of its own, solved exactly. If there are no more kinds of them
than draws, all are solved and the value is exact; else some are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, RANKS, Card
from croupier.errors import Unsolvable
from croupier.mathematics.counters.opponents.decks import suits_of
from croupier.mathematics.counters.opponents.game import versus_game
from croupier.mathematics.counters.opponents.solver import solve_versus as solve_opponents
from croupier.mathematics.counters.stages.solver import StreetsSolution, solve_streets
from croupier.mathematics.questions.information.seen_cards import (
    Cards,
    KnowingFigures,
    SeenCase,
    exact_value,
    not_worked_out,
    rules_seeing,
    sampled_value,
)
from croupier.mathematics.questions.rounds import streets_rounds
from croupier.mathematics.side_wagers.deals import exchanges_of_suits
from croupier.rulebooks.rules import Rules
from croupier.workers import workers

_MOST_SETS: Final = 30_000
"""More sets of shared cards than this are not sorted into kinds."""

Case: TypeAlias = tuple[Fraction, dict[str, Fraction]]
"""The value, and how often each word is said at the first decision."""


# -- community cards of streets seen too early ----------------------------------------------------


def figures_of_streets(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    seen = rules_seeing(rules, knows)
    figures = streets_rounds(seen).figures()
    by_card = _by_rank(solve_streets(seen)) if sum(knows.values()) == 1 else {}
    return KnowingFigures(figures.expected_value, figures.decisions, figures, by_card)


def _by_rank(solution: StreetsSolution) -> dict[str, Case]:
    """Return the value of a round by the rank of the card seen, and the answers at the first
    decision. If all cards lie in the same hand, their order is ignored: the card seen is equally
    often each of those in sight. Otherwise the result is empty."""
    stages, decision = solution.stages, solution.decisions_asked[0]
    time = decision.question.time
    if not stages.is_one_group(time):
        return {}
    cards, weights = stages.cards_at(time), stages.arriving(time)
    column = decision.column[solution.pooled(solution.course.start)]
    best, unit = decision.best[:, column], stages.ways(time) * solution.scale
    values = np.max([each[:, column] for each in decision.values], axis=0)
    by_rank: dict[str, Case] = {}
    for rank in stages.ranks.tolist():
        of_rank = np.uint64(sum(1 << 13 * suit + rank for suit in range(4)))
        times = weights * np.bitwise_count(cards & of_rank).astype(np.int64)
        deals = int(times.sum())
        said = {
            answer.word: Fraction(int(times[best == number].sum()), deals)
            for number, answer in enumerate(decision.question.answers)
        }
        by_rank[RANKS[rank]] = Fraction(_sum_of(times, values), deals * unit), said
    return by_rank


def _sum_of(times: NDArray[Any], values: NDArray[Any]) -> int:
    """Return the sum in integers of any size."""
    return sum(a * b for a, b in zip(times.tolist(), values.tolist(), strict=True))


# -- hands of other players seen ------------------------------------------------------------------


def stages_sharing(rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
    try:
        solution = solve_streets(rules)
        if not solution.decisions_asked:
            raise not_worked_out(rules, f"--shares {hands}", "nothing is decided in this game")
        named = frozenset(suits for hand in solution.stages.hands for suits in hand.suits)
        sharing = _Sharing(rules, hands, solution.stages.last, named, _solve_stages)
        return sharing.figures(samples, seed)
    except Unsolvable as error:
        raise _refusal(rules, hands, error) from None


def opponents_sharing(rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
    cards = rules.book.cards
    sharing = _Sharing(rules, hands, cards.player + cards.dealer, frozenset(), _solve_opponents)
    try:
        return sharing.figures(samples, seed)
    except Unsolvable as error:
        raise _refusal(rules, hands, error) from None


def _refusal(rules: Rules, hands: int, error: Unsolvable) -> Unsolvable:
    words = f"--shares {hands}"
    if str(error).startswith(words):
        return error
    return not_worked_out(rules, words, f"with those cards gone, {error}")


class _Sharing(NamedTuple):
    """A game in which other hands are seen. `needed` cards must be left for the round itself; a
    line may name the suits `named`; `solve` solves it with certain cards gone."""

    rules: Rules
    hands: int
    needed: int
    named: frozenset[str]
    solve: Callable[[Rules, Cards], Case]

    def figures(self, samples: int, seed: int) -> KnowingFigures:
        book = self.rules.book
        deck = [int(card) for card in DECK if RANKS[card.rank] in book.deck.ranks]
        gone = self.hands * book.cards.player
        if len(deck) < gone + self.needed:
            raise not_worked_out(self.rules, f"--shares {self.hands}", "the deck holds fewer cards")
        kinds = self._kinds(deck, gone)
        if kinds and len(kinds) <= samples:
            cases = zip(kinds.values(), self._solved(kinds), strict=True)
            seen = exact_value([SeenCase("", weight, *case) for weight, case in cases])
            return KnowingFigures(seen.value, {book.decisions[0].name: dict(seen.bets)})
        seen = sampled_value(deck, gone, samples, seed, self._solved)
        return KnowingFigures(
            seen.value,
            {book.decisions[0].name: dict(seen.bets)},
            by_card={case.name: (case.value, dict(case.bets)) for case in seen.by_cards},
            standard_error=seen.standard_error,
            samples=seen.samples,
        )

    def _solved(self, sets: Iterable[Cards]) -> Sequence[Case]:
        bare = replace(self.rules, prepared={})
        return list(workers().map(_solve, [_Piece(bare, cards, self.solve) for cards in sets]))

    def _kinds(self, deck: list[int], gone: int) -> dict[Cards, int]:
        """Return one set of cards of each kind under exchange of suits, and the number of sets of
        that kind; none if there are too many sets."""
        if comb(len(deck), gone) > _MOST_SETS:
            return {}
        exchanges, kinds = exchanges_of_suits(self.named), dict[Cards, int]()
        for cards in combinations(deck, gone):
            least = min(
                tuple(sorted(order[card // 13] * 13 + card % 13 for card in cards))
                for order in exchanges
            )
            kinds[least] = kinds.get(least, 0) + 1
        return kinds


class _Piece(NamedTuple):
    rules: Rules
    gone: Cards
    solve: Callable[[Rules, Cards], Case]


def _solve(piece: _Piece) -> Case:
    return piece.solve(piece.rules, piece.gone)


def _solve_opponents(rules: Rules, gone: Cards) -> Case:
    game = replace(versus_game(rules), gone=suits_of(map(Card, gone)))
    solution = solve_opponents(game, threads=1)
    words = rules.book.decisions[0].answers
    counts = solution.deals.sum(axis=(1, 2)).tolist()
    said = {word: Fraction(count, game.deals) for word, count in zip(words, counts, strict=True)}
    return solution.value, said


def _solve_stages(rules: Rules, gone: Cards) -> Case:
    cards = [Card(card) for card in gone]
    solution = StreetsSolution(rules, gone=len(cards), first=cards)
    decision = solution.decisions_asked[0]
    best = decision.best[:, decision.column[solution.pooled(solution.course.start)]]
    arriving = solution.stages.arriving(decision.question.time)
    total = int(arriving.sum())
    said = {
        answer.word: Fraction(int(arriving[best == number].sum()), total)
        for number, answer in enumerate(decision.question.answers)
    }
    return solution.expected_value, said
