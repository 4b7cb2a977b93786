"""What the five rulebooks share: money in cents, lines, meters, comparison, limits, envy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

DOLLAR = 100


# Money ------------------------------------------------------------------------------------------


def cents(amount: object) -> int:
    """Money as the contract writes it: a decimal string or an integer, never a float."""
    if isinstance(amount, bool) or not isinstance(amount, (int, str)):
        raise ValueError(f"no amount: {amount!r}")
    try:
        exact = Decimal(amount) * 100
        whole = int(exact)
    except (InvalidOperation, OverflowError, ValueError) as problem:
        raise ValueError(f"no amount: {amount!r}") from problem
    if exact != whole or whole < 0:
        raise ValueError(f"no amount: {amount!r}")
    return whole


def money(amount: int) -> str:
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


# What a paytable line pays ----------------------------------------------------------------------


@dataclass(frozen=True)
class To:
    """n to d: the stake comes back as well."""

    n: int
    d: int = 1


@dataclass(frozen=True)
class For:
    """n for 1: the stake is part of it."""

    n: int


@dataclass(frozen=True)
class Fixed:
    dollars: int


@dataclass(frozen=True)
class Share:
    """A percentage of a meter."""

    percent: int
    meter: str


@dataclass(frozen=True)
class Push:
    pass


Pay = To | For | Fixed | Share | Push
Paytable = Mapping[str, Pay]
ONE_TO_ONE = To(1)


def odds_cents(stake: int, pay: To) -> int:
    """Exact, and half cents go to the player (MD-56, B29)."""
    return -(-stake * pay.n // pay.d)


# Lines ------------------------------------------------------------------------------------------


@dataclass
class Line:
    """One wager's outcome: `won` without the returned stake, `lost` is what the house keeps."""

    wager: str
    stake: int
    result: str
    won: int = 0
    lost: int = 0

    @property
    def net(self) -> int:
        return self.won - self.lost


def win(wager: str, stake: int, pay: To) -> Line:
    return Line(wager, stake, "win", won=odds_cents(stake, pay))


def lose(wager: str, stake: int) -> Line:
    return Line(wager, stake, "lose", lost=stake)


def push(wager: str, stake: int) -> Line:
    return Line(wager, stake, "push")


def by_table(wager: str, stake: int, table: Paytable, hand: str) -> Line:
    """A wager against a table of odds: a rank that is not listed loses (MD-61)."""
    pay = table.get(hand)
    if pay is None:
        return lose(wager, stake)
    if isinstance(pay, To):
        return win(wager, stake, pay)
    if isinstance(pay, Fixed):
        # On top of the returned stake (contract, MD-21).
        return Line(wager, stake, "win", won=pay.dollars * DOLLAR)
    if isinstance(pay, Push):
        return push(wager, stake)
    raise AssertionError(f"{wager} does not pay {pay}")


# Meters and the progressive ---------------------------------------------------------------------


@dataclass
class Meters:
    seeds: dict[str, int]
    shown: dict[str, int]

    @classmethod
    def opened(cls, seeds: Mapping[str, int], given: Mapping[str, Any]) -> Meters:
        """Seeds in cents; meters left out of the request start at their reset amount."""
        if not set(given) <= set(seeds):
            raise ValueError(f"unknown meter among {sorted(given)}")
        shown = {name: cents(given.get(name, money(seed))) for name, seed in seeds.items()}
        return cls(dict(seeds), shown)

    def take(self, share: Share) -> int:
        """Read when it is the player's turn, deducted at once, 100 % resets (MD-27, A17, B14)."""
        amount = self.shown[share.meter] * share.percent // 100
        self.shown[share.meter] -= amount
        if share.percent == 100:
            self.shown[share.meter] = self.seeds[share.meter]
        return amount

    def output(self) -> dict[str, str]:
        return {name: money(amount) for name, amount in self.shown.items()}


def progressive(stake: int, pay: Pay | None, meters: Meters) -> Line:
    """The chip is in the tray before the deal: what is received is all that comes back."""
    if pay is None:
        return lose("progressive", stake)
    if isinstance(pay, Share):
        received = meters.take(pay)
    elif isinstance(pay, Fixed):
        received = pay.dollars * DOLLAR
    elif isinstance(pay, For):
        received = pay.n * stake
    elif isinstance(pay, To):
        received = odds_cents(stake, pay) + stake  # MD-22
    else:
        raise AssertionError("a progressive never pushes")
    return Line("progressive", stake, "win", won=received, lost=stake)


# Limits -----------------------------------------------------------------------------------------


def cut(lines: Iterable[Line], limit: int) -> None:
    """Reduce winnings to the limit, taking from these lines in the order given."""
    queue = list(lines)
    excess = sum(line.won for line in queue) - limit
    for line in queue:
        if excess <= 0:
            return
        taken = min(excess, line.won)
        line.won -= taken
        excess -= taken


def cut_largest(lines: Iterable[Line], limit: int) -> None:
    """MD-36: what is not paid is recorded against the largest win (then the next largest)."""
    cut(sorted(lines, key=lambda line: line.won, reverse=True), limit)


def cut_last(lines: Iterable[Line], limit: int) -> None:
    """A29: the last settled is cut first."""
    cut(reversed(list(lines)), limit)


# Seats and the round ----------------------------------------------------------------------------


@dataclass
class Account:
    """One seat's settlement: its lines, its announced hand, and what envy needs to know."""

    seat: int
    person: str
    hand: str
    lines: list[Line] = field(default_factory=list)
    live_progressive: int = 0  # the stake, 0 where there is none or it died with a fold
    envy_hand: str = ""  # the hand that others may be paid an envy bonus for, else ''

    def output(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "hand": self.hand,
            "net": money(sum(line.net for line in self.lines)),
            "lines": [
                {
                    "wager": line.wager,
                    "stake": money(line.stake),
                    "result": line.result,
                    "net": money(line.net),
                }
                for line in self.lines
            ],
        }


def add_envy(accounts: list[Account], amount: Callable[[int, str], int]) -> None:
    """One award per live progressive bet and qualifying hand of another person (MD-32, C18)."""
    for receiver in accounts:
        if not receiver.live_progressive:
            continue
        total = sum(
            amount(receiver.live_progressive, holder.envy_hand)
            for holder in accounts
            if holder.envy_hand and holder.person != receiver.person
        )
        if total:
            receiver.lines.append(Line("envy", 0, "win", won=total))


def counterclockwise(numbers: Iterable[int]) -> list[int]:
    """From the dealer's far right: the highest seat first."""
    return sorted(numbers, reverse=True)
