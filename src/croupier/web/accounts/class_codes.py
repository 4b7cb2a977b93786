"""Class codes: a teacher gives one to a class, whose guests then share no limits of their address.

A code is short enough to write on a board and holds for some hours and guests, until it is
revoked. Its hash is kept, so that the database opens no door; wrong codes are counted by address.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from croupier.errors import BadRequest, Refusal
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.side_tables import create_missing, writing
from croupier.ledger.stores.schema import NAME

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without those that look like others: 30 to the 8th power codes."""
LENGTH: Final = 8
MOST_GUESTS: Final = 60
MOST_HOURS: Final = 12
MOST_HOLDING: Final = 10
"""Codes of one teacher that hold at a time."""
KEPT_DAYS: Final = 30

_metadata = MetaData()
_codes = Table(
    "web_class_codes",
    _metadata,
    Column("id", NAME, primary_key=True),
    Column("code", Text, nullable=False, unique=True),
    Column("teacher", NAME, nullable=False),
    Column("title", Text, nullable=False),
    Column("guests", Integer, nullable=False),
    Column("used", Integer, nullable=False),
    Column("ends_at", NAME, nullable=False),
    Column("revoked", Boolean, nullable=False),
)
_guests = Table(
    "web_class_guests",
    _metadata,
    Column("person", NAME, primary_key=True),
    Column("code", NAME, nullable=False),
)

holding_codes = (
    select(_guests.c.person, _guests.c.code)
    .join(_codes, _guests.c.code == _codes.c.id)
    .where(_codes.c.revoked.is_(False), _codes.c.ends_at > bindparam("now"))
    .subquery()
)
"""The id of the code with which each guest came in, while it holds."""


class ClassCodeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For how many guests, and for how many hours, it holds."""

    title: Annotated[str, Meta(max_length=60)] = ""
    guests: Annotated[int, Meta(ge=1, le=MOST_GUESTS)] = 30
    hours: Annotated[int, Meta(ge=1, le=MOST_HOURS)] = 4


class ClassCode(msgspec.Struct, frozen=True):
    """`code` is there once, when it is issued; `used`: guests who have come in with it."""

    id: str
    title: str
    teacher: str
    guests: int
    used: int
    ends_at: str
    holds: bool
    code: str = ""


class ClassCodes:
    """Blocking: for a thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        create_missing(journal, _metadata)

    def issue(self, teacher: str, request: ClassCodeRequest) -> ClassCode:
        now = datetime.now(UTC)
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        row = {
            "id": secrets.token_hex(6),
            "teacher": teacher,
            "title": " ".join(request.title.split()),
            "guests": request.guests,
            "used": 0,
            "ends_at": stamp(now + timedelta(hours=request.hours)),
            "revoked": False,
        }
        with writing(self._journal) as connection:
            connection.execute(
                delete(_codes).where(_codes.c.ends_at < stamp(now - timedelta(days=KEPT_DAYS)))
            )
            holding = _of_teacher(connection, teacher, now)
            if sum(code.holds for code in holding) >= MOST_HOLDING:
                raise Refusal(
                    f"{MOST_HOLDING} of your class codes hold: revoke one first", code="over_limit"
                )
            connection.execute(insert(_codes).values(code=_kept(code), **row))
            class_code = connection.execute(select(_codes).where(_codes.c.id == row["id"])).one()
        return msgspec.structs.replace(_told(class_code, now), code=f"{code[:4]}-{code[4:]}")

    def of_teacher(self, teacher: str) -> list[ClassCode]:
        """The last to end first."""
        with self._journal.reader() as connection:
            return _of_teacher(connection, teacher, datetime.now(UTC))

    def revoke(self, teacher: str, id_: str) -> ClassCode:
        """Nobody else comes in with it, and those who did share their address's limits again."""
        mine = (_codes.c.id == id_, _codes.c.teacher == teacher)
        with writing(self._journal) as connection:
            if not connection.execute(update(_codes).where(*mine).values(revoked=True)).rowcount:
                raise Refusal("you have issued no such class code", code="nothing_there")
            row = connection.execute(select(_codes).where(*mine)).one()
        return _told(row, datetime.now(UTC))

    def check(self, code: str) -> None:
        """May another guest come in with it?"""
        with self._journal.reader() as connection:
            _holding(connection, code)

    def enter(self, code: str, guest: str) -> str:
        """Take one of its places for this guest; gives the id of the code. Entered again it takes
        no second one."""
        with writing(self._journal) as connection:
            had = connection.execute(select(_guests).where(_guests.c.person == guest)).first()
            known = _row(connection, code)
            if had is not None and known is not None and had.code == known.id:
                return str(known.id)
            row = _holding(connection, code)
            taken = update(_codes).where(_codes.c.id == row.id, _codes.c.used < _codes.c.guests)
            if not connection.execute(taken.values(used=_codes.c.used + 1)).rowcount:
                raise _full(row.guests)
            connection.execute(delete(_guests).where(_guests.c.person == guest))
            connection.execute(insert(_guests).values(person=guest, code=row.id))
            return str(row.id)


def forget_class_guests(connection: Connection, people: Select[tuple[str]]) -> None:
    """Guests who are gone; their places stay used."""
    connection.execute(delete(_guests).where(_guests.c.person.not_in(people)))


def _kept(code: str) -> str:
    return sha256(f"class code {code}".encode()).hexdigest()


def _row(connection: Connection, code: str) -> Any:
    """However it is typed: small letters, blanks and hyphens make no difference."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return connection.execute(select(_codes).where(_codes.c.code == _kept(plain))).first()


def _holding(connection: Connection, code: str) -> Any:
    row = _row(connection, code)
    if row is None:
        raise BadRequest(
            "this is not a class code: read it again from the board, 8 letters and digits",
            code="wrong_class_code",
        )
    if row.revoked or row.ends_at <= stamp(datetime.now(UTC)):
        raise Refusal(
            "this class code has ended: ask your teacher for a new one", code="code_ended"
        )
    if row.used >= row.guests:
        raise _full(row.guests)
    return row


def _full(guests: int) -> Refusal:
    return Refusal(
        f"all {guests} places of this class code are taken: ask your teacher for another one",
        code="over_limit",
    )


def _of_teacher(connection: Connection, teacher: str, now: datetime) -> list[ClassCode]:
    query = select(_codes).where(_codes.c.teacher == teacher).order_by(_codes.c.ends_at.desc())
    return [_told(row, now) for row in connection.execute(query.limit(100))]


def _told(row: Any, now: datetime) -> ClassCode:
    holds = not row.revoked and row.ends_at > stamp(now)
    class_code = row.id, row.title, row.teacher, row.guests, row.used, row.ends_at
    return ClassCode(*class_code, holds)
