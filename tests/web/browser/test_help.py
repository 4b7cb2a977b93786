"""Help where it is needed: at every wager, in the rules, on what is greyed, with few chips."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.web.browser.conftest import Open
from tests.web.browser.table import BUY_IN, sit_down

PHONE = {"width": 390, "height": 844}


def _help(page: Page, title: str) -> Locator:
    return page.get_by_role("dialog", name=f"About {title}")


def test_a_wager_tells_what_it_is_and_costs(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-wpt")
    page.locator(".spot-help[data-about=odds]").click()
    panel = _help(page, "Odds")
    expect(panel).to_contain_text("Ante, Odds and Raise are one game")
    expect(panel).to_contain_text("House edge 2.358% of the Ante")
    expect(panel).to_contain_text("You win 47.32% of the time")
    expect(panel.get_by_role("table", name="Bad Beat Bonus pays (table A)")).to_be_visible()
    panel.get_by_role("button", name="Clause 12.C(1)(a)").click()
    expect(page.locator(".hint")).to_contain_text("12.C(1)(a)")
    page.keyboard.press("Escape")
    expect(page.locator(".hint")).to_have_count(0)
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    seated.spot("trips_plus").focus()
    page.keyboard.press("i")
    expect(_help(page, "Trips Plus")).to_contain_text("House edge 0.740% of the bet")
    page.keyboard.press("Escape")
    expect(seated.spot("trips_plus")).to_be_focused()
    expect(page.locator(".spot.laden")).to_have_count(0)


def test_the_mouse_rests_on_a_wager(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-wpt")
    seated.spot("progressive").hover()
    panel = _help(page, "Progressive")
    expect(panel).to_contain_text("with the meter at $5,000")
    expect(panel).to_contain_text("It favors you from $")
    panel.hover()
    expect(panel).to_be_visible()
    page.locator(".prompt").hover()
    expect(panel).to_have_count(0)


def test_a_long_press_helps_and_bets_nothing(visitor: Open) -> None:
    page = visitor("/", viewport=PHONE, has_touch=True)
    seated = sit_down(page, "md-235")
    box = seated.spot("win_em_all").bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    panel = page.locator(".wager-help")
    expect(panel).to_contain_text("House edge 8.705% of the bet")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(panel).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown = panel.bounding_box()
    assert shown is not None
    assert shown["x"] >= 0
    assert shown["x"] + shown["width"] <= PHONE["width"]
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    expect(page.locator(".spot.laden")).to_have_count(0)
    page.locator(".spot-help[data-about=win_em_all]").tap()
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="All rules and paytables").click()
    expect(page.locator(".sheet [data-part=win_em_all]")).to_be_focused()


def test_the_rules_have_an_index(visitor: Open) -> None:
    page = visitor("/tables/md-wpt")
    expect(page.locator(".felt")).to_be_visible()
    page.keyboard.press("t")
    sheet = page.locator("dialog.sheet")
    for title in sheet.locator("section > h3").all_inner_texts():
        expect(sheet.get_by_role("link", name=title, exact=True)).to_have_count(1)
    sheet.get_by_role("link", name="Odds", exact=True).click()
    expect(sheet.locator("[data-part=odds]")).to_be_focused()
    expect(sheet.get_by_role("table", name="Bad Beat Bonus pays (table A)")).to_be_in_viewport()


def test_what_is_greyed_says_why(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-wpt")
    expect(seated.deal).to_be_disabled()
    expect(seated.deal).to_have_attribute("title", "Bet on Ante and Odds first.")
    seated.deal.focus()
    expect(page.locator(".act-why")).to_have_text("Bet on Ante and Odds first.")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_contain_text("Bet on Ante and Odds first.")
    page.locator(".toast .shut").click()
    expect(page.locator(".felt[data-phase=betting]")).to_be_visible()


def test_short_chips_offer_to_buy_more(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-wpt")
    page.get_by_role("radio", name="$500 chip").click()
    seated.spot("ante").click()
    note = page.locator(".toast")
    expect(note).to_contain_text("That bet takes $1,000, and you have $500.")
    note.get_by_role("button", name="Buy $500 more").click()
    seated.has(2 * BUY_IN)
    seated.spot("ante").click()
    expect(page.locator(".spot.laden")).to_have_count(4)  # two at my place, two at my seat
    seated.deal.click()
    raise_3x = page.locator(".buttons [data-action='3x']")
    expect(raise_3x).to_be_disabled()
    raise_3x.dispatch_event("click")
    expect(note).to_contain_text("This costs $1,500, and you have $0.")
    note.get_by_role("button", name="Buy $500 more").click()
    seated.has(BUY_IN)
    expect(page.locator(".buttons [data-action=check]")).to_be_enabled()
    seated.play_on("check", "check", "fold")
