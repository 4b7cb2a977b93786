"""Tables of the database beside the journal's: created if missing, written in transactions of their
own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from sqlalchemy import Connection, MetaData, Table, inspect

from croupier.ledger.journal import Journal
from croupier.ledger.signatures.macs import Macs

SIDE_TABLES: Final = {
    "croupier_checkpoints": ("size", "root", "at", "key", "signature"),
    "runtime_leases": ("game_table", "worker", "ends_at", "token"),
    "runtime_workers": ("worker", "place", "beat_at"),
    "school_progress": ("person", "kind", "key", "changed_at", "record"),
    "web_class_codes": (
        *("id", "code", "teacher", "title", "guests", "used", "ends_at", "revoked"),
    ),
    "web_class_guests": ("person", "code"),
    "web_differences": ("place", "stream", "version", "message"),
    "web_guesses": ("name", "address", "failures", "failed_at", "right_at"),
    "web_guest_names": ("person", "name", "look"),
    "web_people": ("name", "role", "password", "guest", "made_at", "failures", "locked_until"),
    "web_probes": ("worker", "at"),
    "web_ready": ("game_table", "seat", "round", "version"),
    "web_second_factors": ("person", "secret", "counts", "last_step", "since"),
    "web_sessions": (
        *("token", "person", "ends_at", "seen_at", "last_sign_in", "watched_at", "mac"),
    ),
    "web_shoe_cards": ("game_table", "round", "n", "place", "seat", "card", "request", "mac"),
    "web_shoes": ("game_table", "name", "token", "made_by", "made_at", "mac"),
    "web_sign_ins": ("person", "at", "address"),
    "web_verifications": (
        *("number", "started_by", "started_at", "beat_at", "state", "stop", "total", "entries"),
        *("rounds", "streams", "differences", "message"),
    ),
}
"""All of these tables with their columns: any other table in a journal's database is a difference.
`tests/attacks/test_database_form.py` compares them with the tables that the program creates."""
VOUCHED: Final = ("web_shoes", "web_shoe_cards")
"""Tables whose rows have a `row_mac`."""
SIDE_INDEXES: Final = frozenset({"ix_web_sessions_person", "runtime_leases_token"})


def create_missing(journal: Journal, metadata: MetaData) -> None:
    with journal.reader() as connection:
        if not _missing(connection, metadata):
            return
        with journal.database.migrating(connection):
            for table in _missing(connection, metadata):
                table.create(connection)


def _missing(connection: Connection, metadata: MetaData) -> list[Table]:
    there = set(inspect(connection).get_table_names())
    return [table for table in metadata.sorted_tables if table.name not in there]


def row_mac(macs: Macs, table: str, row: Mapping[str, object]) -> str:
    """Return the MAC of all columns of a row except `mac`, so that nobody without the key can
    insert or change one."""
    values = (f"{name}={row[name]}" for name in sorted(row) if name != "mac")
    return macs.of(table, *values)


@contextmanager
def writing(journal: Journal) -> Iterator[Connection]:
    """A transaction separate from the journal's own."""
    with journal.reader() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            yield connection
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("COMMIT")
            connection.commit()
        except BaseException:
            with suppress(Exception):
                if connection.dialect.name == "sqlite":
                    connection.exec_driver_sql("ROLLBACK")
                connection.rollback()
            raise
