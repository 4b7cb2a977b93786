"""A full round of each game, from the lobby to the settlement, in Chromium."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.params import few
from tests.web.browser.conftest import PATIENCE, Open, until
from tests.web.browser.table import BUY_IN, Seated, sit_down
from tests.web.kit import GAMES

PLAYER_CARDS = {"md-235": 3}
WHAT = r"[\w' -]+ (pays [\w$%,. ]+?(( for|:) .+)?|(loses|pushes)(: .+)?)\.$"
"""What became of a wager, in a sentence, and why where the story has not told it."""


@pytest.mark.parametrize("game", few(GAMES, "md-uth", "md-235"))
def test_a_round_by_mouse_from_the_lobby_to_the_settlement(visitor: Open, game: str) -> None:
    page = visitor("/")
    seated = sit_down(page, game)
    seated.bet()
    wagers = page.locator(".place .spot.main").count()
    expect(page.locator(".place .spot.laden")).to_have_count(wagers)
    seated.has(BUY_IN - 500 * wagers)
    seated.deal.click()
    expect(page.locator(".my-cards .card")).to_have_count(PLAYER_CARDS.get(game, 2))
    expect(page.locator(".my-cards .card.shown")).to_have_count(2)
    seated.play_on()
    lines = seated.result.locator(".lines li")
    nets = lines.locator(".net").all_inner_texts()
    assert len(nets) >= wagers
    total = sum(
        round(float(n.replace("−", "-").replace("$", "").replace(",", "")) * 100) for n in nets
    )
    assert total == seated.net(), "the lines add up to the headline"
    expect(seated.result.locator(".story")).to_have_text(re.compile(r"\w.+\.$"))
    for words in lines.locator(".what").all_inner_texts():
        assert re.match(WHAT, words), words
    clause = lines.first.locator("button.clause")
    clause.click()
    hint = page.locator(".hint")
    expect(hint).to_contain_text("Clause")
    expect(hint).not_to_contain_text("not summarized")
    page.keyboard.press("Escape")
    seated.may_bet()
    seated.has(BUY_IN + total)  # paid what the settlement says


def _tab_to(page: Page, selector: str, most: int = 60) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement?.matches(s)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def test_a_round_by_keyboard_alone(visitor: Open) -> None:
    page = visitor("/")
    expect(page.locator("#tables .table-card")).to_have_count(5)
    expect(page.locator("#games .table-card")).to_have_count(9)
    _tab_to(page, ".table-card[data-table=md-uth] .gold")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/md-uth")
    seated = Seated(page)
    seated.may_bet()
    seated.has(BUY_IN)
    page.keyboard.press("2")
    page.keyboard.press("a")
    page.keyboard.press("a")
    expect(seated.spot("ante").locator(".sum")).to_have_text("$10")
    page.keyboard.press("u")
    expect(seated.spot("ante").locator(".sum")).to_have_text("$5")
    page.keyboard.press("z")
    expect(seated.spot("trips").locator(".sum")).to_have_text("$5")
    page.keyboard.press("p")
    expect(seated.spot("progressive").locator(".sum")).to_have_text("$1")
    page.keyboard.press("c")
    expect(page.locator(".place .spot.laden")).to_have_count(0)
    page.keyboard.press("a")
    expect(seated.deal).to_be_enabled()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Deal")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("d")
    expect(page.locator("[data-action='4x']")).to_be_visible()
    page.keyboard.press("c")
    expect(page.locator("[data-action='2x']")).to_be_visible()
    page.keyboard.press("2")
    expect(seated.result).to_be_visible()
    expect(seated.result.locator(".lines li")).to_have_count(3)
    expect(page.locator("[data-action=rebet]")).to_be_visible()
    page.keyboard.press("r")
    expect(seated.spot("ante").locator(".sum")).to_have_text("$5")
    page.keyboard.press("c")


class Held:
    """The next command of a kind, which does not reach the server until it is let go."""

    def __init__(self, page: Page, command: str) -> None:
        self._page, self._command = page, command
        self._held: list[Route] = []
        page.route(re.compile(r"/tables/[^/]+/(commands|ready)(\?|$)"), self._look)

    def _look(self, route: Route) -> None:
        is_ready = urlsplit(route.request.url).path.endswith("/ready")
        sent = json.loads(route.request.post_data or "{}").get("type")
        if self._command == ("ready" if is_ready else sent):
            self._held.append(route)
        else:
            route.continue_()

    def route(self) -> Route:
        until(self._page, lambda: self._held, f"{self._command} is not sent")
        return self._held[0]


def test_a_newcomer_bets_when_his_chips_are_there(visitor: Open) -> None:
    """Betting opens with the seat taken; the chips come a moment later."""
    page = visitor("/")
    held = Held(page, "buy_in")
    page.locator(".table-card[data-table=ma-uth] .gold").click()
    seated = Seated(page)
    expect(page.locator(".pod.mine")).to_be_visible()
    expect(page.locator(".felt[data-phase=betting]")).to_be_visible()
    expect(page.locator(".prompt")).to_contain_text("getting your chips")
    expect(page.locator(".tray")).to_be_hidden()
    expect(page.locator(".my-rack b")).to_have_count(0)  # never "Your chips: $0"
    held.route().continue_()
    seated.may_bet()
    seated.has(BUY_IN)


def test_a_key_pressed_too_early_is_not_lost(visitor: Open) -> None:
    """The question is on the screen before the answer to the last command has come back."""
    page = visitor("/")
    seated = sit_down(page, "ma-uth")
    seated.bet()
    held = Held(page, "ready")
    page.keyboard.press("d")
    ready = held.route()
    answer = ready.fetch()
    expect(seated.asked.first).to_be_disabled()
    page.keyboard.press("c")
    page.keyboard.press("c")  # twice, as an impatient hand does: it is said once
    ready.fulfill(response=answer)
    expect(page.locator("[data-action='2x']")).to_be_visible()
    expect(page.locator(".toast")).to_have_count(0)


def test_a_bet_the_rules_forbid_is_explained_with_its_clause(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-wpt")
    seated.spot("trips_plus").click()
    note = page.locator(".toast")
    expect(note).to_contain_text("first")
    note.locator(".clause").click()
    expect(page.locator(".hint")).to_contain_text("7.F")


def test_a_second_box_is_played_beside_ones_own(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-jackpot")
    seated.bet()
    page.locator(".pod-button button").first.click()
    seated.bet()
    seated.deal.click()
    expect(seated.asked.first).to_be_visible()
    expect(page.locator(".pod.own")).to_have_count(2)
    number = seated.round_number()
    seated.play_on("3x", "3x")
    # Settled is not over: the page has the round as soon as the cards are collected.
    page.goto("/tables/md-jackpot/rounds")
    page.locator(f"#rounds a[href='#{number}']").click()
    expect(page.get_by_role("heading", name=f"Round {number}", exact=True)).to_be_visible()
    page.get_by_role("slider", name="Step of the round").press("End")
    expect(page.locator(".replay .pod.own")).to_have_count(2)


def test_advice_is_exact_and_a_mistake_is_told_with_its_cost(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-235")
    page.keyboard.press("k")
    seated.bet()
    seated.deal.click()
    values = page.locator(".values li")
    expect(values).to_have_count(2, timeout=4 * PATIENCE)
    expect(page.locator(".act.best")).to_have_count(1)
    expect(seated.asked.first).to_be_enabled()
    best = page.locator(".act.best").get_attribute("data-action")
    seated.play_on("check" if best == "raise" else "raise")
    reviewed = page.locator(".reviewed")
    expect(reviewed).to_contain_text("Mistakes cost $", timeout=4 * PATIENCE)
    expect(reviewed.locator("[data-right=false]").first).to_contain_text("was better, by $")


@pytest.mark.parametrize("game", few(GAMES, "md-wpt"))
def test_the_guided_first_round_ends_at_a_seat(visitor: Open, game: str) -> None:
    page = visitor(f"/learn/{game}")
    coach = page.get_by_role("complementary", name="Lesson")
    expect(coach).to_contain_text("Welcome")
    count = int(page.locator(".coach-count").inner_text().split()[-1])
    assert 9 <= count <= 18
    for place in range(2, count + 1):
        page.locator(".coach [data-name=next]").click()
        expect(page.locator(".coach-count")).to_have_text(f"{place} of {count}")
    page.locator(".coach [data-name=next]").click()
    page.wait_for_url(f"**/tables/{game}")
    Seated(page).may_bet()
