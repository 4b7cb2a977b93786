"""How a server is set up. One JSON text in the environment carries it to every worker."""

from __future__ import annotations

import os
from typing import Final, Literal

import msgspec

from croupier.ledger.data_folder import journal_to_write
from croupier.runtime.dealer import Pace

VARIABLE: Final = "CROUPIER_SERVER"


class Throttles(msgspec.Struct, frozen=True):
    """How much one address or person may ask: token buckets as (burst, tokens a second), and how
    much at once. People without a session are counted by their address."""

    requests: tuple[float, float] = (2000, 200)
    """Of an address, whatever they are: counted before anything of them is read. A class of thirty
    behind one router opens a page at the same moment."""
    sign_ins: tuple[float, float] = (20, 0.2)
    guests: tuple[float, float] = (20, 0.1)
    commands: tuple[float, float] = (60, 12)
    queries: tuple[float, float] = (300, 60)
    connections: tuple[float, float] = (120, 20)
    certificates: tuple[float, float] = (10, 0.1)
    """Exams that are dealt again to check a certificate."""
    lookups: tuple[float, float] = (600, 60)
    """Sessions that the database is asked for."""
    at_once: int = 16
    at_once_address: int = 256
    in_flight: int = 600
    """Requests of everybody that are being answered; the next is refused (503)."""
    open_connections: int = 256
    live_connections: int = 100
    """Of one address; a proxy's are not counted, those behind it are."""
    guest_seats: int = 12
    """Seats that guests from one address may hold in the demo, those of a class aside."""
    guest_bytes: int = 100_000_000
    """Bytes that guests from one address (or one guest of a class) may write in a day (UTC)."""
    guest_bytes_all: int = 2_000_000_000
    """Bytes that all guests together may write in a day."""
    class_guesses: tuple[float, float] = (30, 0.02)
    """Class codes that are wrong."""


class Settings(msgspec.Struct, frozen=True):
    """`demo`: guests play without an account. `software_dealer`: virtual tables deal themselves.
    `software_floor`: in the demo a progressive is validated without a person. `hosts`: the names
    under which the server answers; empty, under any."""

    database: str
    demo: bool = True
    demo_tables: bool = True
    software_dealer: bool = True
    software_floor: bool = False
    pace: Pace = Pace()
    """Of the dealer by software. How long players have is for the table's submission to say."""
    own_pace: bool = True
    """Players may have it dealt faster, and skip."""
    throttles: Throttles | None = Throttles()
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    """Further origins that pages may come from, beside the server's own."""
    proxies: tuple[str, ...] = ()
    """Addresses whose word on where a request comes from is believed."""
    request_seconds: float = 15.0
    """In which the head of a request must have come, and again its body."""
    session_hours: float = 12.0
    failures_allowed: int = 5
    lock_seconds: float = 60.0
    """The first lock-out; each further failure doubles it, up to a day."""
    most_buy_in: int = 1_000_000
    most_bought: int = 10_000_000
    """In cents, of play chips in the demo: at a time, and in all that one person has not brought
    back. Outside the demo nobody makes chips by their own word."""
    second_factor: bool = False
    """Those who decide about money sign in with the code of an authenticator, too."""
    dealers_factor: bool = False
    """So do dealers."""
    idle_minutes: float = 30.0
    """After which staff who do nothing sign in again."""
    log_format: Literal["text", "json"] = "text"
    secure_cookies: bool = False
    handbook: str = ""
    """The folder of the documentation as a site; empty, there is none."""
    password_memory_kib: int = 65536
    figures: str = ""
    """The folder in which several workers share what they count."""
    prepares_advice: bool = False
    """Compile what advice needs when the server starts, not when the first player asks."""

    @property
    def validates_by_software(self) -> bool:
        """Outside the demo a progressive takes a person (11.J(2)(c)), whatever was asked for."""
        return self.software_floor and self.demo

    def words_of_end(self, *, over: bool) -> str:
        """Why somebody is signed out: the session is `over`, or nothing was done."""
        if over:
            return f"you were signed out: a session lasts {self.session_hours:g} hours"
        return f"you were signed out after {self.idle_minutes:g} minutes without activity"


def from_environment() -> Settings:
    text = os.environ.get(VARIABLE)
    if text is not None:
        return msgspec.json.decode(text, type=Settings)
    return Settings(journal_to_write(None), software_floor=True)
