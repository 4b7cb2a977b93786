"""Chromium and a server for each module of tests. Without Chromium they are skipped, loudly; where
CI is set that is a failure."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.web.browser.dealing import sign_in
from tests.web.browser.serving import Serving, add_floorperson
from tests.web.browser.tidying import get_up

_SWITCHED_OFF = (
    # Each window has a hidden page for the suggestions of its address bar: it takes more computing
    # than the page that is looked at.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # Playwright's own choice, which the option would replace otherwise.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(_SWITCHED_OFF)}",
]
Open = Callable[..., Page]
PATIENCE = 90_000
"""Milliseconds. Waiting costs nothing where it passes; a machine may be busy with other work."""

expect.set_options(timeout=PATIENCE)


def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "-q", "chromium"], check=False, timeout=300)
        found = shutil.which("chromium")
    if found is not None:
        return found
    told = "CHROMIUM IS MISSING: the pages are not tested (apt-get install chromium)"
    if os.environ.get("CI"):
        pytest.fail(told)
    pytest.skip(told)


def until(page: Page, there: Callable[[], object], otherwise: str) -> None:
    """Wait for what no locator can see."""
    for _ in range(PATIENCE // 20):
        if there():
            return
        page.wait_for_timeout(20)
    raise AssertionError(otherwise)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Module by module: Playwright's loop must not stay open under other tests."""
    path = chromium()
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=ARGS, timeout=PATIENCE)
        yield made
        made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    made = Serving(folder)
    add_floorperson(folder)
    try:
        yield made.start()
    finally:
        made.close()


@pytest.fixture
def visitor(browser: Browser, serving: Serving) -> Iterator[Open]:
    """`visitor(path, who, ...)` opens a page as somebody new, or as this member of staff. At the
    end: nothing was asked of another server, and no script complained."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda said: _hear(said, faults))
        page.on("request", lambda asked: _ask(asked.url, serving.url, faults))

    def begin(path: str = "/", who: str = "", **told: Any) -> Page:
        told.setdefault("viewport", {"width": 1280, "height": 800})
        told.setdefault("reduced_motion", "reduce")
        context = browser.new_context(base_url=serving.url, **told)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        watch(page)
        if who:
            sign_in(page, who)
        page.goto(path)
        return page

    yield begin
    for context in contexts:
        get_up(context)
        context.close()
    assert not faults, faults


def _hear(said: Any, faults: list[str]) -> None:
    """The browser itself notes every refused or failed request; those are tested where they are."""
    expected = ("Failed to load resource", "WebSocket connection")
    if said.type == "error" and not any(words in said.text for words in expected):
        faults.append(f"console: {said.text}")


def _ask(url: str, home: str, faults: list[str]) -> None:
    if not url.startswith((home, home.replace("http", "ws", 1), "blob:")):
        faults.append(f"asked elsewhere: {url}")
