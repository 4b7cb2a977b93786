"""The score of a session: the cost of mistakes, and luck apart from skill.

result = expectation of the best play - cost of mistakes + luck holds exactly, in fractions. Luck is
the effect of the cards: the value of the first decision against the game's own value, the change of
value with each new card after an answer, and the final payment against the last answer's value. The
sum telescopes to the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from croupier.school.practice.pricing import Priced


class PlayedHand(msgspec.Struct, frozen=True, array_like=True):
    """A finished hand in short. Fractions are in units of one required wager; `luck` does not
    include the game's own value, which is the same for every hand."""

    result_cents: int
    decisions: int
    right: int
    cost: str
    luck: str


class Score(msgspec.Struct, frozen=True):
    """Fractions in units of one required wager."""

    hands: int
    decisions: int
    right: int
    result: Fraction
    expected: Fraction
    cost: Fraction
    luck: Fraction

    @property
    def accuracy(self) -> Fraction:
        """The share of decisions that cost nothing; 1 if there were none."""
        return Fraction(self.right, self.decisions) if self.decisions else Fraction(1)


def luck_of(decisions: Sequence[Priced], result: Fraction) -> list[Fraction]:
    """Return the effect of the cards before each decision and at the end, before the game's own
    value is subtracted."""
    before = Fraction(0)
    values = []
    for decision in decisions:
        values.append(decision.best_value - before)
        before = decision.said_value
    return [*values, result - before]


def played(decisions: Sequence[Priced], result_cents: int, unit_cents: int) -> PlayedHand:
    luck = sum(luck_of(decisions, Fraction(result_cents, unit_cents)), Fraction(0))
    return PlayedHand(
        result_cents,
        len(decisions),
        sum(decision.is_right for decision in decisions),
        str(sum((decision.cost for decision in decisions), Fraction(0))),
        str(luck),
    )


def score(hands: Iterable[PlayedHand], unit_cents: int, value: Fraction) -> Score:
    """Return the score of these hands. `value`: the value of one hand under best play."""
    listed = list(hands)
    expected = value * len(listed)
    return Score(
        len(listed),
        sum(hand.decisions for hand in listed),
        sum(hand.right for hand in listed),
        Fraction(sum(hand.result_cents for hand in listed), unit_cents),
        expected,
        sum((Fraction(hand.cost) for hand in listed), Fraction(0)),
        sum((Fraction(hand.luck) for hand in listed), Fraction(0)) - expected,
    )
