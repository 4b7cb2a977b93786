"""Exact amounts and what a paytable line pays.

Amounts are integer cents; floats are never used for money. A line pays odds, a fixed sum, a share
of a meter, or pushes. Odds are `to` (the stake comes back as well) or `for` (it does not). Dealers
and rulebook files write `3 to 2`, `300 for 1`, `$1,000`, `10% of main` and `push`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from croupier.errors import BadAmount, BadData, shown

__all__ = [
    "Cents",
    "Fixed",
    "For",
    "MeterShare",
    "Pays",
    "Push",
    "To",
    "dollars",
    "format_cents",
    "parse_cents",
    "parse_pays",
    "pays_object",
]

_AMOUNT: Final = re.compile(r"(-?)([0-9]{1,15})(?:\.([0-9]{1,2}))?")
MOST_CENTS: Final = 10**15

if TYPE_CHECKING:
    Cents: TypeAlias = int
else:

    class Cents(int):
        """Marks an amount that is written as dollars in JSON, `"7.50"`. In Python give plain
        integers; commands wrap them when they are written."""

        __slots__ = ()


def parse_cents(value: object) -> int:
    """Read dollars: `"7.50"`, `"10"` or the integer 10. Floats and parts of a cent are refused."""
    if isinstance(value, str):
        match = _AMOUNT.fullmatch(value.strip())
        if match is not None:
            sign, whole, part = match.groups()
            cents = int(whole) * 100 + (int(part.ljust(2, "0")) if part else 0)
            return _within_reason(-cents if sign else cents, value)
    elif isinstance(value, int) and not isinstance(value, bool):
        return _within_reason(value * 100, value)
    elif isinstance(value, float):
        raise BadAmount(f'{value!r} is a float: write the amount as a string, as in "7.50"')
    raise BadAmount(
        f"{shown(value)} is not an amount: write dollars, with at most two decimals, as in "
        '"7.50" or "10"'
    )


def _within_reason(cents: int, value: object) -> int:
    if abs(cents) > MOST_CENTS:
        raise BadAmount(f"{shown(value)} is more money than any table holds")
    return cents


def format_cents(cents: int) -> str:
    """Always two decimals: `"7.50"`, `"-10.00"`."""
    sign = "-" if cents < 0 else ""
    cents = abs(cents)
    return f"{sign}{cents // 100}.{cents % 100:02d}"


def dollars(cents: int) -> str:
    """For people: `$12,500`, `$7.50`, `-$10`."""
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}${whole:,}" + (f".{part:02d}" if part else "")


class To(msgspec.Struct, frozen=True, tag="to"):
    """`n to d`: the winnings are stake * n / d, and the stake comes back.

    Half a cent (3 to 2 on an odd number of cents) is rounded up, for the player: MD-56, B29.
    """

    n: int
    d: int

    def winnings(self, stake_cents: int) -> int:
        return -(-stake_cents * self.n // self.d)

    def __str__(self) -> str:
        return f"{self.n:,} to {self.d}"


class For(msgspec.Struct, frozen=True, tag="for"):
    """`n for 1`: the player receives n stakes in all; the stake itself is gone."""

    n: int

    def winnings(self, stake_cents: int) -> int:
        return stake_cents * (self.n - 1)

    def __str__(self) -> str:
        return f"{self.n:,} for 1"


class Fixed(msgspec.Struct, frozen=True, tag="fixed"):
    """A fixed sum that does not depend on the stake."""

    cents: int

    def __str__(self) -> str:
        return dollars(self.cents)


class MeterShare(msgspec.Struct, frozen=True, tag="meter"):
    """A percentage of what a meter shows at the winner's turn, rounded down to the cent."""

    meter: str
    percent: int

    def award(self, meter_cents: int) -> int:
        return meter_cents * self.percent // 100

    def __str__(self) -> str:
        return f"{self.percent}% of the {self.meter} meter"


class Push(msgspec.Struct, frozen=True, tag="push"):
    def __str__(self) -> str:
        return "push"


Pays: TypeAlias = To | For | Fixed | MeterShare | Push

_ODDS: Final = re.compile(r"([0-9][0-9,]{0,15}) (to|for) ([0-9]{1,6})")
_FIXED: Final = re.compile(r"\$([0-9][0-9,]{0,15}(?:\.[0-9]{2})?)")
_SHARE: Final = re.compile(r"([0-9]{1,3})% of (\w+)")


def parse_pays(text: str) -> Pays:
    """Read `500 to 1`, `9 for 1`, `$200`, `10% of main` or `push`."""
    if text == "push":
        return Push()
    if match := _ODDS.fullmatch(text):
        n, word, d = int(match[1].replace(",", "")), match[2], int(match[3])
        if word == "to" and n > 0 and d > 0:
            return To(n, d)
        if word == "for" and n > 0 and d == 1:
            return For(n)
    if match := _FIXED.fullmatch(text):
        return Fixed(parse_cents(match[1].replace(",", "")))
    if (match := _SHARE.fullmatch(text)) and 0 < int(match[1]) <= 100:
        return MeterShare(match[2], int(match[1]))
    raise BadData(
        f"{shown(text)} is not a payout: write '3 to 2', '300 for 1', '$1,000', '10% of main' or "
        "'push'"
    )


def pays_object(pays: Pays) -> dict[str, object]:
    """The JSON form of a payout."""
    match pays:
        case To():
            return {"to": [pays.n, pays.d]}
        case For():
            return {"for": pays.n}
        case Fixed():
            whole, part = divmod(pays.cents, 100)
            return {"fixed": pays.cents / 100 if part else whole}
        case MeterShare():
            return {"meter": pays.meter, "percent": pays.percent}
        case Push():
            return {"push": True}
