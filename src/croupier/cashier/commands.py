"""Commands of a cashier about a player's account. All other changes follow from play."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, get_args

from msgspec import Meta

from croupier.rounds.declaration import CASHIERS, Amount, Command, Declaration, MoneyCommand

Receipt: TypeAlias = Annotated[
    str,
    Meta(max_length=60, title="Receipt", description="Its number, or how the money was paid"),
]

Confirms: TypeAlias = Annotated[
    int,
    Meta(ge=0, le=2**53, description="The entry of another cashier that this is the second of"),
]


class Deposit(MoneyCommand, frozen=True, tag="deposit"):
    """Take a deposit: the player's money goes to their account."""

    declared = Declaration(
        CASHIERS,
        "Take a deposit",
        "take a deposit",
        help="The money goes to the player's account.",
    )
    amount: Amount
    receipt: Receipt = ""
    confirms: Confirms = 0


class PayOut(MoneyCommand, frozen=True, tag="pay_out"):
    """Pay the player from their account."""

    declared = Declaration(
        CASHIERS,
        "Pay out",
        "pay out of an account",
        help="The money comes out of the player's account.",
    )
    amount: Amount
    receipt: Receipt = ""
    confirms: Confirms = 0


CashierCommand: TypeAlias = Deposit | PayOut

CASHIER_COMMANDS: Final[dict[str, type[Command]]] = {
    str(command.__struct_config__.tag): command for command in get_args(CashierCommand)
}
"""Every command of a cashier by its name in JSON."""
