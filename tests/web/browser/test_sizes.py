"""Every game, state and size: nothing is cut, covered, off the screen, broken or too small."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.params import few
from tests.web.browser.all_pages import PAGES, furnish, opened
from tests.web.browser.conftest import PATIENCE
from tests.web.browser.layout import SIZES, faults, height_too_much, resize
from tests.web.browser.screens import sheets
from tests.web.browser.serving import Serving
from tests.web.browser.staged import ALL_GAMES, StagedTable

FEW = ("390x844", "1024x768", "1920x1080")
TELLING = ("bets", "settled")
"""The states with the most on the felt."""
WHOLE = ("1024x768", "1280x800", "1920x1080", "2560x1440")
"""Sizes at which a table is seen whole while people bet and decide."""


@pytest.fixture
def table(browser: Browser, serving: Serving) -> Iterator[Page]:
    context = browser.new_context(base_url=serving.url, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def _measured(page: Page, sizes: tuple[str, ...], *, is_play: bool) -> dict[str, list[str]]:
    found = {}
    for size in sizes:
        resize(page, size)
        told = faults(page)
        if is_play and size in WHOLE and (more := height_too_much(page)):
            told.append(f"the table is {more} px higher than the screen")
        if told:
            found[size] = told
    return found


def _is_play(state: str) -> bool:
    return state in ("seated", "bets") or state.startswith("decides")


@pytest.mark.parametrize("game", few(ALL_GAMES, "md-uth", "md-235"))
def test_a_table_can_be_read_at_every_size(table: Page, game: str) -> None:
    for state in StagedTable(table, game).walk(*TELLING):
        assert not _measured(table, FEW, is_play=_is_play(state)), state


@pytest.mark.full
@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_state_of_a_table_can_be_read_at_every_size(table: Page, game: str) -> None:
    found = {}
    for state in StagedTable(table, game).walk():
        found[state] = _measured(table, tuple(SIZES), is_play=_is_play(state))
        if state == "seated":
            for sheet in sheets(table):
                found[sheet] = _measured(table, tuple(SIZES), is_play=False)
    assert not {state: told for state, told in found.items() if told}


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    furnish(folder)
    made = Serving(folder)
    try:
        yield made.start()
    finally:
        made.close()


@pytest.mark.parametrize("name", ["lobby", "history", "deal", "house-open"])
def test_a_page_can_be_read_at_every_size(browser: Browser, serving: Serving, name: str) -> None:
    with opened(browser, serving.url, PAGES[name]) as page:
        assert not _measured(page, FEW, is_play=False)


@pytest.mark.full
@pytest.mark.parametrize("name", PAGES)
def test_every_page_can_be_read_at_every_size(
    browser: Browser, serving: Serving, name: str
) -> None:
    with opened(browser, serving.url, PAGES[name]) as page:
        assert not _measured(page, tuple(SIZES), is_play=False)


_BROKEN = {
    "px high": ".place .label { font-size: 9px !important }",
    "is cut by": ".my-aside { max-height: 60px; overflow: hidden }",
    "breaks inside": ".place .label { width: 20px; overflow-wrap: anywhere }",
    "lies over": ".pods { margin-top: -160px !important }",
    "wide on a screen": ".felt { min-width: 110vw }",
    "is off the screen": ".my-left { translate: -300px 0 }",
    "is cut short": ".pod-name { max-width: 30px }",
    "higher than the screen": ".house { min-height: 400px }",
}
"""Ways to spoil a table, by what is said of them."""
_SPOIL = """(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}"""


def test_what_is_spoilt_is_found(table: Page) -> None:
    """The measure itself: each fault is said, and nothing is said of a table without one."""
    for _ in StagedTable(table, "md-uth").walk("bets"):
        pass
    for words, css in _BROKEN.items():
        table.evaluate(_SPOIL, css)
        told = _measured(table, ("1280x800",), is_play=True).get("1280x800", [])
        assert any(words in one for one in told), (words, told)
    table.evaluate(_SPOIL, "")
    assert not _measured(table, ("1280x800",), is_play=True)
