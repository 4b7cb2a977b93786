"""The settings of a server. One JSON text in the environment passes them to every worker."""

from __future__ import annotations

import os
from typing import Final, Literal

import msgspec

from croupier.ledger.data_folder import journal_to_write
from croupier.runtime.dealer import Pace

VARIABLE: Final = "CROUPIER_SERVER"


class Throttles(msgspec.Struct, frozen=True):
    """The limits per address or person: token buckets as (burst, tokens per second), and limits on
    what happens at once. People without a session are counted by their address."""

    requests: tuple[float, float] = (2000, 200)
    """All requests of an address, counted before any part of them is read. A class of thirty behind
    one router opens a page at the same moment."""
    sign_ins: tuple[float, float] = (20, 0.2)
    guests: tuple[float, float] = (20, 0.1)
    commands: tuple[float, float] = (60, 12)
    queries: tuple[float, float] = (300, 60)
    connections: tuple[float, float] = (120, 20)
    certificates: tuple[float, float] = (10, 0.1)
    """Certificate checks, each of which deals an exam again."""
    lookups: tuple[float, float] = (600, 60)
    """Lookups of sessions in the database."""
    at_once: int = 16
    at_once_address: int = 256
    in_flight: int = 600
    """Requests of everybody that are being answered at once; the next is refused (503)."""
    open_connections: int = 256
    live_connections: int = 100
    """Per address, like `open_connections`. Connections from a trusted proxy are not limited; live
    connections through it count for the address behind it."""
    guest_seats: int = 12
    """Seats that guests from one address may hold in the demo, not counting guests of a class."""
    guest_bytes: int = 100_000_000
    """Bytes that guests from one address (or one guest of a class) may write in a day (UTC)."""
    guest_bytes_all: int = 2_000_000_000
    """Bytes that all guests together may write in a day."""
    class_guesses: tuple[float, float] = (30, 0.02)
    """Wrong class codes."""


class Settings(msgspec.Struct, frozen=True):
    """The settings of a server.

    `demo`: guests play without an account. `software_dealer`: virtual tables are dealt by software.
    `software_floor`: in the demo, progressives are validated without a person. `hosts`: the names
    under which the server answers; empty for any.
    """

    database: str
    demo: bool = True
    demo_tables: bool = True
    software_dealer: bool = True
    software_floor: bool = False
    pace: Pace = Pace()
    """The pace of the software dealer. The table's submission sets how long players have to act."""
    own_pace: bool = True
    """Players may choose how fast the table is dealt, and skip waits."""
    throttles: Throttles | None = Throttles()
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    """Origins that pages may come from, in addition to the server's own."""
    proxies: tuple[str, ...] = ()
    """Addresses of trusted proxies, which report where a request comes from."""
    request_seconds: float = 15.0
    """Time limit for the head of a request to arrive, and again for its body."""
    session_hours: float = 12.0
    failures_allowed: int = 5
    lock_seconds: float = 60.0
    """The first lock-out; each further failure doubles it, up to an hour."""
    most_buy_in: int = 1_000_000
    most_bought: int = 10_000_000
    """Play chips in the demo, in cents: `most_buy_in` at a time, `most_bought` in total for one
    person, less what they have cashed in. Outside the demo players cannot buy chips themselves."""
    second_factor: bool = False
    """The roles that decide about money also need an authenticator code to sign in."""
    dealers_factor: bool = False
    """Dealers also need an authenticator code to sign in."""
    idle_minutes: float = 30.0
    """Minutes of inactivity after which staff have to sign in again."""
    log_format: Literal["text", "json"] = "text"
    secure_cookies: bool = False
    handbook: str = ""
    """The folder of the documentation site; empty if there is none."""
    password_memory_kib: int = 65536
    figures: str = ""
    """The folder in which several workers share their figures."""
    prepares_advice: bool = False
    """Compile the code for advice when the server starts, not when the first player asks for it."""

    @property
    def validates_by_software(self) -> bool:
        """Whether software validates progressives. Outside the demo that takes a person
        (11.J(2)(c)), whatever `software_floor` says."""
        return self.software_floor and self.demo

    def words_of_end(self, *, over: bool) -> str:
        """Return why somebody was signed out: because of the session's age if `over`, else because
        of inactivity."""
        if over:
            return f"you were signed out: a session lasts {self.session_hours:g} hours"
        return f"you were signed out after {self.idle_minutes:g} minutes without activity"


def from_environment() -> Settings:
    text = os.environ.get(VARIABLE)
    if text is not None:
        return msgspec.json.decode(text, type=Settings)
    return Settings(journal_to_write(None), software_floor=True)
