"""The dealing school by keyboard: drill, challenge, and the console that is assessed."""

from __future__ import annotations

import re

from msgspec.structs import replace
from playwright.sync_api import FilePayload, expect

from croupier.ledger.signatures.machine_key import MachineKey
from croupier.school.certificates import Certificate, issue, text
from tests.web.browser.conftest import Open

NOON = "2026-05-02T12:00:00.000000Z"


def _file(content: bytes) -> FilePayload:
    return {"name": "c.json", "mimeType": "application/json", "buffer": content}


def test_one_key_answers_and_one_key_goes_on(visitor: Open) -> None:
    page = visitor("/school/drill?game=md-uth&skill=hands.qualifies")
    expect(page.locator(".answer")).to_have_count(2)
    page.keyboard.press("9")  # no such choice
    expect(page.locator(".verdict")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.locator(".verdict")).to_have_text(re.compile("^(Right|Wrong)"))
    expect(page.locator(".correction .clause")).to_have_text("11.H(1)")
    expect(page.locator(".answer[data-mark=right]")).to_have_count(1)
    page.keyboard.press("2")  # it is answered already
    expect(page.locator(".standing dd").first).to_have_text("1 of 50")
    page.keyboard.press("Enter")
    expect(page.locator(".answer:not([disabled])")).to_have_count(2)
    page.reload()
    expect(page.locator(".standing dd").first).to_have_text("1 of 50")


def test_an_amount_is_typed_by_keyboard_alone(visitor: Open) -> None:
    page = visitor("/school/drill?game=md-uth&skill=payout.amount")
    field = page.get_by_label("Amount in dollars")
    expect(field).to_be_focused()
    page.keyboard.type("lots")
    page.keyboard.press("Enter")
    expect(page.locator(".below")).to_contain_text("is not an amount")
    expect(field).to_be_focused()
    expect(page.locator(".standing dd").first).to_have_text("0 of 50")
    page.keyboard.type("0.01")  # what was typed is selected, and is typed over
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_have_text(re.compile("^Wrong"))
    expect(page.locator(".amount-right")).to_have_text(re.compile(r"^Right: \$"))
    expect(page.locator(".standing dd").first).to_have_text("1 of 50")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_have_count(0)
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_payouts_are_drilled_by_the_paytables_that_are_chosen(visitor: Open) -> None:
    page = visitor("/school?game=md-uth")
    page.locator(".paytables summary").click()
    page.get_by_label("Trips").select_option("D")
    page.locator("[data-name=take-paytables]").click()
    expect(page.locator(".paytables summary")).to_contain_text("Trips D")
    page.locator(".skill[data-skill='payout.odds']").click()
    expect(page.locator(".scene-told")).to_contain_text("Paytables: Trips D")
    page.goto("/school")
    expect(page.locator(".paytables summary")).to_contain_text("Trips D")
    page.locator(".paytables summary").click()
    page.locator("[data-name=as-md-uth]").click()
    expect(page.locator(".paytables summary")).to_contain_text("the first of each")


def test_sixty_seconds_run_and_count(visitor: Open) -> None:
    page = visitor("/school/challenge?game=three-card-poker&kind=hands")
    page.get_by_role("button", name="Start").click()
    for _ in range(3):
        expect(page.locator(".answer:not([disabled])").first).to_be_visible()
        before = page.locator(".tally").inner_text()
        page.keyboard.press("1")
        expect(page.locator(".tally")).not_to_have_text(before)
    expect(page.locator(".school-clock")).to_have_attribute("data-late", "false")


def test_a_certificate_is_checked_without_an_account(visitor: Open) -> None:
    one = Certificate(
        1, "dealer exam", "Exam", "Ann", NOON, NOON, "s", {}, (), {"right": "40"}, "1"
    )
    real = issue(one, MachineKey(b"k" * 32))
    page = visitor("/certificate")
    page.get_by_label("Or its text").fill("my certificate")
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("#room .bad")).to_contain_text("This is not a certificate")
    altered = text(replace(real, person="Eve <b>")).encode()
    page.get_by_label("The file").set_input_files(_file(altered))
    reasons = page.locator("[data-verdict=forged] .reasons")
    expect(reasons).to_contain_text("it was altered", ignore_case=True)
    expect(page.locator("[data-verdict]")).to_contain_text("Eve <b>")
    page.get_by_label("The file").set_input_files(_file(text(real).encode()))
    unchecked = page.locator("[data-verdict=unchecked]")
    expect(unchecked).to_contain_text("drills of form", ignore_case=True)
    expect(page.locator("[data-verdict]")).to_contain_text("the one that the other house names")


def test_on_the_console_the_dealer_says_himself_what_comes_next(visitor: Open) -> None:
    page = visitor("/school?game=md-uth")
    page.locator("[data-name=assess-deck]").click()
    menu = page.locator(".assessed-menu")
    expect(menu.get_by_role("button", name="Receive a deck")).to_be_visible()
    expect(page.locator(".next-do")).to_have_count(0)  # nothing tells what is due
    menu.get_by_role("button", name="Wash the cards").click()
    expect(page.locator(".assessed-notes")).to_contain_text("Forgotten: Receive a deck [4.A]")
    menu.get_by_role("button", name="Verify the inspection").click()
    expect(page.locator(".assessed-notes")).to_contain_text("Somebody else's")
    menu.get_by_role("button", name="Receive a deck").click()
    expect(menu).to_be_hidden()
    page.locator(".command [type=submit]").first.click()
    expect(menu).to_be_visible()
    page.locator("[data-name=finish]").click()
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("25%")
    expect(result).to_contain_text("Done and confirmed")
    expect(result).to_contain_text("Left undone")
