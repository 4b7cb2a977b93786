"""Practice in a browser, by keyboard: priced at once, and nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

GAME = "let-it-ride"
Open = Callable[..., Page]


def fits(page: Page) -> None:
    for width in (390, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} wide on {width}"


def test_a_hand_is_practiced_by_keyboard(visitor: Open) -> None:
    page = visitor("/practice")
    page.locator(f'.practice-game[data-game="{GAME}"] a.gold').click()
    expect(page.locator(".answers button")).to_have_count(2)
    page.keyboard.press("2")
    expect(page.locator(".price")).to_have_count(1)
    expect(page.locator(".price p")).to_contain_text("is worth")
    page.keyboard.press("1")
    expect(page.locator(".price")).to_have_count(2)
    expect(page.locator(".curve svg")).to_be_visible()
    expect(page.locator(".luck .sum")).to_contain_text("Result")
    fits(page)
    page.keyboard.press("Enter")
    expect(page.locator(".prompt")).to_contain_text("Hand 2 of 200")
    page.goto(f"/practice/{GAME}#exam")
    page.reload()
    page.get_by_role("button", name="Start the exam").click()
    expect(page.locator(".prompt")).to_contain_text("Hand 1 of 100")
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.locator(".price")).to_have_count(0)
    fits(page)


def test_the_strategy_lies_beside_the_table(visitor: Open) -> None:
    page = visitor(f"/tables/{GAME}")
    page.get_by_role("button", name="Strategy").click()
    expect(page.locator("dialog .chart")).to_be_visible()
    expect(page.locator(f'dialog a[href="/practice/{GAME}"]')).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
