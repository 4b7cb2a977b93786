"""Duties on the pages: with the step, with the bets, in a report, while an award waits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.ledger.journal import open_journal
from croupier.ledger.records.table_entries import table_record, table_stream
from tests.web.browser.conftest import Open
from tests.web.browser.dealing import Console, Giver, add_staff, open_live
from tests.web.browser.serving import Serving, settings
from tests.web.browser.table import sit_down


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    add_staff(folder, dee="dealer", flo="floorperson", ada="operator")
    open_live(folder, "L-uth", "md-uth", 2, care=False)
    open_live(folder, "L-235", "md-235", 1, care=False)
    made = Serving(folder)
    try:
        yield made.start()
    finally:
        made.close()


def _duty(page: Page, clause: str, within: str = ".next-duties") -> Locator:
    return page.locator(f"{within} .duties li").filter(
        has=page.locator(".clause-id", has_text=clause)
    )


def test_the_dealer_sees_duties_before_the_step_is_confirmed(visitor: Open) -> None:
    """7.C while nobody has bet, 13.I in the report of a jam, 11.J(2) while the award waits, and
    what is paid only after the floor has validated it."""
    floor = Giver(visitor("about:blank"), "L-uth", "flo")
    page = visitor("about:blank", "dee")
    console = Console(page, "L-uth")
    console.confirm("open_betting")
    expect(console.title).to_have_text("Bets are open")
    console.press("u")  # folded to a number until they are opened; from then on they stay open
    expect(_duty(page, "7.C")).to_be_visible()
    dealer = Giver(visitor("about:blank"), "L-uth", "dee")
    for seat, name in ((1, "Ann"), (2, "Ben")):
        wagers = {"ante": "10.00", "blind": "10.00", "progressive": "1.00"}
        dealer.give(type="place_wagers", seat=seat, player=name, wagers=wagers)
    console.waits_for("close_bets")
    expect(_duty(page, "7.C")).to_have_count(1)
    dealer.give(type="close_bets")
    dealer.give(type="count_chips", chips=2)
    dealer.give(type="deal")
    console.waits_for("ask")

    page.keyboard.press("w")
    page.locator("[data-name='report-shoe_jam']").click()
    for clause in ("13.I", "13.I(1)", "13.I(2)", "13.I(3)"):
        expect(_duty(page, clause, "dialog").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)

    for command in (
        {"type": "act", "seat": 1, "player": "Ann", "action": "4x"},
        {"type": "act", "seat": 2, "player": "Ben", "action": "4x"},
        {"type": "reveal", "cards": ["Qs", "Js", "Ts"]},
        {"type": "reveal", "cards": ["2h", "7d"]},
        {"type": "show_dealer", "cards": ["3c", "8h"]},
        {"type": "enter_cards", "place": "player", "seat": 2, "cards": ["4d", "9c"]},
        {"type": "enter_cards", "place": "player", "seat": 1, "cards": ["As", "Ks"]},
        {"type": "settle", "every": True},
    ):
        dealer.give(**command)
    expect(console.title).to_have_text("Waits for the floorperson")
    expect(_duty(page, "11.J(2)(a)").first).to_be_visible()
    expect(_duty(page, "11.J(2)(d)")).to_have_count(0)
    floor.give(type="validate_progressive", seat=1)
    console.waits_for("collect")
    expect(_duty(page, "11.J(2)(d)").first).to_be_visible()
    expect(_duty(page, "11.J(2)(a)")).to_have_count(0)


def _on_record(folder: Path, table: str, version: int = 0) -> tuple[str, ...]:
    """The clauses that were on the screen with an entry of the table: the newest."""
    with open_journal(settings(folder).database) as journal:
        stream = table_stream(table)
        version = version or journal.head(stream).version
        (entry,) = journal.read(stream, version - 1, version)
        return table_record(entry).on_screen


def test_an_operator_confirms_the_duties_that_were_unfolded_and_no_others(
    visitor: Open, serving: Serving
) -> None:
    page = visitor("/house/open?rulebook=md-235", "ada")
    page.get_by_label("Name, without spaces").fill("unfolded")
    lists = page.locator("[data-name='duties'] details")
    felt = lists.filter(has=page.get_by_text("On the felt ("))
    felt.locator("summary").click()
    expect(felt.locator("li").first).to_be_visible()
    read = {item.get_attribute("data-duty") for item in felt.locator("[data-duty]").all()}
    everything = {item.get_attribute("data-duty") for item in lists.locator("[data-duty]").all()}
    assert read < everything
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/house#*")
    assert set(_on_record(serving.folder, "unfolded", 1)) == read


def test_what_the_dealer_had_on_the_screen_is_on_record(visitor: Open, serving: Serving) -> None:
    page = visitor("about:blank", "dee")
    console = Console(page, "L-235")
    page.locator(".next-duties details:not([open])").wait_for()
    shown = page.locator(".next-duties .duty-clauses [data-duty]")
    clauses = {text.strip() for text in shown.all_inner_texts()}
    assert clauses
    console.confirm("open_betting")
    console.phase("betting")
    assert set(_on_record(serving.folder, "L-235")) == clauses
    Giver(visitor("about:blank"), "L-235", "dee").give(
        type="place_wagers", seat=1, player="Ann", wagers={"three_card_poker": "15.00"}
    )
    assert _on_record(serving.folder, "L-235") == ()


def test_a_player_has_their_part_before_them_while_betting_and_when_asked(visitor: Open) -> None:
    seated = sit_down(visitor("/"), "md-uth")
    page = seated.page
    part = page.locator("[data-name='part']")
    expect(part).to_be_visible()
    part.click()
    sheet = page.get_by_role("dialog", name="Your part")
    expect(sheet.get_by_role("button", name="Clause 7.C: what it says")).to_be_visible()
    expect(sheet.get_by_role("button", name="Clause 7.F(1): what it says")).to_be_visible()
    page.keyboard.press("Escape")
    seated.bet()
    seated.deal.click()
    expect(seated.asked.first).to_be_enabled()
    part.click()
    expect(sheet.get_by_role("button", name="Clause 11.B(1): what it says")).to_be_visible()
    expect(sheet.get_by_role("button", name="Clause 7.F(1): what it says")).to_have_count(0)
