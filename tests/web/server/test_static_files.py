"""What a browser has already is not sent again, and what has changed always is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import croupier.web
from croupier.web.accounts.guard import HEADERS
from tests.web.conftest import Server

FILES = ("/static/js/shared/dom.js", "/static/css/tokens.css")


@pytest.mark.parametrize("path", FILES)
def test_a_file_that_the_browser_has_is_not_sent_again(server: Server, path: str) -> None:
    first = server.client.get(path)
    tag = first.headers["etag"]
    assert (first.status_code, first.headers["cache-control"]) == (200, "no-cache")
    assert len(first.content) == int(first.headers["content-length"]) > 100
    for asked in (tag, f"W/{tag}", f'"other", {tag}'):
        again = server.client.get(path, headers={"If-None-Match": asked})
        assert (again.status_code, again.content) == (304, b"")
        assert (again.headers["etag"], again.headers["cache-control"]) == (tag, "no-cache")
        assert again.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize("asked", ['"other"', "", "*", "\xff", '"' + "x" * 500 + '"'])
def test_a_file_that_has_changed_is_sent(server: Server, asked: str) -> None:
    headers = {b"If-None-Match": asked.encode("latin-1")}
    found = server.client.get(FILES[0], headers=headers)
    assert (found.status_code, len(found.content) > 100) == (200, True)


@pytest.mark.parametrize("path", ["/", "/api/v1/tables", "/static/js/none.js"])
def test_everything_else_is_kept_nowhere(server: Server, path: str) -> None:
    assert server.client.get(path).headers["cache-control"] == "no-store"


WEB = Path(croupier.web.__file__).parent
SHEETS = WEB / "static" / "css"
SHARED = {"tokens", "base", "cards", "felt", "help", "fairness", "staff"}
"""Parts that pages share. Every other sheet belongs to a page, or to a few that are named in it."""
OWN = sorted({path.stem for path in SHEETS.glob("*.css")} - SHARED)
NAMED = re.compile(r"((html:has\()?:?(where\()?body\W|body:is\(\[data-page|@keyframes )")


def _rules_of(sheet: str) -> list[str]:
    """The outermost rules, each as what stands before its brace."""
    text = re.sub(r"/\*.*?\*/", "", (SHEETS / f"{sheet}.css").read_text("utf-8"), flags=re.S)
    depth, start, rules = 0, 0, []
    for at, sign in enumerate(text):
        if sign == "{":
            if not depth:
                rules.append(text[start:at].strip())
            depth += 1
        elif sign == "}":
            depth, start = depth - 1, at + 1
    assert depth == 0, sheet
    return rules


@pytest.mark.parametrize("sheet", OWN)
def test_the_style_of_a_page_reaches_no_other_page(sheet: str) -> None:
    """The bets of the dealer's console once had the color of practice's: 1.15 to 1."""
    rules = _rules_of(sheet)
    assert rules
    assert [rule for rule in rules if not NAMED.match(rule)] == []


def _sheets_of(template: Path) -> list[str]:
    listed = re.search(r"{% set sheets = \[(.*?)\] %}", template.read_text("utf-8"))
    return re.findall(r'"([\w-]+)"', listed[1]) if listed else []


def test_every_sheet_is_there_and_loaded_by_the_pages_that_it_names() -> None:
    templates = {path.stem: path for path in (WEB / "templates").glob("*.html")}
    loaded = {page: _sheets_of(path) for page, path in templates.items()}
    assert {"tokens", "base", *(name for names in loaded.values() for name in names)} == {
        path.stem for path in SHEETS.glob("*.css")
    }
    for sheet in OWN:
        text = (SHEETS / f"{sheet}.css").read_text("utf-8")
        pages = [page for page, names in loaded.items() if sheet in names]
        for page in pages:
            prefixes = re.findall(r'\[data-page\^="([\w-]+)"\]', text)
            named = re.findall(r'\[data-page="([\w-]+)"\]', text)
            assert page in named or page.startswith(tuple(prefixes)), (sheet, page)


# What modules put together: `say-${n}` and the like.
MADE = re.compile(r"say-\d")


def test_no_style_is_for_a_class_that_nothing_has() -> None:
    """Class names of the sheets stand in a template or in a module."""
    sources = [*(WEB / "static" / "js").rglob("*.js"), *(WEB / "templates").glob("*.html")]
    words = set(re.findall(r"[\w-]+", "\n".join(path.read_text("utf-8") for path in sources)))
    for path in SHEETS.glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S)
        selectors = "".join(re.findall(r"[^{};]+(?={)", text))
        classes = set(re.findall(r"\.([a-zA-Z_][\w-]*)", selectors))
        assert [name for name in classes - words if not MADE.fullmatch(name)] == [], path.name
