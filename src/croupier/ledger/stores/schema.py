"""The journal's tables, the same in both databases, and the version of their form.

`entries` and `requests` are append-only, enforced by triggers. `entries` is the truth. Everything
else is derived: an index (`requests`, `chapters`, `marks`), a sum (`balances`) or a shortcut
(`snapshots`), and `reindex` rebuilds it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Final, Literal

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    func,
    insert,
    inspect,
    select,
)

from croupier.errors import BadRequest
from croupier.ledger.entries import stamp
from croupier.ledger.stores.bodies import Body

metadata = MetaData()
NAME: Final = String().with_variant(String(collation="C"), "postgresql")
"""Names are ordered by their bytes in both databases, whatever the server's locale."""
_MOST: Final = 9 * 10**18

migrations = Table(
    "migrations",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("applied_at", Text, nullable=False),
)
entries = Table(
    "entries",
    metadata,
    Column("stream", NAME, primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Body, nullable=False),
    Column("transfers", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("mac", Text, nullable=False, server_default=""),
    # With row numbers in SQLite: without them every body above 1 KB would fill a page of its own.
)
identity = Table(
    "identity",
    metadata,
    Column("journal", Text, primary_key=True),
    Column("key", Text, nullable=False),
)
"""One row: a random name for this journal, and the public key of the machine that vouches for its
entries."""
requests = Table(
    "requests",
    metadata,
    Column("stream", NAME, primary_key=True),
    Column("request", NAME, primary_key=True),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
chapters = Table(
    "chapters",
    metadata,
    Column("stream", NAME, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("began", NAME, nullable=False),
    Column("ended", NAME, nullable=False),
    Column("marks", Text, nullable=False),
    Index("chapters_by_time", "began", "stream", "number"),
    sqlite_with_rowid=False,
)
marks = Table(
    "marks",
    metadata,
    Column("name", NAME, primary_key=True),
    Column("value", NAME, primary_key=True),
    Column("stream", NAME, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
balances = Table(
    "balances",
    metadata,
    Column("account", NAME, primary_key=True),
    Column("cents", BigInteger, nullable=False),
    # SQLite would turn a sum beyond 64 bits into a float and silently lose cents.
    CheckConstraint(f"cents BETWEEN -{_MOST} AND {_MOST}", name="cents_are_exact"),
    sqlite_with_rowid=False,
)
snapshots = Table(
    "snapshots",
    metadata,
    Column("stream", NAME, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("mac", Text, nullable=False, server_default=""),
)

# One statement per table, in the order in which every writer goes through them: together with rows
# sorted by stream and by account this keeps two writers from waiting for each other in a circle.
# Balances, which tables may share, come last, so that they are locked for the shortest time.
WRITES: Final = (
    "INSERT INTO entries (stream, version, at, kind, body, transfers, mac, hash)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO requests (stream, request, first, last) VALUES (?, ?, ?, ?)",
    "INSERT INTO chapters (stream, number, first, last, began, ended, marks)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO marks (name, value, stream, number) VALUES (?, ?, ?, ?)",
    "INSERT INTO snapshots (stream, version, body, mac) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (stream) DO UPDATE SET version = excluded.version, body = excluded.body,"
    " mac = excluded.mac"
    " WHERE excluded.version >= snapshots.version",
    "INSERT INTO balances (account, cents) VALUES (?, ?)"
    " ON CONFLICT (account) DO UPDATE SET cents = balances.cents + excluded.cents",
)

# Jumps from stream to stream in the index instead of reading all rows.
STREAM_VERSIONS: Final = """
WITH RECURSIVE names (stream) AS (
    SELECT min(stream) FROM entries
    UNION ALL
    SELECT (SELECT min(stream) FROM entries WHERE stream > names.stream)
    FROM names WHERE names.stream IS NOT NULL
)
SELECT stream, (SELECT max(version) FROM entries WHERE entries.stream = names.stream) AS version
FROM names WHERE stream IS NOT NULL
"""

_SQLITE: Final = """
CREATE TRIGGER {table}_never_change BEFORE UPDATE ON {table}
BEGIN SELECT raise(ABORT, 'the journal is append-only'); END
--
CREATE TRIGGER {table}_never_go BEFORE DELETE ON {table}
BEGIN SELECT raise(ABORT, 'the journal is append-only'); END
"""
# INSERT OR REPLACE deletes without firing the trigger above; only the next version passes here.
_SQLITE_ORDER: Final = """
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
WHEN new.version <> 1 + coalesce((SELECT max(version) FROM entries WHERE stream = new.stream), 0)
BEGIN SELECT raise(ABORT, 'the journal is append-only: this is not the next version'); END
--
CREATE TRIGGER requests_once BEFORE INSERT ON requests
WHEN EXISTS (SELECT 1 FROM requests WHERE stream = new.stream AND request = new.request)
BEGIN SELECT raise(ABORT, 'the journal is append-only'); END
--
CREATE VIEW postings AS
SELECT stream, version, each.key AS line, json_extract(each.value, '$[0]') AS source,
       json_extract(each.value, '$[1]') AS target, json_extract(each.value, '$[2]') AS cents
FROM entries, json_each(entries.transfers) AS each
"""
_POSTGRES_FIRST: Final = """
CREATE FUNCTION croupier_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the journal is append-only'; END $$
--
CREATE VIEW postings AS
SELECT stream, version, line - 1 AS line, value ->> 0 AS source, value ->> 1 AS target,
       (value ->> 2)::bigint AS cents
FROM entries, jsonb_array_elements(entries.transfers::jsonb) WITH ORDINALITY AS each (value, line)
"""
_POSTGRES: Final = """
CREATE TRIGGER {table}_never_change BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION croupier_append_only()
--
CREATE TRIGGER {table}_never_go BEFORE TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION croupier_append_only()
"""


_GUARDS: Final = ("never_change", "never_go")


def _run(connection: Connection, statements: str) -> None:
    for statement in statements.split("--\n"):
        connection.exec_driver_sql(statement)


def create(connection: Connection) -> None:
    """Create the tables of a journal in a database that has none of them."""
    metadata.create_all(connection, checkfirst=False)
    is_sqlite = connection.dialect.name == "sqlite"
    each, others = (_SQLITE, _SQLITE_ORDER) if is_sqlite else (_POSTGRES, _POSTGRES_FIRST)
    for part in (others, each.format(table="entries"), each.format(table="requests")):
        _run(connection, part)


@contextmanager
def rewriting(connection: Connection, table: Literal["entries", "requests"]) -> Iterator[None]:
    """Allow changes to rows of the table inside this context: requests are rebuilt from the
    entries, and old refused attempts lose their text."""
    is_sqlite = connection.dialect.name == "sqlite"
    for guard in _GUARDS:
        connection.exec_driver_sql(
            f"DROP TRIGGER IF EXISTS {table}_{guard}" + ("" if is_sqlite else f" ON {table}")
        )
    yield
    _run(connection, (_SQLITE if is_sqlite else _POSTGRES).format(table=table))


# A journal has the form of the last row of `migrations`. No release wrote forms 1 and 2.
FORMS: Final = {3: "a MAC for each entry", 4: "compressed bodies"}
latest: Final = max(FORMS)


def migrate(
    connection: Connection,
    locked: Callable[[], AbstractContextManager[None]],
    public_key: Callable[[], str],
) -> int:
    """Bring the database up to date and return its form; a current database is not written to.
    `public_key` returns the key that vouches for a new journal."""
    form = _form_of(connection)
    if form == latest:
        return form
    with locked():
        # Another process may have been quicker while this one waited for the lock.
        form = _form_of(connection)
        if form == latest:
            return form
        if form is None:
            create(connection)
            named = {"journal": secrets.token_hex(16), "key": public_key()}
            connection.execute(insert(identity).values(named))
        row = {"version": latest, "name": FORMS[latest], "applied_at": stamp(datetime.now(UTC))}
        connection.execute(insert(migrations).values(row))
        return latest


def check_form(connection: Connection) -> int:
    """Return the form of a readable journal, or refuse; nothing is written."""
    form = _form_of(connection)
    if form is None:
        raise BadRequest("this is an empty database, not a journal", code="not_a_journal")
    return form


def _form_of(connection: Connection) -> int | None:
    """Return one of `FORMS`, or `None` if the database is empty; any other database is refused."""
    looked = inspect(connection)
    names = set(looked.get_table_names())
    if not names:
        return None
    there = looked.get_columns("migrations") if "migrations" in names else ()
    form: int | None = None
    if {column["name"] for column in there} == set(migrations.columns.keys()):
        form = connection.execute(select(func.max(migrations.c.version))).scalar()
    if form in (1, 2):
        raise BadRequest(
            f"this journal has form {form}, which no release wrote; this program reads journals "
            f"from form {min(FORMS)} on; nothing was touched",
            code="old_journal",
        )
    if form is not None and form > latest:
        raise BadRequest(
            f"this journal was written by a newer Croupier (schema {form}, this program knows "
            f"{latest}): use that one, nothing was touched"
        )
    if form not in FORMS:
        some = ", ".join(sorted(names)[:5])
        raise BadRequest(f"this database belongs to another program: it has tables {some}")
    return form
