"""What a player may do at the seat besides betting and answering; the clock where others wait."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Open
from tests.web.browser.table import BUY_IN, Seated, sit_down

ACCEPTED = re.compile(r"\baccepted\b")


def _rights(page: Page) -> Page:
    page.keyboard.press("e")
    expect(page.get_by_role("dialog", name="At your seat")).to_be_visible()
    return page


def _asked(seated: Seated) -> Page:
    seated.bet()
    seated.deal.click()
    expect(seated.asked.first).to_be_enabled()
    return seated.page


def test_what_is_declined_is_said_before_a_player_leaves_the_round(visitor: Open) -> None:
    seated = sit_down(visitor("/"), "md-uth")
    page = _rights(_asked(seated))
    declined = page.locator("[data-declined]")
    expect(declined).to_have_attribute("data-declined", "check check fold")
    expect(declined).to_contain_text("you fold, which gives up the hand")
    expect(declined.get_by_role("button", name="Clause 11.F: what it says")).to_be_visible()
    page.get_by_role("button", name="Leave the round").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(seated.result).to_be_visible()  # settled without him


def test_a_tip_goes_from_the_rack_to_the_dealers(visitor: Open) -> None:
    seated = sit_down(visitor("/"), "ma-uth")
    page = _rights(seated.page)
    page.get_by_role("button", name="Tip: one $5 chip").click()
    page.get_by_role("button", name="Tip: one $1 chip").click()
    page.get_by_role("button", name="Tip $6").click()
    seated.has(BUY_IN - 600)
    page = _rights(page)
    page.get_by_role("button", name="Tip: one $500 chip").click()
    expect(page.get_by_role("button", name="You have $494")).to_be_disabled()


def test_chips_are_changed_for_others_of_the_same_worth(visitor: Open) -> None:
    page = _rights(sit_down(visitor("/"), "ma-uth").page)
    change = page.get_by_role("button", name="Change", exact=True)
    for _ in range(5):
        page.get_by_role("button", name="You give: one $5 chip").click()
    expect(page.get_by_text("You give $25 and get $0: it must be the same.")).to_be_visible()
    expect(change).to_be_disabled()
    page.get_by_role("button", name="In the largest chips").click()
    expect(page.get_by_role("group", name="You get")).to_contain_text("1 × $25 = $25")
    change.click()
    expect(page.locator("#told")).to_contain_text("changes 5 x $5 into 1 x $25")


def test_a_call_reaches_the_floor(visitor: Open) -> None:
    page = _rights(sit_down(visitor("/"), "md-wpt").page)
    page.get_by_label("Reason").fill("I was paid too little")
    page.get_by_role("button", name="Call the floor").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#told")).to_contain_text("I was paid too little")


def test_7_F_3_b_a_light_says_that_the_progressive_bet_is_accepted(visitor: Open) -> None:
    seated = sit_down(visitor("/"), "md-uth")
    seated.bet()
    spot = seated.spot("progressive")
    expect(spot).not_to_have_class(ACCEPTED)
    spot.click()
    expect(spot).to_have_class(ACCEPTED)
    expect(spot).to_have_attribute("aria-label", re.compile("accepted, the light is on"))


def test_a_clock_runs_only_where_others_wait_and_is_put_back(visitor: Open) -> None:
    ann = sit_down(visitor("/"), "md-jackpot")
    clock, more = ann.page.locator(".clock"), ann.page.locator(".more-time")
    ann.bet()
    expect(clock).to_have_text("")
    expect(more).to_be_hidden()
    ben = sit_down(visitor("/"), "md-jackpot")
    expect(clock).to_contain_text("Bets close in")
    ben.page.get_by_role("button", name="Sit out").click()
    expect(ben.page.locator(".prompt")).to_contain_text("You are sitting this round out")
    ann.deal.click()
    expect(ann.asked.first).to_be_enabled()
    expect(clock).to_contain_text("No answer: check in 5")
    ann.page.keyboard.press("w")
    expect(clock).to_contain_text("No answer: check in 11")
    expect(ben.page.locator("#told")).to_contain_text("asks for more time")
    for _ in range(2):
        more.click()
    expect(more).to_be_hidden()


def test_6_a_a_match_play_coupon_lies_beside_the_ante(visitor: Open) -> None:
    seated = sit_down(visitor("/"), "ma-uth")
    seated.bet()
    expect(seated.page.locator("#told")).to_contain_text("bets Ante $5")
    page = _rights(seated.page)
    page.get_by_role("button", name="Worth: one $25 chip").click()
    expect(page.get_by_role("button", name="At most $5, as your chips")).to_be_disabled()
    page.get_by_role("group", name="Worth").get_by_role("button", name="none").click()
    page.get_by_role("button", name="Worth: one $5 chip").click()
    page.get_by_label("Its number").fill("MP-7")
    page.get_by_role("button", name="Lay the coupon").click()
    expect(page.locator("#told")).to_contain_text("match play coupon MP-7 of $5")
    expect(page.locator(".my-coupon")).to_have_text("Match play coupon $5")
    seated.deal.click()
    seated.play_on("4x")
    expect(seated.result).to_contain_text("coupon")
