"""`croupier journal migrate`: a new journal out of one that 0.1 wrote, which stays as it is.

The new journal is made beside its place, verified, and only then put there. Whatever goes wrong
before, nothing is left of it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, MetaData, String, Table, insert, inspect, select

from croupier.errors import BadRequest, plain
from croupier.ledger.account_changes import note_accounts
from croupier.ledger.journal import Journal, database_at, file_of, open_journal
from croupier.ledger.old_journal import OldJournal, open_old
from croupier.ledger.regrouping import Differs, regroup
from croupier.ledger.schema import DERIVED, NAME, entries, identity, metadata, migrate, requests
from croupier.ledger.verify import verify

__all__ = ["Migrated", "migrate_journal"]

MANY: Final = 1000
Told = Callable[[str], None]


class Migrated(msgspec.Struct, frozen=True):
    """What was read and what was written. `mended`: places of the old index that were wrong."""

    old: str
    new: str
    read: int
    written: int
    streams: int
    commands: int
    rounds: int
    requests: int
    attempts: int
    corrections: int
    mended: tuple[str, ...]


def migrate_journal(old: str, to: str, told: Told = lambda _: None) -> Migrated:
    """Both are paths or URLs; nothing may be at `to` yet. `told` hears how far it has come."""
    with open_old(old) as source, _draft(to) as (path, publish):
        total = source.entries
        source.check_chains(lambda done: told(f"{done:,} of {total:,} entries checked"))
        with open_journal(path) as made:
            found = regroup(source, made, lambda done: told(f"{done:,} of {total:,} migrated"))
            _copy_others(source, made)
            note_accounts(made)
            checked = verify(made, lambda done: told(f"{done:,} new entries verified"))
        for wrong in checked.differences:
            raise Differs(wrong.stream, wrong.version, f"the new journal differs: {wrong.message}")
        told("put in its place")
        name = publish()
        return Migrated(
            source.name,
            name,
            source.entries,
            checked.entries,
            checked.streams,
            found.commands,
            found.rounds,
            found.requests,
            found.attempts,
            found.corrections,
            tuple(found.mended),
        )


@contextmanager
def _draft(to: str) -> Iterator[tuple[Path, Callable[[], str]]]:
    """A file for the new journal, and how to put it into its place."""
    target = file_of(to)
    if target is None:
        with Journal(database_at(to)) as server:
            with server.reader() as connection:
                _check_empty(connection, server.name)
            with tempfile.TemporaryDirectory(prefix="croupier-") as folder:
                path = Path(folder) / "journal.db"
                yield path, lambda: _copy_to(server, path)
        return
    target = target.absolute()
    _check_free(target)
    path = target.with_name(f"{target.name}.migrating")
    _remove(path)
    try:
        yield path, lambda: _rename(path, target)
    finally:
        _remove(path)


def _check_free(target: Path) -> None:
    if target.exists():
        where = plain(str(target), 200)
        raise BadRequest(f"there is something at {where} already: name a file that is not there")
    if not target.parent.is_dir():
        raise BadRequest(f"there is no folder {plain(str(target.parent), 200)}")


def _remove(path: Path) -> None:
    """The draft and what SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").unlink()


def _rename(path: Path, target: Path) -> str:
    _check_free(target)
    path.rename(target)
    if os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return str(target)


# -- other tables, other databases ----------------------------------------------------------------


def _copy_others(source: OldJournal, made: Journal) -> None:
    """The web's people and sessions live in the same database; the journal does not know them."""
    found = source.other_tables()
    if not found:
        return
    with made.reader() as connection, made.database.migrating(connection):
        for table in found:
            _made_alike(table).create(connection)
            for rows in source.rows(table):
                connection.execute(insert(table), rows)


def _made_alike(table: Table) -> Table:
    """The same table for either database; texts in the order of their bytes."""
    alike = table.to_metadata(MetaData())
    for column in alike.columns:
        is_text = isinstance(column.type, String)
        column.type = NAME if is_text else column.type.as_generic()
        column.server_default = None
    return alike


def _check_empty(connection: Connection, name: str) -> None:
    there = sorted(inspect(connection).get_table_names())
    if there:
        some = ", ".join(there[:5])
        raise BadRequest(f"{name} is not empty: it has tables {some}; name an empty database")


def _copy_to(server: Journal, path: Path) -> str:
    """All of a journal in a file, in one transaction."""
    others = MetaData()
    with open_journal(path) as made, made.reader() as source, server.reader() as target:
        others.reflect(source, only=lambda name, _: name not in metadata.tables)
        with server.database.migrating(target):
            _check_empty(target, server.name)
            migrate(target, nullcontext, lambda: True)
            for table in (identity, entries, requests, *DERIVED):
                _copy_rows(source, target, table, table)
            for table in others.sorted_tables:
                alike = _made_alike(table)
                alike.create(target)
                _copy_rows(source, target, table, alike)
    return server.name


def _copy_rows(source: Connection, target: Connection, table: Table, alike: Table) -> None:
    order = list(table.primary_key.columns)
    query = select(table).order_by(*order).execution_options(yield_per=MANY)
    for part in source.execute(query).mappings().partitions(MANY):
        rows: list[dict[str, Any]] = [dict(row) for row in part]
        target.execute(insert(alike), rows)
