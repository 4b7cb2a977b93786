"""Players' accounts with the cashier: what they hold, who spends it, and what `verify` says when
somebody has changed it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest

from croupier.cashier import Deposit, PayOut
from croupier.cashier.accounts import MOST_HELD
from croupier.errors import BadAmount, Refusal
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.maintenance.reindex import reindex
from croupier.ledger.records.cashier_entries import account_of_stream, account_stream, read_account
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import Actor
from croupier.runtime.cashier_session import CashierSession, account_holders
from croupier.runtime.journal_session import JournalSession
from croupier.tables.commands import BuyIn, CashOut, OpenTable, TakeSeat
from tests.ledger.forgery import behind_our_back, change, rechain

CLEO, OLGA, ANN = Actor("cashier", "Cleo"), Actor("operator", "Olga"), Actor("player", "ann")


def _opened(
    store: Journal, *names: str, source: Literal["virtual", "live"] = "virtual"
) -> list[JournalSession]:
    tables = [JournalSession(store, name) for name in names]
    for seat, table in enumerate(tables, 1):
        opening = OpenTable(
            table.name, "md-uth", '{"offered": []}', source=source, inventory=10_000_00
        )
        table.do(opening, OLGA)
        table.do(TakeSeat("ann", seat), ANN)
    return tables


def test_money_goes_from_the_cashier_to_a_table_and_back(store: Journal) -> None:
    (table,) = _opened(store, "T1")
    account = CashierSession(store, "ann")
    assert account.carry_out(Deposit(500_00, "R-1"), CLEO).cents == 500_00
    table.do(BuyIn("ann", 300_00, account=True), ANN)
    assert (account.held.cents, table.table.rack("ann")) == (200_00, 300_00)
    table.do(CashOut("ann", 120_00, account=True), ANN)
    assert account.held.cents == 320_00
    assert account.carry_out(PayOut(320_00), CLEO).cents == 0
    assert store.balance("cashier:ann") == 0
    assert sum(store.balances().values()) == 0
    assert [entry.kind for entry, _ in account.latest(10)] == [
        *("pay_out", "from_table", "to_table", "deposit")
    ]
    assert verify(store).valid


def test_nobody_spends_more_than_there_is(store: Journal) -> None:
    (table,) = _opened(store, "T1")
    account = CashierSession(store, "ann")
    with pytest.raises(Refusal, match=r"holds \$0"):
        table.do(BuyIn("ann", 1, account=True), ANN)
    account.carry_out(Deposit(100_00), CLEO)
    for spend in (
        lambda: table.do(BuyIn("ann", 100_01, account=True), ANN),
        lambda: account.carry_out(PayOut(100_01), CLEO),
    ):
        with pytest.raises(Refusal, match=r"holds \$100, not \$100\.01"):
            spend()
    assert account.held.cents == 100_00
    assert table.table.rack("ann") == 0
    assert verify(store).valid


def test_two_who_spend_at_once_cannot_overspend(url: str) -> None:
    """Two tables and the cashier, each with a connection of its own, all after the same $100."""
    with open_journal(url) as store:
        _opened(store, "T1", "T2")
        CashierSession(store, "ann").carry_out(Deposit(100_00), CLEO)
    with open_journal(url) as one, open_journal(url) as two, open_journal(url) as three:
        tables = [JournalSession(one, "T1"), JournalSession(two, "T2")]
        desk = CashierSession(three, "ann")

        def buy(table: JournalSession) -> bool:
            try:
                table.do(BuyIn("ann", 10_00, account=True), ANN)
            except Refusal as refusal:
                assert refusal.code == "not_enough_money"  # noqa: PT017
                return False
            return True

        def pay() -> bool:
            try:
                desk.carry_out(PayOut(10_00), CLEO)
            except Refusal:
                return False
            return True

        with ThreadPoolExecutor(3) as pool:
            asked = [pool.submit(buy, tables[n % 2]) for n in range(10)]
            asked += [pool.submit(pay) for _ in range(5)]
            done = sum(one.result() for one in asked)
        assert done == 10
        assert desk.held.cents == 0
        assert verify(one).valid


def test_a_payment_that_arrives_twice_is_made_once(store: Journal) -> None:
    account = CashierSession(store, "ann")
    for repeated in (False, True):
        done = account.carry_out(Deposit(50_00), CLEO, "key-1")
        assert (done.cents, done.repeated) == (50_00, repeated)
    with pytest.raises(Refusal, match="another command"):
        account.carry_out(Deposit(51_00), CLEO, "key-1")
    made = reindex(store)
    assert made.requests == 1
    assert account.carry_out(Deposit(50_00), CLEO, "key-1").repeated
    assert verify(store).valid


@pytest.mark.parametrize("role", ["player", "dealer", "floorperson"])
def test_only_a_cashier_or_the_operator_keeps_accounts(store: Journal, role: str) -> None:
    account = CashierSession(store, "ann")
    with pytest.raises(Refusal, match="that takes a cashier"):
        account.carry_out(Deposit(1), Actor(role, "Eve"))  # type: ignore[arg-type]
    assert account.carry_out(Deposit(1), OLGA).cents == 1
    assert [one.kind for one in store.read("attempts:cashier:ann")] == ["refused"]


def test_no_cashier_keeps_an_account_of_his_own(store: Journal) -> None:
    with pytest.raises(Refusal, match="of their own"):
        CashierSession(store, "Cleo").carry_out(Deposit(100), CLEO)


def test_amounts_have_limits(store: Journal) -> None:
    account = CashierSession(store, "ann")
    for cents in (0, -100, 10**16):
        with pytest.raises(BadAmount):
            account.carry_out(Deposit(cents), CLEO)
    proposed = account.carry_out(Deposit(MOST_HELD), CLEO)
    account.carry_out(Deposit(MOST_HELD, confirms=proposed.version), Actor("cashier", "Cora"))
    with pytest.raises(Refusal, match="at most"):
        account.carry_out(Deposit(1), CLEO)


@pytest.mark.parametrize("role", ["dealer", "floorperson", "operator"])
def test_nobody_else_spends_a_players_account(store: Journal, role: str) -> None:
    (table,) = _opened(store, "T1")
    CashierSession(store, "ann").carry_out(Deposit(100_00), CLEO)
    with pytest.raises(Refusal, match="nobody but ann"):
        table.do(BuyIn("ann", 1_00, account=True), Actor(role, "Eve"))  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="cannot act for ann"):
        table.do(BuyIn("ann", 1_00, account=True), Actor("player", "Eve"))


def test_at_a_live_table_the_dealer_takes_cash(store: Journal) -> None:
    (table,) = _opened(store, "T1", source="live")
    CashierSession(store, "ann").carry_out(Deposit(100_00), CLEO)
    with pytest.raises(Refusal, match="virtual cards"):
        table.do(BuyIn("ann", 1_00, account=True), ANN)


@pytest.mark.parametrize("name", ["ann", "Mary Ann", "100% Ann", "%20", "Åsa"])
def test_every_name_has_a_stream_of_its_own(store: Journal, name: str) -> None:
    assert account_of_stream(account_stream(name)) == name
    CashierSession(store, name).carry_out(Deposit(7_00), CLEO)
    assert account_holders(store) == (name,)
    assert read_account(store, name).cents == 7_00
    assert store.balance(f"cashier:{name}") == 7_00
    assert verify(store).valid


# -- changed behind our back -----------------------------------------------------------------------


@pytest.fixture
def played(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with open_journal(path) as store:
        (table,) = _opened(store, "T1")
        account = CashierSession(store, "ann")
        account.carry_out(Deposit(500_00), CLEO)
        table.do(BuyIn("ann", 300_00, account=True), ANN)
        account.carry_out(Deposit(5_00), CLEO)
    return path


def _said(path: Path) -> str:
    with open_journal(path) as store:
        return "\n".join(str(one) for one in verify(store).differences)


def test_a_deposit_that_was_made_larger_is_found(played: Path) -> None:
    with behind_our_back(played) as raw:
        change(raw, "cashier:ann", 3, '"amount":"5.00"', '"amount":"9.00"')
        rechain(raw, "cashier:ann")
    said = _said(played)
    assert "the balance" in said
    assert "the transfers" in said


def test_a_balance_that_was_changed_alone_is_found(played: Path) -> None:
    with behind_our_back(played) as raw:
        change(raw, "cashier:ann", 3, '"balance":20500', '"balance":90500')
        rechain(raw, "cashier:ann")
    assert "holds $905 by its last entry" in _said(played)


def test_a_buy_in_that_the_account_does_not_know_is_found(played: Path) -> None:
    """All of it made consistent but for the table: its entry says another amount."""
    with behind_our_back(played) as raw:
        change(raw, "cashier:ann", 2, '"cents":30000', '"cents":20000')
        change(raw, "cashier:ann", 2, '"balance":20000', '"balance":30000')
        change(raw, "cashier:ann", 3, '"balance":20500', '"balance":30500')
        rechain(raw, "cashier:ann")
    assert "is not what ann bought in and cashed out there" in _said(played)


def test_a_cashier_who_was_a_player_is_found(played: Path) -> None:
    with behind_our_back(played) as raw:
        change(raw, "cashier:ann", 3, '"role":"cashier"', '"role":"player"')
        rechain(raw, "cashier:ann")
    assert "a player keeps no accounts" in _said(played)
