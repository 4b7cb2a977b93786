"""The pages of staff are written for staff: no name of the program, no JSON, the trade's English.
A house with live tables in every phase is walked through, and every visible text is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import Actor
from croupier.rulebooks.rules import rules_for, submission_of
from croupier.runtime.house_terms import set_house_limits
from croupier.runtime.journal_session import JournalSession
from croupier.submissions.approvals import missing_approvals
from croupier.tables.commands import OpenTable, SignCount
from croupier.web.tables.demo import submission_for
from tests.params import few
from tests.web.browser.all_pages import PAGES, furnish
from tests.web.browser.conftest import Open
from tests.web.browser.dealing import add_staff
from tests.web.browser.serving import Serving, settings
from tests.web.crew import Crew
from tests.web.real import Client

DOCUMENTS: Final = ("md-uth", "md-235", "ma-uth", "md-wpt", "md-jackpot")
GAMES: Final = few([*DOCUMENTS, "let-it-ride"], "md-235", "let-it-ride")
STAFF_PAGES: Final = tuple(
    name for name, at in PAGES.items() if at.who or name in ("sign-in", "sign", "device-sign")
)
STAFF: Final = tuple(dict.fromkeys(PAGES[name].who for name in STAFF_PAGES))
CORRECTED: Final = "md-235-corrected"
FLOAT: Final = {10_000: 1000}
AUDIT_ROOMS: Final = ("journal", "rounds", "attempts", "verify", "shift", "export")

_READ: Final = """() => {
  const whole = {visibilityProperty: true};
  const seen = (node) => (node.closest("select") ?? node).checkVisibility(whole);
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const {parentElement: on, data} = walker.currentNode;
    if (!on.closest("script, style, pre.code, code") && data.trim() && seen(on)) texts.push(data);
  }
  for (const name of ["aria-label", "placeholder", "title"])
    for (const node of document.querySelectorAll(`[${name}]`))
      if (seen(node)) texts.push(node.getAttribute(name));
  return texts;
}"""

_WRONG: Final = {
    "a name of the program": re.compile(r"\b[a-z0-9]+_[a-z0-9_]+\b|\b[A-Z][a-z]+[A-Z]\w*\b|`"),
    "JSON": re.compile(r"[{}]|\[\"|\":"),
    "a value of the program": re.compile(
        r"\b(null|undefined|NaN|nan|true|false|None|True|False)\b|\[object"
    ),
    "a raw timestamp": re.compile(r"\d{4}-\d\d-\d\d"),
    "British spelling": re.compile(
        r"\b\w*(?:colour|favour|honour|harbour|behaviour|neighbour|labour)\w*\b"
        r"|\b(?:practis|organis|recognis|analys(?:e|ed|es|ing)\b|realis)\w*"
        r"|\b(?:cancelled|centre|licence|programme|grey|whilst|judgement|cheque)\b",
        re.IGNORECASE,
    ),
    "not the trade's English": re.compile(
        r"\b(?:anew|so many|of which|whoever|in the mean|is told|are told|tells|mend|nobody in"
        r" particular|begins again at|may be left out)\b",
        re.IGNORECASE,
    ),
    "a note to programmers": re.compile(r"\bleave it out\b|\bby default\b", re.IGNORECASE),
    "he for a person": re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE),
    "a number without commas": re.compile(r"\$\d{4,}"),
    "a wrong plural": re.compile(
        r"(?<![\d.,/-])(?<!\+ )1"
        r" (?:tables|rounds|seats|chips|cards|decks|players|entries|errors|lines)\b"
    ),
}
_NAMES: Final = re.compile(r"\b(?:live-table|md-[a-z0-9]+|ma-uth)(?:-\w+)*\b")
"""Of tables: people choose them."""


class Reader:
    """Keeps what is wrong on the screens, with the page that shows it."""

    def __init__(self) -> None:
        self.wrong: dict[str, str] = {}

    def read(self, page: Page, where: str) -> None:
        for text in page.evaluate(_READ):
            plain = _NAMES.sub("", text)
            for why, pattern in _WRONG.items():
                match = pattern.search(plain)
                if match:
                    self.wrong.setdefault(f"{why}: {match[0]!r} in {text[:200]!r}", where)

    def check(self) -> None:
        listed = [f"{where}: {wrong}" for wrong, where in self.wrong.items()]
        assert not listed, "\n" + "\n".join(sorted(listed))


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    made = Serving(folder)
    furnish(folder)
    add_staff(folder, cara="cashier")
    _open_by_the_house(folder)
    try:
        yield made.start()
    finally:
        made.close()


def _open_by_the_house(folder: Path) -> None:
    """A table at which every correction takes two people."""
    paper = submission_for("md-235")
    rules, submission = rules_for("md-235", "", paper), submission_of(paper)
    approval = {"number": "A-1", "date": "2026-11-15", "authority": "Commission"}
    needed = [missing.name for missing in missing_approvals(rules, submission, "live")]
    paper = json.dumps(json.loads(paper) | {"approvals": dict.fromkeys(needed, approval)})
    with open_journal(settings(folder).database) as journal:
        set_house_limits(journal, "olga", correction=0)
        session = JournalSession(journal, CORRECTED)
        opening = OpenTable(
            CORRECTED, "md-235", paper, source="live", float=FLOAT, care=False, strict=True
        )
        session.do(opening, Actor("operator", "olga"))
        session.do(SignCount(FLOAT), Actor("floorperson", "flo"))


def _crew(serving: Serving, table: str) -> Crew:
    port = int(serving.url.rsplit(":", 1)[1])
    return Crew(
        table,
        dealer=Client(port).sign_in("dee"),
        floorperson=Client(port).sign_in("flo"),
        player=Client(port).come_in(),
    )


def _page(visitor: Open, who: str, path: str, there: str = "main h1") -> Page:
    page = visitor(path, who)
    _wait(page, there)
    return page


def _wait(page: Page, there: str) -> None:
    page.locator(there).first.wait_for()
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("who", STAFF, ids=lambda who: who or "anybody")
def test_the_pages_of_staff_are_written_for_staff(visitor: Open, who: str) -> None:
    reader = Reader()
    page = visitor("about:blank", who)
    for name in STAFF_PAGES:
        at = PAGES[name]
        if at.who == who:
            page.goto(at.path)
            _wait(page, at.there)
            page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            reader.read(page, name)
    reader.check()


def test_the_settings_are_written_for_staff(visitor: Open) -> None:
    reader = Reader()
    page = _page(visitor, "dee", "/tables/live-table/deal", ".felt")
    page.get_by_role("button", name="Settings").click()
    expect(page.locator("dialog [name=deck]").first).to_be_visible()
    reader.read(page, "settings")
    reader.check()


@pytest.mark.parametrize("who", ["flo", "olga", "dee"])
def test_every_form_is_written_for_staff(visitor: Open, who: str) -> None:
    """All that a role may do at a live table, each form opened once."""
    reader = Reader()
    path = "/tables/live-table/deal" if who == "dee" else "/floor/live-table"
    page = _page(visitor, who, path, ".felt" if who == "dee" else "#head dl")
    may = page.request.get("/api/v1/tables/live-table/work").json()["commands"]
    opened = 0
    for command in may:
        if who == "dee":
            page.locator("[data-name=tool-all]").click()
        else:
            page.keyboard.press("m")
        button = page.locator(f"dialog [data-name$='-{command}']")
        page.locator("dialog").wait_for()
        if button.count():
            button.first.click()
            page.locator(f"form.command[data-command={command}] button:enabled").first.wait_for()
            reader.read(page, f"{who}: {command}")
            opened += 1
        page.keyboard.press("Escape")
        page.locator("dialog").first.wait_for(state="detached")
    assert opened > 5, "the forms were not opened"
    reader.check()


@pytest.mark.parametrize(
    ("who", "commands"),
    [("dee", ("call_floor", "tip", "colour_up")), ("flo", ("decide_chip_count", "fill"))],
)
def test_a_form_that_is_not_filled_in_says_so_in_words(
    visitor: Open, who: str, commands: tuple[str, ...]
) -> None:
    """Blanks, and chips that nobody counted, pass the browser's own check."""
    reader = Reader()
    path = "/tables/live-table/deal" if who == "dee" else "/floor/live-table"
    page = _page(visitor, who, path, ".felt" if who == "dee" else "#head dl")
    for command in commands:
        page.locator("[data-name=tool-all]" if who == "dee" else "#more").click()
        page.locator(f"dialog [data-name$='-{command}']").click()
        form = page.locator(f"form.command[data-command={command}]")
        form.locator("button[type=submit]:enabled").wait_for()
        for field in form.locator("input[required]:not([type=checkbox])").all():
            field.fill("0" if field.get_attribute("type") == "number" else "  ")
        form.locator("button[type=submit]").click()
        expect(form.locator(".bad")).to_contain_text("Fill in: ")
        reader.read(page, f"{who}: {command}")
        page.keyboard.press("Escape")
        page.locator("dialog").first.wait_for(state="detached")
    reader.check()


def test_the_limits_form_and_the_submission_are_written_for_staff(visitor: Open) -> None:
    reader = Reader()
    page = _page(visitor, "olga", "/house", ".house-card")
    more = page.locator("[data-name=more-live-table]")
    more.click()
    page.evaluate("document.querySelectorAll('dialog > * > details').forEach((d) => d.open = true)")
    reader.read(page, "the terms of a table")
    page.locator("[data-name=command-change_limits]").click()
    page.locator("form[data-command=change_limits] .amounts input").first.wait_for()
    reader.read(page, "limits")
    page.goto("/house/links/live-table-without")
    page.locator("#link .bad").wait_for()
    reader.read(page, "no such progressive")
    assert "/api/" not in page.locator("#link").inner_text()
    reader.check()


def test_a_dealer_at_two_live_tables_is_refused_in_words(visitor: Open, serving: Serving) -> None:
    reader = Reader()
    flo = Client(int(serving.url.rsplit(":", 1)[1])).sign_in("flo")
    flo.do("live-table", type="assign", role="dealer", name="dee")
    page = _page(visitor, "flo", f"/floor/{CORRECTED}", "#head dl")
    page.locator("[data-name=assign-dealer]").click()
    page.locator("dialog [name=name]").select_option("dee")
    page.locator("dialog [data-name=do-assign]").click()
    expect(page.locator("dialog .bad")).to_contain_text("live table")
    reader.read(page, "one dealer at two live tables")
    flo.do("live-table", type="assign", role="dealer", name="")
    reader.check()


def test_a_proposed_correction_is_written_for_staff(visitor: Open, serving: Serving) -> None:
    crew = _crew(serving, CORRECTED)
    crew.floor.do(crew.table, type="assign", role="dealer", name="dee")
    crew.player.do(crew.table, type="take_seat", seat=1)
    crew.dealer.do(crew.table, type="buy_in", player=crew.player.name, amount="1000.00")
    crew.floor.do(crew.table, type="assign", role="dealer", name="")
    crew.bet(everything=True)
    crew.work_until("open_betting")
    correction = {"round": 1, "seat": 1, "player": crew.player.name, "reason": "Hand misread"}
    wager = {"wager": "three_card_poker", "amount": "5.00"}
    sent = crew.floor.send(crew.table, type="correct", **correction, **wager)
    if sent.status != 200:
        wager["amount"] = "-5.00"
        crew.floor.do(crew.table, type="correct", **correction, **wager)
    reader = Reader()
    for who, path, there in (
        ("dee", f"/tables/{crew.table}/deal", ".next-title"),
        ("flo", f"/floor/{crew.table}", "#head dl"),
        ("flo", "/floor", ".tile"),
    ):
        page = _page(visitor, who, path, there)
        expect(page.locator("main")).to_contain_text("Correct a round")
        reader.read(page, path)
    reader.check()


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_of_a_round_is_written_for_staff(
    visitor: Open, serving: Serving, game: str
) -> None:
    """From the new deck to the collected cards, on the screens of everybody who works there."""
    crew = _crew(serving, f"{game}-walk").open(game)
    crew.sit()
    reader = Reader()
    pages = {
        "deal": _page(visitor, "dee", f"/tables/{crew.table}/deal", ".next-title"),
        "floor table": _page(visitor, "flo", f"/floor/{crew.table}", "#head dl"),
        "decks": _page(visitor, "dee", f"/tables/{crew.table}/decks"),
        "floor": _page(visitor, "flo", "/floor", ".tile"),
    }
    has_bet = False
    crew.dealer.do(crew.table, type="call_floor", reason="A player needs help")
    for _ in range(90):
        phase, steps = crew.view()["round"]["phase"], crew.steps()
        pages["floor"].wait_for_timeout(250)  # pages draw after each frame
        for where, page in pages.items():
            reader.read(page, f"{game}: {where}, {phase}")
        if phase == "betting" and not has_bet:
            crew.lay(everything=True)
            has_bet = True
        elif not steps or (has_bet and steps[0]["step"] == "open_betting"):
            break
        else:
            crew.do_step(steps[0])
    assert has_bet
    reader.check()


def test_the_audit_is_written_for_auditors(visitor: Open) -> None:
    reader = Reader()
    page = _page(visitor, "ada", "/audit#journal", "#entries tr")
    for number in range(page.locator("[data-name^='open-']").count())[:40]:
        page.locator("[data-name^='open-']").nth(number).click()
        page.locator("dialog dl.facts").first.wait_for()
        reader.read(page, f"journal: entry {number}")
        page.keyboard.press("Escape")
        page.locator("dialog").first.wait_for(state="detached")
    for room in AUDIT_ROOMS:
        page.goto(f"/audit#{room}")
        page.locator(f".tabs a[data-tab={room}][aria-current]").wait_for()
        page.wait_for_timeout(500)
        _wait(page, "#room > *")
        reader.read(page, room)
    reader.check()
