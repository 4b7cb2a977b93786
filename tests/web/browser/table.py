"""Somebody at a table, who sees and presses what a person would."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

BUY_IN = 50_000


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

    def has(self, cents: int) -> None:
        """So much is in front of me, beside the bets."""
        words = f"${cents // 100:,}" + (f".{cents % 100:02}" if cents % 100 else "")
        expect(self.page.locator(".my-rack b")).to_have_text(words)

    def may_bet(self) -> None:
        expect(self.page.locator(".felt[data-phase=betting]")).to_be_visible()
        expect(self.page.locator(".tray")).to_be_visible()

    def bet(self) -> None:
        """The least on what is required."""
        self.may_bet()
        self.page.get_by_role("radio", name="$5 chip").click()
        self.page.locator(".place .spot.main").first.click()
        expect(self.deal).to_be_enabled()

    @property
    def asked(self) -> Locator:
        """The answers that can be given now."""
        return self.page.locator(".felt[data-phase=deciding] + .bar .buttons [data-action]")

    def cards(self) -> list[str]:
        """Those in front of me, read at one moment."""
        found: list[str] = self.page.locator(".my-cards .card").evaluate_all(
            "cards => cards.map(card => card.dataset.card)"
        )
        return found

    def say(self, action: str) -> None:
        """Wait to be asked, answer, and wait until the answer is taken."""
        button = self.page.locator(
            f".felt[data-phase=deciding] + .bar .buttons [data-action='{action}']"
        )
        expect(button).to_be_enabled()
        prompt = self.page.locator(".prompt").inner_text()
        button.click()
        expect(self.page.locator(".prompt")).not_to_have_text(prompt)

    def play_on(self, *wanted: str) -> None:
        """Answer every question: what is wanted at that place, else what costs nothing or least."""
        answers = list(wanted)
        while True:
            expect(self.result.or_(self.asked.first).first).to_be_visible()
            if self.result.count():
                return
            here = self.asked.evaluate_all("all => all.map(one => one.dataset.action)")
            if here:
                least = next(one for one in ("check", "1x", *here) if one in here)
                self.say(answers.pop(0) if answers else least)

    def round_number(self) -> int:
        return int(self.page.locator(".felt .phase").inner_text().split()[1])

    def result_round(self) -> int:
        """The round that the settlement is of."""
        return int(self.result.get_attribute("data-round") or 0)

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
    seated.has(BUY_IN)
    return seated
