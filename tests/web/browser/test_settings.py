"""Keys and times as a person wants them, kept by the browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.browser.conftest import Open
from tests.web.browser.table import sit_down


def test_2_1_4_shortcuts_can_be_changed_and_switched_off(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-uth")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    keys.get_by_role("button", name="Change the key: Chip on Ante").click()
    page.keyboard.press("d")
    expect(keys.get_by_role("status")).to_contain_text("“d” is taken: Deal")
    keys.get_by_role("button", name="Change the key: Chip on Ante").click()
    page.keyboard.press("9")
    expect(keys.get_by_role("status")).to_contain_text("“9” now does this: Chip on Ante.")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("9")
    expect(seated.spot("ante")).to_have_class(re.compile("laden"))
    expect(seated.spot("ante")).to_have_attribute("aria-keyshortcuts", "9 I")
    page.get_by_role("button", name="Settings").click()
    box = page.get_by_role("dialog", name="Settings")
    box.get_by_label("Shortcuts with single letters and numbers").uncheck()
    box.get_by_role("button", name="Change keys").click()
    keys.get_by_role("button", name="Close").click()
    for key in ("c", "?", "t", "l"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(seated.spot("ante")).to_have_class(re.compile("laden"))
    expect(page.locator(".bar kbd")).to_have_count(0)
    assert page.locator("#rules").get_attribute("aria-keyshortcuts") is None
    page.locator(".prompt").click()
    page.keyboard.press("Enter")  # no letter: it goes on meaning "deal"
    expect(seated.asked.first).to_be_visible()


def test_2_2_1_messages_stay_as_long_as_wanted(visitor: Open) -> None:
    page = visitor("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Stay until I close them").check()
    page.keyboard.press("Escape")
    page.clock.install()
    seated = sit_down(page, "md-wpt")
    seated.spot("trips_plus").click()
    note = page.locator(".toast")
    expect(note).to_be_visible()
    page.mouse.move(1, 1)
    page.clock.run_for(60_000)
    expect(note).to_be_visible()
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
