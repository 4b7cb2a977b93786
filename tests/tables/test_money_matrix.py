"""Who can, alone or together, change which balance: docs/ledger.md says it, and every cell is
attacked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.cashier import CASHIER_COMMANDS, Deposit, PayOut
from croupier.errors import CroupierError
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.past_rounds import finished_round
from croupier.ledger.table_entries import table_record
from croupier.ledger.verify import verify
from croupier.randomness.shuffling import Seeded
from croupier.rounds.declaration import ROLES, Actor, Command
from croupier.runtime.cashier_session import CashierSession
from croupier.runtime.house import House
from croupier.tables.command_input import command_from_data
from croupier.tables.commands import (
    COMMANDS,
    BuyIn,
    CashOut,
    Confirm,
    Correct,
    Credit,
    EmptyDrop,
    Fill,
    OpenTable,
    SignCount,
    TableCommand,
    TakeSeat,
    Tip,
)
from croupier.tables.state import Table
from croupier.tables.two_people import Controls, HouseLimits, second_person
from tests.tables.command_examples import json_example
from tests.tables.dealing_school import DAN, FLO, open_table, play

PAGE: Final = Path(__file__).parents[2] / "docs" / "ledger.md"
START: Final = "<!-- matrix: written by `make matrix` -->"
STOP: Final = "<!-- end of the matrix -->"
FLOAT: Final = {10_000: 500}
CLEO, CORA = Actor("cashier", "Cleo"), Actor("cashier", "Cora")
PLAYERS: Final = ("rack", "layout", "cashier")
"""Accounts that hold players' money and chips."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as opened:
        yield opened


def real_table(store: Journal, source: Any, name: str = "T1") -> House:
    """A table that the house opened for real, with money in the journal and a round played."""
    house = House(store, draw=Seeded("real"))
    opening = OpenTable(name, "casino-holdem", source=source, float=FLOAT, strict=True)
    house.do(name, opening, FLO)
    house.do(name, SignCount(FLOAT), DAN)
    for seat in (1, 2):
        person = f"p{seat}"
        CashierSession(store, person).carry_out(Deposit(900_000), CLEO)
        house.do(name, TakeSeat(person, seat), Actor("player", person))
    if source == "virtual":
        for person in ("p1", "p2"):
            house.do(name, BuyIn(person, 800_000, account=True), Actor("player", person))
        for _ in play(house, name, 2, Random(1)):
            pass
    return house


# -- the matrix -----------------------------------------------------------------------------------


def moves(store: Journal) -> Iterator[tuple[str, str]]:
    """Every command that moved money, with the accounts it went from and to."""
    for stream in store.streams(""):
        for entry in store.read(stream):
            kind = entry.kind
            if kind == "confirm":
                proposed = table_record(entry).command
                assert isinstance(proposed, Confirm)
                (first,) = store.read(stream, proposed.number - 1, proposed.number)
                kind = first.kind
            for transfer in entry.transfers:
                yield kind, f"{account(transfer.source)} → {account(transfer.target)}"


def account(name: str) -> str:
    kind, _, rest = name.partition(":")
    return rest.partition(":")[2].partition(":")[0] if kind == "table" else kind


def everything_that_moves_money(store: Journal) -> dict[str, set[str]]:
    """Rounds of two documents, live and virtual, and what the house does beside them. The decks are
    seeded, so that every run sees the same awards, fixed sums from the inventory among them."""
    house = House(store, draw=Seeded("matrix a"))
    for document in ("md-uth", "ma-uth"):
        for source in ("live", "virtual"):
            name = f"{document}-{source}"
            open_table(house, name, document, 3, source=source)
            for _ in play(house, name, 25, Random(5)):
                pass
    name = "md-uth-live"
    house.do(name, Tip("p1", 500), Actor("player", "p1"))
    house.do(name, CashOut("p1", 500), DAN)
    number, seat = next(
        (number, seat)
        for number in range(1, 26)
        for seat in finished_round(store, name, number).seats
        if any(line.wager == "blind" for line in seat.lines)
    )
    for cents in (100, -100):
        correction = Correct(number, seat.number, seat.player, "blind", cents, "a dispute")
        house.do(name, correction, FLO)
    house = real_table(store, "virtual")
    house.do("T1", Tip("p1", 100), Actor("player", "p1"))
    house.do("T1", CashOut("p1", 500, account=True), Actor("player", "p1"))
    for command in (Fill(1000), Credit(1000), EmptyDrop()):
        house.do("T1", command, FLO)
        house.do("T1", Confirm(house.table("T1").pending[-1].number), DAN)
    CashierSession(store, "p1").carry_out(PayOut(100), CLEO)
    moved: dict[str, set[str]] = {}
    for kind, way in moves(store):
        moved.setdefault(kind, set()).add(way)
    return moved


def second_of(kind: type[Command]) -> str:
    """Who confirms, and from which sum on."""
    if kind.__struct_config__.tag in CASHIER_COMMANDS:
        return "another cashier, above the limit of the house"
    table = Table("T1", "md-uth", source="live", strict=True)
    waits = []
    for amount in ("0.01", "100000.00"):
        example = json_example(kind, whole=False)
        if "amount" in example:
            example["amount"] = amount
        command = command_from_data(example, Actor(kind.declared.by[0], "x"))
        waits.append(second_person(table, command, Controls()))
    small, large = waits
    if large is None:
        return "–"
    people = " or ".join(role for role in large.by if role != "operator")
    return people if small is not None else f"{people}, above the limit of the house"


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[str]]]:
    with open_journal(tmp_path_factory.mktemp("matrix") / "journal.db") as journal:
        yield everything_that_moves_money(journal)
        assert verify(journal).valid


def matrix(moved: dict[str, set[str]]) -> str:
    kinds = COMMANDS | CASHIER_COMMANDS
    rows = [
        f"| `{tag}` | {', '.join(kind.declared.by)} | {second_of(kind)} | "
        f"{', '.join(sorted(moved[tag]))} |"
        for tag, kind in kinds.items()
        if tag in moved
    ]
    head = ["| command | given by | confirmed by | moves |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


def test_the_matrix_in_the_docs_is_that_of_the_declarations(moved: dict[str, set[str]]) -> None:
    text = PAGE.read_text()
    before, _, rest = text.partition(START)
    written, _, after = rest.partition(STOP)
    made = matrix(moved)
    if os.environ.get("CROUPIER_WRITE_MATRIX"):
        PAGE.write_text(f"{before}{START}\n\n{made}\n\n{STOP}{after}")
    else:
        assert written.strip() == made, "make matrix writes it again"


def test_every_command_that_moves_money_is_in_the_matrix(moved: dict[str, set[str]]) -> None:
    """A new one must be played in `everything_that_moves_money`."""
    amounts = {
        tag
        for tag, kind in (COMMANDS | CASHIER_COMMANDS).items()
        if {"amount", "inventory"} & set(kind.__struct_fields__)
    }
    beside = {"place_coupon"}  # paper, no money (MA-29)
    assert amounts - beside <= set(moved), amounts - set(moved)


# -- every cell attacked --------------------------------------------------------------------------


def players_money(store: Journal) -> int:
    return sum(cents for name, cents in store.balances("").items() if account(name) in PLAYERS)


def attacks(kind: type[Command], name: str, table: Table) -> Iterator[dict[str, Any]]:
    """The command with every field at its boldest, for a friend at the table."""
    last = max(1, table.round.number)
    bold = {
        "player": "p1", "seat": 1, "round": last, "wager": "ante", "reason": "a friend",
        "name": name, "number": table.pending[0].number if table.pending else 1,
    }  # fmt: skip
    for whole in (False, True):
        example = json_example(kind, whole=whole)
        example |= {field: value for field, value in bold.items() if field in example}
        for amount in ("499.99", "5000.00", "99999999.99"):
            if "account" in example:
                yield example | {"account": False}
            yield example | ({"amount": amount} if "amount" in example else {})


ALONE: Final = HouseLimits()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("source", ["live", "virtual"])
def test_nobody_alone_raises_players_money_beyond_the_limits(
    store: Journal, role: Any, source: str
) -> None:
    """One person gives every command there is, again and again, in their own name."""
    house, insider = real_table(store, source), Actor(role, "Ivy" if role != "player" else "p1")
    before = players_money(store)
    for _ in range(2):
        for tag, kind in COMMANDS.items():
            if tag in ("open_table", "close_table"):
                continue
            for told in attacks(kind, insider.name, house.table("T1")):
                try:
                    command: TableCommand = command_from_data(told, insider)
                    house.do("T1", replace(command), insider)
                except CroupierError:
                    continue
    gained = players_money(store) - before
    limit = (
        ALONE.correction + 2 * ALONE.buy_in if role in ("dealer", "floorperson", "operator") else 0
    )
    assert gained <= limit, f"{role} made {gained} cents at a {source} table"
    assert verify(store).valid


def test_no_cashier_alone_raises_players_money_beyond_the_limit(store: Journal) -> None:
    real_table(store, "virtual")
    before = players_money(store)
    for amount in (1, 5_000_00, 9_999_99, 99_999_999_99):
        for confirms in (0, 1, 2, 3, 4, 5):
            try:
                command = Deposit(amount, confirms=confirms)
                CashierSession(store, "p1").carry_out(command, CORA)
            except CroupierError:
                continue
    assert players_money(store) - before <= ALONE.deposit
    assert verify(store).valid
