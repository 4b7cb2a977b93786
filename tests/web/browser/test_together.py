"""Friends at one table: an invitation, and names that they chose."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.conftest import Open
from tests.web.browser.table import Seated, sit_down


def test_a_friend_follows_the_link_and_both_see_names(visitor: Open) -> None:
    ann = visitor("/")
    sit_down(ann, "ma-uth")
    ann.locator("#person button").click()
    box = ann.get_by_role("dialog", name="Your name")
    box.get_by_label("What others at the table should call you").fill("The Dealer")
    box.get_by_role("button", name="Save").click()
    expect(box.get_by_role("alert")).to_contain_text("choose another name")
    box.get_by_label("What others at the table should call you").fill("Anna")
    box.get_by_role("button", name="Save").click()
    expect(box).to_have_count(0)
    expect(ann.locator("#person")).to_have_text("Anna")
    ann.get_by_role("button", name="Invite").click()
    box = ann.get_by_role("dialog", name="Invite to this table")
    link = box.get_by_label("Link").input_value()
    assert link.endswith("/tables/ma-uth")
    image = box.get_by_role("img", name=f"QR code of {link}")
    expect(image).to_be_visible()
    ann.wait_for_function("() => document.querySelector('.qr').naturalWidth > 0")
    expect(box).to_contain_text("This address works on this computer only")
    ann.keyboard.press("Escape")
    ben = visitor(link)
    expect(ben.locator(".pod-name", has_text="Anna")).to_be_visible()  # he watches, without a seat
    ben.locator("[data-action=sit]").click()
    Seated(ben).may_bet()
    ben.get_by_role("button", name="Settings").click()
    ben.locator("[data-name=change-name]").click()
    ben.get_by_label("What others at the table should call you").fill("Ben")
    ben.keyboard.press("Enter")
    expect(ben.locator("#person")).to_have_text("Ben")
    ann.reload()
    expect(ann.locator(".pod-name", has_text="Ben")).to_be_visible()
