"""People and their sessions, in tables of their own beside the journal; every change of an account
is an entry of the journal, too.

Passwords are kept as argon2 hashes, session tokens as SHA-256: a stolen database opens no door.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from litestar.di import NamedDependency
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Integer,
    MetaData,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from croupier.errors import BadRequest, Refusal, shown, suggest
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.records.people_accounts import (
    AccountRow,
    ByWhom,
    RecordedAccounts,
    record_change,
    session_mac,
)
from croupier.ledger.side_tables import create_missing, writing
from croupier.ledger.signatures.macs import same_mac
from croupier.ledger.stores.schema import NAME
from croupier.rounds.declaration import SHOE, is_software
from croupier.school.progress_store import ProgressStore, forget_gone_guests
from croupier.web.accounts.class_codes import ClassCodes, forget_class_guests, holding_codes
from croupier.web.accounts.guest_names import GuestNames, forget_gone
from croupier.web.accounts.lockouts import Guesses
from croupier.web.accounts.names import lookalike_of, name_key, spelled
from croupier.web.accounts.passwords import MOST_PASSWORD, check_password
from croupier.web.accounts.roles import PersonRole
from croupier.web.accounts.second_factors import NEEDED_BY, SecondFactors
from croupier.web.server.problems import Denied
from croupier.web.server.settings import Settings

ROLES: Final[tuple[PersonRole, ...]] = get_args(PersonRole)
HOUSE: Final = ByWhom("console", "house")
SEEN_SECONDS: Final = 60
"""So often it is written down that somebody is still there."""
WATCHED_SECONDS: Final = 180
"""A page that is looked at says so every minute; so long after the last time it was closed."""
REMEMBERED_HOURS: Final = 1
"""A session that has ended is kept so long, to say why."""
MOST_NAME: Final = 60
MOST_GUESTS_NAMED: Final = 20

_metadata = MetaData()
_people = Table(
    "web_people",
    _metadata,
    Column("name", NAME, primary_key=True),
    Column("role", Text, nullable=False),
    Column("password", Text, nullable=True),
    Column("guest", Boolean, nullable=False),
    Column("made_at", Text, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("locked_until", Text, nullable=False),
)
_sessions = Table(
    "web_sessions",
    _metadata,
    Column("token", Text, primary_key=True),
    Column("person", NAME, nullable=False, index=True),
    Column("ends_at", NAME, nullable=False),
    Column("seen_at", Text, nullable=False),
    Column("last_sign_in", Text, nullable=False),
    Column("watched_at", Text, nullable=False, server_default=""),
    Column("mac", Text, nullable=False),
)
_sign_ins = Table(
    "web_sign_ins",
    _metadata,
    Column("person", NAME, primary_key=True),
    Column("at", Text, nullable=False),
    Column("address", Text, nullable=False),
)
_ready = Table(
    "web_ready",
    _metadata,
    Column("game_table", NAME, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("version", Integer, nullable=False),
)

_FIND: Final = (
    select(
        _sessions.c.token,
        _people.c.name,
        _people.c.role,
        _people.c.guest,
        _sessions.c.seen_at,
        _sessions.c.last_sign_in,
        _sessions.c.ends_at,
        _sessions.c.watched_at,
        _sessions.c.mac,
        func.coalesce(holding_codes.c.code, "").label("class_code"),
    )
    .join(_people, _sessions.c.person == _people.c.name)
    .outerjoin(holding_codes, holding_codes.c.person == _people.c.name)
    .where(
        _sessions.c.token.in_(bindparam("tokens", expanding=True)),
        _sessions.c.ends_at > bindparam("now"),
    )
)


class Person(msgspec.Struct, frozen=True):
    name: str
    role: PersonRole
    guest: bool = False
    last_sign_in: str = ""
    """When and where this name signed in before this session; nothing the first time."""
    quiet: Literal["", "watching", "idle", "over"] = ""
    """`watching`: nothing was done for long, but a board is open and looked at. `idle`, `over`: the
    session has ended, for want of activity or by its age."""
    class_code: str = ""
    """The id of the class code with which a guest came in, while it holds."""

    def source(self, address: str) -> str:
        """Whom the limits of an address count: each guest of a class alone, else the address."""
        return f"person {self.name}" if self.class_code else address


class PersonRow(msgspec.Struct, frozen=True):
    """An account. `disabled`: it exists, and nobody can sign in with it."""

    name: str
    role: PersonRole
    disabled: bool
    since: str
    second_factor: bool = False
    """Signs in with the code of an authenticator."""


def fresh_token() -> str:
    return secrets.token_urlsafe(32)


def csrf_of(token: str) -> str:
    """Derived from the session's token, so that only our own pages learn it."""
    return sha256(f"croupier csrf {token}".encode()).hexdigest()[:40]


def _kept(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class People:
    """Blocking: for a thread."""

    def __init__(self, journal: Journal, settings: Settings) -> None:
        self._journal = journal
        self.settings = settings
        self._hasher = PasswordHasher(
            time_cost=2, memory_cost=settings.password_memory_kib, parallelism=1
        )
        create_missing(journal, _metadata)
        ProgressStore(journal)  # has its table, for guests who are forgotten
        self._guesses = Guesses(journal, settings)
        self._factors = SecondFactors(journal)
        self._recorded = RecordedAccounts(journal)
        self.guest_names = GuestNames(journal)
        self.class_codes = ClassCodes(journal)

    # -- people -----------------------------------------------------------------------------

    def add(
        self,
        name: str,
        role: str,
        password: str,
        *,
        only_new: bool = False,
        by: ByWhom = HOUSE,
    ) -> Person:
        """A new person, or a new role and password for one who is there."""
        name = account_name(name)
        known = _checked_role(role)
        hashed = self._hashed(password, name)
        row = {
            "role": known,
            "password": hashed,
            "guest": False,
            "failures": 0,
            "locked_until": "",
        }
        with self._writing() as connection:
            there = _row(connection, name)
            if there is not None and only_new:
                raise Refusal(f"{shown(name)} is there already", code="already_done")
            if there is None:
                _check_new_name(connection, name)
                now = stamp(datetime.now(UTC))
                connection.execute(insert(_people).values(name=name, made_at=now, **row))
            else:
                _change(connection, name, **row)
        self._guesses.forget(name)
        record_change(self._journal, "person_added", name, by, role=known, hashed=hashed)
        return Person(name, known)

    def listed(self) -> list[PersonRow]:
        """Everybody who has or had an account, by name; no guests."""
        query = select(_people).where(_people.c.guest.is_(False)).order_by(_people.c.name)
        with self._journal.reader() as connection:
            rows = connection.execute(query).all()
        enrolled = self._factors.enrolled()
        return [
            PersonRow(row.name, row.role, not row.password, row.made_at, row.name in enrolled)
            for row in rows
        ]

    def check_known(self, name: str) -> None:
        with self._journal.reader() as connection:
            _known(connection, name)

    def role_of(self, name: str) -> PersonRole:
        with self._journal.reader() as connection:
            return _checked_role(_known(connection, name).role)

    def disable(self, name: str, by: ByWhom = HOUSE) -> None:
        """Whoever has no password cannot sign in. The name stays, in the record and here."""
        if name == by.name:
            raise Refusal(
                "nobody disables their own account: another operator can", code="not_yours"
            )
        with self._writing() as connection:
            row = _known(connection, name)
            if not row.password:
                raise Refusal(f"{shown(name)} is disabled already", code="already_done")
            _check_an_operator_is_left(connection, name)
            _change(connection, name, password=None)
        record_change(self._journal, "person_disabled", name, by)

    def set_password(self, name: str, password: str, by: ByWhom = HOUSE) -> None:
        """A new password; it also lets somebody in again who was disabled."""
        if name == by.name and by.role != HOUSE.role:
            raise Refusal("change your own password with the old one", code="not_yours")
        self.check_known(name)
        hashed = self._hashed(password, name)
        with self._writing() as connection:
            _known(connection, name)
            _change(connection, name, password=hashed, failures=0, locked_until="")
        self._guesses.forget(name)
        record_change(self._journal, "password_set", name, by, hashed=hashed)

    def change_own_password(self, name: str, old: str, new: str, address: str = "") -> None:
        """It takes the old one, and guesses of it are counted as at a sign-in. All sessions end."""
        row = self._proved(name, old, address)
        if new == old:
            raise BadRequest("this is the old password: choose another one")
        hashed = self._hashed(new, name)
        with self._writing() as connection:
            if _known(connection, name).password != row.password:
                raise Denied("name or password is wrong", code="wrong_password")  # reset meanwhile
            _change(connection, name, password=hashed, failures=0, locked_until="")
        self._guesses.right(name, address, datetime.now(UTC))
        record_change(self._journal, "password_set", name, ByWhom(row.role, name), hashed=hashed)

    def end_sessions(self, name: str, by: ByWhom = HOUSE) -> None:
        """Sign out on all devices."""
        with self._writing() as connection:
            _known(connection, name)
            _end_sessions(connection, name)
        record_change(self._journal, "sessions_ended", name, by)

    def set_role(self, name: str, role: str, by: ByWhom = HOUSE) -> None:
        if name == by.name:
            raise Refusal("nobody changes their own role: another operator can", code="not_yours")
        role = _checked_role(role)
        with self._writing() as connection:
            if _known(connection, name).role == role:
                raise Refusal(f"{shown(name)} is {role} already", code="already_done")
            if role != "operator":
                _check_an_operator_is_left(connection, name)
            _change(connection, name, role=role)
        record_change(self._journal, "role_changed", name, by, role=role)

    def reset_second_factor(self, name: str, by: ByWhom = HOUSE) -> None:
        """The authenticator is lost: at the next sign-in another one is set up."""
        if name == by.name and by.role != HOUSE.role:
            raise Refusal(
                "nobody resets their own authenticator: another operator can, or `croupier people "
                "reset-authenticator`",
                code="not_yours",
            )
        self.check_known(name)
        if not self._factors.forget(name):
            raise Refusal(f"{shown(name)} has no authenticator", code="already_done")
        with self._writing() as connection:
            _end_sessions(connection, name)
        record_change(self._journal, "second_factor_reset", name, by)

    def _hashed(self, password: str, name: str) -> str:
        check_password(password, name)
        return self._hasher.hash(password)

    def add_guest(self, role: PersonRole = "player") -> Person:
        for _ in range(MOST_GUESTS_NAMED):
            name = f"guest-{secrets.token_hex(3)}"
            with self._writing() as connection:
                if connection.execute(select(_people.c.name).where(_people.c.name == name)).first():
                    continue
                connection.execute(
                    insert(_people).values(
                        name=name,
                        role=role,
                        password=None,
                        guest=True,
                        made_at=stamp(datetime.now(UTC)),
                        failures=0,
                        locked_until="",
                    )
                )
            return Person(name, role, guest=True)
        raise Refusal("no name is free for a guest: try again", code="not_now")

    def choose_name(self, guest: str, name: str) -> str:
        """What a guest wants to be called; never as somebody with an account."""
        return self.guest_names.choose(guest, name, [row.name for row in self.listed()])

    def sign_in(self, name: str, password: str, code: str = "", address: str = "") -> Person:
        """The same words and the same time whether the name or the password is wrong."""
        row = self._proved(name, password, address)
        name, now = row.name, datetime.now(UTC)
        try:
            self._factors.check(name, code, now.timestamp(), is_needed=self._needs_factor(row.role))
        except Denied as refusal:
            if refusal.code == "wrong_code":
                self._guesses.wrong(name, address, now)
            raise
        self._guesses.right(name, address, now)
        with self._writing() as connection:
            return Person(row.name, row.role, last_sign_in=_sign(connection, name, address, now))

    def enrol(self, name: str, password: str, address: str = "") -> str:
        """The secret for an authenticator; the first code at a sign-in makes it count."""
        return self._factors.enrol(self._proved(name, password, address).name)

    def _needs_factor(self, role: str) -> bool:
        if role == "dealer":
            return self.settings.dealers_factor
        return self.settings.second_factor and role in NEEDED_BY

    def _proved(self, name: str, password: str, address: str) -> Any:
        """The account, where the password is right. Names are written in any case: everybody's
        are looked through, so that it takes as long for one that nobody has."""
        now = datetime.now(UTC)
        self._guesses.check(name, address, now)
        with self._journal.reader() as connection:
            row = _row(connection, _known_as(connection, name))
        hashed = row.password if row is not None and row.password else self._nobodys
        if not self._is_right(hashed, password) or row is None or not row.password:
            self._guesses.wrong(name, address, now)
            raise Denied("name or password is wrong", code="wrong_password")
        secret = self._factors.secret(row.name)
        self._recorded.check(AccountRow(row.name, row.role, row.password, secret, bool(row.guest)))
        return row

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash(secrets.token_hex(8))

    def _is_right(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password[: MOST_PASSWORD + 1])
        except (VerificationError, InvalidHashError):
            return False

    # -- sessions ---------------------------------------------------------------------------

    def open_session(self, person: Person) -> str:
        token = fresh_token()
        now = datetime.now(UTC)
        ends = stamp(now + timedelta(hours=self.settings.session_hours))
        place = (_kept(token), person.name, person.role, ends)
        mac = session_mac(self._journal.macs_to_write(), *place, guest=person.guest)
        with self._writing() as connection:
            self._forget_past(connection, now)
            connection.execute(
                insert(_sessions).values(
                    mac=mac,
                    token=_kept(token),
                    person=person.name,
                    ends_at=ends,
                    seen_at=stamp(now),
                    last_sign_in=person.last_sign_in,
                )
            )
        return token

    def _forget_past(self, connection: Connection, now: datetime) -> None:
        """Sessions that are over, and guests who have none and cannot come back."""
        gone = stamp(now - timedelta(hours=REMEMBERED_HOURS))
        connection.execute(delete(_sessions).where(_sessions.c.ends_at < gone))
        old = stamp(now - timedelta(hours=self.settings.session_hours))
        there = select(_sessions.c.person)
        connection.execute(
            delete(_people).where(
                _people.c.guest.is_(True), _people.c.made_at < old, _people.c.name.not_in(there)
            )
        )
        forget_gone(connection, select(_people.c.name))
        forget_gone_guests(connection, select(_people.c.name))
        forget_class_guests(connection, select(_people.c.name))

    def find_session(self, token: str) -> Person | None:
        """The person who may do something under this token."""
        person = self.find_sessions([token]).get(token)
        return person if person is not None and not person.quiet else None

    def find_sessions(
        self, tokens: Sequence[str], active: Collection[str] = ()
    ) -> dict[str, Person]:
        """The person of each token, also of one that was quiet for too long (`Person.quiet`);
        tokens without a session are left out. `active`: those whose person has just done something,
        so that they are not idle."""
        by_kept = {_kept(token): token for token in tokens}
        now = datetime.now(UTC)
        since = stamp(now - timedelta(hours=REMEMBERED_HOURS))
        with self._journal.reader() as connection:
            rows = connection.execute(_FIND, {"tokens": list(by_kept), "now": since}).all()
        people: dict[str, Person] = {}
        seen: list[str] = []
        macs = self._journal.macs_to_write()
        for row in rows:
            place = (row.token, row.name, row.role, row.ends_at)
            if not same_mac(session_mac(macs, *place, guest=bool(row.guest)), row.mac):
                continue  # nobody opened it
            quiet = self._quiet(row, now)
            people[by_kept[row.token]] = Person(
                row.name, row.role, bool(row.guest), row.last_sign_in, quiet, row.class_code
            )
            is_active = not quiet and by_kept[row.token] in active
            if is_active and _seconds_since(row.seen_at, now) > SEEN_SECONDS:
                seen.append(row.token)
        if seen:
            with self._writing() as connection:
                connection.execute(
                    update(_sessions).where(_sessions.c.token.in_(seen)).values(seen_at=stamp(now))
                )
        return people

    def _quiet(self, row: Any, now: datetime) -> Literal["", "watching", "idle", "over"]:
        if row.ends_at <= stamp(now):
            return "over"
        if row.role == "player" or row.guest:
            return ""
        if _seconds_since(row.seen_at, now) <= self.settings.idle_minutes * 60:
            return ""
        watched = row.watched_at and _seconds_since(row.watched_at, now) <= WATCHED_SECONDS
        return "watching" if watched else "idle"

    def watch(self, token: str) -> None:
        """A board is looked at under this session. It is no sign that anybody does anything."""
        at = {"watched_at": stamp(datetime.now(UTC))}
        with self._writing() as connection:
            connection.execute(
                update(_sessions).where(_sessions.c.token == _kept(token)).values(**at)
            )

    def close_session(self, token: str, name: str = "") -> None:
        """`name`: whose it is, for workers that hold connections of theirs."""
        with self._writing() as connection:
            connection.execute(delete(_sessions).where(_sessions.c.token == _kept(token)))
            _tell_workers(connection, name)

    # -- who is ready, for the worker that deals --------------------------------------------

    def say_ready(self, table: str, seat: int, round_number: int, version: int) -> None:
        """Kept and told to the other workers."""
        with self._writing() as connection:
            connection.execute(
                delete(_ready).where(_ready.c.game_table == table, _ready.c.seat == seat)
            )
            connection.execute(
                insert(_ready).values(
                    game_table=table, seat=seat, round=round_number, version=version
                )
            )
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql(
                    "SELECT pg_notify('croupier', %s)", (f"ready:{table} {version}",)
                )

    def ready(self, table: str, round_number: int) -> dict[int, int]:
        query = select(_ready.c.seat, _ready.c.version).where(
            _ready.c.game_table == table, _ready.c.round == round_number
        )
        with self._journal.reader() as connection:
            return {row.seat: row.version for row in connection.execute(query)}

    def _writing(self) -> AbstractContextManager[Connection]:
        return writing(self._journal)


ThePeople: TypeAlias = NamedDependency[People]


def _row(connection: Connection, name: str) -> Any:
    if "\0" in name:  # PostgreSQL knows no such text
        return None
    return connection.execute(select(_people).where(_people.c.name == name)).first()


def _known(connection: Connection, name: str) -> Any:
    row = _row(connection, name)
    if row is None or row.guest:
        raise suggest("person", name, _accounts(connection))
    return row


def _accounts(connection: Connection) -> list[str]:
    query = select(_people.c.name).where(_people.c.guest.is_(False)).order_by(_people.c.name)
    return [row.name for row in connection.execute(query)]


def _known_as(connection: Connection, typed: str) -> str:
    """The account that somebody means who types this, else what they typed."""
    key = name_key(typed)
    same = [name for name in _accounts(connection) if name_key(name) == key]
    return typed if typed in same or len(same) != 1 else same[0]


def _check_new_name(connection: Connection, name: str) -> None:
    """Nobody gets a name that could be mistaken for another's."""
    if connection.dialect.name == "postgresql":  # two at the same moment; SQLite has one writer
        connection.exec_driver_sql(f"LOCK TABLE {_people.name} IN SHARE ROW EXCLUSIVE MODE")
    lookalike = lookalike_of(name, _accounts(connection))
    if lookalike is not None:
        raise Refusal(
            f"{shown(name)} could be mistaken for {shown(lookalike)}, who has an account: choose "
            "another name",
            code="already_done",
        )


def _change(connection: Connection, name: str, **row: object) -> None:
    """The person's sessions end with it."""
    connection.execute(update(_people).where(_people.c.name == name).values(**row))
    _end_sessions(connection, name)


def _end_sessions(connection: Connection, name: str) -> None:
    connection.execute(delete(_sessions).where(_sessions.c.person == name))
    _tell_workers(connection, name)


def _tell_workers(connection: Connection, name: str) -> None:
    """Sessions of this person have ended: their live connections do, on every worker."""
    if name and connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_notify('croupier', %s)", (f"session:{name} 1",))


def _sign(connection: Connection, name: str, address: str, now: datetime) -> str:
    """Write this sign-in down; gives the one before."""
    c = _sign_ins.c
    before = connection.execute(select(_sign_ins).where(c.person == name)).first()
    values = {"at": stamp(now), "address": address}
    if before is None:
        connection.execute(insert(_sign_ins).values(person=name, **values))
        return ""
    connection.execute(update(_sign_ins).where(c.person == name).values(**values))
    return f"{before.at} from {before.address}" if before.address else str(before.at)


def _check_an_operator_is_left(connection: Connection, name: str) -> None:
    """Somebody must be able to open tables and let people in."""
    c = _people.c
    operators = {
        row.name
        for row in connection.execute(
            select(c.name).where(c.role == "operator", c.password.is_not(None))
        )
    }
    if operators == {name}:
        raise Refusal(
            f"{shown(name)} is the last operator: make somebody else one first",
            code="last_operator",
        )


def _checked_role(role: str) -> PersonRole:
    for known in ROLES:
        if role == known:
            return known
    raise BadRequest(f"{shown(role)} is not a role: take one of {', '.join(ROLES)}")


def account_name(name: str) -> str:
    """As it is written from here on: what can sit at a table, and does not look like a guest, a
    seat, the software or a shoe."""
    text = spelled(name)
    good = 0 < len(text) <= MOST_NAME and ":" not in text and name == name.strip()
    good = good and any(letter.isalnum() for letter in text)
    if not good or text.lower().startswith(("guest-", "seat ", SHOE)) or is_software(text.lower()):
        raise BadRequest(f"{shown(name)} cannot be a person's name")
    return text


def _seconds_since(at: str, now: datetime) -> float:
    return (now - datetime.fromisoformat(at)).total_seconds()
