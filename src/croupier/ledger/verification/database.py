"""Checks of the database around the entries: its form, accounts, sessions, snapshots.

Without its triggers the database would let anyone change the entries; a foreign trigger could
change them, and an altered view would show other amounts than were moved.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, create_engine, inspect, select, text

from croupier.errors import CroupierError, plain
from croupier.ledger.checkpoints.checkpoints import latest_checkpoint
from croupier.ledger.differences import Difference
from croupier.ledger.journal import Journal
from croupier.ledger.records.people_accounts import (
    ACCOUNTS,
    AccountOnRecord,
    account_rows,
    accounts_on_record,
    differing,
    session_mac,
)
from croupier.ledger.side_tables import SIDE_INDEXES, SIDE_TABLES, VOUCHED, row_mac
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.signatures.macs import KEYS, Macs, Vouched, same_mac
from croupier.ledger.stores import schema
from croupier.ledger.stores.schema import snapshots

_LOOK_AGAIN_SECONDS: Final = 0.5
_decode: Final = msgspec.json.Decoder(Vouched).decode


def database_differences(journal: Journal) -> Iterator[Difference]:
    with journal.reader() as connection:
        form = tuple(form_differences(connection))
    yield from (Difference("database", 0, message) for message in form)
    macs = journal.macs.to_check()
    if macs is None:
        yield from _identity(journal)
        yield from _accounts(journal, None)
        return
    with journal.reader() as connection:
        yield from _snapshots(connection, macs)
    yield from _accounts(journal, macs)
    with journal.reader() as connection:
        yield from _sessions(connection, macs)
        yield from _vouched(connection, macs)


def _identity(journal: Journal) -> Iterator[Difference]:
    """Report an empty `identity` table, or one that names another key although this machine's key
    signed the last checkpoint: somebody may have changed it so that nobody checks MACs."""
    identity = journal.identity()
    if identity is None:
        yield Difference("database", 0, "its table identity is empty: no key vouches for entries")
        return
    try:
        own, last = machine_key(make=False), latest_checkpoint(journal)
    except CroupierError:
        return
    if last is not None and last.key == own.public != identity.key:
        message = (
            f"its table identity names the key {plain(identity.key[:16])}…, but the last "
            "checkpoint was signed with the key of this machine"
        )
        yield Difference("database", 0, message)


def _snapshots(connection: Connection, macs: Macs) -> Iterator[Difference]:
    query = select(snapshots.c.stream, snapshots.c.version, snapshots.c.body, snapshots.c.mac)
    for stream, version, body, mac in connection.execute(query):
        try:
            is_right = same_mac(macs.of_snapshot(stream, version, body), mac)
        except (AttributeError, TypeError):
            is_right = False  # SQLite takes any value in any column
        if not is_right:
            message = "its snapshot has a wrong MAC: nothing with the key of this machine wrote it"
            yield Difference(plain(stream, 200), 0, message)


def _accounts(journal: Journal, macs: Macs | None) -> Iterator[Difference]:
    """Compare accounts with their entries. An account and its entry are written one after the
    other, so a difference must show twice to be reported."""
    messages = _account_messages(journal, macs)
    if messages:
        time.sleep(_LOOK_AGAIN_SECONDS)
        again = _account_messages(journal, macs)
        yield from (Difference(ACCOUNTS, 0, message) for message in messages if message in again)


def _account_messages(journal: Journal, macs: Macs | None) -> list[str]:
    with journal.reader() as connection:
        rows = account_rows(connection)
    if not rows:
        return []
    known: dict[str, AccountOnRecord] = {}
    try:
        accounts_on_record(journal.read(ACCOUNTS), known)
    except (CroupierError, msgspec.MsgspecError) as error:
        return [f"the accounts cannot be compared: {plain(str(error), 200)}"]
    messages = [message for row in rows for message in differing(macs, row, known.get(row.name))]
    for name in sorted(known.keys() - {row.name for row in rows}):
        messages.append(f"the account of {plain(name)} is gone")
    return messages


def _sessions(connection: Connection, macs: Macs) -> Iterator[Difference]:
    looked = inspect(connection)
    if not looked.has_table("web_sessions"):
        return
    query = text(
        "SELECT token, person, role, guest, ends_at, mac FROM web_sessions"
        " LEFT JOIN web_people ON name = person"
    )
    for row in connection.execute(query):
        place = (str(row.token), str(row.person), str(row.role), str(row.ends_at))
        if not same_mac(session_mac(macs, *place, guest=bool(row.guest)), str(row.mac)):
            message = f"a session of {plain(row.person)} was put in or changed: it lets nobody in"
            yield Difference("web_sessions", 0, message)


def _vouched(connection: Connection, macs: Macs) -> Iterator[Difference]:
    """Check the MACs of shoes and of the cards that they have read in the round in play."""
    looked = inspect(connection)
    for table in VOUCHED:
        if not looked.has_table(table):
            continue
        for values in connection.execute(text(f"SELECT * FROM {table}")).mappings():
            row = {str(name): value for name, value in values.items()}
            if not same_mac(row_mac(macs, table, row), str(row["mac"])):
                message = f"a row of table {plain(row['game_table'])} was put in or changed"
                yield Difference(table, 0, message)


def mac_notes(journal: Journal, unchecked: int) -> Iterator[Difference]:
    """Report from which entry on MACs vouch for the journal, and whether they could be checked."""
    if unchecked:
        message = f"the MACs of {unchecked:,} entries cannot be checked: {journal.macs.why_not}"
        yield Difference(KEYS, 0, message)
    for entry in journal.read(KEYS):
        try:
            begun = _decode(entry.body)
        except msgspec.MsgspecError:
            yield Difference(KEYS, entry.version, "it cannot be read")
            continue
        with_key = f"with the key {plain(begun.key[:16])}… from {plain(entry.at)} on"
        earlier = f"before that with the key {plain(begun.before[:16])}…"
        if begun.left:
            earlier += f"; {begun.left:,} follow from no entry and have none"
        message = f"{begun.entries:,} entries are vouched for {with_key}; {earlier}"
        yield Difference(KEYS, entry.version, message)


# -- the form of the database ----------------------------------------------------------------------

_MADE_LATER: Final = {"entries_by_time"}
"""Indexes that servers add when they start."""


class _Object(NamedTuple):
    kind: str
    name: str


def form_differences(connection: Connection) -> Iterator[str]:
    yield from _tables(connection)
    is_sqlite = connection.dialect.name == "sqlite"
    wanted = _sqlite_wanted() if is_sqlite else _POSTGRES
    present = _sqlite_objects(connection) if is_sqlite else _postgres_objects(connection)
    for thing in sorted(wanted.keys() | present.keys()):
        object_type, name = thing
        if present.get(thing) == wanted.get(thing):
            continue
        words = f"its {object_type} {plain(name, 100)}"
        if thing not in wanted:
            yield f"{words} is not Croupier's: it could change what is written or read"
        elif object_type == "trigger":
            yield f"{words} is gone or changed: what is written could be changed"
        else:
            yield f"{words} is gone or changed"


def _tables(connection: Connection) -> Iterator[str]:
    looked = inspect(connection)
    there = set(looked.get_table_names())
    for name in sorted(there):
        own = schema.metadata.tables.get(name)
        wanted = set(SIDE_TABLES.get(name, ())) if own is None else {*own.columns.keys()}
        if not wanted:
            yield f"its table {plain(name, 100)} is not Croupier's"
            continue
        columns = {str(column["name"]) for column in looked.get_columns(name)}
        for column in sorted(columns - wanted):
            yield f"its table {name} has a column {plain(column, 100)} that is not Croupier's"
        gone = wanted - columns if own is not None else set()
        for column in sorted(gone):
            yield f"its table {name} has no column {column}"
    for name in sorted(schema.metadata.tables.keys() - there):
        yield f"its table {name} is gone"


# -- SQLite ----------------------------------------------------------------------------------------


def _sqlite_objects(connection: Connection) -> dict[_Object, str]:
    query = "SELECT type, name, sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL"
    return {
        _Object(str(object_type), str(name)): " ".join(str(sql).split())
        for object_type, name, sql in connection.exec_driver_sql(query)
        if name not in _MADE_LATER | SIDE_INDEXES
    }


@cache
def _sqlite_wanted() -> dict[_Object, str]:
    with create_engine("sqlite://").connect() as connection:
        schema.create(connection)
        return _sqlite_objects(connection)


# -- PostgreSQL ------------------------------------------------------------------------------------

_OBJECTS: Final = text("""
WITH here AS (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
SELECT 'trigger' AS kind, tgname AS name,
       concat(pg_get_triggerdef(t.oid), '; ', prosrc, '; ', tgenabled) AS told
FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid JOIN pg_proc p ON p.oid = tgfoid
WHERE NOT tgisinternal AND relnamespace IN (SELECT oid FROM here)
UNION ALL
SELECT 'view', relname, pg_get_viewdef(c.oid) FROM pg_class c
WHERE relkind IN ('v', 'm') AND relnamespace IN (SELECT oid FROM here)
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
UNION ALL
SELECT 'rule', rulename, pg_get_ruledef(r.oid) FROM pg_rewrite r JOIN pg_class c ON c.oid = ev_class
WHERE relkind IN ('r', 'p') AND relnamespace IN (SELECT oid FROM here)
UNION ALL
SELECT 'index', i.relname, pg_get_indexdef(i.oid)
FROM pg_index x JOIN pg_class i ON i.oid = indexrelid JOIN pg_class c ON c.oid = indrelid
WHERE NOT indisprimary AND c.relnamespace IN (SELECT oid FROM here)
  AND NOT EXISTS (SELECT 1 FROM pg_constraint n WHERE n.conindid = i.oid)
""")
_FUNCTION: Final = "begin raise exception the journal is append-only; end"


def _guard(name: str, when: str, table: str, each: str) -> tuple[_Object, str]:
    definition = f"create trigger {name} before {when} on {table} for each {each}"
    return (
        _Object("trigger", name),
        _bare(f"{definition} execute function croupier_append_only; {_FUNCTION}; o"),
    )


def _bare(definition: str) -> str:
    """Return the definition without what differs between releases of PostgreSQL, and without the
    schema's name."""
    words = re.sub(r"[\s\"'()]+", " ", definition.lower())
    return re.sub(r"\b\w+\.(?=\w)", "", words).replace(" ", "")


_POSTGRES: Final[dict[_Object, str]] = dict(
    [
        *(
            _guard(f"{table}_never_{change}", when, table, each)
            for table in ("entries", "requests")
            for change, when, each in (
                ("change", "delete or update", "row"),
                ("go", "truncate", "statement"),
            )
        ),
        (
            _Object("view", "postings"),
            _bare(
                "select stream, version, each.line - 1 as line, each.value ->> 0 as source,"
                " each.value ->> 1 as target, each.value ->> 2::bigint as cents from entries,"
                " lateral jsonb_array_elements(entries.transfers::jsonb) with ordinality"
                " each(value, line);"
            ),
        ),
        (
            _Object("index", "chapters_by_time"),
            _bare("create index chapters_by_time on chapters using btree (began, stream, number)"),
        ),
    ]
)


def _postgres_objects(connection: Connection) -> dict[_Object, str]:
    skipped = _MADE_LATER | SIDE_INDEXES
    return {
        _Object(str(row.kind), str(row.name)): _bare(str(row.told))
        for row in connection.execute(_OBJECTS)
        if row.name not in skipped
    }
