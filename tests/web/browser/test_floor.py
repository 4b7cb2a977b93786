"""The floor at work in a real browser: what waits, decisions with what follows from them, decks,
devices, slips and disputes. Each live table is one of the five documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.ledger.journal import open_journal
from croupier.ledger.records.table_entries import Attempt, attempts_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import from_json
from croupier.web.accounts.people import People
from tests.params import few
from tests.web.browser.conftest import Open, until
from tests.web.browser.serving import Serving, settings
from tests.web.crew import Crew
from tests.web.kit import PASSWORD
from tests.web.real import Client

WIDTHS = (390, 768, 1024, 1280, 1920)
_names = count(1)
STAFF = {"Flo": "floorperson", "Fred": "floorperson", "Dan": "dealer", "Ada": "auditor"}
_NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, select, [role=img]")]
  .filter((node) => node.checkVisibility() && !node.closest("[aria-hidden=true]"))
  .filter((node) => !(node.getAttribute("aria-label") || node.innerText?.trim()
    || node.labels?.length || node.hasAttribute("aria-labelledby")))
  .map((node) => node.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    made = Serving(folder)
    with open_journal(settings(folder).database) as store:
        people = People(store, settings(folder))
        for name, role in STAFF.items():
            people.add(name, role, PASSWORD)
    try:
        yield made.start()
        with open_journal(settings(folder).database) as store:
            assert verify(store).valid
    finally:
        made.close()


class Floor:
    """A live table of a document, and pages of the people who work there."""

    def __init__(self, serving: Serving, visitor: Open) -> None:
        self.port = int(serving.url.rsplit(":", 1)[1])
        self.visitor = visitor

    def open(self, rulebook: str, *, until: str = "open_betting", **terms: Any) -> Crew:
        crew = Crew(
            f"{rulebook}-{next(_names)}",
            dealer=Client(self.port).sign_in("Dan"),
            floorperson=Client(self.port).sign_in("Flo"),
            player=Client(self.port).come_in(),
        )
        crew.open(rulebook, terms or None).sit()
        crew.work_until(until)
        return crew

    def page(self, path: str, who: str = "Flo", **told: Any) -> Page:
        return self.visitor(path, who, **told)


@pytest.fixture
def floor(serving: Serving, visitor: Open) -> Floor:
    return Floor(serving, visitor)


def _confirm(page: Page, label: str, foreseen: str) -> None:
    """What would happen stands there before the button that does it."""
    if page.locator("dialog .field").count():
        page.locator("dialog").get_by_role("button", name="What would happen?").click()
    expect(page.locator("dialog .foreseen")).to_contain_text(foreseen)
    page.locator("dialog").get_by_role("button", name=f"Confirm: {label}").click()
    expect(page.locator("dialog")).to_have_count(0)


def _named(page: Page, name: str) -> Locator:
    return page.locator(f"[data-name='{name}']")


def test_a_call_is_answered_from_the_queue_by_keyboard(floor: Floor) -> None:
    crew = floor.open("md-uth")
    page = floor.page("/floor")
    crew.dealer.do(crew.table, type="call_floor", reason="A player disputes the count")
    entry = page.locator(f"#queue .waiting[data-table='{crew.table}'][data-step=call]")
    expect(entry).to_contain_text("Call: A player disputes the count")
    expect(entry).to_contain_text("Dan, dealer")
    expect(entry.locator(".waited")).to_have_text(re.compile(r"since \d+ (s|min)"))
    entry.get_by_role("button", name="Answer").focus()
    expect(page.locator("body:not([data-resting])")).to_have_count(1)
    page.keyboard.press("Enter")
    page.locator("dialog").get_by_label("Decision").fill("Counted again together")
    page.keyboard.press("Enter")
    expect(entry).to_have_count(0)
    assert crew.view()["version"]


def test_4_A_a_deck_is_inspected_and_verified_from_two_boards(floor: Floor) -> None:
    """By key: the dealer inspects, and only the floorperson's board can verify."""
    crew = floor.open("md-uth", until="inspect")
    path = f"/tables/{crew.table}/decks"
    dan, flo = floor.page(path, "Dan"), floor.page(path, "Flo")
    expect(dan.locator("#next [data-step=inspect]")).to_be_visible()
    dan.keyboard.press("n")
    waits = dan.locator("#next [data-step=verify]")
    expect(waits).to_contain_text("Waits for a floorperson")
    expect(waits.get_by_role("button")).to_have_count(0)
    expect(flo.locator("#next [data-step=verify]")).to_contain_text("4.A")
    expect(flo.locator("body:not([data-resting])")).to_be_visible()
    flo.keyboard.press("n")
    for page in (dan, flo):
        deck = page.get_by_role("region", name="The red deck")
        expect(deck.locator("[data-step=inspect][data-state=done]")).to_contain_text("Dan")
        expect(deck.locator("[data-step=verify][data-state=done]")).to_contain_text("Flo")
        expect(deck.locator("[data-step=spread][data-state=next]")).to_be_visible()
    meter = flo.get_by_role("meter", name="Age of the red deck")
    expect(meter).to_have_attribute("aria-valuemax", str(8 * 3600))
    expect(flo.locator("#stub")).to_contain_text("every 5 rounds")


@pytest.mark.parametrize(("who", "most"), [("Dan", 14), ("Flo", 14), ("Ada", 0)])
def test_every_command_of_care_is_on_the_board_of_its_role(
    floor: Floor, who: str, most: int
) -> None:
    crew = floor.open("md-wpt")
    page = floor.page(f"/tables/{crew.table}/decks", who)
    expect(page.locator("#care")).not_to_be_empty()
    told = page.request.get("/api/v1/commands").json()["commands"]
    care = {one["type"] for one in told if one["type"] in _CARE and STAFF[who] in one["roles"]}
    shown = {
        name.removeprefix("care-")
        for name in page.locator("#care button").evaluate_all("all => all.map(b => b.dataset.name)")
    }
    assert shown == care
    assert len(shown) <= most


_CARE = {
    *("receive_deck", "handle_deck", "load_deck", "shuffle_deck", "cut_deck", "order_shuffle"),
    *("order_recut", "remove_deck", "lay_out", "count_stub", "report_malfunction"),
    *("mark_out_of_order", "repair_device", "change_dealing"),
}


def test_a_shuffle_is_ordered_with_a_reason(floor: Floor) -> None:
    """5.A(3)."""
    crew = floor.open("md-jackpot")
    page = floor.page(f"/floor/{crew.table}")
    page.get_by_role("button", name="Order a shuffle").click()
    page.locator("dialog").get_by_label("Reason").fill("A player asks for it")
    page.locator("dialog").get_by_role("button", name="Order a shuffle").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert crew.steps()[0]["step"] == "shuffle"
    board = floor.page(f"/tables/{crew.table}/decks")
    expect(board.locator("#told li").first).to_contain_text("A player asks for it")


@pytest.mark.parametrize("key", ["mouse", "space"])
def test_a_button_held_down_is_not_lost_when_the_page_changes(floor: Floor, key: str) -> None:
    crew = floor.open("md-jackpot")
    page = floor.page(f"/floor/{crew.table}")
    button = page.get_by_role("button", name="Order a shuffle")
    button.hover()
    button.focus()
    page.mouse.down() if key == "mouse" else page.keyboard.down("Space")
    crew.dealer.do(crew.table, type="call_floor", reason="A player disputes the count")
    expect(page.locator("#waits")).to_contain_text("A player disputes the count")
    page.mouse.up() if key == "mouse" else page.keyboard.up("Space")
    expect(page.locator("dialog").get_by_label("Reason")).to_be_visible()


def test_a_menu_opened_over_a_button_does_not_stop_the_page(floor: Floor) -> None:
    """The right button may be let go over the browser's own menu: the page never hears of it."""
    crew = floor.open("md-jackpot")
    page = floor.page(f"/floor/{crew.table}")
    button = page.get_by_role("button", name="Order a shuffle")
    button.hover()
    button.evaluate("node => node.classList.add('of-before')")
    page.mouse.down(button="right")
    crew.dealer.do(crew.table, type="call_floor", reason="A player disputes the count")
    expect(page.locator("#waits")).to_contain_text("A player disputes the count")
    expect(page.locator("#decks .of-before")).to_have_count(0)


def test_13_E_an_irregularity_is_foreseen_in_words_and_money(floor: Floor) -> None:
    crew = floor.open("md-jackpot")
    crew.bet()
    crew.work_until("ask")
    page = floor.page(f"/floor/{crew.table}")
    expect(page.locator(".accident").first).to_be_visible()
    kinds = page.locator(".accident").evaluate_all("all => all.map(b => b.dataset.name)")
    told = page.request.get(f"/api/v1/tables/{crew.table}/work").json()["irregularities"]
    assert kinds == [f"report-{one['kind']}" for one in told], "only what can have happened now"
    page.get_by_role("button", name=re.compile("has a wrong number of cards")).first.click()
    version = crew.view()["version"]
    dialog = page.locator("dialog")
    if dialog.get_by_label("Seat").count():
        dialog.get_by_label("Seat").select_option("1")
    dialog.get_by_role("button", name="What would happen?").click()
    expect(dialog.locator(".foreseen")).to_contain_text(re.compile(r"gets (back )?\$\d+|\$5"))
    assert crew.view()["version"] == version, "looking changes nothing"
    dialog.get_by_label("Note").fill("Three cards at seat 1")
    expect(dialog.locator(".foreseen")).to_be_empty()
    dialog.get_by_role("button", name="What would happen?").click()
    dialog.get_by_role("button", name=re.compile("^Confirm")).click()
    expect(dialog).to_have_count(0)
    rack = next(seat for seat in crew.view()["seats"] if seat["player"])["rack"]
    assert rack == "1000.00"


def test_13_J_a_device_out_of_order_has_its_sign(floor: Floor) -> None:
    crew = floor.open("md-uth")
    page = floor.page(f"/floor/{crew.table}")
    shoe = page.get_by_role("region", name="The shoe")
    shoe.get_by_role("button", name="It is broken").click()
    expect(shoe).to_contain_text("broken, not marked yet")
    with page.context.expect_page() as opened:
        shoe.get_by_role("link", name="Print the sign").click()
    sign = opened.value
    expect(sign.get_by_role("heading", name="Out of order")).to_be_visible()
    sign.emulate_media(media="print")
    expect(sign.locator(".top")).to_be_hidden()
    expect(sign.locator("#print")).to_be_hidden()
    expect(sign.get_by_text(f"Table {crew.table}")).to_be_visible()
    sign.close()
    shoe.get_by_role("button", name="It has the sign").click()
    expect(shoe).to_contain_text("out of order, with a sign")
    page.get_by_role("button", name="Change the way of dealing").first.click()
    page.locator("dialog").get_by_label("Way of dealing", exact=True).select_option("hand")
    page.locator("dialog").get_by_role("button", name="Change the way").click()
    expect(page.locator(".devices")).to_contain_text("from the hand (not the usual way)")
    shoe.get_by_role("button", name="It works again").click()
    expect(shoe).to_contain_text("in use")


def test_7_C_the_wagers_of_a_player_who_left_are_ruled_lost(floor: Floor) -> None:
    crew = floor.open("md-uth")
    crew.bet()
    crew.work_until("ask")
    crew.player.do(crew.table, type="leave_round", seat=1)
    page = floor.page(f"/floor/{crew.table}")
    page.get_by_role("button", name="Forfeit abandoned wagers").click()
    _confirm(page, "Forfeit the wagers of seat 1", "are ruled lost")
    expect(page.get_by_role("button", name="Forfeit abandoned wagers")).to_have_count(0)


def _claimed(floor: Floor) -> Crew:
    """A royal flush at a live table of 235 Stud, entered by the dealer."""
    crew = floor.open("md-235")
    crew.cards = {"player 1": "As Ks Qs", "community": "Js Ts"}
    crew.bet(everything=True)
    crew.work_until("validate")
    return crew


def test_11_D_a_progressive_is_denied_once_and_the_second_is_told_by_whom(
    floor: Floor, folder: Path
) -> None:
    crew = _claimed(floor)
    path = f"/floor/{crew.table}"
    flo, fred = floor.page(path), floor.page(path, "Fred")
    for page in (flo, fred):
        claim = page.get_by_role("region", name=f"Progressive at table {crew.table}")
        expect(claim.locator(".evidence .card.shown")).to_have_count(5)
        expect(claim.locator("[data-fact=light]")).to_contain_text("on")
        expect(claim.locator("[data-fact=meter]")).to_contain_text("main")
        expect(claim.locator("[data-fact='dealt by']")).to_have_text("Dan")
        expect(claim.locator("[data-fact=journal]")).to_contain_text("entry")
    fred.get_by_role("button", name="Validate…").click()
    expect(fred.locator("dialog .foreseen")).to_contain_text("gets $10,0")
    flo.get_by_role("button", name="Deny…").click()
    dialog = flo.locator("dialog")
    dialog.get_by_label("Reason").select_option("The light was off")
    dialog.get_by_role("button", name="What would happen?").click()
    expect(dialog.locator(".foreseen")).to_contain_text("comes back")
    dialog.get_by_label("Reason").select_option("Another reason")
    dialog.get_by_label("Remarks").fill("A card is marked")
    _confirm(flo, "Deny", "A card is marked")
    expect(flo.locator(".claim")).to_have_count(0)
    rack = crew.view()["seats"][0]["rack"]
    fred.locator("dialog").get_by_role("button", name="Confirm: Validate").click()
    expect(fred.locator("dialog .bad")).to_contain_text("Already decided by Flo")
    assert crew.view()["seats"][0]["rack"] == rack
    with open_journal(settings(folder).database) as store:
        tried: list[Attempt] = [
            from_json(entry.body, Attempt) for entry in store.read(attempts_stream(crew.table))
        ]
    assert [(one.by.name, one.code) for one in tried] == [("Fred", "stale")]


def test_8_C_a_chip_count_that_differs_is_decided_before_the_deal(floor: Floor) -> None:
    """MD-57: the system accepted a wager for which no chip lies there; it goes back."""
    crew = floor.open("md-uth")
    crew.bet(everything=True)
    crew.work_until("count_chips")
    told = crew.dealer.send(crew.table, type="count_chips", chips=0)
    assert (told.status, told.body["code"]) == (409, "count_differs")
    page = floor.page(f"/floor/{crew.table}")
    expect(page.locator(".seat-line .light")).to_have_count(1)
    page.get_by_role("button", name="The count differs").click()
    dialog = page.locator("dialog")
    dialog.get_by_label("Wagers counted").fill("0")
    dialog.get_by_label("Reason").fill("The chip was never put down")
    dialog.get_by_role("button", name="What would happen?").click()
    expect(dialog.locator(".bad")).not_to_be_empty()  # which seat?
    dialog.get_by_label(re.compile("Seat 1: .*light on")).check()
    _confirm(page, "Decide the chip count", "progressive")
    expect(page.locator(".seat-line .light")).to_have_count(0)
    assert crew.steps()[0]["step"] == "deal"


def _played(floor: Floor, rulebook: str) -> Crew:
    crew = floor.open(rulebook)
    crew.bet()
    crew.work_until("collect")
    crew.work_until("shuffle", "open_betting")
    return crew


def test_a_dispute_is_found_replayed_and_corrected(floor: Floor) -> None:
    crew = _played(floor, "ma-uth")
    page = floor.page(f"/floor/{crew.table}")
    expect(page.locator("#head dl")).to_be_visible()  # what comes in above moves the form
    page.get_by_label("Player").fill("nobody-here")
    page.get_by_role("button", name="Find").click()
    expect(page.locator(".found")).to_contain_text("No rounds found")
    page.keyboard.press("Escape")
    page.get_by_label("Player").fill(crew.player.name)
    page.get_by_label("Player").press("Enter")
    _named(page, "round-1").click()
    expect(page.get_by_role("slider", name="Step of the round")).to_be_visible()
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".step-words")).not_to_be_empty()
    lies = page.get_by_role("region", name="The hands as they lay").locator("li")
    expect(lies.first).to_contain_text(f"Seat 1 {crew.player.name}")
    expect(lies.first.locator("[data-card]")).to_have_count(2)
    expect(lies.filter(has_text="Board").locator("[data-card]")).to_have_count(5)
    before = float(crew.view()["seats"][0]["rack"])
    _named(page, "correct-1-ante").click()
    page.locator("dialog").get_by_label("Amount").fill("5.00")
    page.locator("dialog").get_by_label("Reason").fill("Paid short by one chip")
    _confirm(page, "Correct ante of seat 1", "$5")
    expect(page.locator(".corrections")).to_contain_text("Paid short by one chip")
    assert float(crew.view()["seats"][0]["rack"]) == before + 5


def test_a_fill_by_denomination_has_a_numbered_slip_to_print(floor: Floor) -> None:
    crew = floor.open("md-wpt")
    page = floor.page(f"/floor/{crew.table}")
    page.get_by_role("button", name="Fill…").click()
    dialog = page.locator("dialog")
    dialog.get_by_role("button", name="Write the slip").click()
    expect(dialog.locator(".bad")).to_contain_text("Count the chips")
    dialog.get_by_label("Chips of $25").fill("8")
    dialog.get_by_label("Chips of $5", exact=True).fill("20")
    expect(dialog.locator(".total")).to_have_text("$300.00")
    dialog.get_by_role("button", name="Write the slip").click()
    expect(page.locator("[data-account=Inventory]")).to_have_text("$99,300")
    with page.context.expect_page() as opened:
        page.locator(".slips a").first.click()
    slip = opened.value
    expect(slip.get_by_role("heading", name="Fill slip F-0001")).to_be_visible()
    expect(slip.locator(".slip-table")).to_contain_text("$300.00")
    expect(slip.locator(".signatures")).to_contain_text("Written by Flo")
    slip.close()
    page.get_by_role("button", name="Credit…").click()
    dialog.get_by_label("Chips of $25").fill("999999")
    dialog.get_by_role("button", name="Write the slip").click()
    expect(dialog.locator(".bad")).not_to_be_empty()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Empty the drop box").click()
    dialog.get_by_role("button", name="Write the slip").click()
    expect(page.locator("[data-account='Drop box']")).to_have_text("$0")
    expect(page.locator(".slips")).to_contain_text("Drop D-0001")


def test_everything_a_floorperson_may_do_is_reachable_by_keyboard(floor: Floor) -> None:
    """What has no place of its own is drawn from the declarations."""
    crew = floor.open("md-235")
    page = floor.page(f"/floor/{crew.table}")
    expect(page.locator("#head dl")).to_be_visible()
    may = page.request.get(f"/api/v1/tables/{crew.table}/work").json()["commands"]
    for command in set(may) - {"open_table", "correct"}:  # these have a place of their own
        page.keyboard.press("m")
        button = _named(page, f"more-{command}")
        button.focus()
        page.keyboard.press("Enter")
        form = page.locator(f"form.command[data-command={command}]")
        expect(form.get_by_role("button").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("Something went wrong")


def test_no_page_of_the_floor_shows_a_card_that_lies_face_down(floor: Floor) -> None:
    crew = floor.open("md-uth")
    crew.bet()
    crew.work_until("ask")
    frames: list[str] = []
    page = floor.page("/floor")
    page.on("websocket", lambda ws: ws.on("framereceived", lambda text: frames.append(str(text))))
    page.goto(f"/floor/{crew.table}")
    expect(page.locator("#seats .card").first).to_be_visible()
    expect(page.locator(".card.shown")).to_have_count(0)
    until(page, lambda: frames, "no frame came")
    assert not re.search(r'"[2-9TJQKA][cdhs]"', " ".join(frames))


@pytest.mark.parametrize("scheme", few(["light", "dark"], "light"))
def test_the_floor_fits_every_screen_and_everything_has_a_name(floor: Floor, scheme: Any) -> None:
    crew = _claimed(floor)
    crew.dealer.do(crew.table, type="call_floor", reason="W" * 300)
    page = floor.page("/floor", color_scheme=scheme)
    ready = {
        "/floor": ".claim",
        f"/floor/{crew.table}": ".claim",
        f"/tables/{crew.table}/decks": ".deck",
    }
    for path, mark in ready.items():
        page.goto(path)
        expect(page.locator(mark).first).to_be_visible()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1], (path, width, wide)
        assert page.evaluate(_NAMELESS) == [], path
        expect(page.locator("h1")).to_have_count(1)


def test_a_player_is_shown_the_way_out_of_every_page_of_the_floor(visitor: Open) -> None:
    for path in ("/floor", "/floor/md-uth", "/tables/md-uth/decks"):
        page = visitor(path)
        expect(page.locator("#not-staff")).to_be_visible()


def test_every_void_is_on_the_board(floor: Floor) -> None:
    crew = floor.open("md-uth")
    crew.bet()
    crew.floor.do(crew.table, type="void_round", reason="The fire alarm")
    page = floor.page("/floor")
    row = page.locator(".voids tbody tr", has_text=crew.table)
    expect(row).to_have_count(1)
    for words in ("Round 1", "Flo, floorperson", "The fire alarm", "$10"):
        expect(row).to_contain_text(words)
