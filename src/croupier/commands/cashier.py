"""`croupier cashier`: players' accounts with the cashier, from the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeGuard

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from croupier.commands.journal import opened
from croupier.commands.output import console, print_json
from croupier.commands.stderr import print_error, print_refusal
from croupier.errors import BadRequest, Refusal, RuleBroken, plain, suggest
from croupier.ledger.data_folder import journal_to_write
from croupier.ledger.journal import open_journal
from croupier.ledger.signatures.chain import ChainBroken
from croupier.money import dollars, format_cents
from croupier.rounds.declaration import CASHIERS, Actor, Role
from croupier.runtime.cashier_session import CashierSession, account_holders
from croupier.runtime.house_terms import house_limits, set_house_limits
from croupier.runtime.signing import signing
from croupier.tables.command_input import (
    cashier_command_from_words,
    cents_from_words,
    checked_name,
)

__all__ = ["give", "limits", "list_accounts", "show_account"]

MOST_LINES = 100


def list_accounts(journal: str | None, *, as_json: bool) -> int:
    rows: dict[str, int] = {}
    damaged: dict[str, str] = {}
    with opened(journal) as store:
        for name in account_holders(store):
            try:
                rows[name] = CashierSession(store, name).held.cents
            except ChainBroken as error:  # somebody wrote into the database: the others are shown
                damaged[name] = error.message
    for message in damaged.values():
        print_error(message)
    code = 1 if damaged else 0
    if as_json:
        held = {name: format_cents(cents) for name, cents in rows.items()}
        told = {"accounts": held, "held": format_cents(sum(rows.values()))}
        print_json(told | ({"damaged": damaged} if damaged else {}))
        return code
    if not rows and not damaged:
        console().print("Nobody has an account: `croupier cashier deposit NAME AMOUNT` opens one.")
        return code
    grid = Grid("person", "balance", box=None, padding=(0, 2, 0, 0))
    for name, cents in rows.items():
        grid.add_row(Text(name), dollars(cents))
    grid.add_row("held in all", dollars(sum(rows.values())))
    console().print(grid)
    return code


def show_account(person: str, journal: str | None, *, as_json: bool) -> int:
    with opened(journal) as store:
        session = CashierSession(store, person)
        cents, lines = session.held.cents, list(session.latest(MOST_LINES))
    if as_json:
        told = [
            msgspec.json.decode(entry.body) | {"at": entry.at, "balance": format_cents(one.balance)}
            for entry, one in lines
        ]
        print_json({"person": person, "balance": format_cents(cents), "entries": told})
        return 0
    console().print(Text(f"{plain(person)} has {dollars(cents)} with the cashier"))
    grid = Grid("when", "what", "by", "balance", box=None, padding=(0, 2, 0, 0))
    for entry, one in lines:
        what = f"{entry.version}: {entry.kind.replace('_', ' ')}"
        what += " proposed" if one.waits else ""
        grid.add_row(entry.at[:19], what, Text(str(one.by)), dollars(one.balance))
    console().print(grid)
    return 0


def give(
    person: str,
    tag: str,
    fields: dict[str, str],
    acting: str | None,
    journal: str | None,
    request: str | None,
    *,
    as_json: bool,
) -> int:
    """A deposit or a payment, in the name of whoever acts."""
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
        balance = format_cents(done.cents)
        told = {"person": person, "balance": balance, "version": done.version}
        print_json(told | {"repeated": done.repeated, "waits": done.waits})
        return 0
    if done.waits:
        again = f"--confirms {done.version} --as cashier:NAME"
        console().print(Text(f"It waits for a second cashier, who gives the same with {again}"))
    console().print(Text(f"{plain(person)} has {dollars(done.cents)} with the cashier"))
    return 0


def limits(wanted: Mapping[str, str | None], journal: str | None, *, as_json: bool) -> int:
    """Show the limits of the house, after setting those that are named."""
    cents = {name: cents_from_words(text) for name, text in wanted.items() if text is not None}
    if cents:
        with open_journal(journal_to_write(journal)) as store, signing(store):
            in_force = set_house_limits(store, "house", **cents)
    else:
        with opened(journal) as store:
            in_force = house_limits(store)
    if as_json:
        print_json({name: format_cents(getattr(in_force, name)) for name in wanted})
        return 0
    grid = Grid("one person alone", "up to", box=None, padding=(0, 2, 0, 0))
    for name in wanted:
        grid.add_row(_LIMITS[name], dollars(getattr(in_force, name)))
    console().print(grid)
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


def _cashier(acting: str | None) -> Actor:
    """Who acts has to be said: nothing is done in nobody's name."""
    role, sign, name = (acting or "").partition(":")
    if not sign or not name.strip():
        raise BadRequest("who acts? Add --as ROLE:NAME, as in --as cashier:Cleo")
    if not _keeps_accounts(role):
        raise suggest("role", role, CASHIERS)
    return Actor(role, checked_name(name.strip()))


def _keeps_accounts(role: str) -> TypeGuard[Role]:
    return role in CASHIERS
