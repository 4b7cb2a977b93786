"""Back up a journal that is in use, with the accounts beside it; restore a backup into a database.

A copy counts only after it has been verified.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    String,
    Table,
    Text,
    delete,
    insert,
    inspect,
    select,
)

from croupier.errors import BadRequest, plain
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.stores.schema import identity
from croupier.ledger.stores.schema import metadata as journal_tables
from croupier.ledger.verification.verify import Verification, verify

BATCH: Final = 1000
BESIDE: Final = ("web_people", "web_second_factors", "web_sign_ins", "web_shoes")
"""Tables beside the journal's: accounts, authenticators, tokens of shoes. Sessions and other data
of one running server are left out; people sign in again."""


class Backup(msgspec.Struct, frozen=True):
    """What was copied, and whether it is valid."""

    file: str
    streams: int
    entries: int
    valid: bool


def back_up(journal: Journal, file: Path) -> Backup:
    """Copy a journal, which may be written to meanwhile, into a new SQLite file."""
    if file.exists():
        raise BadRequest(f"{plain(str(file), 200)} is there already: name a new file")
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    try:
        if "://" in journal.name:
            _copy_rows(journal, str(part))
        else:
            _copy_file(journal.name, part)
        verified = _verified(str(part))
        if verified.valid:
            _sync(part)
            part.rename(file)
    finally:
        for name in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm"))):
            with suppress(OSError):
                name.unlink(missing_ok=True)
    return _told(file, verified)


def restore(file: Path, database: str) -> Backup:
    """Copy a backup into a database that has no journal yet."""
    if not file.is_file():
        raise BadRequest(f"there is no file {plain(str(file), 200)}")
    if not (verified := _verified(str(file))).valid:
        return _told(file, verified)
    with open_journal(str(file)) as source, open_journal(database) as target:
        if target.streams():
            raise BadRequest(f"{target.name} has a journal already: restore into an empty database")
        _fill(source, target)
        return _told(Path(target.name), verify(target))


def _verified(database: str) -> Verification:
    with open_journal(database) as copy:
        return verify(copy)


def _told(file: Path, verified: Verification) -> Backup:
    return Backup(str(file), verified.streams, verified.entries, verified.valid)


def _copy_file(path: str, part: Path) -> None:
    """Copy the file with SQLite's backup function: the state of one moment, while others write."""
    part.touch(mode=0o600)
    with (
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(part)) as target,
    ):
        source.backup(target, pages=4096)
        names = target.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (name,) in names:
            if name.startswith("web_") and name not in BESIDE:
                target.execute(f'DROP TABLE "{name}"')
        target.commit()


def _copy_rows(journal: Journal, path: str) -> None:
    with open_journal(path) as target:
        _fill(journal, target)


def _fill(source: Journal, target: Journal) -> None:
    """Copy every row, read at one moment and written in one transaction."""
    with source.reader() as reading, source.database.consistent_read(reading):
        tables = _tables(reading)
        with target.reader() as writing, target.database.migrating(writing):
            writing.execute(delete(identity))  # the writer of the source vouches for it
            for table in tables:
                table.create(writing, checkfirst=True)
                for rows in _rows(reading, table):
                    writing.execute(insert(table), rows)
        target.macs.forget()


def _tables(connection: Connection) -> list[Table]:
    """Return the tables of the journal, then those beside it."""
    there = set(inspect(connection).get_table_names())
    own = [
        table
        for name, table in journal_tables.tables.items()
        if name in there and name != "migrations"
    ]
    reflected = MetaData()
    reflected.reflect(connection, only=[name for name in BESIDE if name in there])
    return [*own, *(_plain_table(table) for table in reflected.sorted_tables)]


def _plain_table(table: Table) -> Table:
    """Return a table with the same columns, without anything that only one of the two databases
    knows."""
    columns = [
        Column(
            column.name,
            Text() if isinstance(column.type, String) else column.type.as_generic(),
            primary_key=column.primary_key,
            nullable=column.nullable,
            autoincrement=False,
        )
        for column in table.columns
    ]
    return Table(table.name, MetaData(), *columns)


def _rows(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows in batches, so that only one batch is in memory."""
    result = connection.execution_options(yield_per=BATCH).execute(
        select(table).order_by(*table.primary_key.columns)
    )
    for part in result.mappings().partitions():
        yield [dict(row) for row in part]


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
