"""A round of games that no document describes, one of each shape, on a phone, a tablet and a
screen: a dealer's card that is seen, bets that are taken back, bets for strong hands only."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Open
from tests.web.browser.table import BUY_IN, Seated, sit_down

_ENDS = "all => all.map(one => one.getBoundingClientRect()).map(at => [at.left, at.right])"


def _fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    boxes = page.locator(".bar .buttons button").evaluate_all(_ENDS)
    for left, right in boxes:  # read at one moment: the dealer goes on meanwhile
        assert left >= 0
        assert right <= page.evaluate("innerWidth"), "no answer is cut off"


def _dealt(visitor: Open, game: str, width: int, cards: int) -> Seated:
    page = visitor("/", viewport={"width": width, "height": 844})
    heading = page.get_by_role("heading", name="More casino games")
    expect(heading).to_be_visible()
    seated = sit_down(page, game)
    seated.bet()
    seated.deal.click()
    expect(page.locator(".my-cards .card.shown")).to_have_count(cards)
    expect(seated.asked.first).to_be_visible()
    _fits(page)
    return seated


def test_the_dealers_up_card_is_seen_before_the_raise(visitor: Open) -> None:
    seated = _dealt(visitor, "caribbean-stud", 768, 5)
    page = seated.page
    dealer = page.locator(".zone[data-zone=dealer] .card")
    expect(dealer).to_have_count(5)
    expect(page.locator(".zone[data-zone=dealer] .card.shown")).to_have_count(1)
    expect(page.locator(".zone[data-zone=community]")).to_have_count(0)
    seated.play_on("2x")
    lines = seated.result.locator(".lines li")
    expect(lines).to_have_count(2)
    expect(lines.first.locator("button.clause.rule")).to_be_visible()
    _fits(page)


def test_a_bet_is_taken_back_and_another_rides(visitor: Open) -> None:
    seated = _dealt(visitor, "let-it-ride", 390, 3)
    page = seated.page
    seated.has(BUY_IN - 1500)
    expect(seated.asked).to_have_text([re.compile("Take back"), re.compile("Let it ride")])
    seated.say("take_back")
    seated.has(BUY_IN - 1000)
    expect(seated.spot("bet_1")).not_to_have_class(re.compile("laden"))
    expect(seated.spot("bet_2")).to_have_class(re.compile("laden"))
    seated.play_on("ride")
    first = seated.result.locator(".lines li[data-wager=bet_1]")
    expect(first).to_contain_text("Bet 1 was taken back.")
    expect(first.locator(".net")).to_have_text("$0")
    _fits(page)


def test_a_bet_for_strong_hands_is_greyed_with_the_reason(visitor: Open) -> None:
    seated = _dealt(visitor, "crazy-4-poker", 390, 5)
    page = seated.page
    buttons = page.locator(".bar .buttons [data-action]")
    expect(buttons).to_have_count(4)  # 1x, 2x, 3x, fold in their order, whatever the hand
    triple = page.locator(".bar .buttons [data-action='3x']")
    if triple.is_disabled():  # all but one hand in fifteen
        expect(triple).to_contain_text("takes a pair of aces or better")
    seated.play_on("1x")
    expect(seated.result.locator(".lines li")).not_to_have_count(0)
