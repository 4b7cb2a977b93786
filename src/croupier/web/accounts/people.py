"""People and their sessions.

Their tables are stored beside the journal, and every change of an account is a journal entry, too.
Passwords are kept as argon2 hashes, session tokens as SHA-256, so that a stolen database opens no
door.
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
"""Activity of a session is stored at most once in this time."""
WATCHED_SECONDS: Final = 180
"""A visible board reports every minute; this long after the last report it counts as closed."""
REMEMBERED_HOURS: Final = 1
"""How long a session is kept after its end, to show why it has ended."""
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
    """When and from where this name signed in before this session; empty the first time."""
    quiet: Literal["", "watching", "idle", "over"] = ""
    """`watching`: inactive for long, but a board is open and visible. `idle`, `over`: the session
    has ended, because of inactivity or its age."""
    class_code: str = ""
    """The id of the class code that a guest has entered, while it is valid."""

    def source(self, address: str) -> str:
        """Return the key for limits per address: the person if they are a guest of a class, else
        the address."""
        return f"person {self.name}" if self.class_code else address


class PersonRow(msgspec.Struct, frozen=True):
    """An account. `disabled`: the account exists, but nobody can sign in with it."""

    name: str
    role: PersonRole
    disabled: bool
    since: str
    second_factor: bool = False
    """Whether the person signs in with an authenticator code."""


def fresh_token() -> str:
    return secrets.token_urlsafe(32)


def csrf_of(token: str) -> str:
    """Return the CSRF token, derived from the session's token so that only our own pages learn
    it."""
    return sha256(f"croupier csrf {token}".encode()).hexdigest()[:40]


def _kept(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class People:
    """Accounts, guests and sessions. Blocking: use it in a thread."""

    def __init__(self, journal: Journal, settings: Settings) -> None:
        self._journal = journal
        self.settings = settings
        self._hasher = PasswordHasher(
            time_cost=2, memory_cost=settings.password_memory_kib, parallelism=1
        )
        create_missing(journal, _metadata)
        ProgressStore(journal)  # creates its table, from which guests are deleted
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
        """Add a person, or give an existing one a new role and password."""
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
        """Return every account, including disabled ones, by name; guests are left out."""
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
        """Remove the person's password, so that they cannot sign in. The name stays, in the record
        and here."""
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
        """Set a new password, which also lets a disabled person sign in again."""
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
        """Change one's own password. The old one is required, and wrong guesses count as at a
        sign-in. All sessions of the person end."""
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
        """Sign the person out on all devices."""
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
        """Remove a lost authenticator: the person sets up another one at the next sign-in."""
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
        """Set the name that others see for a guest; never the name of an account."""
        return self.guest_names.choose(guest, name, [row.name for row in self.listed()])

    def sign_in(self, name: str, password: str, code: str = "", address: str = "") -> Person:
        """Return the person if name, password and code are right. The answer and the time are the
        same whether the name or the password is wrong."""
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
        """Return the secret for an authenticator, which becomes active with its first code at a
        sign-in."""
        return self._factors.enrol(self._proved(name, password, address).name)

    def _needs_factor(self, role: str) -> bool:
        if role == "dealer":
            return self.settings.dealers_factor
        return self.settings.second_factor and role in NEEDED_BY

    def _proved(self, name: str, password: str, address: str) -> Any:
        """Return the account if the password is right. Names are compared in any case with those of
        all accounts, so that an unknown name takes as long."""
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
        """Delete sessions that ended long enough ago, and guests who have none and cannot come
        back."""
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
        """Return the person who may act under this token."""
        person = self.find_sessions([token]).get(token)
        return person if person is not None and not person.quiet else None

    def find_sessions(
        self, tokens: Sequence[str], active: Collection[str] = ()
    ) -> dict[str, Person]:
        """Return the person of each token, including those whose session has ended or who only
        watch (`Person.quiet`); tokens without a session are left out. `active` are the tokens whose
        person has just done something and is not idle."""
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
                continue  # not written by this program: its MAC is wrong
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
        """Record that a board is open under this session. It does not count as activity."""
        at = {"watched_at": stamp(datetime.now(UTC))}
        with self._writing() as connection:
            connection.execute(
                update(_sessions).where(_sessions.c.token == _kept(token)).values(**at)
            )

    def close_session(self, token: str, name: str = "") -> None:
        """Close a session. `name` is its person, so that other workers close their live
        connections."""
        with self._writing() as connection:
            connection.execute(delete(_sessions).where(_sessions.c.token == _kept(token)))
            _tell_workers(connection, name)

    # -- seats that are ready, for the worker that deals ---------------------------------------

    def say_ready(self, table: str, seat: int, round_number: int, version: int) -> None:
        """Store that a seat is ready, and notify the other workers."""
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
    if "\0" in name:  # PostgreSQL text has no NUL
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
    """Return the one account with the typed name in any case, or the typed name if there is
    none."""
    key = name_key(typed)
    same = [name for name in _accounts(connection) if name_key(name) == key]
    return typed if typed in same or len(same) != 1 else same[0]


def _check_new_name(connection: Connection, name: str) -> None:
    """Refuse a name that could be mistaken for another account's."""
    if connection.dialect.name == "postgresql":  # against two at once; SQLite has one writer
        connection.exec_driver_sql(f"LOCK TABLE {_people.name} IN SHARE ROW EXCLUSIVE MODE")
    lookalike = lookalike_of(name, _accounts(connection))
    if lookalike is not None:
        raise Refusal(
            f"{shown(name)} could be mistaken for {shown(lookalike)}, who has an account: choose "
            "another name",
            code="already_done",
        )


def _change(connection: Connection, name: str, **row: object) -> None:
    """Change an account, which ends the person's sessions."""
    connection.execute(update(_people).where(_people.c.name == name).values(**row))
    _end_sessions(connection, name)


def _end_sessions(connection: Connection, name: str) -> None:
    connection.execute(delete(_sessions).where(_sessions.c.person == name))
    _tell_workers(connection, name)


def _tell_workers(connection: Connection, name: str) -> None:
    """Notify every worker that sessions of this person have ended, so that it closes their live
    connections."""
    if name and connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_notify('croupier', %s)", (f"session:{name} 1",))


def _sign(connection: Connection, name: str, address: str, now: datetime) -> str:
    """Record this sign-in and return the previous one."""
    c = _sign_ins.c
    before = connection.execute(select(_sign_ins).where(c.person == name)).first()
    values = {"at": stamp(now), "address": address}
    if before is None:
        connection.execute(insert(_sign_ins).values(person=name, **values))
        return ""
    connection.execute(update(_sign_ins).where(c.person == name).values(**values))
    return f"{before.at} from {before.address}" if before.address else str(before.at)


def _check_an_operator_is_left(connection: Connection, name: str) -> None:
    """Refuse to remove the last operator: somebody must be able to open tables and let people
    in."""
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
    """Return the name in its only spelling. Refuse names that cannot sit at a table or look like a
    guest, a seat, the software or a shoe."""
    text = spelled(name)
    good = 0 < len(text) <= MOST_NAME and ":" not in text and name == name.strip()
    good = good and any(letter.isalnum() for letter in text)
    if not good or text.lower().startswith(("guest-", "seat ", SHOE)) or is_software(text.lower()):
        raise BadRequest(f"{shown(name)} cannot be a person's name")
    return text


def _seconds_since(at: str, now: datetime) -> float:
    return (now - datetime.fromisoformat(at)).total_seconds()
