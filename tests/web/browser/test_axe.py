"""WCAG 2.2 AA by axe: every page, and every state of a table, light and dark."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from croupier.web.tables.demo import DEMO_TABLES
from tests.params import few
from tests.web.browser.conftest import Open
from tests.web.browser.table import sit_down

AXE_SCRIPT = (files("axe_playwright_python") / "axe.min.js").read_text()
_RUN = """async () => {
  const values = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await axe.run(document, {runOnly: {type: "tag", values}});
  const why = (node) => [...node.any, ...node.all, ...node.none][0]?.message;
  return found.violations.flatMap((one) => one.nodes.map((node) =>
    `${one.id}: ${node.target.join(" ")} (${why(node)})`));
}"""
PAGES = {
    "/": ".table-card",
    "/tables/md-uth": ".felt",
    "/tables/md-uth/rounds": "#rounds li",
    "/tables/md-uth/sign": ".felt-picture",
    "/tables/md-uth/deal": "main",
    "/tables/md-uth/decks": "#not-staff",
    "/learn/md-235": ".coach",
    "/design/md-uth": "#design-lines input",
    "/sign-in": "#sign-in",
    "/floor": "#not-staff",
    "/floor/md-uth": "#not-staff",
    "/floor/md-uth/sign/shoe": ".print-sign",
    "/house": "#not-operator",
    "/house/open": "#not-operator",
    "/audit": "#not-auditor",
    "/api": ".api .panel",
    "/nowhere": "h1",
}
LEAN = ("/", "/tables/md-uth", "/learn/md-235", "/sign-in", "/nowhere")
FLOOR = {
    "/floor": "#floor-tables li",
    "/floor/md-uth": "#head",
    "/tables/md-uth/decks": "#board",
}
JOBS = {"operator": ("/house", "/house/open", "/house/links"), "auditor": ("/audit",)}
SCHEMES = few(["light", "dark"], "light")


def check(page: Page, state: str) -> None:
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate(_RUN)
    assert not found, (page.url, state, found)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("path", few(PAGES, *LEAN))
def test_every_page(visitor: Open, path: str, scheme: Any) -> None:
    page = visitor(path, color_scheme=scheme)
    expect(page.locator(PAGES[path]).first).to_be_visible()
    check(page, scheme)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "game",
    few(DEMO_TABLES, "md-wpt"),
)
def test_every_state_of_a_table(visitor: Open, game: str, scheme: Any) -> None:
    page = visitor("/", color_scheme=scheme)
    seated = sit_down(page, game)
    check(page, "bets are open")
    for button, title in (
        ("#rules", ""),
        ("#settings", "Settings"),
        ("#keys", "Keys"),
        ("#invite", "Invite to this table"),
        ("[data-name=rights]", "At your seat"),
        (".spot-help", ""),
    ):
        page.locator(button).first.click()
        expect(page.get_by_role("dialog", name=title or None)).to_be_visible()
        check(page, button)
        page.keyboard.press("Escape")
    seated.bet()
    check(page, "bet")
    seated.deal.click()
    expect(seated.asked.first).to_be_enabled()
    check(page, "asked")
    seated.play_on()
    check(page, "settled")
    page.goto(f"/tables/{game}/rounds")
    page.locator("#rounds a").first.click()
    expect(page.locator(".replay")).to_be_visible()
    check(page, "a past round")


LEARNING = {
    "practice": ("/practice", ".practice-game"),
    "practice-game": ("/practice/mississippi-stud", ".answers button"),
    "school": ("/school?game=md-uth", ".paytables summary"),
    "choices": ("/school/drill?game=md-uth&skill=hands.qualifies", ".answer"),
    "amount": ("/school/drill?game=md-uth&skill=payout.amount", "#amount"),
    "challenge": ("/school/challenge?game=md-235&kind=hands", "[data-name=begin]"),
    "exam": ("/school/exam?game=md-235", "[data-name=begin]"),
    "report": ("/school/report", "#room > *"),
    "certificate": ("/certificate", "#certificate"),
}
"""Where people learn: what is there, and what comes after a press."""
PRESSED = {
    "school": (".paytables summary", "#paytable-trips"),
    "choices": (".answer", ".verdict"),
    "amount": (".amount [type=submit]", ".below .bad"),
    "challenge": ("[data-name=begin]", ".answer, #amount"),
    "exam": ("[data-name=begin]", ".answer, #amount"),
    "certificate": ("[type=submit]", "#room .bad"),
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", few([390, 1280], 390))
@pytest.mark.parametrize("name", LEARNING)
def test_practice_and_school(visitor: Open, name: str, width: int, scheme: Any) -> None:
    path, there = LEARNING[name]
    page = visitor(path, color_scheme=scheme, viewport={"width": width, "height": 800})
    expect(page.locator(there).first).to_be_visible()
    check(page, f"{width} {scheme}")
    if name in PRESSED:
        press, after = PRESSED[name]
        page.locator(press).first.click()
        expect(page.locator(after).first).to_be_visible()
        check(page, f"{width} {scheme}, pressed")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, "it scrolls sideways"


def test_the_pages_of_the_floor(visitor: Open) -> None:
    page = visitor("about:blank", "flo")
    for path, there in FLOOR.items():
        page.goto(path)
        expect(page.locator(there).first).to_be_visible()
        check(page, "signed in")
    page.goto("/school/class")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.locator("#class-title")).to_be_visible()
        check(page, f"a class, {width}")


@pytest.mark.full
@pytest.mark.parametrize("job", ["dealer", "floorperson", "operator", "auditor"])
def test_the_pages_of_those_who_work(visitor: Open, job: str) -> None:
    page = visitor("/")
    page.locator(f".table-card[data-table=md-uth] [data-job={job}]").click()
    page.wait_for_url(lambda url: not url.endswith("/"))
    expect(page.locator("main h1").first).to_be_attached()
    page.wait_for_timeout(1000)
    check(page, job)
    for path in JOBS.get(job, ()):
        page.goto(path)
        page.wait_for_timeout(1000)
        check(page, job)
