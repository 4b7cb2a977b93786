"""The cashier's desk (players' accounts, deposits and payments) and each player's own account."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Final

import msgspec
from litestar import Controller, get, post
from litestar.params import QueryParameter

from croupier.cashier import CASHIER_COMMANDS, Deposit, FromTable, PayOut
from croupier.errors import Refusal, shown
from croupier.ledger.entries import Entry
from croupier.ledger.records.cashier_entries import AccountRecord
from croupier.money import format_cents
from croupier.rounds.declaration import CASHIERS, Actor
from croupier.runtime.cashier_session import CashierSession, account_holders
from croupier.tables.command_input import cashier_command_from_json
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.roles import READ_ACCOUNTS
from croupier.web.server.problems import PROBLEMS
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.tables.pit import Pit, ThePit
from croupier.web.tables.table_routes import Key
from croupier.web.tables.work import CommandForm, command_forms

MOST_LINES: Final = 100
MOST_ACCOUNTS: Final = 200


class AccountLine(msgspec.Struct, frozen=True):
    """One transaction of an account, and the balance after it."""

    at: str
    type: str
    amount: str
    """Negative if money left the account."""
    balance: str
    by: str
    table: str
    receipt: str
    entry: int = 0
    waits: bool = False
    """The transaction waits for another cashier to confirm it."""
    confirms: int = 0


class AccountForm(msgspec.Struct, frozen=True):
    person: str
    balance: str
    lines: tuple[AccountLine, ...]
    """The last hundred, newest first."""


class AccountRow(msgspec.Struct, frozen=True):
    person: str
    balance: str


class AccountsForm(msgspec.Struct, frozen=True):
    """Accounts in a list. `held` is the total that the cashier holds for all players."""

    accounts: tuple[AccountRow, ...]
    held: str
    more: bool
    """More accounts match than are listed: narrow the list by the beginning of a name."""
    commands: tuple[CommandForm, ...]
    """Commands that the asker may give."""


class AccountDone(msgspec.Struct, frozen=True):
    balance: str
    version: int
    repeated: bool
    waits: bool = False
    """No money has moved: another cashier must confirm entry `version`."""


Begins = Annotated[str, QueryParameter(max_length=60, description="Names that begin with it")]


class Cashier(Controller):
    path = "/api/v1"
    tags = ("cashier",)

    @get("/account", summary="Your own account", responses=PROBLEMS)
    async def own(self, request: AnyRequest, pit: ThePit) -> AccountForm:
        """Return the balance that the cashier holds for you, and its transactions."""
        person = visit_of(request).signed_in()
        return await pit.looking_back(lambda: _form(pit, person.name))

    @get("/cashier/accounts", summary="Players' accounts", responses=PROBLEMS)
    async def accounts(self, request: AnyRequest, pit: ThePit, begins: Begins = "") -> AccountsForm:
        person = visit_of(request).working("see players' accounts", *READ_ACCOUNTS)
        may = {
            tag: account
            for tag, account in CASHIER_COMMANDS.items()
            if person.role in account.declared.by
        }
        return await pit.looking_back(lambda: _listed(pit, begins, command_forms(may)))

    @get("/cashier/accounts/{person:str}", summary="An account", responses=PROBLEMS)
    async def account(self, request: AnyRequest, person: NameInPath, pit: ThePit) -> AccountForm:
        visit_of(request).working("see players' accounts", *READ_ACCOUNTS)
        return await pit.looking_back(lambda: _form(pit, person))

    @post(
        "/cashier/accounts/{person:str}/commands",
        status_code=200,
        summary="A deposit or a payment",
        responses=PROBLEMS,
    )
    async def command(
        self, request: AnyRequest, person: NameInPath, key: Key, pit: ThePit
    ) -> AccountDone:
        """Carry out the command completely, or refuse it and change nothing."""
        cashier = visit_of(request).working("keep players' accounts", *CASHIERS)
        actor = Actor("operator" if cashier.role == "operator" else "cashier", cashier.name)
        command = cashier_command_from_json(await request.body(), actor)
        _check_real(pit)
        if isinstance(command, Deposit):
            await pit.blocking(lambda: _check_player(pit, person))
        session = CashierSession(pit.journal, person)
        done = await pit.blocking(lambda: session.carry_out(command, actor, f"{actor}:{key}"))
        return AccountDone(format_cents(done.cents), done.version, done.repeated, done.waits)


def _check_real(pit: Pit) -> None:
    if pit.settings.demo:
        raise Refusal(
            "in the demo chips are worth nothing, so nobody has an account with the cashier",
            code="only_demo",
        )


def _check_player(pit: Pit, name: str) -> None:
    """Refuse unless this person is a player: only players make deposits."""
    role = pit.people.role_of(name)
    if role != "player":
        raise Refusal(f"{shown(name)} is {role} here, and does not play", code="wrong_role")


def _form(pit: Pit, person: str) -> AccountForm:
    session = CashierSession(pit.journal, person)
    waiting = {number for number, _ in session.pending()}
    lines = tuple([_line(*line, waiting) for line in session.latest(MOST_LINES)])
    return AccountForm(person, lines[0].balance if lines else format_cents(0), lines)


def _line(entry: Entry, record: AccountRecord, waiting: Collection[int]) -> AccountLine:
    command = record.command
    table, receipt, confirms = "", "", 0
    if isinstance(command, Deposit | PayOut):
        cents, receipt, confirms = command.amount, command.receipt, command.confirms
    else:
        cents, table = command.cents, command.table
    came = isinstance(command, Deposit | FromTable)
    return AccountLine(
        at=entry.at,
        type=entry.kind,
        amount=format_cents(cents if came else -cents),
        balance=format_cents(record.balance),
        by=str(record.by),
        table=table,
        receipt=receipt,
        entry=entry.version,
        waits=entry.version in waiting,
        confirms=confirms,
    )


def _listed(pit: Pit, begins: str, commands: tuple[CommandForm, ...]) -> AccountsForm:
    balances = pit.journal.balances("cashier:")
    names = [account for account in account_holders(pit.journal) if account.startswith(begins)]
    rows = [
        AccountRow(account, format_cents(balances.get(f"cashier:{account}", 0)))
        for account in sorted(names)[:MOST_ACCOUNTS]
    ]
    held = format_cents(sum(balances.values()))
    return AccountsForm(tuple(rows), held, len(names) > MOST_ACCOUNTS, commands)
