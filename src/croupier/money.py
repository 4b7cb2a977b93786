"""Exact amounts and what a paytable line pays.

Inside the program amounts are integer cents; the library hands them out as `Money`. Floats are
never used for money. A line pays odds, a fixed sum, a share of a meter, or pushes. Odds are `to`
(the stake comes back as well) or `for` (it does not). Dealers and rulebook files write `3 to 2`,
`300 for 1`, `$1,000`, `10% of main` and `push`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from croupier.errors import BadAmount, BadData, shown

_AMOUNT: Final = re.compile(r"(-?)([0-9]{1,15})(?:\.([0-9]{1,2}))?")
MOST_CENTS: Final = 10**15

if TYPE_CHECKING:
    from fractions import Fraction

    Cents: TypeAlias = int
else:

    class Cents(int):
        """Marks an amount that is written as dollars in JSON, `"7.50"`. In Python give plain
        integers; commands wrap them when they are written."""

        __slots__ = ()


def parse_cents(value: object) -> int:
    """Read dollars, `"7.50"`, `"10"` or the integer 10, or a `Money`, as cents.

    Floats and parts of a cent are refused.
    """
    if isinstance(value, Money):
        return value.cents
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
    """Write cents as dollars with two decimals, as JSON has them: `"7.50"`, `"-10.00"`."""
    sign = "-" if cents < 0 else ""
    cents = abs(cents)
    return f"{sign}{cents // 100}.{cents % 100:02d}"


def dollars(cents: int) -> str:
    """Write cents as dollars for people: `$12,500`, `$7.50`, `-$10`."""
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}${whole:,}" + (f".{part:02d}" if part else "")


class Money:
    """An exact amount of dollars and cents: `Money("7.50")`, `Money(10)`.

    Every amount that the library returns is a `Money`, and every amount that it takes may be one.
    It prints as `$7.50`, adds and compares with other amounts and with whole dollars, and refuses
    floats. Dividing by another amount gives a `Fraction`.
    """

    __slots__ = ("cents",)
    cents: int
    """The amount in cents."""

    def __new__(cls, amount: Amount = 0) -> Money:
        return amount if isinstance(amount, Money) else cls.of_cents(parse_cents(amount))

    @classmethod
    def of_cents(cls, cents: int) -> Money:
        """Return an amount given in cents: `Money.of_cents(750)` is $7.50."""
        money = object.__new__(cls)
        object.__setattr__(money, "cents", cents)
        return money

    @property
    def text(self) -> str:
        """The amount as JSON writes it, always with two decimals: `"7.50"`."""
        return format_cents(self.cents)

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"an amount does not change: {name} cannot be set")

    def __reduce__(self) -> tuple[Callable[[int], Money], tuple[int]]:
        return Money.of_cents, (self.cents,)

    def __copy__(self) -> Money:
        return self

    def __deepcopy__(self, _: object) -> Money:
        return self

    def __repr__(self) -> str:
        return f"Money('{self.text}')"

    def __str__(self) -> str:
        return dollars(self.cents)

    def __format__(self, form: str) -> str:
        """Format the amount; `f"{net:+}"` also shows the sign of a win: `+$7.50`."""
        if form.startswith("+"):
            return format(f"{'+' if self.cents > 0 else ''}{self}", form[1:])
        return format(str(self), form)

    def __hash__(self) -> int:
        whole, part = divmod(self.cents, 100)
        return hash((whole, part)) if part else hash(whole)  # whole dollars equal the integer

    def __bool__(self) -> bool:
        return self.cents != 0

    def __eq__(self, amount: object) -> bool:
        cents = _cents_beside(amount)
        return NotImplemented if cents is None else self.cents == cents

    def __lt__(self, amount: Money | int) -> bool:
        cents = _cents_beside(amount)
        return NotImplemented if cents is None else self.cents < cents

    def __le__(self, amount: Money | int) -> bool:
        cents = _cents_beside(amount)
        return NotImplemented if cents is None else self.cents <= cents

    def __gt__(self, amount: Money | int) -> bool:
        cents = _cents_beside(amount)
        return NotImplemented if cents is None else self.cents > cents

    def __ge__(self, amount: Money | int) -> bool:
        cents = _cents_beside(amount)
        return NotImplemented if cents is None else self.cents >= cents

    def __add__(self, amount: Money | int) -> Money:
        cents = _cents_beside(amount)
        return NotImplemented if cents is None else Money.of_cents(self.cents + cents)

    __radd__ = __add__

    def __sub__(self, amount: Money | int) -> Money:
        cents = _cents_beside(amount)
        return NotImplemented if cents is None else Money.of_cents(self.cents - cents)

    def __rsub__(self, amount: int) -> Money:
        cents = _cents_beside(amount)
        return NotImplemented if cents is None else Money.of_cents(cents - self.cents)

    def __mul__(self, times: int) -> Money:
        return Money.of_cents(self.cents * index(times))

    __rmul__ = __mul__

    def __truediv__(self, amount: Money | int) -> Fraction:
        """Return the exact ratio to another amount; divided by a whole number, return the share in
        dollars."""
        from fractions import Fraction  # takes a while, and settling does without

        if isinstance(amount, Money):
            return Fraction(self.cents, amount.cents)
        return Fraction(self.cents, 100 * index(amount))

    def __neg__(self) -> Money:
        return Money.of_cents(-self.cents)

    def __abs__(self) -> Money:
        return Money.of_cents(abs(self.cents))


Amount: TypeAlias = Money | str | int
"""Dollars: `"7.50"`, the whole number 10, or a `Money`. Never a float."""


def _cents_beside(amount: object) -> int | None:
    """Return an amount or whole dollars as cents. Anything else can neither be added nor
    compared."""
    if isinstance(amount, Money):
        return amount.cents
    if isinstance(amount, int) and not isinstance(amount, bool):
        return amount * 100
    return None


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
    """`n for 1`: the player receives n stakes in all; the stake itself is not returned."""

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
    """Return the JSON form of a payout."""
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
