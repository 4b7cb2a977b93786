"""Somebody at a table, who sees and presses what a person would."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


class Seated:
    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def deal(self) -> Locator:
        return self.page.locator("[data-action=deal]")

    @property
    def result(self) -> Locator:
        return self.page.get_by_role("region", name="Settlement")

    def spot(self, wager: str) -> Locator:
        return self.page.locator(f".place [data-wager={wager}]")

    def rack(self) -> int:
        text = self.page.locator(".my-rack b").inner_text()
        return round(float(text.replace("$", "").replace(",", "")) * 100)

    def may_bet(self) -> None:
        expect(self.page.locator(".felt[data-phase=betting]")).to_be_visible()
        expect(self.page.locator(".tray")).to_be_visible()

    def bet(self) -> None:
        """The least on what is required."""
        self.may_bet()
        self.page.get_by_role("radio", name="$5 chip").click()
        self.page.locator(".place .spot.main").first.click()
        expect(self.deal).to_be_enabled()

    def play_on(self, *wanted: str) -> None:
        """Answer every question: what is wanted at that place, else what costs nothing or least."""
        asked = self.page.locator(".buttons [data-action]:not([data-action=leave])")
        answers = list(wanted)
        while True:
            expect(self.result.or_(asked.first).first).to_be_visible()
            if self.result.count():
                return
            prompt = self.page.locator(".prompt").inner_text()
            said = answers.pop(0) if answers else ""
            if not said:
                here = [one.get_attribute("data-action") or "" for one in asked.all()]
                said = next(one for one in ("check", "1x", *here) if one in here)
            self.page.locator(f"[data-action='{said}']").click()
            expect(self.page.locator(".prompt")).not_to_have_text(prompt)

    def round_is_over(self) -> None:
        """Settled is not over: a round is history once its cards are collected."""
        over = self.page.locator(".felt[data-phase=over], .felt[data-phase=betting]")
        expect(over).to_be_visible()

    def net(self) -> int:
        """In cents, as the settlement says it."""
        title = self.result.locator("h3").inner_text()
        amount = re.search(r"\$([\d,.]+)", title)
        cents = round(float(amount[1].replace(",", "")) * 100) if amount else 0
        return -cents if "lose" in title else cents


def sit_down(page: Page, table: str) -> Seated:
    """From the lobby."""
    page.locator(f".table-card[data-table='{table}']").get_by_role(
        "button", name="Sit down"
    ).click()
    page.wait_for_url(f"**/tables/{table}")
    seated = Seated(page)
    seated.may_bet()
    expect(page.locator(".my-rack b")).not_to_have_text("$0")
    return seated
