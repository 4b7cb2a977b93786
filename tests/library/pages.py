"""The examples in README.md and docs, run as a reader would run them."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.commands.program import ROOT
from tests.commands.program import croupier as program

PAGES: Final = (
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "guides").glob("*.md")),
    *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
)
RUN: Final = ("python", "console")
_FENCE: Final = re.compile(r"^ *```(.*)$")
_REASON: Final = re.compile(r"<!-- not run: (.+) -->")
_SAVED: Final = re.compile(r"<!-- saved as (\S+) -->")


class Example(NamedTuple):
    """A fenced block, under the heading where it stands.

    `reason` says why it is not run; `file` is the name under which the page has it saved."""

    page: str
    heading: str
    line: int
    language: str
    text: str
    reason: str
    file: str

    @property
    def runs(self) -> bool:
        return bool(self.file) or (self.language in RUN and not self.reason)

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def examples_of(page: Path) -> list[Example]:
    examples: list[Example] = []
    heading, before, inside = "", "", False
    language, start, lines = "", 0, list[str]()
    name = page.relative_to(ROOT).as_posix()
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        fence = _FENCE.match(line)
        if fence and not inside:
            inside, language, start, lines = True, fence[1].strip(), number, []
        elif fence:
            inside = False
            reason = _REASON.fullmatch(before.strip())
            saved = _SAVED.fullmatch(before.strip())
            examples.append(
                Example(
                    page=name,
                    heading=heading,
                    line=start,
                    language=language,
                    text="\n".join(lines) + "\n",
                    reason=reason[1] if reason else "",
                    file=saved[1] if saved else "",
                )
            )
        elif inside:
            lines.append(line)
        else:
            heading = line.lstrip("# ") if line.startswith("#") else heading
            before = line
    return examples


def run(example: Example, names: dict[str, object]) -> None:
    """Run a block in the current folder; `names` keeps what Python defines."""
    if example.file:
        Path(example.file).write_text(example.text, "utf-8")
    elif example.language == "console":
        for words in _commands(example):
            _execute(example, words)
    elif example.text.startswith(">>>"):
        _run_prompts(example, names)
    else:
        exec(compile(example.text, example.place, "exec"), names)


def run_quickly(example: Example, names: dict[str, object], done: set[tuple[str, ...]]) -> None:
    """Run a block with fewer rounds, and without commands in `done` that only print figures."""
    if example.language != "console":
        run(example, names)
        return
    for words in _commands(example):
        if words not in done and not _is_for_later(example, words):
            _execute(example, _with_fewer_rounds(words))
        if words[0] in _ONLY_FIGURES and "--save" not in words:
            done.add(words)


def is_long(example: Example) -> bool:
    """Return whether `run_quickly` leaves anything out."""
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


def _execute(example: Example, words: tuple[str, ...]) -> None:
    ended = program(*words)
    assert ended.code == 0, f"{example.place}: {' '.join(words)}\n{ended.err}"


_MOST: Final = {"--rounds": 200, "--decks": 2000, "--simulate": 50}
_ONLY_FIGURES: Final = ("analyze", "session", "strategy")
_LATER: Final = {
    ("docs/commands.md", "analyze md-wpt --all"),
    ("docs/commands.md", "strategy price md-uth uth-published"),
    ("docs/strategies.md", "strategy price md-uth uth-simple"),
}
"""Long work that another page does in the same words, or for another game or strategy."""


def _is_for_later(example: Example, words: tuple[str, ...]) -> bool:
    return (example.page, " ".join(words)) in _LATER


def _with_fewer_rounds(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command with no more rounds than a test has time for."""
    shortened = list(words)
    for place, word in enumerate(words[:-1]):
        if word in _MOST and words[0] != "session":
            shortened[place + 1] = str(min(int(words[place + 1]), _MOST[word]))
    return tuple(shortened)


def _run_prompts(example: Example, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(
        example.text, names, example.heading, example.page, example.line
    )
    messages: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(
        test, out=messages.append, clear_globs=False
    )
    assert not failed, "".join(messages)


def tutorial_game() -> str:
    """The TOML blocks of the tutorial in one file."""
    page = examples_of(ROOT / "docs" / "tutorial-game.md")
    return "\n".join(example.text for example in page if example.language == "toml")


def prepare(page: str, folder: Path) -> None:
    """Make the folder in which a page's examples run: the checkout's examples, and no data."""
    (folder / "examples").symlink_to(ROOT / "examples")
    if page == "docs/tutorial-game.md":
        (folder / "night.toml").write_text(tutorial_game(), "utf-8")
