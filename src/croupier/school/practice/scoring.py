"""The score of a session: what mistakes cost, and luck apart from skill.

    result = expected of the best play - cost of mistakes + luck

holds exactly, in fractions. Luck is what the cards did: what the first decision was worth before
anybody answered, against the game's own value; what each new card changed against the answer given;
and what the end paid against the last answer's value. The sum telescopes to the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from croupier.school.practice.pricing import Priced

__all__ = ["PlayedHand", "Score", "luck_of", "played", "score"]


class PlayedHand(msgspec.Struct, frozen=True, array_like=True):
    """A hand that is over, in few words. Fractions are in units of one required wager; `luck` is
    without the game's own value, which is the same for every hand."""

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
        """Of the decisions, how many cost nothing; 1 where nothing was decided."""
        return Fraction(self.right, self.decisions) if self.decisions else Fraction(1)


def luck_of(decisions: Sequence[Priced], result: Fraction) -> list[Fraction]:
    """What the cards brought before each decision, and at the end; the game's own value still has
    to be taken off."""
    before = Fraction(0)
    found = []
    for one in decisions:
        found.append(one.best_value - before)
        before = one.said_value
    return [*found, result - before]


def played(decisions: Sequence[Priced], result_cents: int, unit_cents: int) -> PlayedHand:
    luck = sum(luck_of(decisions, Fraction(result_cents, unit_cents)), Fraction(0))
    return PlayedHand(
        result_cents,
        len(decisions),
        sum(one.is_right for one in decisions),
        str(sum((one.cost for one in decisions), Fraction(0))),
        str(luck),
    )


def score(hands: Iterable[PlayedHand], unit_cents: int, value: Fraction) -> Score:
    """`value`: what one hand is worth under the best play."""
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
