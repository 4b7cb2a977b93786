"""Class codes: guests who enter their teacher's code do not share the limits of their address.

A code is short enough to write on a board. It is valid for some hours and a number of guests, or
until it is revoked. Only its hash is stored, so that a stolen database reveals no codes; wrong
codes are counted by address.
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
"""The letters of a code, without those that look alike: 30**8 codes."""
LENGTH: Final = 8
MOST_GUESTS: Final = 60
MOST_HOURS: Final = 12
MOST_HOLDING: Final = 10
"""Valid codes that one teacher may have at a time."""
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
"""The id of each guest's class code, while the code is valid."""


class ClassCodeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a class code: its title, and the number of guests and hours it is valid for."""

    title: Annotated[str, Meta(max_length=60)] = ""
    guests: Annotated[int, Meta(ge=1, le=MOST_GUESTS)] = 30
    hours: Annotated[int, Meta(ge=1, le=MOST_HOURS)] = 4


class ClassCode(msgspec.Struct, frozen=True):
    """A class code. `code` is only filled in when it is issued; `used` is the number of guests who
    have entered it."""

    id: str
    title: str
    teacher: str
    guests: int
    used: int
    ends_at: str
    holds: bool
    code: str = ""


class ClassCodes:
    """The issued class codes. Blocking: use it in a thread."""

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
        """Return the teacher's codes, the last to end first."""
        with self._journal.reader() as connection:
            return _of_teacher(connection, teacher, datetime.now(UTC))

    def revoke(self, teacher: str, id_: str) -> ClassCode:
        """Revoke a code: nobody else can enter it, and guests who have share their address's limits
        again."""
        mine = (_codes.c.id == id_, _codes.c.teacher == teacher)
        with writing(self._journal) as connection:
            if not connection.execute(update(_codes).where(*mine).values(revoked=True)).rowcount:
                raise Refusal("you have issued no such class code", code="nothing_there")
            row = connection.execute(select(_codes).where(*mine)).one()
        return _told(row, datetime.now(UTC))

    def check(self, code: str) -> None:
        """Refuse the code unless another guest can enter it."""
        with self._journal.reader() as connection:
            _holding(connection, code)

    def enter(self, code: str, guest: str) -> str:
        """Take a place for this guest and return the code's id. Entering the same code again takes
        no second place."""
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
    """Delete guests who no longer exist; their places stay used."""
    connection.execute(delete(_guests).where(_guests.c.person.not_in(people)))


def _kept(code: str) -> str:
    return sha256(f"class code {code}".encode()).hexdigest()


def _row(connection: Connection, code: str) -> Any:
    """Return the row of a code, ignoring case, blanks and hyphens."""
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
