"""The declarations of the pages: address, template, roles and navigation.

A new page is a declaration here and a template. Its route, its links in the bars and the roles that
may open it follow; `static/js/shared/site.js` reads the same declarations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from croupier.web.accounts.roles import (
    READ_ACCOUNTS,
    READ_THE_HOUSE,
    READ_THE_JOURNAL,
    ROLES,
    STAFF,
    PersonRole,
)


class Page(msgspec.Struct, frozen=True):
    path: str
    """The page's address, in which `{table}` stands for a table's name."""
    template: str
    roles: tuple[PersonRole, ...] = ()
    """The roles that may open the page; empty for everybody."""
    top: Mapping[PersonRole, str] = {}
    """The label of its link in the top bar, for each role that has it there."""
    house: str = ""
    """The label of its link in the bar of the operator's pages."""


_FLOOR: Final[Mapping[PersonRole, str]] = {
    "dealer": "Tables",
    "floorperson": "Floor",
    "operator": "Floor",
    "auditor": "Floor",
    "surveillance": "Floor",
}

PAGES: Final = (
    Page("/", "lobby"),
    Page("/practice", "practice-games"),
    Page("/class", "class"),
    Page("/school", "school"),
    Page("/certificate", "certificate"),
    Page("/sign-in", "sign-in"),
    Page("/house", "house", ("operator",), {"operator": "House"}, house="Tables"),
    Page("/house/open", "house-open", ("operator",), house="Open a table"),
    Page("/house/people", "house-people", ("operator",), house="People"),
    Page("/house/links", "house-links", READ_THE_HOUSE, house="Progressives"),
    Page("/house/links/{link}", "house-link", READ_THE_HOUSE),
    Page("/cashier", "cashier", READ_ACCOUNTS, {"cashier": "Cashier"}, house="Cashier"),
    Page("/audit", "audit", READ_THE_JOURNAL, {"auditor": "Audit", "surveillance": "Audit"}),
    Page("/floor", "floor", STAFF, _FLOOR),
    Page("/floor/{table}", "floor-table", STAFF),
    Page("/tables/{table}/rounds", "history"),
    Page("/tables/{table}/deal", "deal", ("dealer",)),
    Page("/tables/{table}/sign", "sign"),
    Page("/tables/{table}/decks", "decks", STAFF),
)


def site_text(pages: tuple[Page, ...] = PAGES) -> str:
    """Return roles and pages as JSON, for the scripts of every page."""
    return msgspec.json.encode({"roles": ROLES, "pages": pages}).decode()
