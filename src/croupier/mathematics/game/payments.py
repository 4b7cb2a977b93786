"""The payment of a wager, and the net that follows from it.

The net is exact for a unit of stake; in cents it is rounded up, as a dealer rounds odd cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import ceil
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec

from croupier.mathematics.stakes import WagerResult
from croupier.money import Fixed, For, MeterShare, Pays, Push, To, pays_object


class Loses(msgspec.Struct, frozen=True, tag="loses"):
    """Takes the place of a payment: the stake is lost."""

    def __str__(self) -> str:
        return "loses"


Payment: TypeAlias = Pays | Loses
FOLDED: Final = "folded"
"""The line of a folded player's wager."""
_NO_METERS: Final[Mapping[str, int]] = MappingProxyType({})


def payment_object(pays: Payment) -> dict[str, object]:
    """Return the JSON form of a payment."""
    return {"loses": True} if isinstance(pays, Loses) else pays_object(pays)


def net_of(
    pays: Payment,
    stake_cents: int,
    meters: Mapping[str, int] = _NO_METERS,
    *,
    taken_before_deal: bool = False,
    stake_stays: bool = True,
) -> Fraction:
    """Return the net of a payment per unit of stake.

    Odds count as printed, without the rounding to whole cents that an odd stake would bring. Fixed
    sums and meter shares come on top of the stake unless its chip is already taken.
    """
    gone = 1 if taken_before_deal else 0
    match pays:
        case To():
            return Fraction(pays.n, pays.d) - (0 if stake_stays else 1)
        case For():
            return Fraction(pays.n - 1)
        case Fixed():
            return Fraction(pays.cents, stake_cents) - gone
        case MeterShare():
            return Fraction(pays.award(meters[pays.meter]), stake_cents) - gone
        case Push():
            return Fraction(0)
        case Loses():
            return Fraction(-1)


def net_cents(
    pays: Payment,
    stake: int,
    meters: Mapping[str, int] = _NO_METERS,
    *,
    taken_before_deal: bool = False,
    stake_stays: bool = True,
) -> int:
    """Return what a payment changes in the player's money, to the cent."""
    each = net_of(pays, stake, meters, taken_before_deal=taken_before_deal, stake_stays=stake_stays)
    return ceil(each * stake)


class Paid(msgspec.Struct, frozen=True, dict=True):
    """How a wager ends. `hand` is the line of the table `family` that decides it, a pattern that
    returns it, "loses" or `FOLDED`; empty if no line has the hand, or none is looked up. With
    `stake_stays` false the odds are paid but the stake is collected."""

    hand: str
    pays: Payment
    family: str = ""
    stake_stays: bool = True

    @property
    def wins(self) -> bool:
        """Whether the wager wins; a push is not a win."""
        return not isinstance(self.pays, Push | Loses)

    @cached_property
    def unit_net(self) -> Fraction:
        """The net of a stake of one unit; in a main game no payment depends on the stake."""
        return net_of(self.pays, 100, stake_stays=self.stake_stays)

    def result(
        self,
        wager: str,
        stake: int,
        meters: Mapping[str, int] = _NO_METERS,
        *,
        taken_before_deal: bool = False,
    ) -> WagerResult:
        """Return the net of a stake in cents, and the winnings that a payout limit measures: a
        stake that is collected although the odds are paid does not reduce them."""
        stays = self.stake_stays
        net = net_cents(
            self.pays, stake, meters, taken_before_deal=taken_before_deal, stake_stays=stays
        )
        return WagerResult(wager, net, net + stake if self.wins and not stays else max(net, 0))
