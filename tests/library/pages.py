"""The examples in README.md and docs: found, and run as a reader would."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import croupier
from tests.commands.program import ROOT
from tests.commands.program import croupier as program

__all__ = [
    "PAGES",
    "RUN",
    "Example",
    "examples_of",
    "is_long",
    "prepare",
    "run",
    "run_quickly",
    "tutorial_game",
]

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
        for words in _commands(example):
            _ask(example, words)
    elif example.text.startswith(">>>"):
        _prompted(example, names)
    else:
        exec(compile(example.text, example.place, "exec"), names)


def run_quickly(example: Example, names: dict[str, object], asked: set[tuple[str, ...]]) -> None:
    """The same: but with fewer rounds, and without figures that have been `asked` for before."""
    if example.language != "console":
        run(example, names)
        return
    for words in _commands(example):
        if words not in asked and not _is_for_later(example, words):
            _ask(example, _with_fewer_rounds(words))
        if words[0] in _ONLY_FIGURES and "--save" not in words:
            asked.add(words)


def is_long(example: Example) -> bool:
    """Does `run_quickly` leave anything out?"""
    return example.language == "console" and any(
        words[0] in _ONLY_FIGURES or _with_fewer_rounds(words) != words
        for words in _commands(example)
    )


def _commands(example: Example) -> Iterator[tuple[str, ...]]:
    for line in example.text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if words:
            assert words[0] == "croupier", f"{example.place}: {line!r} is not a command of ours"
            yield tuple(words[1:])


def _ask(example: Example, words: tuple[str, ...]) -> None:
    ended = program(*words)
    assert ended.code == 0, f"{example.place}: {' '.join(words)}\n{ended.err}"


_MOST: Final = {"--rounds": 200, "--decks": 2000, "--simulate": 50}
_ONLY_FIGURES: Final = ("analyze", "session", "strategy")
_LATER: Final = {
    ("README.md", "strategy price md-uth uth-published"),
    ("README.md", "analyze md-wpt --all"),
    ("strategies.md", "strategy price md-uth uth-simple"),
}
"""Long work that another page asks for in the same words, or of another game or strategy."""


def _is_for_later(example: Example, words: tuple[str, ...]) -> bool:
    return (example.page, " ".join(words)) in _LATER


def _with_fewer_rounds(words: tuple[str, ...]) -> tuple[str, ...]:
    """Whoever reads may wait for thousands of rounds."""
    found = list(words)
    for place, word in enumerate(words[:-1]):
        if word in _MOST and words[0] != "session":
            found[place + 1] = str(min(int(words[place + 1]), _MOST[word]))
    return tuple(found)


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
