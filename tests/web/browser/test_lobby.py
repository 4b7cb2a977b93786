"""A lobby of many tables, and a class that comes in with a code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from croupier.ledger.journal import open_journal
from croupier.runtime.house import House
from croupier.tables.commands import OpenTable
from croupier.web.tables.demo import INVENTORY, submission_for
from tests.web.browser.conftest import Open
from tests.web.browser.serving import Serving, add_floorperson, settings
from tests.web.kit import OLGA

EXTRA = 36


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    made = Serving(folder)
    add_floorperson(folder)
    with open_journal(settings(folder).database) as store:
        house = House(store)
        for n in range(EXTRA):
            game = ("md-uth", "three-card-poker")[n % 2]
            opening = OpenTable(f"T{n:02}", game, submission_for(game), inventory=INVENTORY)
            house.do(f"T{n:02}", opening, OLGA)
    try:
        yield made.start()
    finally:
        made.close()


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1024, 768), (390, 844)])
def test_many_tables_are_found_with_the_keyboard(visitor: Open, width: int, height: int) -> None:
    page = visitor("/", viewport={"width": width, "height": height}, color_scheme="dark")
    cards, count = page.locator(".table-card"), page.locator("#lobby-count")
    expect(cards).to_have_count(24)
    expect(count).to_have_text(f"24 of {14 + EXTRA} tables")
    page.get_by_role("button", name="More tables").focus()
    page.keyboard.press("Enter")
    expect(cards).to_have_count(48)
    focused = "document.activeElement.closest('.table-card') !== null"
    assert page.evaluate(focused), "the keyboard goes on at the first of the new tables"
    page.get_by_role("button", name="More tables").press("Enter")
    expect(cards).to_have_count(14 + EXTRA)
    expect(page.get_by_role("button", name="More tables")).to_be_hidden()
    page.get_by_label("Search").fill("t07")
    expect(cards).to_have_count(1)
    expect(cards.first).to_contain_text("table T07")
    page.get_by_label("Search").fill("no such thing")
    expect(page.locator("#tables")).to_contain_text("No tables match")
    page.get_by_label("Search").fill("")
    page.get_by_label("Game", exact=True).select_option("three-card-poker")
    expect(cards).to_have_count(1 + EXTRA // 2)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_class_comes_in_with_the_code_of_its_teacher(visitor: Open) -> None:
    teacher = visitor("/school/class", "flo")
    teacher.get_by_label("Guests").fill("2")
    teacher.get_by_role("button", name="Issue a class code").click()
    code = teacher.locator(".class-code").inner_text()
    pupil = visitor("/")
    pupil.get_by_role("link", name="Enter your teacher’s class code").click()
    pupil.get_by_label("Class code").fill("2222-2222")
    pupil.keyboard.press("Enter")
    expect(pupil.locator("#problem")).to_contain_text("not a class code")
    pupil.get_by_label("Class code").fill(code.lower())
    pupil.keyboard.press("Enter")
    expect(pupil.locator("#class-room")).to_contain_text("You play as guest-")
    pupil.get_by_role("link", name="To the tables").click()
    pupil.get_by_label("Search").fill("T01")
    pupil.locator("[data-table=T01] .gold").click()
    expect(pupil).to_have_url(re.compile("/tables/T01"))
    teacher.reload()
    expect(teacher.locator(".codes")).to_contain_text("1 of 2 guests")
    teacher.get_by_role("button", name="Revoke").click()
    expect(teacher.locator(".codes")).to_contain_text("ended")
    late = visitor("/class")
    late.get_by_label("Class code").fill(code)
    late.keyboard.press("Enter")
    expect(late.locator("#problem")).to_contain_text("has ended")


def _late(page: Page, module: str) -> None:
    """The page's module comes most of a second after its HTML."""

    def wait(route: Route) -> None:
        page.wait_for_timeout(800)
        route.continue_()

    page.route(f"**/{module}.js", wait)


def test_a_form_sent_before_its_module_has_come_is_not_lost(visitor: Open) -> None:
    page = visitor("/")
    _late(page, "lobby/class-page")
    page.goto(page.url + "class", wait_until="commit")
    page.get_by_label("Class code").fill("2222-2222")
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_contain_text("not a class code")
    assert "2222" not in page.url


@pytest.mark.parametrize("module", ["table/page", "shared/api"])
def test_a_button_pressed_before_its_module_has_come_is_not_lost(
    visitor: Open, module: str
) -> None:
    page = visitor("/")
    _late(page, module)
    page.goto(page.url + "tables/md-uth", wait_until="commit")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("dialog[open]")).to_be_visible()
