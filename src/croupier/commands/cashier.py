"""`croupier cashier`: players' accounts with the cashier, from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import App, Parameter

from croupier.commands.journal import opened
from croupier.commands.options import AsJson, Journal, Request, documented, unwrapped
from croupier.commands.output import console, print_error, print_json, print_refusal, table
from croupier.errors import BadRequest, Refusal, RuleBroken, plain, suggest

if TYPE_CHECKING:
    from croupier.rounds.declaration import Actor

Cashier = Annotated[
    str | None, Parameter(name="--as", help="Who acts: cashier:NAME or operator:NAME.")
]

MOST_LINES: Final = 100

cashier = App(
    name="cashier",
    help=unwrapped(
        """Players' accounts with the cashier. Deposits, payments and balances: a player buys in
        from the account at tables with virtual cards, and what is cashed out goes back to it."""
    ),
)


@cashier.command(name="list")
@documented
def list_accounts(*, journal: Journal = None, json: AsJson = False) -> int:
    """Every account and what it holds."""
    from rich.text import Text

    from croupier.ledger.signatures.chain import ChainBroken
    from croupier.money import dollars, format_cents
    from croupier.runtime.cashier_session import CashierSession, account_holders

    balances: dict[str, int] = {}
    damaged: dict[str, str] = {}
    with opened(journal) as store:
        for name in account_holders(store):
            try:
                balances[name] = CashierSession(store, name).held.cents
            except ChainBroken as error:  # tampered database: show the other accounts
                damaged[name] = error.message
    for message in damaged.values():
        print_error(message)
    code = 1 if damaged else 0
    if json:
        accounts = {name: format_cents(cents) for name, cents in balances.items()}
        answer = {"accounts": accounts, "held": format_cents(sum(balances.values()))}
        print_json(answer | ({"damaged": damaged} if damaged else {}))
        return code
    if not balances and not damaged:
        console().print("Nobody has an account: `croupier cashier deposit NAME AMOUNT` opens one.")
        return code
    drawn = table("person", "balance")
    for name, cents in balances.items():
        drawn.add_row(Text(name), dollars(cents))
    drawn.add_row("all accounts", dollars(sum(balances.values())))
    console().print(drawn)
    return code


@cashier.command(name="show")
@documented
def show(person: str, /, *, journal: Journal = None, json: AsJson = False) -> int:
    """The balance of an account, and its last hundred entries.

    Parameters
    ----------
    person
        The player's name.
    """
    import msgspec
    from rich.text import Text

    from croupier.money import dollars, format_cents
    from croupier.runtime.cashier_session import CashierSession

    with opened(journal) as store:
        session = CashierSession(store, person)
        cents, lines = session.held.cents, list(session.latest(MOST_LINES))
    if json:
        entries = [
            msgspec.json.decode(entry.body)
            | {"at": entry.at, "balance": format_cents(line.balance)}
            for entry, line in lines
        ]
        print_json({"person": person, "balance": format_cents(cents), "entries": entries})
        return 0
    console().print(f"{plain(person)} has {dollars(cents)} with the cashier")
    drawn = table("when", "entry", "by", "balance")
    for entry, line in lines:
        words = f"{entry.version}: {entry.kind.replace('_', ' ')}"
        words += " proposed" if line.waits else ""
        drawn.add_row(entry.at[:19], words, Text(str(line.by)), dollars(line.balance))
    console().print(drawn)
    return 0


_LIMITS: Final = {
    "correction": "corrects at a table in a day",
    "buy_in": "buys in for a player at a live table in a day",
    "buy_ins": "buys in for all players at a live table in a day",
    "payout": "pays to a seat at a live table in a round",
    "deposit": "takes for an account in a day",
    "deposits": "takes for all accounts in a day",
    "pay_out": "pays from an account in a day",
}


@cashier.command(name="limits")
@documented
def limits(
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

        croupier cashier limits --correction 200 --pay-out 5,000

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
    from croupier.ledger.data_folder import journal_to_write
    from croupier.ledger.journal import open_journal
    from croupier.money import dollars, format_cents
    from croupier.runtime.house_terms import house_limits, set_house_limits
    from croupier.runtime.signing import signing
    from croupier.tables.command_input import cents_from_words

    words = (correction, buy_in, buy_ins, payout, deposit, deposits, pay_out)
    cents = {
        name: cents_from_words(text)
        for name, text in zip(_LIMITS, words, strict=True)
        if text is not None
    }
    if cents:
        with open_journal(journal_to_write(journal)) as store, signing(store):
            in_force = set_house_limits(store, "house", **cents)
    else:
        with opened(journal) as store:
            in_force = house_limits(store)
    if json:
        print_json({name: format_cents(getattr(in_force, name)) for name in _LIMITS})
        return 0
    drawn = table("one person alone", "up to")
    for name, meaning in _LIMITS.items():
        drawn.add_row(meaning, dollars(getattr(in_force, name)))
    console().print(drawn)
    return 0


@cashier.command(name="deposit")
@documented
def deposit(
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
    """Credit money taken from a player to their account.

        croupier cashier deposit ann 500 --receipt R-17 --as cashier:Cleo

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
    fields = {"amount": amount, "receipt": receipt, "confirms": str(confirms or "")}
    return _give(person, "deposit", fields, acting, journal, request, as_json=json)


@cashier.command(name="pay-out")
@documented
def pay_out(
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
    fields = {"amount": amount, "receipt": receipt, "confirms": str(confirms or "")}
    return _give(person, "pay_out", fields, acting, journal, request, as_json=json)


def _give(
    person: str,
    tag: str,
    fields: dict[str, str],
    acting: str | None,
    journal: str | None,
    request: str | None,
    *,
    as_json: bool,
) -> int:
    """Carry out a deposit or a payment in the name of the person who acts."""
    from croupier.money import dollars, format_cents
    from croupier.runtime.cashier_session import CashierSession
    from croupier.tables.command_input import cashier_command_from_words, checked_name

    actor = _cashier(acting)
    checked_name(person)
    words = [f"{name}={value}" for name, value in fields.items() if value]
    command = cashier_command_from_words(tag, words, actor)
    with opened(journal) as store:
        key = None if request is None else f"{actor}:{request}"
        try:
            done = CashierSession(store, person).carry_out(command, actor, key)
        except (Refusal, RuleBroken) as error:
            print_refusal(error, as_json=as_json)
            return 1
    if as_json:
        answer = {
            "person": person,
            "balance": format_cents(done.cents),
            "version": done.version,
            "repeated": done.repeated,
            "waits": done.waits,
        }
        print_json(answer)
        return 0
    if done.waits:
        again = f"--confirms {done.version} --as cashier:NAME"
        console().print(f"It waits for a second cashier, who gives the same with {again}")
    console().print(f"{plain(person)} has {dollars(done.cents)} with the cashier")
    return 0


def _cashier(acting: str | None) -> Actor:
    """Return the person of `--as`, which is required."""
    from croupier.rounds.declaration import CASHIERS, Actor
    from croupier.tables.command_input import checked_name

    role, colon, name = (acting or "").partition(":")
    if not colon or not name.strip():
        raise BadRequest("who acts? Add --as ROLE:NAME, as in --as cashier:Cleo")
    for known in CASHIERS:
        if role == known:
            return Actor(known, checked_name(name.strip()))
    raise suggest("role", role, CASHIERS)
