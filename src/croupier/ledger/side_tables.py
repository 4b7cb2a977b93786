"""Tables of the database beside the journal's: made where they are missing, written in
transactions of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, MetaData, Table, inspect

from croupier.ledger.journal import Journal

__all__ = ["create_missing", "writing"]


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


@contextmanager
def writing(journal: Journal) -> Iterator[Connection]:
    """A transaction beside the journal's own."""
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
