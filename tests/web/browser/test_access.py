"""For everybody: a phone, a screen reader, the keyboard, light and dark."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.params import few
from tests.web.browser.conftest import Open
from tests.web.browser.table import sit_down
from tests.web.kit import GAMES

CARD = re.compile(r"^\w+ of (spades|hearts|diamonds|clubs)$")
PHONE = {"width": 360, "height": 740}
PAGES = {
    "/": ".table-card",
    "/tables/md-uth": ".felt",
    "/tables/md-uth/rounds": "#rounds a",
    "/sign-in": "#sign-in",
    "/floor": "#not-staff",
    "/floor/md-uth": "#not-staff",
    "/floor/md-uth/sign/shoe": ".print-sign",
    "/tables/md-uth/decks": "#not-staff",
    "/house": "#not-operator",
    "/house/open": "#not-operator",
    "/house/people": "#not-operator",
    "/house/links": "#not-operator",
    "/house/links/md-uth": "#not-operator",
    "/tables/md-uth/sign": ".felt-picture",
    "/api": ".api .panel",
}
"""Every page, and what is there when it is complete."""

TEXTS = [
    *(
        (text, ground)
        for text in ("--ink", "--soft", "--brass", "--good", "--bad")
        for ground in ("--paper", "--surface", "--raised")
    ),
    ("--on-gold", "--gold"),
    *(
        (text, ground)
        for text in ("--cloth-ink", "--cloth-soft", "--cloth-good", "--cloth-bad")
        for ground in ("--felt", "--felt-deep", "--rail")
    ),
]
_COLORS = """([game, names]) => {
  const at = document.createElement("div");
  at.dataset.game = game;
  document.body.append(at);
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const found = {};
  for (const name of names) {
    at.style.color = `var(${name})`;
    canvas.fillStyle = getComputedStyle(at).color;
    canvas.fillRect(0, 0, 1, 1);
    found[name] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }
  at.remove();
  return found;
}"""
_OUTLINE = """() => {
  const style = getComputedStyle(document.activeElement);
  return [style.outlineStyle, parseFloat(style.outlineWidth)];
}"""
_HEAR = """() => {
  window.heard = [];
  const told = document.getElementById("told");
  const hear = () => window.heard.push(told.textContent);
  new MutationObserver(hear).observe(told, {childList: true});
}"""
_NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, [role=img], dialog")]
  .filter((node) => node.checkVisibility() && !node.closest("[aria-hidden=true]"))
  .filter((node) => !(node.getAttribute("aria-label") || node.innerText?.trim()
    || node.labels?.length || node.hasAttribute("aria-labelledby")))
  .map((node) => node.outerHTML.slice(0, 200))"""


def _light(color: list[int]) -> float:
    parts = [c / 255 for c in color]
    lit = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * lit[0] + 0.7152 * lit[1] + 0.0722 * lit[2]


def contrast(one: list[int], other: list[int]) -> float:
    lights = sorted((_light(one), _light(other)), reverse=True)
    return (lights[0] + 0.05) / (lights[1] + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_on_every_ground_and_cloth(visitor: Open, scheme: Any) -> None:
    page = visitor("/sign-in", color_scheme=scheme)
    names = sorted({name for pair in TEXTS for name in pair})
    for game in GAMES:
        found = page.evaluate(_COLORS, [game, names])
        weak = {
            (text, ground): round(contrast(found[text], found[ground]), 2)
            for text, ground in TEXTS
            if contrast(found[text], found[ground]) < 4.5
        }
        assert not weak, (game, scheme, weak)


def _fits(page: Page) -> None:
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{page.url} scrolls sideways: {wide}"


@pytest.mark.parametrize("path", few(PAGES, *list(PAGES)[::2]))
def test_a_page_fits_a_phone_and_everything_has_a_name(visitor: Open, path: str) -> None:
    page = visitor(path, viewport=PHONE, has_touch=True)
    expect(page.locator(PAGES[path]).first).to_be_visible()
    _fits(page)
    assert page.evaluate(_NAMELESS) == []
    expect(page.locator("h1")).to_have_count(1)
    assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("game", few(GAMES, "md-uth"))
def test_a_round_fits_a_phone(visitor: Open, game: str) -> None:
    page = visitor("/", viewport=PHONE, has_touch=True)
    seated = sit_down(page, game)
    _fits(page)
    seated.bet()
    seated.deal.click()
    expect(seated.asked.first).to_be_enabled()
    _fits(page)
    low = seated.asked.evaluate_all("all => all.map(one => one.offsetHeight).filter(h => h < 44)")
    assert not low, "large enough for a finger"
    seated.play_on()
    _fits(page)
    assert page.evaluate(_NAMELESS) == []


def test_what_happens_is_told_to_a_screen_reader(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-uth")
    told = page.locator("#told")
    assert told.get_attribute("aria-live") == "polite"
    ante = page.get_by_role("button", name="Ante, required, $5 to $500: empty")
    expect(ante).to_be_visible()
    seated.bet()
    expect(page.get_by_role("button", name="Ante, required, $5 to $500: $5")).to_be_visible()
    expect(page.get_by_role("radiogroup", name="Chip to bet with")).to_be_visible()
    seated.deal.click()
    expect(page.get_by_role("group", name="Your cards").get_by_role("img").first).to_have_attribute(
        "aria-label", CARD
    )
    expect(page.get_by_role("group", name="Dealer").get_by_role("img").first).to_have_attribute(
        "aria-label", "a card face down"
    )
    page.evaluate(_HEAR)
    seated.play_on("4x")
    seated.may_bet()
    for words in ("flop: board", "You (win|lose|break even)"):
        page.wait_for_function("words => RegExp(words).test(window.heard.join(' '))", arg=words)


def test_focus_is_seen_and_kept(visitor: Open) -> None:
    page = visitor("/")
    sit_down(page, "md-wpt")
    for _ in range(14):
        page.keyboard.press("Tab")
        style, width = page.evaluate(_OUTLINE)
        assert style != "none", page.evaluate("document.activeElement.outerHTML")
        assert width >= 2
    undo = page.locator("[data-action=undo]")
    page.locator(".place .spot.main").first.click()
    undo.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".place .spot.laden")).to_have_count(0)


def test_settings_hold_from_page_to_page(visitor: Open) -> None:
    page = visitor("/", color_scheme="light")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check()
    page.get_by_label("Four colors").check()
    page.keyboard.press("Escape")
    page.goto("/sign-in")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-deck", "four")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_rules_and_paytables_are_a_key_away(visitor: Open) -> None:
    page = visitor("/tables/md-uth")
    expect(page.locator(".felt")).to_be_visible()
    page.keyboard.press("t")
    sheet = page.get_by_role("dialog", name="Ultimate Texas Hold'em")
    expect(sheet.get_by_role("table").first).to_be_visible()
    expect(sheet).to_contain_text("Six Card Bonus pays")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_a_wrong_address_leads_back_to_the_lobby(visitor: Open) -> None:
    page = visitor("/tables/nowhere", viewport=PHONE)
    expect(page.get_by_role("heading", name="This page does not exist")).to_be_visible()
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("heading", name="Open tables")).to_be_visible()


_RECTS = """() => {
  const rects = (what) => [...document.querySelectorAll(what)]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  const over = [];
  for (const one of rects(".meter")) for (const other of rects(".zone-label, .zone-cards, .phase"))
    if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1)
      over.push([one.toJSON(), other.toJSON()]);
  return over;
}"""


@pytest.mark.parametrize("game", ["md-jackpot", "md-uth"])
def test_meters_lie_beside_the_dealers_cards_at_every_width(visitor: Open, game: str) -> None:
    page = visitor(f"/tables/{game}")
    expect(page.locator(".meter").first).to_be_visible()
    for width in (390, 768, 900, 1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        _fits(page)
        assert page.evaluate(_RECTS) == [], width
