"""One's own account on the pages: another password, other devices, why one was signed out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import PATIENCE, Open, until
from tests.web.browser.dealing import add_staff
from tests.web.browser.serving import Serving, add_floorperson
from tests.web.browser.test_axe import check
from tests.web.kit import PASSWORD

NEW = "another long password"
PHONE = {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    made = Serving(folder)
    add_floorperson(folder)
    add_staff(folder, dee="dealer", dan="dealer", ada="operator", pam="player")
    try:
        yield made.start()
    finally:
        made.close()


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("quiet")
    made = Serving(folder, "tests.web.browser.serving:soon_idle")
    add_floorperson(folder)
    try:
        yield made.start()
    finally:
        made.close()


def _fill(page: Page, old: str, new: str, again: str) -> None:
    """By the keyboard alone: the first field has the focus."""
    expect(page.get_by_label("Current password")).to_be_focused()
    for n, word in enumerate((old, new, again)):
        if n:
            page.keyboard.press("Tab")
        page.keyboard.type(word)
    page.keyboard.press("Enter")


@pytest.mark.parametrize(("scheme", "who"), [("light", "dee"), ("dark", "dan")])
def test_a_dealer_changes_the_password_on_a_phone_by_keyboard(
    visitor: Open, scheme: Any, who: str
) -> None:
    other = visitor("/floor", who)
    page = visitor("/floor", who, viewport=PHONE, color_scheme=scheme)
    page.get_by_role("button", name="Settings").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Password and devices").press("Enter")
    box = page.get_by_role("dialog", name=f"{who}, dealer")
    check(page, scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    _fill(page, "not the old one", NEW, NEW)
    expect(box.get_by_role("alert")).to_have_text("The current password is wrong.")
    page.get_by_label("Current password").focus()
    _fill(page, PASSWORD, NEW, f"{NEW}s")
    expect(box.get_by_role("alert")).to_have_text("The two new passwords differ.")
    page.get_by_label("Current password").focus()
    _fill(page, PASSWORD, NEW, NEW)
    expect(page.locator(".toast")).to_contain_text("Your password is changed")
    expect(box).to_have_count(0)
    page.reload()
    expect(page.locator("#floor")).to_be_visible()
    other.reload()
    expect(other.locator("#not-staff")).to_be_visible()


def test_a_player_signs_out_on_all_devices(visitor: Open) -> None:
    lost = visitor("/", "pam")
    page = visitor("/", "pam")
    page.get_by_role("button", name="pam, player").click()
    page.get_by_role("button", name="Sign out everywhere").click()
    page.wait_for_url("**/sign-in")
    lost.reload()
    expect(lost.get_by_role("link", name="Staff sign-in")).to_be_visible()
    expect(lost.locator("[data-name=account]")).to_have_count(0)


def test_an_operator_signs_somebody_out(visitor: Open) -> None:
    flo = visitor("/floor", "flo")
    expect(flo.locator("#floor")).to_be_visible()
    page = visitor("/house/people", "ada")
    row = page.locator("[data-person=flo]")
    row.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog", name="Sign flo out").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    flo.reload()
    expect(flo.locator("#not-staff")).to_be_visible()
    own = page.locator("[data-person=ada]")
    own.get_by_role("button", name="New password").click()
    expect(page.get_by_label("Current password")).to_be_focused()


@pytest.fixture
def guest_of(browser: Any, quiet: Serving) -> Iterator[Any]:
    contexts = []

    def begin(path: str, **told: Any) -> Page:
        context = browser.new_context(base_url=quiet.url, reduced_motion="reduce", **told)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page: Page = context.new_page()
        page.goto(path)
        return page

    yield begin
    for context in contexts:
        context.close()


def _sign_in(page: Page, password: str = PASSWORD) -> None:
    page.get_by_label("Name").fill("Flo")  # as telephones write it
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_quiet_board_goes_on_showing_the_tables_and_says_what_it_cannot_do(
    guest_of: Any, scheme: Any
) -> None:
    page = guest_of("/sign-in", color_scheme=scheme)
    _sign_in(page)
    page.wait_for_url("**/floor")
    tiles = page.locator("#floor-tables li")
    expect(tiles.first).to_be_visible()
    ended = page.locator(".ended")

    def looks_only() -> int:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(500)
        return int(ended.count())

    until(page, looks_only, "the board never says that it only shows the tables")
    expect(ended).to_contain_text("it only shows the tables")
    check(page, scheme)
    page.wait_for_timeout(2500)  # it has asked for the tables again
    expect(page.locator("#floor-state")).to_have_text("")
    expect(tiles.first).to_be_visible()
    page.reload()
    expect(page.locator("#not-staff")).to_be_visible()
    expect(ended).to_have_text(
        re.compile("You were signed out after 0.05 minutes without activity")
    )
    ended.get_by_role("link", name="Sign in again").click()
    expect(ended).to_contain_text("You were signed out after")
    _sign_in(page)
    page.wait_for_url("**/floor")
    expect(ended).to_have_count(0)


def test_a_lock_says_until_when(guest_of: Any) -> None:
    page = guest_of("/sign-in", viewport=PHONE, timezone_id="America/New_York", locale="en-US")
    page.get_by_label("Name").fill("nobody in particular")
    for _ in range(4):
        page.get_by_label("Password").fill("wrong but long enough")
        with page.expect_response("**/api/v1/session"):
            page.get_by_role("button", name="Sign in").click()
        expect(page.locator("#problem")).not_to_be_empty()
    expect(page.locator("#problem")).to_have_text(
        re.compile(r"^Locked until \d\d:\d\d [AP]M after 3 wrong passwords for this name\.$")
    )
