"""The dealer's console in Chromium: whole rounds with real cards, by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Open
from tests.web.browser.dealing import Console, Giver, add_staff, open_live, sign_in
from tests.web.browser.serving import Serving

MOST_KEYS = 25
"""Beside the cards' own keys: what a six-seat round without side wagers may take."""


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    add_staff(folder, dee="dealer", don="dealer", flo="floorperson")
    open_live(folder, "L-uth", "md-uth")
    open_live(folder, "L-235", "md-235")
    made = Serving(folder)
    try:
        yield made.start()
    finally:
        made.close()


def _open_deck(console: Console, floor: Giver) -> None:
    """Every step under the dealer's name; the floorperson's is done on a screen of his own."""
    console.waits_for("receive")
    console.press("Enter")
    console.confirm("inspect")
    expect(console.title).to_have_text("Waits for the floorperson")
    floor.give(type="handle_deck", step="verify")
    for step in ("spread", "view", "turn", "wash", "stack", "shuffle"):
        console.confirm(step)


def test_4_A_a_live_round_of_md_uth_from_the_deck_to_the_payouts(visitor: Open) -> None:
    floor = Giver(visitor("/"), "L-uth", "flo")
    page = visitor("/")
    sign_in(page, "dee")
    console = Console(page, "L-uth")
    _open_deck(console, floor)

    console.confirm("open_betting")
    for seat in range(1, 7):
        console.bets(seat, "10")
    console.confirm("close_bets")
    console.confirm("deal")
    console.waits_for("ask")
    console.press("4", "c", "c", "c", "c", "c")
    console.enters("reveal", "Ah Kd 2c")
    console.waits_for("ask")
    console.press("2", "Shift+C")
    console.enters("reveal", "7s 8s")
    console.waits_for("ask")
    console.press("1", "1", "f", "f")
    console.enters("show_dealer", "Ad 3d")
    for hand in console.hands_asked(["Qs Qd", "Js Jd", "Ks 9d", "4c Td", "5c 5d", "6c 6d"]):
        console.enters("enter_cards", hand)
    console.confirm("settle")
    console.waits_for("collect")
    first = page.locator(".payouts > li").first
    expect(page.locator(".payouts > li")).to_have_count(6)
    expect(first.locator("button.clause").first).to_be_visible()
    console.press("Enter")
    console.phase("over")


@pytest.mark.full
def test_4_A_a_live_round_of_md_235_from_the_deck_to_the_payouts(visitor: Open) -> None:
    """No dealer's hand: each player's third card is turned up by the dealer, then two for all."""
    floor = Giver(visitor("/"), "L-235", "flo")
    page = visitor("/")
    sign_in(page, "dee")
    console = Console(page, "L-235")
    _open_deck(console, floor)
    console.confirm("open_betting")
    console.phase("betting")
    for seat in range(1, 7):
        console.bets(seat, "5")
    console.confirm("close_bets")
    console.confirm("deal")
    console.waits_for("ask")
    console.press(*"rrcccc")
    while not page.locator(".next-step[data-step=enter_cards]").count():
        expect(page.locator(".next-step:not(.busy)")).to_be_visible()
        step = page.locator(".next-step").get_attribute("data-step")
        if step == "ask":
            console.press("c")
        elif page.locator(".slot").count():
            console.enters("reveal", {1: "As", 2: "As Kd"}[page.locator(".slot").count()])
        else:
            console.press("Enter")
    hands = ("2c 2d 2h", "3c 3d 3h", "4c 5d 7h", "Qc Qd 9h", "Jc Jd 8h", "Tc Td 6s")
    for hand in hands:
        console.enters("enter_cards", hand)
    console.confirm("settle")
    console.waits_for("collect")
    paid = page.locator(".payouts > li")
    expect(paid).to_have_count(6)
    expect(paid.first.locator(".pay-chips")).to_contain_text(re.compile(r"^\$\d+: .*(red|green)"))
    assert paid.locator("button.clause").count() >= 6 * 3
    console.press("Enter")
    console.phase("over")


def test_six_seats_take_the_cards_keys_and_at_most_25_more(visitor: Open) -> None:
    """The longest way: everybody checks to the river, and is asked alone each time."""
    page = visitor("/")
    sign_in(page, "dee")
    console = Console(page, "L-uth")
    console.confirm("shuffle")
    console.waits_for("open_betting")
    console.pressed = 0
    console.press("Enter")
    console.phase("betting")
    console.press("b")
    console.confirm("close_bets")
    console.confirm("deal")
    cards = 0
    for board in ("Ah Kd 2c", "7s 8s"):
        console.waits_for("ask")
        console.press(*"cccccc")
        cards += console.enters("reveal", board)
    console.waits_for("ask")
    console.press(*"111111")
    cards += console.enters("show_dealer", "Ad 3d")
    for hand in ("6c 6d", "5c 5d", "4c Td", "Ks 9d", "Js Jd", "Qs Qd"):
        cards += console.enters("enter_cards", hand)
    console.confirm("settle")
    console.confirm("collect")
    console.phase("over")
    assert cards == 2 * (5 + 2 + 12)
    assert console.pressed - cards <= MOST_KEYS, console.pressed - cards
