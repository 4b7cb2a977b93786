"""12(e) of Massachusetts: the Cover All odds of the round are before players and dealer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Open
from tests.web.browser.dealing import Console, add_staff, open_live
from tests.web.browser.serving import Serving
from tests.web.browser.table import sit_down

TWO_HANDS = "Cover All, 2 handsroyal flush200 to 1straight flush100 to 1four of a kind70 to 1"
THREE_HANDS = "Cover All, 3 handsroyal flush150 to 1straight flush80 to 1four of a kind50 to 1"


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    open_live(folder, "M1", "ma-uth", 2, care=False)
    add_staff(folder, dora="dealer")
    made = Serving(folder)
    try:
        yield made.start()
    finally:
        made.close()


@pytest.mark.clause("ma-uth", "12(e)")
def test_12_e_the_dealer_sees_the_column_of_the_round(visitor: Open) -> None:
    page = visitor("about:blank", "dora", viewport={"width": 1024, "height": 768})
    console = Console(page, "M1")
    console.confirm("open_betting")
    console.phase("betting")
    console.bets(1, "10")
    console.bets(2, "10")
    console.confirm("close_bets")
    console.confirm("deal")
    odds = page.locator(".felt .round-odds")
    console.waits_for("ask")
    expect(odds).to_have_text("")
    for seat in ("Seat 1", "Seat 2"):
        expect(console.title).to_contain_text(seat)
        page.get_by_role("button", name="Bet 4×").first.click()
    console.waits_for("reveal")
    console.type("2c 7d 9h")
    expect(page.locator(".zone[data-zone=community] .card.shown")).to_have_count(3)
    console.waits_for("reveal")
    console.type("Jc 3s")
    console.waits_for("show_dealer")
    expect(odds).to_contain_text(THREE_HANDS)
    expect(odds.locator("dl")).to_have_accessible_name("Cover All with 3 hands")
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


@pytest.mark.clause("ma-uth", "12(e)")
@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_12_e_a_player_sees_the_column_of_the_round(visitor: Open, width: int) -> None:
    page = visitor("/", viewport={"width": width, "height": 800})
    seated = sit_down(page, "ma-uth")
    seated.bet()
    seated.deal.click()
    page.locator("[data-action='4x']").click()
    odds = page.locator(".felt .round-odds")
    expect(odds).to_contain_text(TWO_HANDS)
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
