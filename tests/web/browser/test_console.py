"""The dealer's console beside the ordinary round: mistakes, accidents, other people, a shoe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.cards import DECK
from tests.web.browser.conftest import Open
from tests.web.browser.dealing import Console, Giver, add_staff, open_live, sign_in
from tests.web.browser.serving import Serving
from tests.web.browser.table import Seated
from tests.web.hidden import cards_in


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    add_staff(folder, dee="dealer", don="dealer", flo="floorperson")
    for table in ("L-typed", "L-duty", "L-hidden", "L-shoe", "L-back"):
        open_live(folder, table, "md-uth", 2, care=False)
    for table in ("L-wrong", "L-ahead", "L-misdeal"):
        open_live(folder, table, "md-uth", 2, care=False, dealing="manual_shoe")
    made = Serving(folder, "tests.web.browser.serving:people_deal")
    try:
        yield made.start()
    finally:
        made.close()


def _console(visitor: Open, table: str, name: str = "dee") -> Console:
    page = visitor("about:blank", name)
    return Console(page, table)


def _deal(console: Console) -> None:
    """Both seats bet the least, and the cards are dealt."""
    console.confirm("open_betting")
    console.phase("betting")
    for seat in (1, 2):
        console.bets(seat, "5")
    console.confirm("close_bets")
    console.confirm("deal")
    console.waits_for("ask")


# -- who may be here ------------------------------------------------------------------------------


def test_who_does_not_deal_is_told_so_and_how_to_sign_in(visitor: Open) -> None:
    page = visitor("/tables/L-duty/deal")
    expect(page.locator("#deal")).to_contain_text("This page is for the dealer of the table.")
    page.get_by_role("link", name="Sign in as a dealer").click()
    page.wait_for_url("**/sign-in")
    sign_in(page, "flo")
    page.goto("/tables/L-duty/deal")
    expect(page.locator("#deal")).to_contain_text("signed in as flo, floorperson")
    expect(page.locator(".next-step")).to_have_count(0)


def test_a_dealer_who_is_not_assigned_is_told_who_deals(visitor: Open) -> None:
    floor = Giver(visitor("about:blank"), "L-duty", "flo")
    don = _console(visitor, "L-duty", "don")
    don.waits_for("open_betting")
    floor.give(type="assign", role="dealer", name="dee")
    expect(don.title).to_have_text("dee deals here")
    don.press("Enter")
    dee = _console(visitor, "L-duty")
    dee.confirm("open_betting")
    dee.phase("betting")
    floor.give(type="assign", role="dealer", name="")
    expect(don.title).to_have_text("Bets are open")


# -- mistakes -------------------------------------------------------------------------------------


def test_a_card_is_corrected_before_its_place_is_full_and_none_lies_twice(visitor: Open) -> None:
    console = _console(visitor, "L-typed")
    page = console.page
    _deal(console)
    console.press("c", "c")
    console.waits_for("reveal")
    slots = page.locator(".slot .card")
    console.type("Ah Ks")
    expect(slots).to_have_count(2)
    console.press("Backspace")
    expect(slots).to_have_count(1)
    console.type("Ah")
    expect(page.locator(".toast.bad")).to_contain_text("ace of hearts has been seen")
    expect(slots).to_have_count(1)
    console.press("p")
    picker = page.locator(".picker")
    expect(picker.locator("button[data-card=Ah]")).to_be_disabled()
    expect(picker.locator("button:not([disabled])")).to_have_count(51)
    console.press("ArrowRight", "Enter", "ArrowDown", "Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    console.waits_for("ask")
    flop = page.locator(".zone[data-zone=community] .card.shown")
    expect(flop).to_have_count(3)
    shown = flop.evaluate_all("all => all.map(one => one.dataset.card)")
    assert shown == ["Ah", "Ks", "Qh"], shown


def test_a_mistyped_answer_and_mistyped_cards_are_taken_back(visitor: Open) -> None:
    console = _console(visitor, "L-back")
    page = console.page
    _deal(console)
    console.press("c")
    expect(console.title).to_have_text("Seat 2: action?")
    console.press("z")
    expect(page.locator("[data-name=back-1]")).to_be_focused()
    console.press("Enter")
    expect(console.title).to_have_text("Seat 1: action?")
    console.press("4", "c")
    console.enters("reveal", "Ah Kd 2c")
    console.waits_for("ask")
    console.press("z")
    page.locator("[data-name=back-community]").focus()
    console.press("Enter")
    cards = page.get_by_role("textbox", name="Cards")
    expect(cards).to_have_value("Ah Kd 2c")
    cards.fill("Ah Kd 3c")
    console.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    board = page.locator(".zone[data-zone=community] .card.shown")
    expect(board.nth(2)).to_have_attribute("data-card", "3c")
    console.press("2")
    console.enters("reveal", "7s 8s")
    console.enters("show_dealer", "Ad 3d")
    console.enters("enter_cards", "Qs Qd")
    expect(console.title).to_have_text("Seat 2: pay and take")
    console.waits_for("settle")
    console.press("z")
    expect(page.locator("[data-name=back-player2]")).to_be_focused()
    console.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    console.type("Qs Qh")
    next_seat = page.locator(".payouts > li[data-state=next]")
    expect(next_seat.locator(".card[data-card=Qh]")).to_be_visible()
    console.waits_for("settle")
    console.press("Backspace")
    console.type("Qc Qh")
    expect(next_seat.locator(".card[data-card=Qc]")).to_be_visible()
    console.waits_for("settle")
    console.press("Enter")
    expect(console.title).to_have_text("Seat 1: enter cards")
    console.press("z")
    expect(page.locator("[data-name=back-player2]")).to_have_count(0)  # it is paid
    console.press("Escape")
    console.pays("Js Jd")
    console.waits_for("collect")
    shown = page.locator(".pod[data-seat='2'] .card").evaluate_all(
        "a => a.map(b => b.dataset.card)"
    )
    assert shown == ["Qc", "Qh"]


def test_keys_typed_ahead_are_dropped_after_a_refusal(visitor: Open) -> None:
    """A card that lies face down is known to the table and not to this page."""
    console = _console(visitor, "L-ahead")
    _deal(console)
    reader = Giver(visitor("about:blank"), "L-ahead", "dee")
    for card in ("Ah", "Kd", "Qd", "Jd"):
        assert reader.reads(card)
    console.press("c", "c")
    console.waits_for("reveal")
    console.type("2c 3c Ah cc")
    expect(console.page.locator(".toast.bad")).to_contain_text("Ah has been seen in this round")
    expect(console.page.locator(".slot .card")).to_have_count(0)
    console.waits_for("reveal")
    console.enters("reveal", "2c 3c 4c")
    console.waits_for("ask")
    expect(console.title).to_have_text("Seat 1: action?")


def test_an_irregularity_is_foreseen_before_it_is_reported(visitor: Open) -> None:
    console = _console(visitor, "L-wrong")
    page = console.page
    _deal(console)
    console.press("w")
    box = page.locator("dialog[open]")
    expect(box.locator(".deal-list li").first).to_be_visible()
    kinds = box.locator("[data-name^=report-]").evaluate_all("all => all.map(a => a.dataset.name)")
    assert "report-one_card_face_up" in kinds, kinds
    box.locator("[data-name=report-one_card_face_up]").focus()
    console.press("Enter")
    expect(box.get_by_label("Cards")).to_be_focused()
    console.type("Qd")
    console.press("Enter")
    expect(box.locator(".foreseen li").first).to_be_visible()
    before = page.locator(".felt").get_attribute("data-phase")
    expect(box.get_by_role("button", name="Confirm: Report it")).to_be_enabled()
    assert before == "deciding", "nothing has happened yet"
    console.press("Enter")
    expect(box).to_have_count(0)
    console.press("c", "c")
    console.waits_for("reveal")
    console.type("Qd")
    expect(page.locator(".slot .card")).to_have_count(0)


def test_a_misdeal_is_foreseen_before_it_is_reported(visitor: Open) -> None:
    """Only that by which something is void; nothing is void before it is confirmed."""
    console = _console(visitor, "L-misdeal")
    page = console.page
    _deal(console)
    page.get_by_role("button", name="Misdeal").click()
    box = page.locator("dialog[open]")
    expect(box).to_contain_text("Misdeal: what happened?")
    expect(box.locator("[data-name=report-one_card_face_up]")).to_have_count(0)
    box.locator("[data-name=report-wrong_count]").click()
    box.get_by_role("button", name="What would happen?").click()
    expect(box.locator(".foreseen")).to_contain_text("void")
    assert page.locator(".felt").get_attribute("data-phase") == "deciding"
    box.get_by_role("button", name="Confirm: Report it").click()
    expect(box).to_have_count(0)
    console.phase("over")


def test_the_floor_is_called_with_a_reason(visitor: Open) -> None:
    console = _console(visitor, "L-wrong")
    console.press("o")
    expect(console.page.get_by_label("Reason")).to_be_focused()
    console.press(*"dispute", "Enter")
    expect(console.page.locator("dialog[open]")).to_have_count(0)
    waiting = console.page.locator(".deal-also [data-step=answer_call]")
    expect(waiting).to_contain_text("Waits for the floorperson")
    expect(waiting).to_contain_text("dispute")


def test_the_list_of_keys_is_shown(visitor: Open) -> None:
    console = _console(visitor, "L-duty")
    console.press("?")
    expect(console.page.locator("dialog[open] .keys")).to_contain_text("Call the floor")


# -- cards ----------------------------------------------------------------------------------------


class Watched:
    """Everything that the server has sent to a page."""

    def __init__(self, page: Page) -> None:
        self.texts: list[str] = []
        page.on("websocket", lambda ws: ws.on("framereceived", self._frame))
        page.on("response", self._response)

    def _frame(self, payload: str | bytes) -> None:
        self.texts.append(payload if isinstance(payload, str) else payload.decode())

    def _response(self, response: object) -> None:
        url = str(getattr(response, "url", ""))
        if "/api/v1/tables/" in url and not url.endswith(("/rules", "/live")):
            self.texts.append(response.text())  # type: ignore[attr-defined]

    def cards(self) -> set[str]:
        return {str(card) for text in self.texts for card in cards_in(text)}


def test_no_frame_shows_the_dealer_a_hand_before_it_is_turned_up(visitor: Open) -> None:
    page = visitor("about:blank", "dee")
    watched = Watched(page)
    console = Console(page, "L-hidden")
    _deal(console)
    console.press("4", "c")
    console.enters("reveal", "Ah Kd 2c")
    console.waits_for("ask")
    console.press("c")
    console.enters("reveal", "7s 8s")
    console.waits_for("ask")
    console.press("f")
    console.enters("show_dealer", "Ad 3d")
    open_cards = {"Ah", "Kd", "2c", "7s", "8s", "Ad", "3d"}
    assert watched.cards() == open_cards
    player = visitor("/")
    outside = Watched(player)
    player.goto("/tables/L-hidden")
    expect(player.locator(".zone[data-zone=community] .card.shown")).to_have_count(5)
    console.enters("enter_cards", "Js Jd")  # seat 2 has folded: seat 1 is the only hand
    console.waits_for("settle")
    assert watched.cards() == open_cards | {"Js", "Jd"}, "the dealer has turned them up"
    assert outside.cards() == open_cards, "for everybody else they are settled first"
    console.press("Enter")
    console.waits_for("collect")
    expect(player.locator(".card.shown[data-card=Js]")).to_have_count(1)


def test_a_reading_shoe_fills_the_places_and_the_console_turns_them_up(visitor: Open) -> None:
    console = _console(visitor, "L-shoe")
    _deal(console)
    reader = Giver(visitor("about:blank"), "L-shoe", "dee")
    deck = [str(card) for card in DECK]
    taken = 0
    while reader.reads(deck[taken]):
        taken += 1
    assert taken >= 6, "two hands and the dealer's at least"
    console.press("c", "c")
    expect(console.page.locator(".next-step")).to_have_attribute("data-step", "reveal")
    while reader.reads(deck[taken]):
        taken += 1
    expect(console.page.locator(".entry")).to_be_hidden()
    console.confirm("reveal")
    console.waits_for("ask")
    expect(console.page.locator(".zone[data-zone=community] .card.shown")).to_have_count(3)


# -- virtual cards --------------------------------------------------------------------------------


def test_a_virtual_table_is_dealt_with_the_same_keys_and_without_cards(visitor: Open) -> None:
    console = _console(visitor, "md-uth")
    expect(console.title).to_have_text("Nobody is seated")
    player = visitor("/")
    player.locator(".table-card[data-table='md-uth']").get_by_role(
        "button", name="Sit down"
    ).click()
    player.wait_for_url("**/tables/md-uth")
    console.confirm("open_betting")
    seated = Seated(player)
    seated.bet()
    console.confirm("close_bets")
    if console.page.locator(".next-step[data-step=count_chips]").count():
        console.type("0")
        console.press("Enter")
    console.confirm("deal")
    expect(console.title).to_have_text("Waits for a player")
    expect(console.page.locator(".entry")).to_be_hidden()
    expect(console.page.locator(".pod-cards .card.shown")).to_have_count(0)
    seated.say("4x")
    for step in ("reveal", "reveal", "show_dealer", "settle", "collect"):
        console.confirm(step)
    expect(seated.result).to_be_visible()
