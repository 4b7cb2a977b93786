"""Slips of the hand at a live table of the house, on the screens of dealer and floor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import Actor
from croupier.runtime.journal_session import JournalSession
from croupier.tables.commands import Assign, BuyIn, OpenTable, SignCount, TakeSeat
from croupier.tables.state import Table
from croupier.web.tables.demo import submission_for
from tests.web.browser.conftest import Open
from tests.web.browser.dealing import Console, Giver, add_staff, sign_in
from tests.web.browser.serving import Serving, settings

TABLES = ("S-misdeal", "S-decline", "S-over", "S-twice", "S-assign", "S-chips")
FLOAT = {10_000: 1000}
APPROVAL = {"number": "A-1", "date": "2026-11-15", "authority": "Commission"}


def _open_by_the_house(folder: Path, name: str, game: str) -> None:
    """With approvals, and the float counted by two people."""
    paper = json.loads(submission_for(game))
    paper["options"] |= {"dealing": "manual_shoe"}
    paper["offered"] = ["trips", "progressive"]
    paper["approvals"] = dict.fromkeys(("layout", "boxes", "shoe", "progressive"), APPROVAL)
    dee = Actor("dealer", "dee")
    with open_journal(settings(folder).database) as journal:
        session = JournalSession(journal, name)
        opening = OpenTable(
            name, game, json.dumps(paper), source="live", float=FLOAT, care=False, strict=True
        )
        session.do(opening, Actor("operator", "olga"))
        session.do(SignCount(FLOAT), Actor("floorperson", "flo"))
        session.do(Assign("dealer", "dee"), Actor("floorperson", "flo"))
        for seat, player in enumerate(("ann", "ben"), 1):
            session.do(TakeSeat(player, seat), dee)
            session.do(BuyIn(player, 100_000), dee)
        session.do(Assign("dealer"), Actor("floorperson", "flo"))


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    add_staff(folder, dee="dealer", flo="floorperson")
    for name in TABLES:
        _open_by_the_house(folder, name, "md-uth")
    made = Serving(folder, "tests.web.browser.serving:people_deal")
    try:
        yield made.start()
    finally:
        made.close()
    with open_journal(settings(folder).database) as journal:
        assert verify(journal).valid


def _console(visitor: Open, table: str) -> Console:
    page = visitor("/")
    sign_in(page, "dee")
    page.goto(f"/tables/{table}/deal")
    return Console(page, table)


def _floor(visitor: Open, table: str) -> Page:
    page = visitor("/")
    sign_in(page, "flo")
    page.goto(f"/floor/{table}")
    return page


def _table(serving: Serving, name: str) -> Table:
    with open_journal(settings(serving.folder).database) as journal:
        return JournalSession(journal, name).table


def _dealt(console: Console) -> None:
    """Both seats bet the least, and the cards are dealt."""
    console.confirm("open_betting")
    console.phase("betting")
    for seat in (1, 2):
        console.bets(seat, "5")
    console.confirm("close_bets")
    console.confirm("deal")
    console.waits_for("ask")


def _report_misdeal(console: Console) -> None:
    page = console.page
    page.get_by_role("button", name="Misdeal").click()
    box = page.locator("dialog[open]")
    expect(box).to_contain_text("The round is void.")
    expect(box).to_contain_text("The round is void, except for Trips [13.G].")
    box.locator("[data-name=report-wrong_count]").click()
    box.get_by_role("button", name="What would happen?").click()
    expect(box.locator(".foreseen")).to_contain_text("void")
    expect(box.locator(".foreseen")).to_contain_text("waits for a floorperson")
    box.get_by_role("button", name="Confirm: Report it").click()
    expect(box).to_have_count(0)


def test_a_misdeal_is_void_when_the_floor_confirms_it_on_their_screen(
    visitor: Open, serving: Serving
) -> None:
    console = _console(visitor, "S-misdeal")
    _dealt(console)
    _report_misdeal(console)
    assert not _table(serving, "S-misdeal").round.void
    flo = _floor(visitor, "S-misdeal")
    waiting = flo.locator("#waits [data-step=confirm]")
    expect(waiting).to_contain_text("dee proposes")
    expect(waiting).to_contain_text("wrong number of cards")
    waiting.get_by_role("button", name="Confirm…").click()
    dialog = flo.locator("dialog")
    expect(dialog.locator(".foreseen")).to_contain_text("ann gets $")
    dialog.get_by_role("button", name="Confirm: Report an irregularity").click()
    expect(waiting).to_have_count(0)
    console.phase("over")
    assert _table(serving, "S-misdeal").rack("ann") == 100_000
    flo.goto("/floor")
    row = flo.locator(".voids tbody tr", has_text="S-misdeal")
    expect(row).to_contain_text("dee, dealer")
    expect(row).to_contain_text("confirmed by flo")
    expect(row).to_contain_text("13.E")


def test_a_misdeal_that_the_floor_declines_leaves_the_round_in_play(
    visitor: Open, serving: Serving
) -> None:
    console = _console(visitor, "S-decline")
    _dealt(console)
    _report_misdeal(console)
    flo = _floor(visitor, "S-decline")
    flo.get_by_role("button", name="Decline…").click()
    flo.locator("dialog").get_by_label("Reason").fill("Two cards lie there")
    flo.locator("dialog [data-name=do-decline]").click()
    expect(flo.locator("#waits [data-step=confirm]")).to_have_count(0)
    console.waits_for("ask")
    assert not _table(serving, "S-decline").round.void


def test_what_was_reported_of_a_round_that_is_over_is_only_declined(
    visitor: Open, serving: Serving
) -> None:
    console = _console(visitor, "S-over")
    _dealt(console)
    _report_misdeal(console)
    flo = _floor(visitor, "S-over")
    flo.get_by_role("button", name="Void the round…").click()
    dialog = flo.locator("dialog")
    dialog.locator("[name=reason]").fill("Cards exposed")
    dialog.get_by_role("button", name="What would happen?").click()
    dialog.get_by_role("button", name="Confirm: Void the round").click()
    waiting = flo.locator("#waits [data-step=confirm]")
    expect(waiting).to_contain_text("That round is over")
    expect(waiting.get_by_role("button")).to_have_text(["Decline…"])
    waiting.get_by_role("button").click()
    dialog.get_by_label("Reason").fill("The round was void already")
    dialog.locator("[data-name=do-decline]").click()
    expect(waiting).to_have_count(0)
    assert not _table(serving, "S-over").pending


def test_a_consequence_is_confirmed_by_no_second_enter_of_the_same_hand(
    visitor: Open, serving: Serving
) -> None:
    console = _console(visitor, "S-twice")
    _dealt(console)
    flo = _floor(visitor, "S-twice")
    flo.get_by_role("button", name="Void the round…").click()
    field = flo.locator("dialog [name=reason]")
    field.fill("Cards exposed")
    flo.keyboard.press("Enter")
    expect(flo.locator("dialog .foreseen")).to_contain_text("void")
    for _ in range(2):
        flo.keyboard.press("Enter")
    confirm = flo.get_by_role("button", name="Confirm: Void the round")
    expect(confirm).to_be_enabled()
    expect(confirm).to_be_in_viewport(ratio=1)
    assert not _table(serving, "S-twice").round.void
    flo.keyboard.press("Enter")
    expect(flo.locator("dialog")).to_have_count(0)
    assert _table(serving, "S-twice").round.void


def test_the_dealer_is_unassigned_only_by_choosing_nobody(visitor: Open, serving: Serving) -> None:
    flo = Giver(visitor("/"), "S-assign", "flo")
    flo.give(type="assign", role="dealer", name="dee")
    page = _floor(visitor, "S-assign")
    expect(page.locator("#head")).to_contain_text("dee")
    page.locator("[data-name=assign-dealer]").click()
    people = page.locator("dialog [name=name]")
    expect(people).to_have_value("dee")
    expect(people).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("dialog .bad")).to_contain_text("already")
    assert _table(serving, "S-assign").staff == {"dealer": "dee"}
    people.select_option(label="Nobody")
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    assert not any(_table(serving, "S-assign").staff.values())
    page.locator("[data-name=assign-floorperson]").click()
    page.locator("dialog [data-name=do-assign]").click()
    expect(page.locator("dialog")).to_have_count(1)
    assert not any(_table(serving, "S-assign").staff.values())


def test_8_C_3_a_chip_count_that_differs_waits_for_the_floor(
    visitor: Open, serving: Serving
) -> None:
    console = _console(visitor, "S-chips")
    page = console.page
    console.confirm("open_betting")
    console.phase("betting")
    dee = Giver(visitor("/"), "S-chips", "dee")
    wagers = {"ante": "5.00", "blind": "5.00", "progressive": "1.00"}
    dee.give(type="place_wagers", seat=1, player="ann", wagers=wagers)
    console.confirm("close_bets")
    console.waits_for("count_chips")
    page.locator(".next-step input[name=chips]").fill("2")
    console.press("Enter")
    expect(page.locator(".next-step[data-step=count_chips]")).to_have_count(0)
    expect(page.locator(".next-what")).to_contain_text("The dealer counted 2")
    assert _table(serving, "S-chips").round.differing_chips == 2
    flo = _floor(visitor, "S-chips")
    expect(flo.locator("#waits")).to_contain_text("The dealer counted 2, the system accepted 1")
    flo.get_by_role("button", name="Order a recount").click()
    console.waits_for("count_chips")
    page.locator(".next-step input[name=chips]").fill("1")
    console.press("Enter")
    console.waits_for("deal")
