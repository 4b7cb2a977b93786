"""The signatures of `croupier cashier`: players' accounts from the command line."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from croupier.commands.signatures.common import AsJson, Journal, unwrapped

__all__ = ["cashier_app"]

Cashier = Annotated[
    str | None, Parameter(name="--as", help="Who acts: cashier:NAME or operator:NAME.")
]
Request = Annotated[
    str | None,
    Parameter(help="A key of your own: what arrives twice under it is done once."),
]

cashier_app = App(
    name="cashier",
    help=unwrapped(
        """Players' accounts with the cashier: deposits, payments and balances. A player buys in
        from the account at tables with virtual cards, and what is cashed out goes back to it."""
    ),
)


@cashier_app.command(name="list")
def cashier_list(*, journal: Journal = None, json: AsJson = False) -> int:
    """Every account and what it holds."""
    from croupier.commands import cashier as module

    return module.list_accounts(journal, as_json=json)


@cashier_app.command(name="show")
def cashier_show(person: str, /, *, journal: Journal = None, json: AsJson = False) -> int:
    """What an account holds, and its last hundred entries.

    Parameters
    ----------
    person
        The player's name.
    """
    from croupier.commands import cashier as module

    return module.show_account(person, journal, as_json=json)


@cashier_app.command(name="limits")
def cashier_limits(
    *,
    correction: str | None = None,
    buy_in: str | None = None,
    buy_ins: str | None = None,
    payout: str | None = None,
    deposit: str | None = None,
    deposits: str | None = None,
    pay_out: str | None = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Show what one person may do alone, or set it. Above these sums a second person confirms.

    For example: croupier cashier limits --correction 200 --pay-out 5,000

    Parameters
    ----------
    correction
        Dollars that single people correct at a table in a day, together.
    buy_in
        Dollars for which one player buys in at a live table in a day, on the dealer's word.
    buy_ins
        The same for all players at the table together.
    payout
        Dollars that a dealer pays to a seat at a live table in a round.
    deposit
        Dollars that single cashiers take for one account in a day.
    deposits
        The same for all accounts together.
    pay_out
        Dollars that single cashiers pay from one account in a day.
    """
    from croupier.commands import cashier as module

    wanted = {
        **{"correction": correction, "buy_in": buy_in, "buy_ins": buy_ins},
        **{"payout": payout, "deposit": deposit, "deposits": deposits, "pay_out": pay_out},
    }
    return module.limits(wanted, journal, as_json=json)


@cashier_app.command(name="deposit")
def cashier_deposit(
    person: str,
    amount: str,
    /,
    *,
    receipt: str = "",
    confirms: int = 0,
    acting: Cashier = None,
    request: Request = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Money that was taken from a player goes to the account.

    For example: croupier cashier deposit ann 500 --receipt R-17 --as cashier:Cleo

    Parameters
    ----------
    person
        The player's name.
    amount
        In dollars.
    receipt
        Its number, or how the money was paid.
    confirms
        The entry of another cashier that waits for a second person.
    """
    from croupier.commands import cashier as module

    fields = {"amount": amount, "receipt": receipt, "confirms": str(confirms or "")}
    return module.give(person, "deposit", fields, acting, journal, request, as_json=json)


@cashier_app.command(name="pay-out")
def cashier_pay_out(
    person: str,
    amount: str,
    /,
    *,
    receipt: str = "",
    confirms: int = 0,
    acting: Cashier = None,
    request: Request = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Give a player money from the account; no more than it holds.

    Parameters
    ----------
    person
        The player's name.
    amount
        In dollars.
    receipt
        Its number, or how the money was paid.
    confirms
        The entry of another cashier that waits for a second person.
    """
    from croupier.commands import cashier as module

    fields = {"amount": amount, "receipt": receipt, "confirms": str(confirms or "")}
    return module.give(person, "pay_out", fields, acting, journal, request, as_json=json)


for _given in (cashier_list, cashier_show, cashier_limits, cashier_deposit, cashier_pay_out):
    _given.__doc__ = unwrapped(_given.__doc__ or "")
