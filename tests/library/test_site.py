"""`make docs`: the site is built without a warning, and asks nothing of the network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.program import ROOT
from tests.library.pages import PAGES

_PATH = re.compile(r"`([a-z_][A-Za-z0-9_.-]*/[A-Za-z0-9_/.-]*\.(?:py|js|css|toml|tsv|txt|html))`")
_FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)[^>]*\ssrc="(https?:[^"]*)"|"""
    r"""<link[^>]*rel="(?:stylesheet|icon|preload)"[^>]*href="(https?:[^"]*)\""""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built in a copy, so that nobody else's site is touched."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("docs", "examples", "src"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for page in (*ROOT.glob("*.md"), ROOT / "mkdocs.yml"):
        shutil.copy(page, copy)
    ended = subprocess.run(
        [sys.executable, "docs/make_site.py"], cwd=copy, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return copy / "site"


def test_every_page_is_in_the_navigation() -> None:
    navigation = {
        "README.md"
        if line == "index.md"
        else line.replace("conformance/index", "conformance/README")
        for line in re.findall(
            r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE
        )
    }
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    pages |= {path.name for path in ROOT.glob("*.md")}
    generated = {"docs/api.md", "docs/library-reference.md"}
    assert navigation == pages | generated


def test_code_that_the_pages_name_is_there() -> None:
    """Paths in backquotes are below the project or a package; capitals stand for a name."""
    folders = [ROOT / name for name in (".", "docs", "tests", "tests/mathematics", "src/croupier")]
    packages = ("ledger", "mathematics", "reports/mathematics_report", "web", "web/static/js")
    folders += [ROOT / "src" / "croupier" / name for name in packages]
    for page in PAGES:
        for path in _PATH.findall(page.read_text("utf-8")):
            if not re.search(r"[A-Z]{2}|GAME|NAME|ID", path):
                assert any((folder / path).exists() for folder in folders), f"{page.name}: {path}"


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        fetched = [one for pair in _FETCHED.findall(page.read_text("utf-8")) for one in pair if one]
        assert not fetched, page


def test_every_kind_of_user_has_a_tutorial(site: Path) -> None:
    pages = {page.stem for page in (site / "docs" / "tutorials").glob("*.html")}
    assert {"player", "dealer", "floorperson", "operator", "auditor", "laboratory"} <= pages


def test_the_references_have_every_command_and_every_name(site: Path) -> None:
    import croupier
    from croupier.tables.commands import COMMANDS

    api = (site / "docs" / "api.html").read_text("utf-8")
    assert all(f"<code>{tag}</code>" in api for tag in COMMANDS)
    assert api.count("Answer 20") > 100
    assert api.count("Body: ") > 25
    library = (site / "docs" / "library-reference.html").read_text("utf-8")
    assert all(f">{name}<" in library for name in croupier.__all__ if name != "__version__")
