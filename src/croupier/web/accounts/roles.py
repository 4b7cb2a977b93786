"""The table of roles, from which pages, navigation and API derive."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

PersonRole: TypeAlias = Literal[
    "player", "dealer", "floorperson", "cashier", "auditor", "operator", "surveillance"
]


class Role(msgspec.Struct, frozen=True):
    name: PersonRole
    home: str = "/"
    """The page that opens after signing in."""
    second_factor: bool = False
    """Whether this role needs a second factor to sign in, if the server requires second factors."""
    job: str = ""
    """The label of the button with which a guest tries the role; empty if guests cannot try it."""
    job_words: str = ""
    job_page: str = ""
    """The page where a guest does this job; `{table}` stands for a rehearsal table of their own."""


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
"""Roles that read the books of tables and links, and past rounds with every card."""
READ_ACCOUNTS: Final[tuple[PersonRole, ...]] = ("cashier", "operator", "auditor", "surveillance")
"""Roles that read players' accounts with the cashier."""
