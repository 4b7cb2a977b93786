"""Fair, visibly: the seal before the bets, randomness of one's own, and a check that the browser
makes itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from croupier.cards import Card, format_cards
from croupier.randomness.mixing import Contribution, mixed_order
from tests.commands.program import croupier as program
from tests.web.browser.conftest import Open
from tests.web.browser.table import Seated, sit_down

TABLE = "md-uth"
SHORT = re.compile("^Seal [0-9a-f]{6}…")


def seal(page: Page) -> str:
    """The whole of it, by a click on its short form."""
    chip = page.locator(".deck-seal")
    expect(chip).to_have_text(SHORT)
    short = chip.inner_text().split()[1].rstrip("…")
    chip.click()
    whole = page.locator("dialog [data-name=full-seal]").inner_text()
    assert whole.startswith(short)
    assert re.fullmatch("[0-9a-f]{64}", whole)
    return whole


def close(page: Page) -> None:
    page.get_by_role("button", name="Close").click()


def played(seated: Seated) -> None:
    seated.bet()
    seated.deal.click()
    seated.play_on()
    expect(seated.page.locator(".result [data-name=check-deal]")).to_be_visible()


def test_the_seal_is_there_before_the_bets_and_one_click_checks_the_deal(visitor: Open) -> None:
    page = visitor()
    seated = sit_down(page, TABLE)
    before = seal(page)
    close(page)
    played(seated)
    page.locator(".result [data-name=check-deal]").click()
    found = page.locator(".result .seal-check")
    expect(found.locator(".checked")).to_have_text("Checks out: nobody changed this deck.")
    expect(found.locator("li.good")).to_have_count(4)
    expect(found.locator(".bad")).to_have_count(0)
    told = page.request.get(f"/api/v1/tables/{TABLE}/rounds/{seated.result_round()}").json()
    assert told["deal"]["seal"] == before
    assert told["deal"]["added"] == []
    a_lie_is_found_out(page)


def test_ones_own_randomness_is_committed_and_revealed_by_the_page(
    visitor: Open, tmp_path: Path
) -> None:
    page = visitor()
    seated = sit_down(page, TABLE)
    seal(page)
    page.get_by_label("Add my own randomness").check()
    close(page)
    expect(page.locator(".deck-seal")).to_have_text(re.compile(r" \+1$"))
    played(seated)
    page.locator(".result [data-name=check-deal]").click()
    found = page.locator(".result .seal-check")
    expect(found.locator(".checked")).to_have_text(
        "Checks out: nobody chose this deck, and nobody changed it."
    )
    expect(found).to_contain_text("Your randomness is in the deck")
    # The same from the history, and offline from what is saved there.
    number = seated.result_round()
    page.goto(f"/tables/{TABLE}/rounds#{number}")
    page.get_by_text("The deck and its seal").click()
    page.get_by_role("button", name="Check this deal").click()
    expect(page.locator(".seal-check .checked.good")).to_be_visible()
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save this round").click()
    file = tmp_path / "round.json"
    saving.value.save_as(file)
    assert len(json.loads(file.read_text())["deal"]["added"]) == 1
    ran = program("shuffle", "check", file)
    assert ran.code == 0
    assert "is what was committed to" in ran.text


LIES: dict[str, Callable[[Any], object]] = {
    "another seal": lambda deal: deal.update(seal="0" * 64),
    "another salt": lambda deal: deal.update(salt="0" * 64),
    "another order": lambda deal: deal["order"].reverse(),
    "somebody who never was there": lambda deal: deal["added"].append(
        {"seat": 1, "player": "Eve", "commitment": "0" * 64, "value": "0" * 64}
    ),
}


def a_lie_is_found_out(page: Page) -> None:
    """The server tells another deck than it dealt."""
    verdict, check = (
        page.locator(".result .checked"),
        page.locator(".result [data-name=check-deal]"),
    )
    for name, lie in LIES.items():
        page.route("**/rounds/*", lying(lie))
        check.click()
        expect(verdict, name).to_have_text(re.compile("does not check out"))
        page.unroute("**/rounds/*")
        check.click()
        expect(verdict).to_have_text(re.compile("Checks out"))


def lying(lie: Callable[[Any], object]) -> Callable[[Route], None]:
    def answer(route: Route) -> None:
        told = route.fetch().json()
        lie(told["deal"])
        route.fulfill(json=told)

    return answer


def test_the_browser_mixes_decks_as_the_journal_does(visitor: Open) -> None:
    """Of one deck and of eight."""
    page = visitor()
    for decks in (1, 8):
        order = [Card(n % 52) for n in range(52 * decks)]
        added = [Contribution(3, "c" * 64, "a" * 64), Contribution(1, "d" * 64, "")]
        wanted = format_cards(mixed_order("5" * 64, "6" * 64, order, added))
        deal = {
            "seal": "5" * 64,
            "salt": "6" * 64,
            "order": format_cards(order).split(),
            "added": [one._asdict() for one in added],
        }
        mixed = page.evaluate(
            """async (deal) => {
                const { dealtOrder } = await import("/static/js/fairness/mixing.js");
                return dealtOrder(deal).join(" ");
            }""",
            deal,
        )
        assert mixed == wanted
