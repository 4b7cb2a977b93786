"""Surveillance and auditor, in Chromium: found, opened, replayed; by keyboard, on every screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from croupier.ledger.journal import open_journal
from croupier.web.accounts.people import People
from tests.params import few
from tests.web.browser.conftest import Open
from tests.web.browser.serving import settings
from tests.web.browser.table import sit_down
from tests.web.hidden import cards_in
from tests.web.kit import PASSWORD

SIZES = [(390, 844), (768, 1024), (1024, 768), (1280, 800), (1920, 1080)]
UTH = "md-uth"


@pytest.fixture(scope="module", autouse=True)
def people(folder: Path) -> None:
    told = settings(folder)
    with open_journal(told.database) as store:
        known = People(store, told)
        for name, role in (("otto", "auditor"), ("sue", "surveillance")):
            known.add(name, role, PASSWORD)


def sign_in(page: Page, name: str) -> None:
    page.goto("/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/audit")
    expect(page.locator("#entries tr").first).to_be_visible()


def audit(visitor: Open, name: str, **options: Any) -> Page:
    page = visitor("/audit", name, **options)
    expect(page.locator("#entries tr").first).to_be_visible()
    return page


def rounds(visitor: Open, count: int) -> Page:
    """A table where rounds are over, and one is in play."""
    page = visitor("/")
    seated = sit_down(page, UTH)
    for _ in range(count):
        seated.bet()
        seated.deal.click()
        seated.play_on()
    seated.bet()
    seated.deal.click()
    expect(seated.asked.first).to_be_visible()
    return page


def test_an_auditor_finds_an_entry_by_keyboard_and_reads_it_whole(visitor: Open) -> None:
    rounds(visitor, 1)
    page = visitor("/audit")
    expect(page.locator("#not-auditor")).to_be_visible()
    sign_in(page, "otto")
    page.get_by_label("Words").focus()
    page.keyboard.type("buy in")
    page.keyboard.press("Enter")
    expect(page.locator("#entries tr")).to_have_count(1)
    page.locator("#entries button").focus()
    page.keyboard.press("Enter")
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("buys in for $500")
    expect(box).to_contain_text("Yes: the contents and the hash before it give this hash")
    box.get_by_role("button", name="Later").press("Enter")
    expect(box.locator("h3")).not_to_have_text("Buy in")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)


def test_surveillance_sees_finished_rounds_whole_and_nothing_of_the_one_in_play(
    visitor: Open,
) -> None:
    rounds(visitor, 1)
    page = audit(visitor, "sue")
    page.get_by_label("Record", exact=True).select_option("tables")
    page.get_by_role("button", name="Search").click()
    in_play = page.locator("#entries tr", has_text="round in play")
    expect(in_play.first).to_be_visible()
    for place in range(in_play.count()):
        in_play.nth(place).get_by_role("button").click()
        box = page.get_by_role("dialog")
        expect(box.locator("h3")).to_be_visible()
        assert not cards_in(box.text_content() or "")
        page.keyboard.press("Escape")
    page.get_by_role("link", name="Rounds").click()
    page.locator("#of-table").select_option(UTH)
    page.locator("#past a[href*=md-uth]").last.click()
    steps = page.locator(".told-list")
    expect(steps).to_contain_text("dealer:")
    assert len(cards_in(steps.text_content() or "")) >= 9


@pytest.mark.parametrize("size", few(SIZES, (390, 844), (1280, 800)))
@pytest.mark.parametrize("scheme", few(["light", "dark"], "light"))
def test_the_pages_fit_every_screen(visitor: Open, size: tuple[int, int], scheme: str) -> None:
    width, height = size
    viewport = {"width": width, "height": height}
    page = audit(visitor, "otto", viewport=viewport, color_scheme=scheme)
    for tab in page.locator(".tabs a").all():
        tab.click()
        expect(tab).to_have_attribute("aria-current", "")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab


def test_a_slow_tab_does_not_cover_the_one_chosen_after_it(visitor: Open) -> None:
    page = audit(visitor, "otto")
    page.get_by_role("link", name="Verify").click()
    again = page.get_by_role("button", name="Verify")
    expect(again).to_be_visible()
    slow: list[Route] = []
    page.route("**/api/v1/commands", lambda route: slow.append(route))
    page.get_by_role("link", name="Journal").click()
    page.get_by_role("link", name="Verify").click()
    expect(page.locator(".tabs a[data-tab=verify]")).to_have_attribute("aria-current", "")
    expect(again).to_be_visible()
    with page.expect_response("**/api/v1/commands") as answered:
        slow[0].continue_()
    answered.value.finished()
    page.wait_for_load_state("networkidle")
    expect(again).to_be_visible()


def test_the_auditor_verifies_from_the_page_and_it_is_green(visitor: Open) -> None:
    page = visitor("/audit#verify", "otto")
    button = page.get_by_role("button", name="Verify")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#whole")).to_have_text(re.compile("^Whole(, not| and) anchored.$"))
    expect(page.locator(".verify-result")).to_contain_text("(100%)")


def test_everything_can_be_taken_away(visitor: Open) -> None:
    page = visitor("/audit#export", "otto")
    with page.expect_download() as found:
        page.get_by_role("link", name="Every entry as JSON Lines").click()
    assert found.value.suggested_filename == "journal-entries.jsonl"
    assert '"stream":"table:md-uth"' in Path(found.value.path()).read_text()


def test_an_auditor_opens_a_round_to_corrections(visitor: Open) -> None:
    rounds(visitor, 1)
    page = visitor(f"/audit#rounds/{UTH}/1", "otto")
    page.get_by_role("button", name="Allow corrections").click()
    box = page.locator("dialog[open]")
    box.get_by_label("Reason").fill("a complaint of seat 1")
    box.locator("[data-name=do-reopen_round]").click()
    expect(page.get_by_text("Done: Reopen a round")).to_be_visible()
    other = visitor(f"/audit#rounds/{UTH}/1", "sue")
    expect(other.get_by_role("heading", name="round 1")).to_be_visible()
    expect(other.get_by_role("button", name="Allow corrections")).to_have_count(0)
