"""The dealer's console of games that no document describes: the card that lies face up, bets taken
back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Open
from tests.web.browser.dealing import Console, add_staff, open_live
from tests.web.browser.serving import Serving


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    open_live(folder, "C1", "caribbean-stud", 1)
    open_live(folder, "L1", "let-it-ride", 1)
    add_staff(folder, dora="dealer", dina="dealer")
    made = Serving(folder)
    try:
        yield made.start()
    finally:
        made.close()


def test_the_dealer_names_his_up_card_and_the_rest_at_the_end(visitor: Open) -> None:
    page = visitor("about:blank", "dora")
    console = Console(page, "C1")
    console.confirm("open_betting")
    console.phase("betting")
    console.bets(1, "10")
    console.confirm("close_bets")
    console.confirm("deal")
    console.waits_for("reveal")
    console.type("Kh")
    console.waits_for("ask")
    expect(page.locator(".zone[data-zone=dealer] .card.shown")).to_have_count(1)
    console.press("2")
    console.waits_for("show_dealer")
    console.type("Ah Qd 9c 2s")
    console.waits_for("enter_cards")
    console.type("7h 7s 3d 3c 2c")
    console.confirm("settle")
    console.confirm("collect")
    console.waits_for("open_betting")


def test_a_player_takes_a_bet_back_and_lets_the_other_ride(visitor: Open) -> None:
    page = visitor("about:blank", "dina", viewport={"width": 1024, "height": 800})
    console = Console(page, "L1")
    console.confirm("open_betting")
    console.phase("betting")
    console.bets(1, "10")
    console.confirm("close_bets")
    console.confirm("deal")
    console.waits_for("ask")
    expect(page.locator(".answer")).to_have_count(2)
    console.press("b")  # takes the first bet back
    console.waits_for("reveal")
    console.type("4c")
    console.waits_for("ask")
    console.press("r")
    console.waits_for("reveal")
    console.type("9s")
    console.waits_for("enter_cards")
    console.type("Th Ts 4d")
    console.confirm("settle")
    console.confirm("collect")
    console.waits_for("open_betting")
