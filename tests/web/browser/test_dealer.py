"""The dealer's console in Chromium: whole rounds with real cards, by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Open
from tests.web.browser.dealing import Console, Giver, add_staff, open_live
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
    console.confirm("spread")
    console.waits_for("view")
    saw = console.page.locator(".next-controls select[name=player]")
    expect(saw).to_be_focused()
    expect(saw).to_have_value("")
    console.press("Enter")  # nobody is named who saw the cards
    console.waits_for("view")
    console.press("C", "Enter")
    for step in ("turn", "wash", "stack", "shuffle"):
        console.confirm(step)


def test_4_A_a_live_round_of_md_uth_from_the_deck_to_the_payouts(visitor: Open) -> None:
    floor = Giver(visitor("about:blank"), "L-uth", "flo")
    page = visitor("about:blank", "dee")
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
    console.pays("Qs Qd", "Js Jd", "Ks 9d", "4c Td")
    console.waits_for("collect")
    first = page.locator(".payouts > li").first
    expect(page.locator(".payouts > li")).to_have_count(6)
    expect(first.locator("button.clause").first).to_be_visible()
    console.press("Enter")
    console.phase("over")


@pytest.mark.full
def test_4_A_a_live_round_of_md_235_from_the_deck_to_the_payouts(visitor: Open) -> None:
    """No dealer's hand: each player's third card is turned up by the dealer, then two for all."""
    floor = Giver(visitor("about:blank"), "L-235", "flo")
    page = visitor("about:blank", "dee")
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
    console.pays("2c 2d 2h", "3c 3d 3h", "4c 5d 7h", "Qc Qd 9h", "Jc Jd 8h", "Tc Td 6s")
    console.waits_for("collect")
    paid = page.locator(".payouts > li")
    expect(paid).to_have_count(6)
    expect(paid.first.locator(".pay-chips")).to_contain_text(re.compile(r"^\$\d+: .*(red|green)"))
    assert paid.locator("button.clause").count() >= 6 * 3
    console.press("Enter")
    console.phase("over")


def _count_keys(console: Console, answers: tuple[tuple[str, ...], ...], *, types_on: bool) -> int:
    """The keys of a six-seat round beside those of its cards, from the bets to the cards' end."""
    console.waits_for("open_betting")
    console.pressed = 0
    console.press("Enter")
    console.phase("betting")
    console.press("b")
    console.confirm("close_bets")
    console.confirm("deal")
    cards = 0
    for said, board in zip(answers, ("Ah Kd 2c", "7s 8s", ""), strict=True):
        console.waits_for("ask")
        console.press(*said)
        cards += console.enters("reveal", board) if board else 0
    cards += console.enters("show_dealer", "Ad 3d")
    hands = ("6c 6d", "5c 5d", "4c Td", "Ks 9d", "Js Jd", "Qs Qd")
    cards += console.pays(*hands, types_on=types_on)
    console.confirm("collect")
    console.phase("over")
    assert cards == 2 * (5 + 2 + 12), "all six hands are compared"
    return console.pressed - cards


ALONE = (("c",) * 6, ("c",) * 6, ("1",) * 6)
TOGETHER = (("Shift+C",), ("Shift+C",), ("Shift+1",))
WAYS = {
    "everybody is asked alone, to the river; the next hand is typed when a seat is paid": (
        ALONE,
        True,
    ),
    "the same, and Enter after every seat": (ALONE, False),
    "one answer for all with Shift, which counts as a key; Enter after every seat": (
        TOGETHER,
        False,
    ),
}


def test_six_seats_take_the_cards_keys_and_at_most_25_more(visitor: Open) -> None:
    """The figures of docs/dealer.md are counted here: a changed one is to be written there."""
    page = visitor("about:blank", "dee")
    console = Console(page, "L-uth")
    counted = {}
    for words, (answers, types_on) in WAYS.items():
        console.confirm("shuffle")
        counted[words] = _count_keys(console, answers, types_on=types_on)
    first, enters, together = counted.values()
    assert first <= MOST_KEYS
    assert together <= MOST_KEYS
    assert enters == first + 5, "one Enter for each seat but the last"
    told = (Path(__file__).parents[3] / "docs" / "dealer.md").read_text("utf-8")
    table = "\n".join(f"| {words} | {keys} |" for words, keys in counted.items())
    assert table in told, f"docs/dealer.md does not say so:\n{table}"
