"""The story of a hand: in words, with the winning cards lifted, chips that move, and sound."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Open
from tests.web.browser.table import Seated, sit_down

COUNTING = """
window.flown = window.sounded = 0;
const count = (node) => { if (node.matches?.(".flying")) window.flown += 1; };
new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach(count)))
  .observe(document, { childList: true, subtree: true });
window.AudioContext = class extends AudioContext {
  createOscillator() {
    window.sounded += 1;
    return super.createOscillator();
  }
};
"""
STORY = r"^(Your .+ beat the dealer's .+|The dealer's .+ beat your .+|Both hands are .+)\.$"


def _play(page: Page) -> Seated:
    seated = sit_down(page, "md-uth")
    expect(page.locator(".prompt")).to_contain_text("Welcome. Place your Ante to play.")
    seated.bet()
    seated.deal.click()
    seated.say("4x")
    expect(seated.result.locator(".story")).to_have_text(re.compile(STORY))
    expect(page.locator(".card.winning")).to_have_count(5)
    expect(page.locator(".card.beaten")).to_have_count(4)
    return seated


def test_a_result_is_told_shown_paid_and_heard(visitor: Open) -> None:
    page = visitor("/", reduced_motion="no-preference")
    page.add_init_script(COUNTING)
    page.locator("#settings").click()
    page.get_by_label("Play the sounds of cards and chips").check()
    page.keyboard.press("Escape")
    page.reload()
    seated = _play(page)
    page.wait_for_function("window.flown === 3")  # Ante, Blind and Play
    assert page.evaluate("window.sounded") > 0
    seated.may_bet()
    expect(page.locator(".card.winning")).to_have_count(5)  # until the next deal
    expect(page.locator(".prompt")).to_have_text(re.compile("^Place your Ante to play"))


def test_nothing_moves_or_sounds_where_nobody_wants_it(visitor: Open) -> None:
    page = visitor("/")
    page.add_init_script(COUNTING)
    page.reload()
    _play(page)
    assert page.evaluate("[window.flown, window.sounded]") == [0, 0]


def test_whoever_looks_on_sees_what_another_seat_loses(visitor: Open) -> None:
    """A fold loses Ante and Blind: one stack goes to the dealer, once, however often the page is
    drawn. Who comes later sees none."""
    watcher = visitor("/", reduced_motion="no-preference")
    watcher.add_init_script(COUNTING)
    watcher.goto("/tables/ma-uth")
    expect(watcher.locator("[data-action=sit]")).to_be_visible()
    still = visitor("/tables/ma-uth")
    still.add_init_script(COUNTING)
    still.reload()
    seated = sit_down(visitor("/"), "ma-uth")
    seated.bet()
    seated.deal.click()
    seated.play_on("check", "check", "fold")
    watcher.wait_for_function("window.flown === 1")
    late = visitor("/", reduced_motion="no-preference")
    late.add_init_script(COUNTING)
    late.goto("/tables/ma-uth")
    expect(late.locator(".felt")).to_be_visible()
    seated.may_bet()
    assert watcher.evaluate("window.flown") == 1
    assert late.evaluate("window.flown") == 0
    assert still.evaluate("window.flown") == 0, "where motion is reduced nothing moves"


def test_a_settlement_of_many_wagers_stays_whole_in_sight(visitor: Open) -> None:
    """All but the Progressive, which would wait for a floorperson when it wins."""
    page = visitor("/", viewport={"width": 1024, "height": 768})
    seated = sit_down(page, "md-uth")
    seated.bet()
    for wager in ("trips", "six_card_bonus", "ultimate_pairs", "bad_beat", "play_the_board"):
        seated.spot(wager).click()
    seated.deal.click()
    seated.play_on("check", "check", "1x")
    expect(seated.result.locator(".lines li")).to_have_count(8)
    expect(seated.result.get_by_role("button", name="Check this deal")).to_be_visible()
    page.wait_for_function("""() => {
        const { top, bottom } = document.querySelector(".result").getBoundingClientRect();
        return top >= 0 && bottom <= document.querySelector(".bar").getBoundingClientRect().top;
    }""")
