"""The balance of an account after each command."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from croupier.cashier.commands import Deposit, PayOut
from croupier.errors import BadAmount, Refusal
from croupier.money import MOST_CENTS, dollars

MOST_HELD: Final = 10_000_000_000
"""In cents: a cashier refuses a deposit that would bring an account above this amount. Winnings are
paid in without a limit."""


class ToTable(msgspec.Struct, frozen=True, tag="to_table"):
    """The player bought in from the account, by entry `entry` of the table."""

    table: str
    entry: int
    cents: int


class FromTable(msgspec.Struct, frozen=True, tag="from_table"):
    """The player's chips were cashed out to the account, by entry `entry` of the table."""

    table: str
    entry: int
    cents: int


AccountCommand: TypeAlias = Deposit | PayOut | ToTable | FromTable


def balance_after(balance: int, command: AccountCommand) -> int:
    """Return the new balance, in cents. No account may be overdrawn."""
    cents = command.amount if isinstance(command, Deposit | PayOut) else command.cents
    if not 0 < cents <= MOST_CENTS:
        raise BadAmount(f"{dollars(cents)} is not an amount that can change hands")
    if isinstance(command, PayOut | ToTable):
        if cents > balance:
            raise Refusal(
                f"the account holds {dollars(balance)}, not {dollars(cents)}",
                code="not_enough_money",
            )
        return balance - cents
    after = balance + cents
    if isinstance(command, Deposit) and after > MOST_HELD:
        raise Refusal(
            f"an account holds {dollars(MOST_HELD)} at most, and {dollars(balance)} is there",
            code="over_limit",
        )
    return after
