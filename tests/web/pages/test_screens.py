"""The pages that the conformance report names are there, and have what it says that they have."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import get_args

import pytest

import croupier.web
from croupier.reports.conformance import SCREENS
from croupier.rulebooks.duties import DeckStep
from croupier.tables import step_duties, work
from tests.reports.test_screens import PARTS_OF_PAGES, doers, examples
from tests.web.conftest import Server

STATIC = Path(croupier.web.__file__).parent / "static" / "js"
STAFF = {"dealer", "floorperson", "operator"}


@cache
def waiting_steps() -> frozenset[str]:
    """Every step that the work at a table can produce, and what goes on beside one."""
    of_decks = set(get_args(DeckStep))
    waiting = set(re.findall(r'_simple\(\s*"(\w+)"', inspect.getsource(work)))
    return frozenset(
        of_decks | waiting | set(re.findall(r'Moment\("(\w+)"', inspect.getsource(step_duties)))
    )


@cache
def tags(step: str) -> frozenset[str]:
    """The commands that do a step."""
    from croupier.tables.commands import COMMANDS

    return frozenset(
        tag
        for tag, kind in COMMANDS.items()
        if step in {work.step_of(command) for command in examples(kind)}
    )


@cache
def module(name: str) -> str:
    """A module of the pages with everything that it imports."""
    seen: dict[str, str] = {}
    wanted = [name]
    while wanted:
        one = wanted.pop()
        if one not in seen:
            seen[one] = (STATIC / one).read_text("utf-8")
            for path in re.findall(r'from "(\.[\w./-]+\.js)"', seen[one]):
                wanted.append(normpath(join(dirname(one), path)))
    return "\n".join(seen.values())


def page_text(server: Server, path: str, role: str) -> str:
    """What the browser of that person loads: the page and its modules."""
    if role in STAFF:
        server.staff(role)
    table = server.pit.tables[0].name
    found = server.client.get(path.format(table=table), headers={"Accept": "text/html"})
    assert found.status_code == 200, path
    loaded = re.findall(r"/static/js/([\w-]+/(?:[\w-]+-)?page\.js)", found.text)
    assert loaded
    return found.text + "".join(map(module, loaded))


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_has_every_step_that_it_is_said_to_have(server: Server, screen: str) -> None:
    page = SCREENS[screen]  # type: ignore[index]
    text = page_text(server, page.path, page.for_[0])
    told = set(re.findall(r"[\"'`](\w+)[\"'`]", text))
    for step in page.steps:
        by_work = step in waiting_steps() and re.search(r"\bwork\(", text)
        by_command = tags(step) & told if step in doers() else None
        part = step in PARTS_OF_PAGES and re.search(rf"\b{step}\b", text)
        heard = (screen, step) == ("table", "close_bets") and "closed" in told
        assert by_work or by_command or part or heard, f"{screen} has nothing for {step}"
