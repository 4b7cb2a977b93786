"""The value of seeing other players' cards before the last decision.

With S the sum of what a bet brings over all pairs of cards that may come, r(c) the part of it in
which card c comes and w(c, d) that of one pair, the sum that is left when a set K of cards is known
to be gone is S - sum of r(c) + sum of w(c, d) over K.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.cards import Card
from croupier.errors import BadRequest
from croupier.mathematics.counters.stages.solver import StreetsSolution, solve_streets
from croupier.mathematics.counters.stages.stages import Stages
from croupier.mathematics.game.course import can_fold
from croupier.mathematics.shapes.shape import refused
from croupier.rulebooks.rules import Rules

__all__ = ["value_with_known"]

_MOST_KNOWN = 5


def value_with_known(rules: Rules, known: int) -> Fraction:
    """The expected value of the round, in units of one required wager, when the player sees this
    many cards of others before the last decision. It must be a bet or a check on two cards to come,
    in a game without a fold: then it changes no decision before it."""
    if not 0 <= known <= _MOST_KNOWN:
        raise BadRequest(f"known must be 0 to {_MOST_KNOWN}")
    solution = solve_streets(rules)
    asked = solution.asked[-1] if solution.asked else None
    if asked is None or len(asked.values) != 2 or can_fold(rules.book):
        raise refused("cards of others", "the last decision is not a bet or a check")
    time, stages = asked.question.time, solution.stages
    if stages.last - time != 2 or not stages.is_one_group(time):
        raise refused("cards of others", "two more cards of one hand do not come after it")
    weights = stages.arriving(time)
    masks, kinds = np.unique(stages.cards_at(time), return_inverse=True)
    sums = [0, 0]
    for kind, mask in enumerate(masks.tolist()):
        cards = [Card(card) for card in range(52) if mask >> card & 1]
        weight = int(weights[kinds == kind].sum())
        for place, number in enumerate((0, known)):
            sums[place] += weight * _best_sum(*_pairs(solution, cards), 0, number)
    left = 4 * stages.ranks.size - time
    pairs = [comb(left, 2), comb(left, known) * comb(left - known, 2)]
    blind, seeing = (Fraction(total, ways) for total, ways in zip(sums, pairs, strict=True))
    deals = int(weights.sum())
    return solution.expected_value + (seeing - blind) / (deals * solution.scale)


def _pairs(
    solution: StreetsSolution, cards: list[Card]
) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """S, r and w of the bet on these cards."""
    course, hands = solution.course, solution.stages.hands
    # Without exchanging suits a place among the cards is the same card everywhere.
    stages = Stages(course, hands, solution.rules.book.deck.ranks, cards, suits_apart=True)
    rest = StreetsSolution(solution.rules, stages=stages)
    answers = rest.course.questions[-1].answers
    ends = rest.at_the_end([rest.after(rest.course.start, answer) for answer in answers])
    left = np.flatnonzero(rest.stages.all[-3].children[0] >= 0)
    last = rest.stages.all[-2].children[:, left]
    nets = (ends[:, 0] - ends[:, 1]) * (solution.scale // rest.scale)
    brings = np.where(last >= 0, nets[last], 0)
    rows = brings.sum(axis=1)
    return int(rows.sum()) // 2, rows, brings


@njit(cache=True)
def _best_sum(
    total: int, rows: NDArray[np.int64], pairs: NDArray[np.int64], start: int, known: int
) -> int:
    """The sum, over all sets of `known` cards from `start` on, of what the better answer adds."""
    if known == 0:
        return max(total, 0)
    found = 0
    for card in range(start, rows.size):
        if known == 1:
            found += max(total - rows[card], 0)
        else:
            found += _best_sum(total - rows[card], rows - pairs[card], pairs, card + 1, known - 1)
    return found
