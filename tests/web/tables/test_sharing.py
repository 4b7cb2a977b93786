"""Several workers on one journal: who deals, and commands for a table that has gone on."""

from __future__ import annotations

import asyncio
from itertools import chain

import pytest

from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.rounds.commands import OpenBetting, PlaceWagers
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import DEALER
from croupier.runtime.journal_session import Expected, JournalSession, StaleCommand
from croupier.runtime.leases import PostgresLeases
from croupier.tables.commands import BuyIn, TakeSeat
from croupier.web.tables.demo import open_demo_tables
from croupier.web.tables.served_table import ServedTable
from tests.web.kit import settings

ANN = Actor("player", "ann")
TABLES = [f"t{number}" for number in range(7)]


def test_every_table_has_one_dealer_and_another_when_he_dies(postgres_url: str) -> None:
    with open_journal(postgres_url) as journal:
        leases = [PostgresLeases(journal) for _ in range(3)]
        assert leases[0].renew(TABLES) == set(TABLES), "alone, one deals everything"
        for _ in range(3):
            for one in leases:
                one.renew(TABLES)
        held = [[table for table in TABLES if one.holds(table)] for one in leases]
        assert sorted(chain(*held)) == TABLES
        assert max(map(len, held)) <= 3
        leases[0].close()
        for _ in range(3):
            for one in leases[1:]:
                one.renew(TABLES)
        held = [[table for table in TABLES if one.holds(table)] for one in leases]
        assert held[0] == []
        assert sorted(chain(*held)) == TABLES
        for one in leases:
            one.close()


def test_a_lost_connection_ends_all_leases(postgres_url: str) -> None:
    with open_journal(postgres_url) as journal:
        leases = PostgresLeases(journal)
        leases.renew(TABLES)
        leases._connection.close()
        assert leases.renew(TABLES) == set()
        assert not any(leases.holds(table) for table in TABLES)
        assert leases.renew(TABLES) == set(TABLES)
        leases.close()


def test_a_command_is_judged_by_the_table_as_it_is_now(postgres_url: str) -> None:
    """A worker that has not heard of the last events does not refuse what is lawful by now."""

    async def play() -> None:
        with open_journal(postgres_url) as journal:
            open_demo_tables(journal)
            plain = settings(postgres_url)
            one, two = (ServedTable(JournalSession(journal, "md-uth"), plain) for _ in range(2))
            for served in (one, two):
                await served.load()
            await one.do(TakeSeat("ann", 1), ANN)
            await one.do(BuyIn("ann", 10_000), ANN)
            await one.do(OpenBetting(), DEALER)
            assert two.table.version == 1
            bet = PlaceWagers(1, "ann", {"ante": 500, "blind": 500})
            done = await two.do(bet, ANN)
            assert done.version == two.table.version == 5
            with pytest.raises(StaleCommand, match="changed meanwhile"):
                await one.do(BuyIn("ann", 1), ANN, expected=Expected(version=one.table.version))
            await one.catch_up()
            assert one.table == two.table
            assert list(journal.read("attempts:md-uth")) == []
            assert verify(journal).valid

    asyncio.run(play())
