"""The roles that people have, in one table: pages, navigation and API derive from it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

PersonRole: TypeAlias = Literal[
    "player", "dealer", "floorperson", "cashier", "auditor", "operator", "surveillance"
]


class Role(msgspec.Struct, frozen=True):
    name: PersonRole
    home: str = "/"
    """The page to which somebody who signs in is taken."""
    second_factor: bool = False
    """Where the server asks for second factors, this role signs in with one."""
    job: str = ""
    """What the button that lets a guest try the role says; empty if guests cannot try it."""
    job_words: str = ""
    job_page: str = ""
    """Where a guest does this job; with `{table}`, at a rehearsal table of their own."""


ROLES: Final = (
    Role("player"),
    Role(
        "dealer",
        home="/floor",
        job="Dealer",
        job_words="Deal a round step by step; software plays and acts as the floorperson",
        job_page="/tables/{table}/deal",
    ),
    Role(
        "floorperson",
        home="/floor",
        second_factor=True,
        job="Floor",
        job_words="Verify decks, answer calls, decide what went wrong",
        job_page="/floor/{table}",
    ),
    Role("cashier", home="/cashier", second_factor=True),
    Role(
        "auditor",
        home="/audit",
        second_factor=True,
        job="Auditor",
        job_words="Read every entry, replay rounds, verify the journal",
        job_page="/audit",
    ),
    Role("surveillance", home="/audit", second_factor=True),
    Role(
        "operator",
        home="/floor",
        second_factor=True,
        job="Operator",
        job_words="Open and close tables, set limits, have a submission checked",
        job_page="/house",
    ),
)

STAFF: Final[tuple[PersonRole, ...]] = tuple(role.name for role in ROLES if role.name != "player")
READ_THE_JOURNAL: Final[tuple[PersonRole, ...]] = ("auditor", "surveillance", "operator")
READ_THE_HOUSE: Final[tuple[PersonRole, ...]] = (
    *("operator", "floorperson", "auditor", "surveillance"),
)
"""The books of the tables and their links, and rounds of the past with every card."""
READ_ACCOUNTS: Final[tuple[PersonRole, ...]] = ("cashier", "operator", "auditor", "surveillance")
"""Players' accounts with the cashier."""
