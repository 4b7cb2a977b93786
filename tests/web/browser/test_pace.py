"""One key a round: the same bets again and deal, skip what software does, and see the result."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.conftest import Open
from tests.web.browser.table import sit_down


def test_space_repeats_the_bet_and_deals_and_the_cards_stay_until_then(visitor: Open) -> None:
    page = visitor("/", reduced_motion="no-preference")
    seated = sit_down(page, "md-uth")
    page.locator("#settings").click()
    page.get_by_role("radio", name="Turbo").check()
    page.keyboard.press("Escape")
    seated.bet()
    page.keyboard.press(" ")  # the Ante was clicked, and is not pressed again
    expect(page.locator(".my-cards .card")).to_have_count(2)
    expect(seated.spot("ante").locator(".sum")).to_have_text("$5")
    seated.say("4x")
    seated.may_bet()
    first = seated.round_number()
    expect(seated.result).to_be_visible()
    dealers = page.locator("[data-zone=dealer] .card.shown")
    expect(dealers).to_have_count(2)
    seen = dealers.evaluate_all("all => all.map(one => one.dataset.card)")
    expect(page.locator("[data-zone=dealer] .zone-told")).not_to_be_empty()
    expect(page.locator(".my-cards .card.shown")).to_have_count(2)
    page.keyboard.press(" ")
    expect(seated.asked.first).to_be_enabled()
    assert seated.round_number() == first
    expect(seated.result).to_have_count(0)
    expect(dealers).to_have_count(0)
    expect(page.locator("[data-zone=dealer] .card")).to_have_count(2)
    expect(page.locator(".my-cards .card.shown")).to_have_count(2)
    assert len(set(seen)) == 2
    page.keyboard.press(" ")  # a question is open: space answers nothing
    expect(seated.asked.first).to_be_enabled()
    seated.say("4x")
    seated.may_bet()
