"""Journals of released versions: opened, verified, shown, continued and proved by this program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from croupier.cashier import Deposit
from croupier.ledger.checkpoints.checkpoints import checkpoint_records, take_checkpoint
from croupier.ledger.checkpoints.proofs import check_proof, prove_round
from croupier.ledger.history.past_rounds import round_moments
from croupier.ledger.journal import Journal, open_journal, open_to_read
from croupier.ledger.maintenance.backups import restore as copy_journal
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import Actor
from croupier.runtime.automation import Automation, StrategyPlayer
from croupier.runtime.cashier_session import CashierSession
from croupier.runtime.house import House
from croupier.runtime.players import strategy_by_name
from croupier.tables.commands import BuyIn
from croupier.tables.state import rules_of
from tests.commands.program import croupier
from tests.ledger.kept_journals import MONEY, TABLES, machine_of_the_fixtures, restore

WAGERS = {"ante": 1000, "blind": 1000, "trips": 500, "progressive": 100}


@pytest.fixture(autouse=True)
def machine(tmp_path: Path) -> Iterator[None]:
    with machine_of_the_fixtures(tmp_path):
        yield


@pytest.mark.parametrize(
    ("name", "entries", "rounds", "verdict"),
    [(TABLES, 3852, 243, "unanchored"), (MONEY, 273, 18, "unanchored")],
)
def test_it_verifies_as_it_is(
    tmp_path: Path, name: str, entries: int, rounds: int, verdict: str
) -> None:
    path = restore(tmp_path / "journal.db", name)
    before = path.read_bytes()
    with open_to_read(path, read_only=True) as journal:
        verified = verify(journal)
    assert verified.differences == verified.notes == ()
    assert (verified.entries, verified.rounds, verified.verdict) == (entries, rounds, verdict)
    assert path.read_bytes() == before, "nothing is written to look at it"
    with open_journal(path) as journal:
        assert verify(journal).differences == ()


def test_a_round_of_it_is_shown(tmp_path: Path) -> None:
    path = restore(tmp_path / "journal.db", MONEY)
    shown = croupier("replay", "one", "3", "--journal", path)
    assert shown.code == 0, shown
    assert "Ann (seat 1)" in shown.text
    listed = croupier("export", "one", "--journal", path)
    assert listed.code == 0, listed


def test_it_is_continued_verified_and_proved(tmp_path: Path) -> None:
    """The round in play goes on with the cards that were dealt, and old and new stand together."""
    path = restore(tmp_path / "journal.db", MONEY)
    with open_journal(path) as journal:
        before = journal.balances()
        continue_it(journal)
        verified = verify(journal)
        assert verified.differences == ()
        assert verified.rounds == 18 + 3
        assert verified.signed.checkpoints == 4
        assert sum(journal.balances().values()) == sum(before.values()) == 0
        for number in (3, 10, 12):
            check_proof(prove_round(journal, "two", number), frozenset({machine_key().public}))
        first, *_ = checkpoint_records(journal)
        assert verify(journal, kept=[first.checkpoint]).verdict == "anchored"
    again = croupier("verify", "--journal", path, "--json")
    assert (again.code, again.json["verdict"]) == (0, "anchored")


def continue_it(journal: Journal) -> None:
    """Round 10 of table `two` played to its end, two more rounds, and money at the cashier."""
    house = House(journal)
    session = house.session("two")
    table = session.load().table
    assert (table.round.number, table.round.phase) == (10, "deciding")
    in_play = list(round_moments(journal, "two", 10))[-1].after.round.seats
    assert in_play == table.round.seats
    player = StrategyPlayer(strategy_by_name(rules_of(table), "random"), WAGERS, 0)
    automation = Automation(players={"Ben": player})
    while table.round.number < 12 or table.round.phase != "over":
        step = automation.next_command(table, rules_of(table))
        assert step is not None
        session.do(step[1], step[0])
        table = session.load().table
    deposit = Deposit(500_00, "R-9")
    CashierSession(journal, "Ann").carry_out(deposit, Actor("cashier", "Cleo"), "deposit-9")
    house.do("one", BuyIn("Ann", 200_00, account=True), Actor("player", "Ann"), "buy-9")
    take_checkpoint(journal, machine_key())


def test_it_is_continued_on_a_server_as_well(tmp_path: Path, postgres_url: str) -> None:
    """On PostgreSQL version 0.2.0 had the tables of today: only the number of the form is new."""
    assert copy_journal(restore(tmp_path / "journal.db", MONEY), postgres_url).valid
    with psycopg.connect(postgres_url) as connection:
        connection.execute("UPDATE migrations SET version = 3")
    with open_to_read(postgres_url) as journal:
        assert (journal.form, verify(journal).differences) == (3, ())
    with open_journal(postgres_url) as journal:
        assert journal.form == 4
        continue_it(journal)
        verified = verify(journal)
        assert (verified.differences, verified.rounds) == ((), 18 + 3)
