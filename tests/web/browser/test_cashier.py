"""The cashier's desk and a player who buys in from the account, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.tables.commands import OpenTable
from croupier.web.accounts.people import People
from croupier.web.tables.demo import INVENTORY, submission_for
from tests.web.kit import PASSWORD, settings
from tests.web.real import Worker, workers

WIDTHS = (390, 1280)
UTH = "md-uth"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """Outside the demo, with a table."""
    folder: Path = tmp_path_factory.mktemp("cashier")
    told = settings(folder / "journal.db", demo=False, demo_tables=False)
    with open_journal(told.database) as store:
        people = People(store, told)
        for name, role in (("cleo", "cashier"), ("ann", "player"), ("dee", "dealer")):
            people.add(name, role, PASSWORD)
        opening = OpenTable(UTH, UTH, submission_for(UTH, {}), inventory=INVENTORY, strict=True)
        House(store).do(UTH, opening, Actor("operator", "olga"))
    with workers(told, 1, folder) as (worker,):
        yield worker


def _signed_in(browser: Browser, house: Worker, name: str, width: int = 1280) -> Page:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(f"http://127.0.0.1:{house.port}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    return page


def _is_within(page: Page) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} px too wide"


def test_a_deposit_is_taken_and_played_with(browser: Browser, house: Worker) -> None:
    desk = _signed_in(browser, house, "cleo")
    expect(desk).to_have_url(f"http://127.0.0.1:{house.port}/cashier")
    desk.get_by_label("Player's name").fill("ann")
    desk.get_by_role("button", name="Open the account").click()
    desk.locator("[data-name=deposit]").click()
    desk.get_by_label("Amount in dollars").fill("750")
    desk.get_by_label("Receipt").fill("R-1")
    desk.locator("[data-name=do-deposit]").click()
    expect(desk.locator("[data-name=balance]")).to_have_text("$750")
    expect(desk.locator("#accounts")).to_contain_text("ann")
    for width in WIDTHS:
        desk.set_viewport_size({"width": width, "height": 800})
        _is_within(desk)

    ann = _signed_in(browser, house, "ann")
    ann.goto(f"http://127.0.0.1:{house.port}/tables/{UTH}")
    ann.locator("[data-name=sit]").click()
    ann.get_by_role("button", name="Buy chips").first.click()
    expect(ann.get_by_text("You have $750 with the cashier.")).to_be_visible()
    ann.locator("#buy-in").fill("200")
    ann.locator("[data-name=buy-in]").click()
    expect(ann.get_by_text("$200").first).to_be_visible()
    desk.get_by_role("button", name="Open the account").click()
    expect(desk.locator("[data-name=balance]")).to_have_text("$550")
    expect(desk.locator("#account")).to_contain_text(f"Bought in at {UTH}")

    desk.locator("[data-name=pay_out]").click()
    desk.get_by_label("Amount in dollars").fill("550.01")
    desk.locator("[data-name=do-pay_out]").click()
    expect(desk.locator("dialog [role=alert]")).to_contain_text("holds $550")
    for page in (desk, ann):
        page.close()


def test_the_desk_is_for_cashiers(browser: Browser, house: Worker) -> None:
    page = _signed_in(browser, house, "dee")
    page.goto(f"http://127.0.0.1:{house.port}/cashier")
    expect(page.locator("#not-cashier")).to_be_visible()
    expect(page.locator("#cashier")).to_be_hidden()
    page.close()
