"""Pictures of every game, state, page and size, to be looked at: `make screens`.

They go to build/screens, with one page that shows them all side by side. All of them take most of
an hour. For fewer, name what is wanted; an option without a name leaves that part out:
`make screens ONLY="--game md-uth --state settled --page --size 1280x800 --scheme dark"`.
"""

from __future__ import annotations

import argparse
import html
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browser.all_pages import PAGES, furnish, opened
from tests.web.browser.conftest import ARGS, PATIENCE, chromium
from tests.web.browser.layout import SIZES
from tests.web.browser.serving import Serving
from tests.web.browser.staged import ALL_GAMES, StagedTable

FOLDER: Final = Path("build/screens")
SCHEMES: Final = ("light", "dark")


class Camera:
    def __init__(self, folder: Path, sizes: list[str]) -> None:
        self.folder, self.sizes = folder, sizes
        self.taken: list[tuple[str, Path]] = []

    def take(self, page: Page, name: str) -> None:
        """What stands there at every size: first its top, then its end if that is lower."""
        for size in self.sizes:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            self._take(page, f"{name}--{size.replace('%', '')}")
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            if page.evaluate("scrollY > 8"):
                self._take(page, f"{name}--{size.replace('%', '')}-end")
            page.evaluate("scrollTo(0, 0)")

    def _take(self, page: Page, name: str) -> None:
        path = self.folder / f"{name}.png"
        page.screenshot(path=path)
        self.taken.append((name, path))

    def contact_sheet(self) -> Path:
        cells = [
            f'<figure><a href="{path.name}"><img src="{path.name}" loading="lazy" alt=""></a>'
            f"<figcaption>{html.escape(path.stem)}</figcaption></figure>"
            for _, path in self.taken
        ]
        style = (
            "body{font:14px sans-serif;display:flex;flex-wrap:wrap;gap:16px;align-items:end}"
            "figure{margin:0}img{height:300px;border:1px solid #999}"
        )
        page = self.folder / "index.html"
        page.write_text(
            "<!doctype html><meta charset=utf-8><title>Screens</title>"
            f"<style>{style}</style>{''.join(cells)}",
            "utf-8",
        )
        return page


def sheets(page: Page) -> Iterator[str]:
    """What opens over the table."""
    for key, name in (("t", "paytables"), ("?", "keys"), ("e", "seat")):
        page.keyboard.press(key)
        page.locator("dialog[open]").wait_for()
        yield name
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")


def photograph(browser: Browser, url: str, camera: Camera, told: argparse.Namespace) -> None:
    for scheme in told.scheme:
        for game in told.game:
            context = browser.new_context(
                base_url=url, color_scheme=scheme, reduced_motion="reduce"
            )
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            for state in StagedTable(page, game).walk():
                if not told.state or state.split("-")[0] in told.state:
                    camera.take(page, f"{game}-{state.replace(' ', '_')}-{scheme}")
                if state == "seated" and (not told.state or "sheets" in told.state):
                    for sheet in sheets(page):
                        camera.take(page, f"{game}-{sheet}-{scheme}")
            context.close()
            print(game, scheme, flush=True)


def photograph_pages(browser: Browser, url: str, camera: Camera, told: argparse.Namespace) -> None:
    for scheme in told.scheme:
        for name in told.page:
            with opened(browser, url, PAGES[name], color_scheme=scheme) as page:
                camera.take(page, f"page-{name}-{scheme}")
            print(name, scheme, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="*", choices=ALL_GAMES, default=ALL_GAMES)
    parser.add_argument("--page", nargs="*", choices=PAGES, default=tuple(PAGES))
    parser.add_argument("--state", nargs="*", default=[])
    parser.add_argument("--size", nargs="*", choices=SIZES, default=list(SIZES))
    parser.add_argument("--scheme", nargs="*", choices=SCHEMES, default=SCHEMES)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    camera = Camera(told.folder, told.size)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        furnish(Path(data))
        server = Serving(Path(data)).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGS)
        try:
            photograph(browser, server.url, camera, told)
            photograph_pages(browser, server.url, camera, told)
        finally:
            browser.close()
            server.close()
    print(f"{len(camera.taken)} pictures: {camera.contact_sheet()}")


if __name__ == "__main__":
    main()
