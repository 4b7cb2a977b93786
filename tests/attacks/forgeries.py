"""Everything that somebody who can write the database may try, and which evidence shows it.

docs/ledger.md has the table of them; `make matrix` writes it, and each of them is a test.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import croupier
from croupier.cashier import Deposit
from croupier.errors import CroupierError
from croupier.ledger.checkpoints.checkpoints import Checkpoint, take_checkpoint
from croupier.ledger.checkpoints.pruning import PrunedSpan
from croupier.ledger.entries import Addition, NewEntry, stamp
from croupier.ledger.journal import open_journal
from croupier.ledger.maintenance.reindex import reindex
from croupier.ledger.signatures.machine_key import MachineKey, machine_key
from croupier.money import Cents
from croupier.rounds.declaration import Actor, to_json
from croupier.runtime.cashier_session import CashierSession
from croupier.runtime.house import House
from croupier.tables.commands import BuyIn, CashOut
from croupier.web.accounts.people import People
from tests.ledger.forgery import behind_our_back, change, rechain, replace_person
from tests.web.kit import PASSWORD, settings

__all__ = ["FORGERIES", "GROUPS", "Evidence", "Forgery", "Kept", "make_accounts", "make_journal"]

WAGERS: Final = {"ante": 5, "blind": 5}
ANN: Final = Actor("player", "Annabella")
ONE: Final = "table:one"

Evidence: TypeAlias = Literal["journal", "key", "mac", "since"]
"""The weakest evidence that shows a forgery: the journal alone; this machine's key, because the
signatures are not its own or are missing; its key, because a MAC is wrong; a checkpoint that was
kept elsewhere."""


class Kept(NamedTuple):
    path: Path
    early: Path
    """The journal as it was two rounds ago, signed."""
    checkpoint: Checkpoint
    """What the auditor took away."""


class Forgery(NamedTuple):
    group: str
    name: str
    shown_by: Evidence
    says: str
    """Words of the difference, or of what is missing."""
    forge: Callable[[Path, Kept], None]
    of_accounts: bool = False
    """In a journal of accounts with the cashier and of staff, not of tables."""


GROUPS: Final = (
    "Entries, by hand",
    "Entries, with hashes and indexes computed again",
    "Times",
    "What is derived from entries",
    "The form of the database",
    "Staff and sessions",
    "Checkpoints",
    "History and checkpoints together",
    "New entries",
)
FORGERIES: Final[list[Forgery]] = []


def make_journal(folder: Path) -> Kept:
    """Two tables, refused attempts, requests, three checkpoints; the last one lies with the
    auditor."""
    path, early = folder / "journal.db", folder / "early.db"
    with croupier.open_journal(path) as journal:
        tables = [journal.open_table("md-uth", name=name, seed=name) for name in ("one", "two")]
        for table in tables:
            table.sit("Annabella", 1, buy_in=500)
            table.play("random", WAGERS)
        journal.checkpoint()
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("VACUUM INTO ?", (str(early),))
        for table in tables:
            table.play("random", WAGERS)
        journal.checkpoint()
        house = House(journal.ledger)
        house.do("one", BuyIn("Annabella", Cents(2500)), ANN, "click-1")
        for name in ("one", "two"):
            try:
                house.do(name, CashOut("Annabella", Cents(99_000_000)), ANN)
            except CroupierError:
                continue
            raise AssertionError("nobody has so much")
        checkpoint = journal.checkpoint()
    assert checkpoint is not None
    return Kept(path, early, checkpoint)


def make_accounts(folder: Path) -> Kept:
    """Two accounts with the cashier, two of staff, one of them signed in; and no table."""
    path = folder / "accounts.db"
    with open_journal(path) as journal:
        people = People(journal, settings(str(path)))
        people.add("Olga", "operator", PASSWORD)
        people.open_session(people.add("Cleo", "cashier", PASSWORD))
        for person in ("Ann", "Ben"):
            session = CashierSession(journal, person)
            session.carry_out(Deposit(Cents(10_000), "R-1"), Actor("cashier", "Cleo"), "click-1")
        checkpoint = take_checkpoint(journal, machine_key())
    assert checkpoint is not None
    return Kept(path, path, checkpoint)


# -- how a forgery is written down ----------------------------------------------------------------

Forge: TypeAlias = Callable[[Path, Kept], None]


def _forgery(
    group: str, name: str, shown_by: Evidence, says: str, *, of_accounts: bool = False
) -> Callable[[Forge], Forge]:
    def add(forge: Forge) -> Forge:
        assert group in GROUPS
        FORGERIES.append(Forgery(group, name, shown_by, says, forge, of_accounts))
        return forge

    return add


def _statement(
    group: str,
    name: str,
    shown_by: Evidence,
    says: str,
    *statements: str,
    of_accounts: bool = False,
) -> None:
    """Nothing but SQL, without the triggers."""

    def forge(path: Path, _: Kept) -> None:
        with behind_our_back(path) as raw:
            done = sum(raw.execute(one).rowcount for one in statements)
        assert done, "it changes nothing"

    _forgery(group, name, shown_by, says, of_accounts=of_accounts)(forge)


def _rehash(path: Path, *streams: str) -> None:
    """Hold every hash again, and make all that is derived from the entries."""
    with behind_our_back(path) as raw:
        for stream in streams:
            rechain(raw, stream)
    with open_journal(path) as journal:
        reindex(journal, even_if_cut=True)


def _rehashed(name: str, says: str, *statements: str, streams: tuple[str, ...] = (ONE,)) -> None:
    """The work of somebody with time: only the signed past shows it."""

    def forge(path: Path, _: Kept) -> None:
        with behind_our_back(path) as raw:
            assert sum(raw.execute(one).rowcount for one in statements), "it changes nothing"
        _rehash(path, *streams)

    of_accounts = any("cashier:" in one for one in statements)
    _forgery(GROUPS[1], name, "journal", says, of_accounts=of_accounts)(forge)


def forget_checkpoints(path: Path, after: int = 0) -> None:
    """The signatures that nobody can forge are taken away."""
    with behind_our_back(path) as raw:
        raw.execute("DELETE FROM entries WHERE stream = 'checkpoints' AND version > ?", (after,))
        raw.execute("DELETE FROM snapshots WHERE stream = 'checkpoints'")


def _cut_table(path: Path) -> None:
    with behind_our_back(path) as raw:
        (first,) = raw.execute(
            "SELECT max(first) FROM chapters WHERE stream = 'table:two'"
        ).fetchone()
        raw.execute("DELETE FROM entries WHERE stream = 'table:two' AND version >= ?", (first,))
    _rehash(path)


def _delete_table(path: Path) -> None:
    with behind_our_back(path) as raw:
        raw.execute("DELETE FROM entries WHERE stream IN ('table:two', 'link:two')")
        raw.execute("DELETE FROM entries WHERE stream = 'attempts:two'")
        for name in ("chapters", "marks", "requests", "snapshots"):
            raw.execute(f"DELETE FROM {name} WHERE stream IN ('table:two', 'link:two')")
    _rehash(path)


def _replace_person(path: Path) -> None:
    replace_person(path, "Annabella", "Barbarina")
    _rehash(path)


# -- entries, by hand -----------------------------------------------------------------------------

_MIDDLE: Final = f"stream = '{ONE}' AND version = 5"
_HASH: Final = "but its contents give"
for _name, _set in (
    ("a body changed", "body = replace(body, '5.00', '6.00')"),
    ("a time changed", "at = '2026-01-01T00:00:00.000000Z'"),
    ("a kind changed", "kind = 'tip'"),
    ("a transfer changed", "transfers = replace(transfers, '1000', '2000')"),
    ("a hash changed", "hash = replace(hash, 'a', 'b')"),
):
    _statement(GROUPS[0], _name, "journal", _HASH, f"UPDATE entries SET {_set} WHERE {_MIDDLE}")
_statement(
    GROUPS[0],
    "an entry deleted",
    "journal",
    "it is missing",
    f"DELETE FROM entries WHERE {_MIDDLE}",
)
_statement(
    GROUPS[0],
    "the last entry deleted",
    "journal",
    "was signed with",
    f"DELETE FROM entries WHERE stream = '{ONE}' AND version = "
    f"(SELECT max(version) FROM entries WHERE stream = '{ONE}')",
)
_statement(
    GROUPS[0],
    "two entries exchanged",
    "journal",
    _HASH,
    *(
        f"UPDATE entries SET version = {new} WHERE stream = '{ONE}' AND version = {old}"
        for old, new in ((7, 99), (8, 7), (99, 8))
    ),
)
_statement(
    GROUPS[0],
    "an entry written twice",
    "journal",
    _HASH,
    "INSERT INTO entries SELECT stream, version + 1, at, kind, body, transfers, hash, mac"
    f" FROM entries WHERE stream = '{ONE}' ORDER BY version DESC LIMIT 1",
)
_statement(
    GROUPS[0],
    "an entry put into another table",
    "journal",
    _HASH,
    "UPDATE entries SET version = (SELECT max(version) + 1 FROM entries WHERE stream ="
    " 'table:two'), stream = 'table:two'"
    f" WHERE stream = '{ONE}' AND kind = 'collect' AND version > 20",
)
_statement(
    GROUPS[0],
    "a table renamed",
    "journal",
    _HASH,
    f"UPDATE entries SET stream = 'table:three' WHERE stream = '{ONE}'",
)
_statement(
    GROUPS[0],
    "a rulebook's text changed",
    "journal",
    _HASH,
    "UPDATE entries SET body = replace(body, '500', '501') WHERE stream = 'rules'",
)
_statement(
    GROUPS[0],
    "a refused attempt emptied, as if it were old",
    "journal",
    "no rule took it",
    "UPDATE entries SET body = '' WHERE stream = 'attempts:one'",
)

# -- with hashes and indexes computed again -------------------------------------------------------

_OTHER: Final = "was signed over other entries"
_rehashed(
    "a wager raised",
    _OTHER,
    f"UPDATE entries SET body = replace(body, '\"5.00\"', '\"6.00\"') WHERE {_MIDDLE}",
)
_rehashed(
    "a time changed",
    _OTHER,
    f"UPDATE entries SET at = '2026-01-01' || substr(at, 11) WHERE {_MIDDLE}",
)
_rehashed(
    "a person's buy-in raised",
    _OTHER,
    f"UPDATE entries SET body = replace(body, '25.00', '95.00'), transfers = replace(transfers,"
    f" '2500', '9500') WHERE stream = '{ONE}' AND kind = 'buy_in' AND body LIKE '%click-1%'",
)
_rehashed(
    "a deposit raised",
    _OTHER,
    "UPDATE entries SET body = replace(replace(body, '\"100.00\"', '\"900.00\"'), '10000',"
    " '90000'), transfers = replace(transfers, '10000', '90000') WHERE stream = 'cashier:Ben'",
    streams=("cashier:Ben",),
)
_rehashed(
    "a refused attempt told otherwise",
    _OTHER,
    "UPDATE entries SET body = replace(body, 'Annabella', 'Barbarina')"
    " WHERE stream = 'attempts:one'",
    streams=("attempts:one",),
)
_rehashed(
    "the refused attempts of a table deleted",
    "attempts:one was signed with 1 entries and is gone",
    "DELETE FROM entries WHERE stream = 'attempts:one'",
    streams=(),
)
_rehashed(
    "an account with the cashier deleted",
    "cashier:Ben was signed with 1 entries and is gone",
    "DELETE FROM entries WHERE stream = 'cashier:Ben'",
    "DELETE FROM requests WHERE stream = 'cashier:Ben'",
    "DELETE FROM snapshots WHERE stream = 'cashier:Ben'",
    streams=(),
)


@_forgery(GROUPS[1], "a person replaced by another throughout", "journal", _OTHER)
def _person_replaced(path: Path, _: Kept) -> None:
    _replace_person(path)


@_forgery(GROUPS[1], "the end of a table cut off", "journal", "table:two was signed with")
def _tail_cut(path: Path, _: Kept) -> None:
    _cut_table(path)


@_forgery(GROUPS[1], "a table deleted", "journal", "table:two was signed with")
def _table_deleted(path: Path, _: Kept) -> None:
    _delete_table(path)


# -- times ----------------------------------------------------------------------------------------


def _buy_in(path: Path, later: timedelta, *, signed: timedelta | None = None) -> None:
    """The rules allow it; only its time is another. `signed`: when, by this machine's key."""
    with open_journal(path) as journal:
        House(journal, clock=lambda: datetime.now(UTC) + later).do(
            "one", BuyIn("Annabella", Cents(500)), ANN
        )
        if signed is not None:
            take_checkpoint(journal, machine_key(), datetime.now(UTC) + signed)


@_forgery(GROUPS[2], "an entry dated tomorrow", "journal", "which is after now")
def _tomorrow(path: Path, _: Kept) -> None:
    _buy_in(path, timedelta(days=1))


@_forgery(GROUPS[2], "an entry dated to last year", "journal", "but came after the checkpoint")
def _last_year(path: Path, _: Kept) -> None:
    _buy_in(path, -timedelta(days=365))


@_forgery(GROUPS[2], "a checkpoint signed by a clock set forward", "journal", "is dated after now")
def _set_forward(path: Path, _: Kept) -> None:
    _buy_in(path, timedelta(), signed=timedelta(days=40))


@_forgery(GROUPS[2], "a checkpoint signed by a clock set back", "journal", "a clock was set back")
def _set_back(path: Path, _: Kept) -> None:
    _buy_in(path, timedelta(), signed=-timedelta(days=1))


@_forgery(GROUPS[2], "refused attempts of today emptied as if they were old", "journal", "no rule")
def _pruned_today(path: Path, _: Kept) -> None:
    """With an entry that says so, signed by a server that knows no better."""
    with open_journal(path) as journal:
        span = PrunedSpan("attempts:one", 1, stamp(datetime.now(UTC)))
        journal.add(
            Addition("pruned", 0, (NewEntry("pruned", to_json(span)),)), at=datetime.now(UTC)
        )
        take_checkpoint(journal, machine_key())
    with behind_our_back(path) as raw:
        raw.execute("UPDATE entries SET body = '' WHERE stream = 'attempts:one'")


# -- what is derived from entries -----------------------------------------------------------------

for _name, _says, _sql in (
    (
        "a balance changed",
        "is stored as",
        "UPDATE balances SET cents = cents + 1 WHERE account = 'cage'",
    ),
    ("a balance deleted", "is stored as", "DELETE FROM balances WHERE account = 'cage'"),
    ("a balance invented", "is stored", "INSERT INTO balances VALUES ('cashier:Eve', 500)"),
    ("an empty balance invented", "is stored", "INSERT INTO balances VALUES ('cashier:Eve', 0)"),
    ("a round's time changed", "index", "UPDATE chapters SET began = '2020' WHERE number = 1"),
    ("a round left out of the index", "index", "DELETE FROM chapters WHERE number = 1"),
    (
        "a round invented in the index",
        "index",
        "INSERT INTO chapters SELECT stream, 9, first, last, began, ended, marks FROM chapters"
        f" WHERE stream = '{ONE}' AND number = 1",
    ),
    (
        "the index of a table that is not there",
        "chapters of the stream speak of",
        "INSERT INTO chapters VALUES ('table:three', 1, 1, 2, '2020', '2020', '[]')",
    ),
    (
        "a mark of a round changed",
        "recalled by",
        "UPDATE marks SET value = 'royal_flush' WHERE name = 'hand' AND number = 1",
    ),
    (
        "a mark of a round deleted",
        "recalled by",
        "DELETE FROM marks WHERE name = 'player' AND number = 1",
    ),
    (
        "a mark of a round invented",
        "recalled by",
        f"INSERT INTO marks VALUES ('hand', 'royal_flush', '{ONE}', 1)",
    ),
    ("a request deleted", "request", "DELETE FROM requests"),
    ("a request moved", "request", "UPDATE requests SET first = first - 1"),
    (
        "a request invented",
        "request",
        f"INSERT INTO requests VALUES ('{ONE}', 'player Annabella:never', 3, 3)",
    ),
    (
        "a request of a table that is not there",
        "requests of the stream speak of",
        "INSERT INTO requests VALUES ('table:three', 'x', 1, 1)",
    ),
    (
        "a snapshot of a table invented",
        "snapshot",
        f"INSERT INTO snapshots VALUES ('{ONE}', 5, CAST('{{}}' AS BLOB), '')",
    ),
    (
        "a snapshot of nothing",
        "snapshots",
        "INSERT INTO snapshots VALUES ('attempts:one', 1, CAST('{}' AS BLOB), '')",
    ),
    (
        "the snapshot of the checkpoints changed",
        "snapshot",
        "UPDATE snapshots SET body = CAST(replace(body, '1', '2') AS BLOB)"
        " WHERE stream = 'checkpoints'",
    ),
):
    _statement(GROUPS[3], _name, "journal", _says, _sql)


# -- the form of the database ---------------------------------------------------------------------

_TRIGGERS: Final = (
    *("entries_in_order", "entries_never_change", "entries_never_go"),
    *("requests_once", "requests_never_change", "requests_never_go"),
)


def _trigger_gone(name: str) -> Forge:
    def forge(path: Path, _: Kept) -> None:
        with closing(sqlite3.connect(path)) as raw:
            raw.execute(f"DROP TRIGGER {name}")

    return forge


for _name in _TRIGGERS:
    _forgery(GROUPS[4], f"the trigger {_name} dropped", "journal", _name)(_trigger_gone(_name))


@_forgery(GROUPS[4], "a trigger that lets one person through", "journal", "entries_never_change")
def _trigger_changed(path: Path, _: Kept) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("DROP TRIGGER entries_never_change")
        raw.execute(
            "CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries WHEN old.kind <> 'buy_in'"
            " BEGIN SELECT raise(ABORT, 'the journal is append-only'); END"
        )


def _formed(statements: tuple[str, ...]) -> Forge:
    def forge(path: Path, _: Kept) -> None:
        with closing(sqlite3.connect(path)) as raw:
            for one in statements:
                raw.execute(one)

    return forge


for _name, _says, _sqls in (
    (
        "a trigger added",
        "is not Croupier's",
        (
            "CREATE TRIGGER more AFTER INSERT ON requests BEGIN"
            " UPDATE balances SET cents = cents + 1; END",
        ),
    ),
    (
        "the view of transfers changed",
        "its view postings is gone or changed",
        ("DROP VIEW postings", "CREATE VIEW postings AS SELECT 1"),
    ),
    ("a table added", "its table more is not Croupier's", ("CREATE TABLE more (x)",)),
    ("a column added", "has a column more", ("ALTER TABLE balances ADD COLUMN more",)),
    ("an index added", "its index more is not Croupier's", ("CREATE INDEX more ON entries (at)",)),
):
    _forgery(GROUPS[4], _name, "journal", _says)(_formed(_sqls))

# -- staff and sessions ---------------------------------------------------------------------------

_OF_STAFF: Final[tuple[tuple[str, Evidence, str, str], ...]] = (
    (
        "a cashier made an operator",
        "journal",
        "Cleo",
        "UPDATE web_people SET role = 'operator' WHERE name = 'Cleo'",
    ),
    (
        "an operator invented",
        "journal",
        "Eve",
        "INSERT INTO web_people SELECT 'Eve', role, password, guest, made_at, failures,"
        " locked_until FROM web_people WHERE name = 'Olga'",
    ),
    (
        "an operator's password replaced by one that is known",
        "mac",
        "Olga",
        "UPDATE web_people SET password = (SELECT password FROM web_people WHERE name = 'Cleo')"
        " WHERE name = 'Olga'",
    ),
    ("an account deleted", "journal", "Olga", "DELETE FROM web_people WHERE name = 'Olga'"),
    (
        "a session of somebody else's",
        "mac",
        "session",
        "UPDATE web_sessions SET person = 'Olga'",
    ),
    ("a session that never ends", "mac", "session", "UPDATE web_sessions SET ends_at = '2999'"),
)
for _name, _shown_by, _says, _sql in _OF_STAFF:
    _statement(GROUPS[5], _name, _shown_by, _says, _sql, of_accounts=True)


# -- checkpoints ----------------------------------------------------------------------------------


def _checkpoint_field(field: str) -> Forge:
    def forge(path: Path, kept: Kept) -> None:
        value = str(getattr(kept.checkpoint, field))
        other = value[:-1] + ("1" if value[-1] != "1" else "2")
        with behind_our_back(path) as raw:
            change(raw, "checkpoints", 3, value, other)
            rechain(raw, "checkpoints")

    return forge


for _name in ("size", "root", "at", "signature", "key"):
    _forgery(
        GROUPS[6], f"the {_name} of a checkpoint changed", "journal", "is not signed by its key"
    )(_checkpoint_field(_name))


def _checkpoint_row(set_: str) -> Forge:
    def forge(path: Path, _: Kept) -> None:
        with behind_our_back(path) as raw:
            raw.execute(f"UPDATE entries SET {set_} WHERE stream = 'checkpoints' AND version = 2")
            rechain(raw, "checkpoints")

    return forge


for _name, _set, _says in (
    (
        "the row of a checkpoint dated otherwise",
        "at = '2026-01-01' || substr(at, 11)",
        "is not that of",
    ),
    ("the row of a checkpoint named otherwise", "kind = 'other'", "is not that of"),
    ("words added to a checkpoint", "body = replace(body, '}', ',\"x\":1}')", "is not that of"),
    ("money moved by a checkpoint", 'transfers = \'[["cage","house",1]]\'', "transfers"),
    (
        "what a checkpoint covers changed",
        "body = replace(body, 'table:one', 'table:two')",
        "it lists entries",
    ),
    ("a checkpoint replaced by none", "body = '{}'", "it is no checkpoint"),
):
    _forgery(GROUPS[6], _name, "journal", _says)(_checkpoint_row(_set))


@_forgery(GROUPS[6], "a checkpoint in the middle deleted", "journal", "it lists entries")
def _middle_deleted(path: Path, _: Kept) -> None:
    with behind_our_back(path) as raw:
        raw.execute("DELETE FROM entries WHERE stream = 'checkpoints' AND version = 2")
        raw.execute("UPDATE entries SET version = 2 WHERE stream = 'checkpoints' AND version = 3")
        raw.execute("DELETE FROM snapshots WHERE stream = 'checkpoints'")
        rechain(raw, "checkpoints")


@_forgery(GROUPS[6], "the last checkpoint deleted", "key", "no checkpoint covers")
def _last_deleted(path: Path, _: Kept) -> None:
    forget_checkpoints(path, after=2)


@_forgery(GROUPS[6], "all checkpoints deleted", "key", "it has no checkpoint")
def _all_deleted(path: Path, _: Kept) -> None:
    forget_checkpoints(path)


@_forgery(GROUPS[6], "all signed again with another key", "key", "not with this machine's key")
def _signed_again(path: Path, _: Kept) -> None:
    forget_checkpoints(path)
    _sign_as_a_thief(path)


# -- history and checkpoints together -------------------------------------------------------------


def _sign_as_a_thief(path: Path) -> None:
    with open_journal(path) as journal:
        take_checkpoint(journal, MachineKey(b"x" * 32))


for _name, _rewrite in (
    ("a table deleted", _delete_table),
    ("the end of a table cut off", _cut_table),
    ("a person replaced by another throughout", _replace_person),
):

    def _unsigned(path: Path, _: Kept, rewrite: Callable[[Path], None] = _rewrite) -> None:
        rewrite(path)
        forget_checkpoints(path)

    def _by_thief(path: Path, _: Kept, rewrite: Callable[[Path], None] = _rewrite) -> None:
        rewrite(path)
        forget_checkpoints(path)
        _sign_as_a_thief(path)

    _forgery(GROUPS[7], f"{_name}, and no checkpoint left", "key", "it has no checkpoint")(
        _unsigned
    )
    _forgery(GROUPS[7], f"{_name}, signed with another key", "key", "not with this machine's key")(
        _by_thief
    )


@_forgery(GROUPS[7], "the end cut off to an earlier checkpoint", "since", "does not go on from")
def _rolled_back(path: Path, _: Kept) -> None:
    """What came after the second checkpoint is gone, and the third with it."""
    with behind_our_back(path) as raw:
        raw.execute(
            "DELETE FROM entries WHERE stream <> 'checkpoints' AND at > (SELECT at FROM entries"
            " WHERE stream = 'checkpoints' AND version = 2)"
        )
    forget_checkpoints(path, after=2)
    _rehash(path)


@_forgery(
    GROUPS[7], "an older copy put in its place", "since", "an older copy was put in its place"
)
def _older_copy(path: Path, kept: Kept) -> None:
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    shutil.copy(kept.early, path)


@_forgery(GROUPS[7], "everything deleted", "key", "it has no checkpoint")
def _everything(path: Path, _: Kept) -> None:
    with behind_our_back(path) as raw:
        for name in ("entries", "requests", "chapters", "marks", "balances", "snapshots"):
            raw.execute(f"DELETE FROM {name}")


# -- new entries ----------------------------------------------------------------------------------

_COPIED: Final = (
    ("entries", "stream, version, at, kind, body, transfers, hash", "stream, version"),
    ("requests", "stream, request, first, last", "stream, request"),
)


def _put_in(path: Path, make: Callable[[Path], None]) -> None:
    """Rows as the program would write them, made on a copy: it takes no key."""
    copy = path.with_name("copy.db")
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("VACUUM INTO ?", (str(copy),))
    make(copy)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("ATTACH ? AS made", (str(copy),))
        for name, columns, key in _COPIED:
            raw.execute(
                f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM made.{name} WHERE"
                f" ({key}) NOT IN (SELECT {key} FROM main.{name}) ORDER BY {key}"
            )
        raw.execute("INSERT OR REPLACE INTO main.balances SELECT * FROM made.balances")


def _deposit(path: Path) -> None:
    with open_journal(path) as journal:
        session = CashierSession(journal, "Ben")
        session.carry_out(Deposit(Cents(50_000), "R-2"), Actor("cashier", "Cleo"), "click-9")


_FORGED: Final = "its MAC is wrong"


@_forgery(GROUPS[8], "a deposit that nobody made", "mac", _FORGED, of_accounts=True)
def _deposit_put_in(path: Path, _: Kept) -> None:
    _put_in(path, _deposit)


@_forgery(
    GROUPS[8], "a deposit, and the server signs what was added", "mac", _FORGED, of_accounts=True
)
def _deposit_signed(path: Path, _: Kept) -> None:
    _put_in(path, _deposit)
    with open_journal(path) as journal:
        take_checkpoint(journal, machine_key())
