"""Every page beside the table itself, as those see it who work with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, Page

from croupier.ledger.journal import open_journal
from croupier.runtime.journal_session import JournalSession
from tests.web.browser.conftest import PATIENCE
from tests.web.browser.dealing import add_staff, open_live, sign_in
from tests.web.browser.serving import add_floorperson, settings
from tests.web.browser.staged import PlayedRound

__all__ = ["PAGES", "PageAt", "furnish", "opened"]

LIVE: Final = "live-table"
STAFF: Final = {"olga": "operator", "dee": "dealer", "ada": "auditor"}


class PageAt(NamedTuple):
    """Where it is, who looks at it (nobody: whoever comes by), and what is there when it is
    complete; `press` is pressed then."""

    path: str
    there: str
    who: str = ""
    press: str = ""


PAGES: Final = {
    "lobby": PageAt("/", ".table-card"),
    "learn": PageAt("/learn/md-uth", ".coach", press=".coach [data-name=next]"),
    "history": PageAt("/tables/md-uth/rounds", "#rounds a", press="#rounds a"),
    "practice": PageAt("/practice", "main h1"),
    "practice-game": PageAt("/practice/md-uth", "main h1"),
    "design": PageAt("/design/md-uth", "main h1"),
    "sign-in": PageAt("/sign-in", "#sign-in"),
    "class": PageAt("/class", "#class-form"),
    "api": PageAt("/api", ".api .panel"),
    "sign": PageAt("/tables/md-uth/sign", ".felt-picture"),
    "device-sign": PageAt("/floor/md-uth/sign/shoe", ".print-sign"),
    "nowhere": PageAt("/tables/nowhere", "h1"),
    "deal": PageAt(f"/tables/{LIVE}/deal", ".felt", "dee"),
    "decks": PageAt(f"/tables/{LIVE}/decks", "main h1", "dee"),
    "floor": PageAt("/floor", "main h1", "flo"),
    "floor-table": PageAt(f"/floor/{LIVE}", "main h1", "flo"),
    "house": PageAt("/house", ".house-card", "olga"),
    "house-open": PageAt("/house/open?rulebook=md-uth", "#opening-check .verdict", "olga"),
    "house-people": PageAt("/house/people", "main h1", "olga"),
    "house-links": PageAt("/house/links", "main h1", "olga"),
    "house-link": PageAt("/house/links/md-uth", "main h1", "olga"),
    "school": PageAt("/school", ".skill"),
    "school-drill": PageAt(
        "/school/drill?game=md-uth&skill=payout.total", ".answer", press="[data-name=answer-0]"
    ),
    "school-exam": PageAt("/school/exam", "[data-name=begin]", press="[data-name=begin]"),
    "certificate": PageAt("/certificate", "#certificate"),
    "school-amount": PageAt("/school/drill?game=md-uth&skill=payout.amount", "#amount"),
    "school-class": PageAt("/school/class", "#class-title", "flo"),
    "cashier": PageAt("/cashier", "#accounts > *", "olga"),
    "audit-journal": PageAt("/audit#journal", "#room > *", "ada"),
    "audit-rounds": PageAt("/audit#rounds", "#room > *", "ada"),
    "audit-verify": PageAt("/audit#verify", "#room > *", "ada"),
    "audit-shift": PageAt("/audit#shift", "#room > *", "ada"),
}


def furnish(folder: Path) -> None:
    """Before the server starts: people who work there, a table with real cards, and a round that
    was played."""
    add_floorperson(folder)
    add_staff(folder, **STAFF)
    open_live(folder, LIVE, "md-uth")
    with open_journal(settings(folder).database) as journal:
        PlayedRound(JournalSession(journal, "md-uth"))


@contextmanager
def opened(browser: Browser, url: str, at: PageAt, **told: Any) -> Iterator[Page]:
    context = browser.new_context(base_url=url, reduced_motion="reduce", **told)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    if at.who:
        sign_in(page, at.who)
    page.goto(at.path)
    page.locator(at.there).first.wait_for()
    if at.press:
        page.locator(at.press).first.click()
    page.wait_for_load_state("networkidle")
    yield page
    context.close()
