"""Players' accounts with the cashier: pure, no journal, no clock.

A cashier takes deposits and pays out; a player buys in from their account at a virtual table, and
their cash-outs there go back to it. `balance_after(balance, command)` returns the new balance or
refuses.
"""

from croupier.cashier.accounts import AccountCommand, FromTable, ToTable, balance_after
from croupier.cashier.commands import CASHIER_COMMANDS, CashierCommand, Deposit, PayOut

__all__ = [
    "CASHIER_COMMANDS",
    "AccountCommand",
    "CashierCommand",
    "Deposit",
    "FromTable",
    "PayOut",
    "ToTable",
    "balance_after",
]
