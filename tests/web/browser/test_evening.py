"""An evening at a live table of each document, through the pages of those who work there.

The float with its two signatures, the deck and its confirmation, rounds, an accident, a
progressive, a correction, a stub count, the close, and the auditor's green verify. Nothing is done
over the API.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from croupier.deck_care.next_steps import stub_expected
from croupier.ledger.journal import open_journal
from croupier.runtime.journal_session import JournalSession
from croupier.tables.state import rules_of
from tests.params import few
from tests.web.browser.conftest import PATIENCE, Open
from tests.web.browser.dealing import add_staff, sign_in
from tests.web.browser.serving import Serving, settings
from tests.web.crew import Crew
from tests.web.kit import GAMES
from tests.web.real import Client

MOST_ROUNDS: Final = 8
MOST_STEPS: Final = 120
STAFF: Final = {
    **{"ada": "operator", "sue": "operator", "dee": "dealer"},
    **{"flo": "floorperson", "otto": "auditor"},
}


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    add_staff(folder, **STAFF)
    made = Serving(folder)
    try:
        yield made.start()
    finally:
        made.close()


def _told(page: Page, command: str) -> Any:
    """The page gives this command meanwhile, and it is taken."""

    def is_given(got: Response) -> bool:
        sent = got.request.post_data or ""
        return "/commands" in got.url and f'"{command}"' in sent and got.ok

    return page.expect_response(is_given, timeout=PATIENCE)


def _rested(page: Page) -> None:
    """Keys count again: they rest for a moment after somebody else's change."""
    expect(page.locator("body:not([data-resting])")).to_have_count(1)


class Pages(NamedTuple):
    dealer: Page
    floor: Page
    board: Page
    """The deck board, before the floorperson."""


class Evening:
    """The people of one table. The API only says what waits; the pages do it."""

    def __init__(self, serving: Serving, visitor: Open, game: str) -> None:
        self.folder = serving.folder
        port = int(serving.url.rsplit(":", 1)[1])
        self.game, self.table, self.visitor = game, f"evening-{game}", visitor
        dealer, floor = Client(port).sign_in("dee"), Client(port).sign_in("flo")
        # The player of a live table has no screen: the dealer enters what he does.
        self.crew = Crew(self.table, dealer=dealer, floorperson=floor, player=dealer)
        self.pages: Pages | None = None

    def page(self, name: str, path: str) -> Page:
        page = self.visitor("/sign-in")
        sign_in(page, name)
        page.goto(path)
        return page

    # -- the house --------------------------------------------------------------------------

    def open(self) -> None:
        """Ada counts the float and opens; Sue counts it again and signs."""
        ada = self.page("ada", f"/house/open?rulebook={self.game}")
        verdict = ada.locator("#opening-check .verdict")
        expect(verdict).to_have_attribute("data-valid", re.compile("true|false"))
        errors = ada.locator(".findings li[data-severity='error']").all_inner_texts()
        assert errors == [], "the document's first choices open a table"
        expect(verdict).to_have_attribute("data-valid", "true")
        ada.get_by_label("Name, without spaces").fill(self.table)
        ada.locator("#cards").select_option("live")
        ada.get_by_label("Chips of $100", exact=True).fill("500")
        ada.get_by_role("button", name="Open the table").click()
        ada.wait_for_url("**/house#*")
        expect(self._card(ada)).to_contain_text("waits for a second signature")
        sue = self.page("sue", "/house")
        self._card(sue).get_by_role("button", name="Sign the count").click()
        sue.get_by_label("Chips of $100", exact=True).fill("500")
        sue.locator("[data-name='do-sign_count']").click()
        expect(self._card(sue)).not_to_contain_text("waits for a second signature")

    def _card(self, page: Page) -> Any:
        return page.locator(f"[data-table='{self.table}']")

    def close(self) -> None:
        ada = self.page("ada", "/house")
        ada.locator(f"[data-name='close-{self.table}']").click()
        ada.get_by_role("button", name="What would happen?").click()
        ada.get_by_role("button", name="Confirm: Close the table").click()
        expect(ada.locator(f"#closed [data-table='{self.table}']")).to_be_visible()

    # -- the table --------------------------------------------------------------------------

    def come_to_work(self) -> None:
        self.pages = Pages(
            self.page("dee", f"/tables/{self.table}/deal"),
            self.page("flo", f"/floor/{self.table}"),
            self.page("flo", f"/tables/{self.table}/decks"),
        )

    def seat(self) -> None:
        """Ann sits down with $1,000."""
        assert self.pages is not None
        page = self.pages.dealer
        page.locator("[data-name='seat-1']").click()
        dialog = page.locator("dialog[open]")
        dialog.get_by_label("Player").fill("Ann")
        dialog.get_by_label("Buys in for").fill("1000")
        with _told(page, "take_seat"), _told(page, "buy_in"):
            page.keyboard.press("Enter")
        expect(dialog).to_have_count(0)
        expect(page.locator("[data-name='seat-1']")).to_contain_text("$1,000 in chips")
        expect(page.locator(".next-controls input:focus")).to_have_count(1)

    def _seat_box(self) -> tuple[Page, Locator]:
        assert self.pages is not None
        page = self.pages.dealer
        expect(page.locator("[data-name='seat-1']")).to_be_visible()
        expect(page.locator(".next-step:not(.busy)")).to_be_visible()
        _rested(page)
        page.keyboard.press("1")
        return page, page.locator("dialog[open]")

    def get_up(self) -> None:
        """Ann changes her chips and goes."""
        for command in ("cash_out", "give_up_seat"):
            page, dialog = self._seat_box()
            dialog.locator(f"[data-name='seat-{command}']").click()
            with _told(page, command):
                page.locator(f"[data-name='do-{command}']").click()
            expect(dialog).to_have_count(0)

    def work_until(self, *wanted: str) -> str:
        """Everybody does what waits for him, on his own page; gives the step that is reached."""
        for _ in range(MOST_STEPS):
            step = self.crew.steps()[0]
            if step["step"] in wanted:
                return str(step["step"])
            self._do(step)
        raise AssertionError(f"{wanted} never came: {step}")

    def _do(self, step: Any) -> None:
        if "dealer" in step["by"]:
            self._at_the_console(step)
        else:
            self._on_the_board(step)

    def _on_the_board(self, step: Any) -> None:
        assert self.pages is not None
        board = self.pages.board
        expect(board.locator(f"#next [data-step={step['step']}]")).to_be_visible()
        _rested(board)
        with _told(board, step["command"]["type"]):
            board.keyboard.press("n")

    def _at_the_console(self, step: Any) -> None:
        assert self.pages is not None
        page = self.pages.dealer
        expect(page.locator(f".next-step[data-step='{step['step']}']:not(.busy)")).to_be_visible()
        _rested(page)
        with _told(page, step["command"]["type"]):
            if step["cards"]:
                page.keyboard.type("".join(self.crew.cards_for(step)))
            elif "action" in step["asks"]:
                page.locator(f"[data-name='answer-{step['choices'][0]}']").click()
            elif step["asks"]:
                self._fill(page, step)
            else:
                page.keyboard.press("Enter")

    def _fill(self, page: Page, step: Any) -> None:
        """What the page does not know by itself; then it is sent."""
        expect(page.locator(".next-controls button[type='submit']")).to_be_enabled()
        for name in step["asks"]:
            field = page.locator(f".next-controls input[name='{name}']:not([type='checkbox'])")
            if field.count() and not field.input_value():
                answer = self.crew.answer(name, step)
                field.fill("" if answer is None else str(answer))
        page.locator(".next-controls button[type='submit']").press("Enter")

    def bet(self, *, everything: bool = False) -> None:
        """The dealer opens the bets and enters Ann's: the least of what is required, or of all."""
        assert self.pages is not None
        self.work_until("open_betting")
        self._do(self.crew.steps()[0])
        page = self.pages.dealer
        expect(page.locator(".felt[data-phase='betting']")).to_be_visible()
        _, dialog = self._seat_box()
        for wager in self.crew.rules()["wagers"]:
            field = dialog.locator(f"input[name='{wager['name']}']")
            if field.count() and (everything or wager["role"] == "required"):
                field.fill(str([*wager["stakes"], wager["least"]][0]))
        with _told(page, "place_wagers"):
            page.keyboard.press("Enter")
        expect(dialog).to_have_count(0)

    def round(self) -> bool:
        """To its end; says whether the stub was counted in it."""
        self.bet()
        counted = self.work_until("collect", "count_stub") == "count_stub"
        if counted:
            self.count_stub()
        self.work_until("collect")
        self._do(self.crew.steps()[0])
        return counted

    def count_stub(self) -> None:
        """The dealer counts what is left of the deck, and it is right."""
        assert self.pages is not None
        with open_journal(settings(self.folder).database) as store:
            table = JournalSession(store, self.table).table
        count = stub_expected(table.round, rules_of(table))
        page = self.pages.dealer
        expect(page.locator(".next-step[data-step='count_stub']:not(.busy)")).to_be_visible()
        page.locator(".next-step input").first.fill(str(count))
        page.keyboard.press("Enter")
        expect(page.locator(".next-step[data-step='count_stub']")).to_have_count(0)

    # -- the floor --------------------------------------------------------------------------

    def accident(self) -> None:
        """Foreseen, confirmed, and the wagers are back."""
        assert self.pages is not None
        self.bet()
        self.work_until("ask")
        floor = self.pages.floor
        floor.get_by_role("button", name=re.compile("wrong number of cards")).first.click()
        dialog = floor.locator("dialog")
        expect(dialog.locator("form")).to_be_visible()
        if dialog.get_by_label("Seat").count():
            dialog.get_by_label("Seat").select_option("1")
        dialog.get_by_role("button", name="What would happen?").click()
        expect(dialog.locator(".foreseen li").first).to_be_visible()
        dialog.get_by_role("button", name=re.compile("^Confirm")).click()
        expect(dialog).to_have_count(0)

    def progressive(self) -> None:
        """A royal flush waits for the floorperson, who looks at the evidence and validates."""
        assert self.pages is not None
        self.crew.cards = self.royal()
        self.bet(everything=True)
        reached = self.work_until("validate", "collect")
        assert reached == "validate", "a royal flush wins the progressive"
        floor = self.pages.floor
        claim = floor.get_by_role("region", name=f"Progressive at table {self.table}")
        expect(claim.locator(".evidence .card.shown").first).to_be_visible()
        claim.get_by_role("button", name="Validate…").click()
        expect(floor.locator("dialog .foreseen")).to_contain_text("gets $")
        floor.locator("dialog").get_by_role("button", name="Confirm: Validate").click()
        expect(claim).to_have_count(0)
        self.crew.cards = {}

    def royal(self) -> dict[str, str]:
        mine = 3 if self.game == "md-235" else 2
        spades = ["As", "Ks", "Qs", "Js", "Ts"]
        rest = ["2c", "3d", "4h"]
        return {
            "player 1": " ".join(spades[:mine]),
            "community": " ".join(spades[mine:] + rest),
        }

    def correct(self, number: int) -> None:
        assert self.pages is not None
        floor = self.pages.floor
        floor.get_by_label("Round", exact=True).fill(str(number))
        floor.locator("[data-name='find-round']").click()
        floor.locator("[data-name^='correct-1-']").first.click()
        dialog = floor.locator("dialog")
        dialog.get_by_label("Amount").fill("5.00")
        dialog.get_by_label("Reason").fill("paid short by one chip")
        dialog.get_by_role("button", name="What would happen?").click()
        dialog.get_by_role("button", name=re.compile("^Confirm")).click()
        expect(floor.locator(".corrections")).to_contain_text("paid short by one chip")

    def verify(self) -> Page:
        otto = self.page("otto", "/audit#verify")
        otto.get_by_role("button", name="Verify").click()
        expect(otto.locator("#whole")).to_have_text(re.compile("^Whole(, not| and) anchored.$"))
        return otto


EVERY_TIME: Final = ("md-uth",)
"""An evening takes about 20 seconds of computing: one is played every time."""


@pytest.mark.parametrize("game", few(GAMES, *EVERY_TIME))
def test_an_evening_from_the_float_to_the_green_verify(
    serving: Serving, visitor: Open, game: str
) -> None:
    evening = Evening(serving, visitor, game)
    evening.open()
    evening.come_to_work()
    evening.seat()
    counted = evening.round()
    evening.accident()
    evening.progressive()
    evening.work_until("open_betting")
    evening.correct(1)
    if not counted:
        assert any(evening.round() for _ in range(MOST_ROUNDS)), "the stub is never counted"
    evening.work_until("open_betting")
    evening.get_up()
    evening.close()
    otto = evening.verify()
    otto.goto("/audit#journal")
    otto.get_by_label("Table", exact=True).select_option(evening.table)
    otto.get_by_role("button", name="Search").click()
    expect(otto.locator("#entries")).to_contain_text("Correct")
