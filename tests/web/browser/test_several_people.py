"""Several people: two browsers at one table, the floor, the past, and a server that goes away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Open
from tests.web.browser.serving import Serving, add_floorperson
from tests.web.browser.table import BUY_IN, sit_down


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    """Every deck gives the first player of 235 Stud a royal flush."""
    made = Serving(folder, "tests.web.browser.serving:royal_first")
    add_floorperson(folder)
    try:
        yield made.start()
    finally:
        made.close()


def test_two_browsers_at_one_table_each_with_the_right_view(visitor: Open) -> None:
    ann, bob = visitor("/"), visitor("/")
    hers, his = sit_down(ann, "md-uth"), sit_down(bob, "md-uth")
    hers.bet()
    his.bet()
    expect(ann.locator(".pod:not(.mine) .spot.laden")).to_have_count(2)
    hers.deal.click()
    expect(ann.locator(".prompt")).to_contain_text("waits for the others")
    his.deal.click()
    for page in (ann, bob):
        expect(page.locator(".my-cards .card.shown")).to_have_count(2)
        expect(page.locator(".pod:not(.mine) .pod-cards .card[data-card='']")).to_have_count(2)
        expect(page.locator(".pod:not(.mine) .pod-cards .card")).to_have_count(2)
    assert not set(hers.cards()) & set(his.cards())
    for page in (ann, bob):
        expect(page.locator(".felt[data-phase=deciding]")).to_be_visible()
    first, second = (hers, his) if hers.asked.count() else (his, hers)
    expect(second.page.locator(".prompt")).to_contain_text("decides")
    expect(second.asked).to_have_count(0)  # one is asked at a time
    first.say("4x")
    second.say("4x")
    for seated in (hers, his):
        expect(seated.result).to_be_visible()


def test_a_progressive_is_validated_on_the_floor_page(visitor: Open) -> None:
    flo = visitor("/floor", "flo")
    expect(flo.locator("#queue")).to_contain_text("Nobody is waiting for the floor")
    page = visitor("/")
    seated = sit_down(page, "md-235")
    seated.bet()
    seated.spot("progressive").click()
    expect(seated.spot("progressive")).to_have_class(re.compile("laden"))
    seated.deal.click()
    for place in ("before your third card", "before the community cards"):
        expect(page.locator(".prompt")).to_contain_text(place)
        seated.say("raise")
    expect(page.locator(".prompt")).to_contain_text("floorperson confirms")
    claim = flo.get_by_role("region", name="Progressive at table md-235")
    expect(claim).to_contain_text("Royal flush")
    expect(claim.locator(".evidence .card.shown")).to_have_count(5)
    claim.get_by_role("button", name="Validate").click()
    expect(flo.locator(".foreseen")).to_contain_text("gets $10,0")
    flo.get_by_role("button", name="Confirm: Validate").click()
    expect(flo.locator("#queue")).to_contain_text("Nobody is waiting for the floor")
    paid = seated.result.locator("[data-wager=progressive]")
    expect(paid).to_contain_text("Progressive pays 100% of the main meter for a royal flush.")
    expect(paid.locator(".net")).to_contain_text("+$9,99")


def test_a_floorperson_voids_a_round_and_every_bet_comes_back(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "ma-uth")
    seated.bet()
    seated.deal.click()
    expect(page.locator("[data-action='4x']")).to_be_visible()
    flo = visitor("/floor/ma-uth", "flo")
    flo.get_by_role("button", name="Void the round").click()
    flo.get_by_label("Reason").fill("A card was exposed")
    flo.get_by_role("button", name="What would happen?").click()
    expect(flo.locator(".foreseen")).to_contain_text("void")
    flo.get_by_role("button", name="Confirm: Void the round").click()
    expect(flo.locator(".toast", has_text="Done: Void the round")).to_be_visible()
    seated.may_bet()
    seated.has(BUY_IN)
    page.goto("/tables/ma-uth/rounds")
    expect(page.locator("#rounds a").first).to_contain_text("void")


def test_a_guest_on_the_floor_page_is_shown_the_way_out(visitor: Open) -> None:
    page = visitor("/floor")
    expect(page.get_by_text("This page is for the people who supervise")).to_be_visible()
    expect(page.get_by_role("link", name="to the lobby", exact=True)).to_be_visible()


def test_a_past_round_is_played_again_on_the_same_felt(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-wpt")
    seated.bet()
    seated.deal.click()
    expect(seated.asked.first).to_be_visible()
    cards, number = seated.cards(), seated.round_number()
    seated.play_on("check", "check", "1x")
    seated.may_bet()
    page.locator("#past").click()
    expect(page.get_by_role("heading", name=f"Round {number}", exact=True)).to_be_visible()
    slider = page.get_by_role("slider", name="Step of the round")
    slider.focus()
    last = int(slider.get_attribute("max") or 0)
    for _ in range(last - 1):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".replay .result")).to_be_visible()
    assert seated.cards() == cards
    page.get_by_text("The deck and its seal").click()
    expect(page.locator(".seal-told .code").first).to_have_text(re.compile("^[0-9a-f]{64}$"))
    page.get_by_role("button", name="Check this deal").click()
    expect(page.locator(".seal-check .checked.good")).to_be_visible()


def test_a_round_that_ends_joins_the_history_that_is_open(visitor: Open) -> None:
    """Somebody looks at the past of a table while others play there."""
    page, looker = visitor("/"), visitor("/tables/ma-uth/rounds")
    seated = sit_down(page, "ma-uth")

    def play() -> int:
        seated.bet()
        number = seated.round_number()
        seated.deal.click()
        expect(looker.locator("#now")).to_have_text(
            f"Round {number} is being played. It appears here when it is over."
        )
        seated.play_on("4x")
        seated.may_bet()
        return number

    first = play()
    expect(looker.locator("#rounds a").first).to_contain_text(f"Round {first}")
    looker.locator("#rounds a").first.click()
    watched = looker.get_by_role("heading", name=f"Round {first}", exact=True)
    expect(watched).to_be_visible()
    slider = looker.get_by_role("slider", name="Step of the round")
    slider.press("End")
    second = play()
    expect(looker.locator("#rounds a").first).to_contain_text(f"Round {second}")
    expect(looker.locator("#now")).to_have_text("")
    expect(watched).to_be_visible()
    assert slider.input_value() == slider.get_attribute("max"), "the one being watched stays"
    looker.locator("#rounds a").first.click()
    expect(looker.get_by_role("heading", name=f"Round {second}", exact=True)).to_be_visible()


def test_a_lost_connection_is_shown_and_resumed(visitor: Open, serving: Serving) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-jackpot")
    seated.bet()
    seated.deal.click()
    expect(page.locator("[data-action='3x']")).to_be_visible()
    cards = seated.cards()
    serving.stop()
    expect(page.locator("#wire")).to_have_attribute("data-state", "lost")
    serving.start()
    expect(page.locator("#wire")).to_have_attribute("data-state", "joined")
    assert seated.cards() == cards
    seated.say("3x")
    expect(seated.result).to_be_visible()
