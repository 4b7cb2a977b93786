"""The examples in README.md and docs: found, and run as a reader would."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import croupier
from tests.commands.program import ROOT
from tests.commands.program import croupier as program

__all__ = ["PAGES", "RUN", "Example", "examples_of", "prepare", "run", "tutorial_game"]

PAGES: Final = (
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
)
RUN: Final = ("python", "console")
_FENCE: Final = re.compile(r"^ *```(.*)$")
_REASON: Final = re.compile(r"<!-- not run: (.+) -->")


class Example(NamedTuple):
    """A fenced block, under the heading where it stands; `reason` says why it is not run."""

    page: str
    heading: str
    line: int
    language: str
    text: str
    reason: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def examples_of(page: Path) -> list[Example]:
    found: list[Example] = []
    heading, before, inside = "", "", False
    language, start, lines = "", 0, list[str]()
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        fence = _FENCE.match(line)
        if fence and not inside:
            inside, language, start, lines = True, fence[1].strip(), number, []
        elif fence:
            inside = False
            reason = _REASON.fullmatch(before.strip())
            text, why = "\n".join(lines) + "\n", reason[1] if reason else ""
            found.append(Example(page.name, heading, start, language, text, why))
        elif inside:
            lines.append(line)
        else:
            heading = line.lstrip("# ") if line.startswith("#") else heading
            before = line
    return found


def run(example: Example, names: dict[str, object]) -> None:
    """In the current folder; what Python defines goes into `names`."""
    if example.language == "console":
        _console(example)
    elif example.text.startswith(">>>"):
        _prompted(example, names)
    else:
        exec(compile(example.text, example.place, "exec"), names)


def _console(example: Example) -> None:
    for line in example.text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if not words:
            continue
        assert words[0] == "croupier", f"{example.place}: {line!r} is not a command of ours"
        ended = program(*words[1:])
        assert ended.code == 0, f"{example.place}: {line}\n{ended.err}"


def _prompted(example: Example, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(
        example.text, names, example.heading, example.page, example.line
    )
    told: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=told.append, clear_globs=False)
    assert not failed, "".join(told)


# -- what some pages take for granted -------------------------------------------------------------


def _played_before(folder: Path) -> None:
    """Table T1 has played twenty rounds in the journal of the data folder."""
    (folder / "data").mkdir()
    with croupier.open_journal(folder / "data" / "journal.db") as journal:
        table = journal.open_table("md-uth", name="T1", seed=1)
        table.sit("ann")
        for _ in range(20):
            table.play("first")


def _a_strategy_of_ones_own(folder: Path) -> None:
    """mine.txt is the first strategy of the page itself."""
    page = examples_of(ROOT / "docs" / "strategies.md")
    text = next(one.text for one in page if one.language == "strategy md-uth")
    (folder / "mine.txt").write_text(text, "utf-8")


def tutorial_game() -> str:
    """What somebody has who put the blocks of the tutorial into one file."""
    page = examples_of(ROOT / "docs" / "tutorial-game.md")
    return "\n".join(one.text for one in page if one.language == "toml")


def _the_game_of_the_tutorial(folder: Path) -> None:
    (folder / "night.toml").write_text(tutorial_game(), "utf-8")


_PREPARED: Final[dict[str, Callable[[Path], None]]] = {
    "tables.md": _played_before,
    "strategies.md": _a_strategy_of_ones_own,
    "tutorial-game.md": _the_game_of_the_tutorial,
}


def prepare(page: str, folder: Path) -> None:
    """The folder in which a page's examples are run."""
    (folder / "examples").symlink_to(ROOT / "examples")
    if page in _PREPARED:
        _PREPARED[page](folder)
