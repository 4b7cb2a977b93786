"""Measures in the real browser whether everything on a page can be read: see faults.js."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Page

__all__ = ["SIZES", "faults", "height_too_much", "resize"]

SIZES: Final = {
    "390x844": (390, 844),
    "844x390": (844, 390),
    "768x1024": (768, 1024),
    "1024x768": (1024, 768),
    "1280x800": (1280, 800),
    "1920x1080": (1920, 1080),
    "2560x1440": (2560, 1440),
    "1280x1024-at-200%": (640, 512),
    "1280x1024-at-400%": (320, 256),
}
"""Width and height in CSS pixels: a page zoomed to 400% has a quarter of them."""

_FAULTS: Final = Path(__file__).with_name("faults.js").read_text("utf-8")
_GIVEN: Final = {
    "art": ".chip, svg.face, svg.back, .felt-picture",
    "breaks": "code, .code, .pod-name, td, .clause",
    "scrolls": "dialog, .sheet-body, [popover], .scroll, .scrolls, #opening-check",
    "piles": ".pod-cards, .disc, .my-cards, .zone-cards, .result-cards, .fan, .evidence",
    "overlaid": ".spot-help, .coach, .toasts",
}
"""Pictures whose letters say what stands beside them too; what may break anywhere; what scrolls by
itself; cards and chips that lie on one another; what lies over the page until it is
sent away."""
_SETTLED: Final = """() => new Promise((done) => requestAnimationFrame(() => {
  scrollTo(0, document.documentElement.scrollHeight);
  requestAnimationFrame(() => done(null));
}))"""
"""Down to the end: there what sticks to the bottom covers nothing."""


def resize(page: Page, size: str) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(_SETTLED)


def faults(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_FAULTS, _GIVEN)
    return found


def height_too_much(page: Page) -> int:
    """Pixels by which the page is higher than the screen."""
    found: int = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    return max(0, found)
