"""A dealer at the console, who presses keys and nothing else; every key is counted."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

from playwright.sync_api import APIResponse, Locator, Page, expect

from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import Actor
from croupier.runtime.journal_session import JournalSession
from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
from croupier.web.accounts.people import People
from croupier.web.tables.demo import submission_for
from tests.web.browser.serving import settings
from tests.web.kit import API, PASSWORD

RETRIES = 3
"""Of a request on a kept-alive connection that the server has just closed."""
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")


def open_live(
    folder: Path, table: str, game: str, players: int = 6, *, care: bool = True, **options: Any
) -> None:
    """A table with real cards; `players` people sit there with $1,000 each."""
    operator, dealer = Actor("operator", "olga"), Actor("dealer", "dee")
    with open_journal(settings(folder).database) as journal:
        session = JournalSession(journal, table)
        paper = json.loads(submission_for(game))
        paper["options"] |= options
        command = OpenTable(
            table, game, json.dumps(paper), source="live", inventory=10**7, care=care
        )
        session.carry_out(command, operator, None)
        for seat, name in enumerate(NAMES[:players], 1):
            session.carry_out(TakeSeat(name, seat), dealer, None)
            session.carry_out(BuyIn(name, 100_000), dealer, None)


def add_staff(folder: Path, **people: str) -> None:
    told = settings(folder)
    with open_journal(told.database) as journal:
        for name, role in people.items():
            People(journal, told).add(name, role, PASSWORD)


def sign_in(page: Page, name: str) -> None:
    """Sign in without the form, which takes two pages more; test_sign_in.py fills the form in."""
    csrf = page.request.get(f"{API}/me", max_retries=RETRIES).json()["csrf"]
    answer = page.request.post(
        f"{API}/session",
        data={"name": name, "password": PASSWORD},
        headers={"X-CSRF-Token": csrf},
        max_retries=RETRIES,
    )
    assert answer.ok, answer.text()


class Giver:
    """Somebody who gives commands from a screen of his own."""

    def __init__(self, page: Page, table: str, name: str) -> None:
        sign_in(page, name)
        self.page, self.table = page, table
        self._keys = count(1)

    def give(self, **told: Any) -> None:
        got = self._post("commands", json.dumps(told))
        assert got.ok, got.text()

    def reads(self, card: str) -> bool:
        """A card out of a reading shoe; false where none can come out now."""
        got = self._post("shoe", card)
        assert got.ok or got.json()["code"] == "not_now", got.text()
        return got.ok

    def _post(self, what: str, body: str) -> APIResponse:
        asked = self.page.request
        me = asked.get(f"{API}/me", max_retries=RETRIES).json()
        key = f"{self.table}-{what}-{me['name']}-{next(self._keys)}"
        headers = {"X-CSRF-Token": me["csrf"], "Idempotency-Key": key}
        path = f"{API}/tables/{self.table}/{what}"
        return asked.post(path, data=body, headers=headers, max_retries=RETRIES)


class Console:
    """The dealer's console of a table, by keyboard alone."""

    def __init__(self, page: Page, table: str) -> None:
        self.page = page
        self.pressed = 0
        page.goto(f"/tables/{table}/deal")
        expect(page.locator(".next-title")).to_be_visible()

    @property
    def title(self) -> Locator:
        return self.page.locator(".next-title")

    def press(self, *keys: str) -> None:
        """Shift is a key of its own."""
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1 + key.startswith("Shift+")

    def type(self, text: str) -> None:
        """Cards and numbers, a key each."""
        self.press(*text.replace(" ", ""))

    def waits_for(self, step: str) -> None:
        """This step is the one in large type, and the page is ready for it."""
        expect(self.page.locator(f".next-step[data-step='{step}']:not(.busy)")).to_be_visible()
        expect(self.page.locator(".next-step button:disabled")).to_have_count(0)

    def phase(self, phase: str) -> None:
        expect(self.page.locator(f".felt[data-phase='{phase}']")).to_be_visible()

    def confirm(self, step: str) -> None:
        self.waits_for(step)
        self.press("Enter")

    def bets(self, seat: int, amount: str) -> None:
        """The required wagers of a seat."""
        self.press(str(seat))
        expect(self.page.locator("dialog[open] input").first).to_be_focused()
        self.type(amount)
        self.press("Enter")
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def enters(self, step: str, cards: str) -> int:
        """The cards of a place, and nothing else: gives how many keys they took."""
        self.waits_for(step)
        before = self.title.inner_text()
        self.type(cards)
        expect(self.title).not_to_have_text(before)
        return len(cards.replace(" ", ""))

    def pays(self, *hands: str, types_on: bool = False) -> int:
        """Seat by seat: a hand is typed, what it brings is seen, and Enter says that it is paid; or
        the next hand is typed at once. Gives how many keys the cards took."""
        left, keys = list(hands), 0
        while True:
            expect(self.page.locator(".next-step:not(.busy)")).to_be_visible()
            step = self.page.locator(".next-step").get_attribute("data-step")
            if step not in ("enter_cards", "settle"):
                return keys
            before = self.title.inner_text()
            if step == "enter_cards" or (types_on and left):
                hand = left.pop(0)
                self.type(hand)
                keys += len(hand.replace(" ", ""))
            else:
                self.press("Enter")
            expect(self.title).not_to_have_text(before)
