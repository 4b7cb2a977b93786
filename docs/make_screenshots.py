"""Takes the pictures of docs/screenshots anew, in Chromium, at tables of its own.

Run `PYTHONPATH=src:. python docs/make_screenshots.py` from the project's folder after a change of
the pages, and look at every one of them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar
from playwright.sync_api import Browser, Page, expect, sync_playwright

from croupier.cards import Card
from croupier.randomness.shuffling import Seeded, shuffle
from croupier.runtime.dealer import Pace
from croupier.web.app import create_app
from tests.web.browser import serving
from tests.web.browser.table import Seated, sit_down
from tests.web.kit import PASSWORD

FOLDER = Path(__file__).with_name("screenshots")
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
STILL = Pace(0.1, 0.05, 0.05, 600, 600, 9000)
"""Cards stay on the felt when they are settled."""
SEED = "a picture 4"


def rigged() -> Litestar:
    """The application with one deck for every round, so that the pictures can be compared."""
    from croupier.runtime import chance

    deck = shuffle(Seeded(SEED))

    def same(*_: object) -> tuple[Card, ...]:
        return deck

    setattr(chance, "shuffle", same)  # noqa: B010
    return create_app()


class Studio:
    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url

    def visit(self, path: str = "/", *, phone: bool = False, dark: bool = False) -> Page:
        context = self._browser.new_context(
            base_url=self._url,
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            has_touch=phone,
        )
        page = context.new_page()
        page.goto(path)
        return page

    def sit(self, table: str, **told: Any) -> Seated:
        return sit_down(self.visit("/", **told), table)


def take(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / f"{name}.png")
    print(name)


@contextmanager
def studio(browser: Browser, pace: Pace = STILL) -> Iterator[Studio]:
    serving.QUICK = pace
    with tempfile.TemporaryDirectory() as folder:
        serving.add_floorperson(Path(folder))
        server = serving.Serving(Path(folder), "docs.make_screenshots:rigged")
        try:
            yield Studio(browser, server.start().url)
        finally:
            server.close()


def bet(seated: Seated, sides: int) -> None:
    seated.bet()
    spots = seated.page.locator(".place .spot.side, .place .spot.coin")
    for name in spots.evaluate_all("all => all.map(one => one.dataset.wager)")[:sides]:
        seated.spot(name).click()


def asked(seated: Seated, sides: int = 2) -> Page:
    bet(seated, sides)
    seated.deal.click()
    expect(seated.asked.first).to_be_enabled()
    return seated.page


def pages(browser: Browser) -> None:
    with studio(browser) as at:
        for name, path, told in (
            ("lobby", "/", {}),
            ("lobby-dark", "/", {"dark": True}),
            ("lobby-phone-dark", "/", {"dark": True, "phone": True}),
            ("sign-in-dark", "/sign-in", {"dark": True}),
        ):
            page = at.visit(path, **told)
            if path == "/":
                expect(page.locator(".table-card").first).to_be_visible()
            take(page, name)
        table = at.visit("/tables/md-uth")
        expect(table.locator(".felt")).to_be_visible()
        table.keyboard.press("t")
        take(table, "paytables")
        table.keyboard.press("Escape")
        table.keyboard.press("?")
        take(table, "keys")
        lesson(at.visit("/learn/md-uth"), "lesson", 6, "lesson-settlement")
        lesson(at.visit("/learn/md-uth", phone=True, dark=True), "lesson-phone-dark", 6)


def lesson(page: Page, name: str, steps: int, last: str = "") -> None:
    for _ in range(steps):
        page.locator(".coach [data-name=next]").click()
    take(page, name)
    while last and not page.locator(".result").count():
        page.locator(".coach [data-name=next]").click()
    if last:
        take(page, last)


def company(browser: Browser) -> None:
    """Three people at a table, one who watches, and the floor."""
    with studio(browser) as at:
        others = [at.sit("md-uth"), at.sit("md-uth")]
        seated = at.sit("md-uth")
        for one in others:
            bet(one, 1)
        take(at.visit("/tables/md-uth"), "table-watching")
        bet(seated, 4)
        for one in (*others, seated):
            one.deal.click()
        everybody = [*others, seated]
        while not seated.result.count():
            for one in everybody:
                if one.asked.count():
                    one.say("4x" if one is seated else "3x")
            seated.page.wait_for_timeout(200)
        take(seated.page, "table-settlement")
        flo = at.visit("/sign-in")
        flo.get_by_label("Name").fill("flo")
        flo.get_by_label("Password").fill(PASSWORD)
        flo.get_by_role("button", name="Sign in").click()
        flo.wait_for_url("**/floor")
        expect(flo.locator("#floor-tables > *").first).to_be_visible()
        take(flo, "floor")


def tables(browser: Browser) -> None:
    with studio(browser) as at:
        seated = at.sit("md-jackpot", dark=True)
        bet(seated, 1)
        take(seated.page, "table-betting-dark")
        advised = at.sit("ma-uth")
        advised.page.keyboard.press("k")
        page = asked(advised)
        expect(page.locator(".values li").first).to_be_visible(timeout=300_000)
        take(page, "table-advice")
        take(asked(at.sit("md-235")), "table-stud")
        four = at.sit("md-wpt", dark=True)
        four.page.get_by_role("button", name="Settings").click()
        four.page.get_by_label("Four colors").check()
        four.page.keyboard.press("Escape")
        asked(four)
        four.say("check")
        expect(four.asked.first).to_be_enabled()
        take(four.page, "table-four-colors-dark")
        phone = at.sit("md-uth", phone=True, dark=True)
        take(asked(phone), "table-phone-dark")
        phone.say("4x")
        expect(phone.result).to_be_visible()
        take(phone.page, "settlement-phone-dark")
    with studio(browser) as at:
        take(asked(at.sit("md-uth", phone=True)), "table-phone")


def replay(browser: Browser) -> None:
    with studio(browser, Pace(0.1, 0.05, 0.05, 0.05, 600, 9000)) as at:
        seated = at.sit("md-uth")
        for _ in range(3):
            asked(seated)
            seated.play_on("check", "2x")
            seated.may_bet()
        page = seated.page
        page.goto("/tables/md-uth/rounds")
        slider = page.get_by_role("slider", name="Step of the round")
        slider.press("End")
        slider.press("ArrowLeft")
        take(page, "replay")


def main() -> None:
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--headless", "--no-sandbox"]
        )
        for scene in (pages, company, tables, replay):
            scene(browser)
        browser.close()


if __name__ == "__main__":
    main()
