"""How one wager of a round ends: the line that decides it, the result and the net."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeAlias

from croupier.mathematics.game.payments import FOLDED, Loses, Paid, Payment
from croupier.mathematics.game.payoffs import Case, Row
from croupier.mathematics.questions.rounds.played import Betting, PlayedRounds
from croupier.money import Push

__all__ = ["REST", "TAKEN_BACK", "Result", "WagerEnd", "wager_end"]

Result: TypeAlias = Literal["win", "push", "lose", "not_paid", "not_bet"]

WINS: Final = "wins"
TIES: Final = "ties"
LOSES: Final = "loses"
ANY_HAND: Final = "any_hand"
"""Where the dealer does not qualify and the player's hand does not matter."""
NOT_PAID: Final = "not_paid"
"""A bonus that no line pays."""
NOT_BET: Final = "not_bet"
"""A wager that the player did not make."""
TAKEN_BACK: Final = "taken_back"
"""A required wager that the player had back, and staked nothing on."""
REST: Final = (WINS, ANY_HAND, TIES, LOSES, FOLDED, TAKEN_BACK, NOT_PAID, NOT_BET)
"""The order of lines that no paytable has."""


class WagerEnd(NamedTuple):
    """How one wager of a round ends.

    `hand` is the paytable's line, the category of a winning hand without a line, or one of the
    words above. `family` is the paytable, `units` the stake in units of one required wager,
    `unit_net` the net of one unit. `dealer_qualifies` is None where it makes no difference.
    """

    hand: str
    result: Result
    pays: Payment | None
    units: int
    unit_net: Fraction
    family: str = ""
    dealer_qualifies: bool | None = None

    @property
    def net(self) -> Fraction:
        return self.units * self.unit_net


def wager_end(
    rounds: PlayedRounds, betting: Betting, name: str, case: Case, outcome: int
) -> WagerEnd:
    """Of a wager or a bonus of the main game."""
    units = rounds.units_of(betting, name)
    is_bonus = name in rounds.rules.book.bonuses
    if not units:
        if name in rounds.rules.required:
            return WagerEnd(TAKEN_BACK, "push", Push(), 0, Fraction(0))
        return WagerEnd(NOT_BET, "not_bet", None, 0, Fraction(0))
    if betting.folded and is_bonus:
        return WagerEnd(FOLDED, "not_paid", None, units, Fraction(0))
    if betting.folded:
        paid = case.folded[name]
        return _end(paid, units, paid.hand, None)
    row = case.paid[name]
    paid = row[outcome]
    if is_bonus and not paid.hand:
        return WagerEnd(NOT_PAID, "not_paid", None, units, Fraction(0), paid.family)
    return _end(paid, units, *_named(case, row, outcome))


def _named(case: Case, row: Row, outcome: int) -> tuple[str, bool | None]:
    """What decides the wager, and whether the dealer qualifies if that makes a difference."""
    paid, qualifies = row[outcome], outcome % 2 == 0
    if len(row) == 1:
        return paid.hand, None
    if row[1] == row[3] == row[5] and len(set(row)) > 1:
        hand = paid.hand or (ANY_HAND if not qualifies else _by_showdown(case, paid, outcome))
        return hand, qualifies
    hand = paid.hand or _by_showdown(case, paid, outcome)
    return hand, None if row[outcome] == row[outcome ^ 1] else qualifies


def _by_showdown(case: Case, paid: Paid, outcome: int) -> str:
    """A winning hand that its paytable has no line for is named by its category."""
    if outcome < 2:
        return case.name if paid.family else WINS
    return TIES if outcome < 4 else LOSES


def _end(paid: Paid, units: int, hand: str, qualifies: bool | None) -> WagerEnd:
    result: Result = "win"
    if isinstance(paid.pays, Loses):
        result = "lose"
    elif isinstance(paid.pays, Push):
        result = "push"
    return WagerEnd(hand, result, paid.pays, units, paid.unit_net, paid.family, qualifies)
