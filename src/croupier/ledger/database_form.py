"""Is the database of a journal as Croupier made it? Tables, columns, indexes, views and triggers.

Without its triggers the database would let anybody change what is written; a trigger of somebody
else's could do it, and a changed view would show other money than was moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Connection, create_engine, inspect, text

from croupier.errors import plain
from croupier.ledger import schema
from croupier.ledger.side_tables import SIDE_INDEXES, SIDE_TABLES

__all__ = ["form_differences"]

_LACKS: Final = {2: {"entries": {"mac"}, "snapshots": {"mac"}}}
"""Columns that a journal of an older form does not have."""
_MADE_LATER: Final = {"entries_by_time"}
"""Indexes that servers add."""


class _Object(NamedTuple):
    kind: str
    name: str


def form_differences(connection: Connection, form: int) -> Iterator[str]:
    yield from _tables(connection, form)
    is_sqlite = connection.dialect.name == "sqlite"
    wanted = _sqlite_wanted() if is_sqlite else _POSTGRES
    found = _sqlite_objects(connection) if is_sqlite else _postgres_objects(connection)
    for thing in sorted(wanted.keys() | found.keys()):
        kind, name = thing
        if found.get(thing) == wanted.get(thing):
            continue
        what = f"its {kind} {plain(name, 100)}"
        if thing not in wanted:
            yield f"{what} is not Croupier's: it could change what is written or read"
        elif kind == "trigger":
            yield f"{what} is gone or changed: what is written could be changed"
        else:
            yield f"{what} is gone or changed"


def _tables(connection: Connection, form: int) -> Iterator[str]:
    looked = inspect(connection)
    there = set(looked.get_table_names())
    lacks = _LACKS.get(form, {})
    for name in sorted(there):
        own = schema.metadata.tables.get(name)
        wanted = set(SIDE_TABLES.get(name, ())) if own is None else {*own.columns.keys()}
        if not wanted:
            yield f"its table {plain(name, 100)} is not Croupier's"
            continue
        columns = {str(column["name"]) for column in looked.get_columns(name)}
        for column in sorted(columns - wanted):
            yield f"its table {name} has a column {plain(column, 100)} that is not Croupier's"
        gone = wanted - columns - lacks.get(name, set()) if own is not None else set()
        for column in sorted(gone):
            yield f"its table {name} has no column {column}"
    for name in sorted(schema.metadata.tables.keys() - there):
        if form == schema.latest or name != schema.identity.name:
            yield f"its table {name} is gone"


# -- SQLite ---------------------------------------------------------------------------------------


def _sqlite_objects(connection: Connection) -> dict[_Object, str]:
    query = "SELECT type, name, sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL"
    return {
        _Object(str(kind), str(name)): " ".join(str(sql).split())
        for kind, name, sql in connection.exec_driver_sql(query)
        if name not in _MADE_LATER | SIDE_INDEXES
    }


@cache
def _sqlite_wanted() -> dict[_Object, str]:
    with create_engine("sqlite://").connect() as connection:
        schema.create(connection)
        return _sqlite_objects(connection)


# -- PostgreSQL -----------------------------------------------------------------------------------

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
    told = f"create trigger {name} before {when} on {table} for each {each}"
    return (
        _Object("trigger", name),
        _bare(f"{told} execute function croupier_append_only; {_FUNCTION}; o"),
    )


def _bare(told: str) -> str:
    """Without what differs between releases of PostgreSQL, and without the schema's name."""
    words = re.sub(r"[\s\"'()]+", " ", told.lower())
    return re.sub(r"\b\w+\.(?=\w)", "", words).replace(" ", "")


_POSTGRES: Final[dict[_Object, str]] = dict(
    [
        *(
            _guard(f"{table}_never_{what}", when, table, each)
            for table in ("entries", "requests")
            for what, when, each in (
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
