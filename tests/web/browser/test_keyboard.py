"""A whole round without a mouse, by what a screen reader has: names, roles, what is said."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.web.tables.demo import DEMO_TABLES
from tests.params import few
from tests.web.browser.conftest import Open
from tests.web.browser.table import Seated

LEAN = ("let-it-ride",)
_HEAR = """() => {
  window.heard = [];
  const told = document.getElementById("told");
  new MutationObserver(() => window.heard.push(told.textContent)).observe(told, {childList: true});
}"""


def tab_to(page: Page, wanted: Locator) -> None:
    """With Tab alone."""
    expect(wanted).to_be_visible()
    for _ in range(80):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")


@pytest.mark.parametrize(
    "game",
    few(DEMO_TABLES, *LEAN),
)
def test_a_round_by_keyboard_alone(visitor: Open, game: str) -> None:
    page = visitor(f"/tables/{game}")
    sit = page.get_by_role("button", name=re.compile("^Sit down"))
    tab_to(page, sit)
    page.keyboard.press("Enter")
    seated = Seated(page)
    seated.may_bet()
    page.evaluate(_HEAR)
    spots = page.get_by_role("group", name="Your betting spots")
    tab_to(page, spots.get_by_role("button", name=re.compile("required")).first)
    page.keyboard.press("Enter")
    expect(seated.deal).to_be_enabled()
    tab_to(page, seated.deal)
    page.keyboard.press("Enter")
    answers = page.get_by_role("group", name="What you can do now")
    while True:
        expect(seated.result.or_(seated.asked.first).first).to_be_visible()
        if seated.result.count():
            break
        expect(answers.or_(answers.locator(":focus")).first).to_be_visible()
        where = page.evaluate("() => document.activeElement.closest('.buttons') !== null")
        assert where, "the focus is where the question is answered"
        prompt = page.locator(".prompt").inner_text()
        last = seated.asked.locator("visible=true").last
        tab_to(page, last)
        page.keyboard.press("Enter")
        expect(page.locator(".prompt")).not_to_have_text(prompt)
    said = _heard(page)
    turn = re.search(r"Your cards: (\w+ of \w+)", said)
    assert turn, said
    assert said.index("no more bets") < turn.start()
    fates = re.findall(r"You (?:win \$|lose \$|break even)", said)
    assert len(fates) == 1, said
    assert said.index(fates[0]) > turn.start()
    tree = seated.result.aria_snapshot()
    assert re.search(r"heading .(You (win|lose)|You break even)", tree), tree
    assert "listitem" in tree


def _heard(page: Page) -> str:
    page.wait_for_function("() => /You (win|lose|break)/.test(window.heard.join(' '))")
    return str(page.evaluate("() => window.heard.join(' | ')"))
