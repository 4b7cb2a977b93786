"""Reading a strategy that a person wrote.

    preflop:
        4x with any pair 33+, any ace, K5o+, K2s+, Q8o+, Q6s+, JTo, J8s+
        check otherwise

A file names each decision of the game once and says under it, line by line, which action is taken
with which hands. `docs/strategies.md` has the grammar. Nothing here looks at cards: the lines
become tests on features, and `compiling` asks them about every hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from croupier.errors import BadData, plain, shown, suggest
from croupier.mathematics.questions.strategies.compared_words import (
    COMPARED_PHRASES,
    read_compared_word,
)
from croupier.mathematics.questions.strategies.decisions import StrategyDecision
from croupier.mathematics.questions.strategies.vocabulary import (
    PHRASES,
    CardsSeen,
    HandTest,
    NotHere,
    both,
    either,
    inverted,
    read_word,
)


class BadStrategy(BadData):
    """A strategy text that cannot be followed; the message says where and how to fix it."""

    code = "bad_strategy"


@dataclass(frozen=True)
class PlanLine:
    """`left_over`: takes only hands that no line before it takes."""

    number: int
    action: str
    words: str
    test: HandTest | None  # None: otherwise
    left_over: bool = False


@dataclass(frozen=True)
class Section:
    choice: StrategyDecision
    lines: tuple[PlanLine, ...]


@dataclass(frozen=True)
class WrittenStrategy:
    """A strategy as written: its title, the games it is for, and a section for each decision."""

    title: str
    source: str
    games: tuple[str, ...]
    sections: tuple[Section, ...]
    text: str

    @property
    def meaning(self) -> tuple[object, ...]:
        """The key that two texts share if they say the same in the same words: comments, spacing,
        case, title and the order of the lines, which has no meaning, are left out."""
        return tuple(
            (
                section.choice.name,
                section.choice.actions,
                replace(section.choice.scene, ranked=None),
                _said(section.lines),
            )
            for section in self.sections
        )

    def refuse(self, line: int, reason: str) -> BadStrategy:
        return BadStrategy(f"{self.source}, line {line}: {reason}")


def _said(lines: Sequence[PlanLine]) -> list[tuple[str, str]]:
    """Return actions and hands; their order matters only if a line takes what is left over."""
    said = [(line.action, ("otherwise " if line.left_over else "") + _bare(line)) for line in lines]
    return said if any(line.left_over for line in lines) else sorted(said)


def _bare(line: PlanLine) -> str:
    """Return the words without formatting."""
    if line.test is None:
        return ""
    words = " ".join(line.words.lower().split())
    return re.sub(r" ?([(),]) ?", r"\1", re.sub(r", ?or\b", ",", words))


_HEADERS: Final = ("title", "games")
_MOST_CHARACTERS: Final = 100_000


def read_strategy(path: Path, choices: Sequence[StrategyDecision]) -> WrittenStrategy:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise BadStrategy(f"{plain(path, 200)} cannot be read: {error.strerror}") from None
    except ValueError:
        raise BadStrategy(f"{plain(path, 200)} cannot be read: it is not UTF-8 text") from None
    return read_text(text, choices, plain(path, 200))


def read_text(
    text: str, choices: Sequence[StrategyDecision], source: str = "strategy"
) -> WrittenStrategy:
    """Read a strategy; refuse anything that cannot be understood, with line, reason and remedy."""
    if len(text) > _MOST_CHARACTERS:
        raise BadStrategy(f"{source}: longer than any strategy that a person can remember")
    return _Reader(choices, source).read(text)


# -- the strategies that come with Croupier, named after their files -------------------------------


@cache
def _texts() -> dict[str, str]:
    folder = files(__package__).joinpath("shipped_texts")
    texts = {file.name[:-4]: file for file in folder.iterdir() if file.name.endswith(".txt")}
    return {name: texts[name].read_text("utf-8") for name in sorted(texts)}


def shipped_names() -> tuple[str, ...]:
    return tuple(_texts())


def shipped_for(rulebook: str) -> tuple[str, ...]:
    """Return the shipped strategies whose `games:` line names the rulebook."""
    return tuple(name for name, text in _texts().items() if rulebook in _games(text))


def _games(text: str) -> list[str]:
    for line in text.splitlines():
        if line.lower().startswith("games:"):
            return line.partition(":")[2].replace(",", " ").split()
    return []


def open_strategy(name: str, choices: Sequence[StrategyDecision]) -> WrittenStrategy:
    """Return a shipped strategy by name, or any text by the path of its file."""
    if name in _texts():
        return read_text(_texts()[name], choices, name)
    path = Path(name)
    if path.suffix == ".txt" or len(path.parts) > 1 or path.exists():
        return read_strategy(path, choices)
    raise suggest("strategy", name, _texts())


# -- reading --------------------------------------------------------------------------------------


class _Reader:
    def __init__(self, choices: Sequence[StrategyDecision], source: str) -> None:
        self.choices = {choice.name: choice for choice in choices}
        self.source = source
        self.headers: dict[str, str] = {}
        self.lines: dict[str, list[PlanLine]] = {}
        self.current: StrategyDecision | None = None

    def read(self, text: str) -> WrittenStrategy:
        for number, line in _joined(text):
            self._line(number, line)
        for name, choice in self.choices.items():
            if name not in self.lines:
                raise BadStrategy(
                    f"{self.source}: nothing is said about the decision {_spoken(name)!r}: write "
                    f"'{_spoken(name)}:' and under it, for instance, "
                    f"'{choice.actions[-1]} otherwise'"
                )
            if not self.lines[name]:
                raise BadStrategy(f"{self.source}: there is no line under '{_spoken(name)}:'")
        return WrittenStrategy(
            title=self.headers.get("title", Path(self.source).stem),
            source=self.source,
            games=tuple(self.headers.get("games", "").replace(",", " ").split()),
            sections=tuple(
                Section(choice, tuple(self.lines[name])) for name, choice in self.choices.items()
            ),
            text=text,
        )

    def _refuse(self, number: int, reason: str) -> BadStrategy:
        return BadStrategy(f"{self.source}, line {number}: {reason}")

    def _line(self, number: int, line: str) -> None:
        header, colon, rest = line.partition(":")
        if colon and header.strip().lower() in _HEADERS:
            self.headers[header.strip().lower()] = rest.strip()
        elif colon:
            self._open(number, header.strip(), rest.strip())
        elif self.current is None:
            raise self._refuse(
                number,
                f"{shown(line)} comes before any decision: begin with "
                f"'{_spoken(next(iter(self.choices)))}:'",
            )
        else:
            self._rule(number, line, self.current)

    def _open(self, number: int, name: str, rest: str) -> None:
        wanted = _spoken(" ".join(name.lower().split()))
        choice = next((c for c in self.choices.values() if _spoken(c.name.lower()) == wanted), None)
        if choice is None:
            known = ", ".join(repr(_spoken(known)) for known in self.choices)
            raise self._refuse(
                number, f"{shown(name)} is not a decision of this game: its decisions are {known}"
            )
        if choice.name in self.lines:
            raise self._refuse(number, f"{name!r} is there twice: put its lines together")
        self.lines[choice.name] = []
        self.current = choice
        if rest:
            self._rule(number, rest, choice)

    def _rule(self, number: int, line: str, choice: StrategyDecision) -> None:
        action, _, rest = " ".join(line.split()).partition(" ")
        actions = ", ".join(choice.actions)
        if action.lower() not in choice.actions:
            raise self._refuse(
                number,
                f"{shown(action)} is not an action at {_spoken(choice.name)!r}: the actions are "
                f"{actions}",
            )
        lines = self.lines[choice.name]
        before = next((line for line in lines if line.test is None), None)
        if before is not None:
            raise self._refuse(
                number, f"nothing can follow 'otherwise' (line {before.number}): put it last"
            )
        if rest.lower() in {"otherwise", "always"}:
            lines.append(PlanLine(number, action.lower(), rest, None))
            return
        left_over = rest.lower().startswith("otherwise with ")
        rest = rest[len("otherwise ") :] if left_over else rest
        if not rest.lower().startswith("with "):
            raise self._refuse(
                number,
                f"after {action!r} comes 'with' and the hands, or 'otherwise', not {shown(rest)}",
            )
        words = rest[5:]
        try:
            test = _Phrase(words.lower(), choice.scene).read()
        except _Misread as error:
            raise self._refuse(number, str(error)) from None
        lines.append(PlanLine(number, action.lower(), words, test, left_over))


def phrase_test(words: str, scene: CardsSeen) -> HandTest | None:
    """Return the test of some words, or None if they have no meaning."""
    try:
        return _Phrase(words.lower(), scene).read()
    except _Misread:
        return None


def _joined(text: str) -> list[tuple[int, str]]:
    """Return the lines without comments; a line that ends with a comma, 'or', 'and' or 'except'
    continues on the next."""
    lines: list[tuple[int, str]] = []
    open_line = False
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.partition("#")[0].strip()
        if not bare:
            continue
        if open_line:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]} {bare}")
        else:
            lines.append((number, bare))
        open_line = re.search(r"(,|\b(or|and|except))$", bare) is not None
    return lines


def _spoken(name: str) -> str:
    return name.replace("_", " ")


class _Misread(Exception):
    """An error in the words of a line."""


class _Phrase:
    """alternatives := item ("," | "or" | ", or") item …
    item := part ("and" | "on") part … ["except" part]
    part := ["not"] word | ["not"] "(" alternatives ")"
    """

    def __init__(self, text: str, scene: CardsSeen) -> None:
        self.text = text
        self.scene = scene
        self.at = 0

    def read(self) -> HandTest:
        test = self._alternatives(0)
        if self.at < len(self.text):
            raise self._unknown()
        return test

    def _take(self, pattern: str) -> bool:
        match = re.compile(rf"\s*(?:{pattern})\s*").match(self.text, self.at)
        if match is None:
            return False
        self.at = match.end()
        return True

    def _alternatives(self, depth: int) -> HandTest:
        test = self._item(depth)
        while self._take(r",\s*or\b|,|or\b"):
            test = either(test, self._item(depth))
        return test

    def _item(self, depth: int) -> HandTest:
        test = self._part(depth)
        while True:
            if self._take(r"and\b|on\b"):
                test = both(test, self._part(depth))
            elif self._take(r"except\b"):
                test = both(test, inverted(self._part(depth)))
            else:
                return test

    def _part(self, depth: int) -> HandTest:
        if depth > 20:
            raise _Misread("brackets within brackets within brackets: nobody could remember that")
        if self._take(r"not\b"):
            return inverted(self._part(depth + 1))
        if self._take(r"\("):
            test = self._alternatives(depth + 1)
            if not self._take(r"\)"):
                raise _Misread(f"a bracket is not closed before {shown(self._rest())}")
            return test
        try:
            read = read_compared_word if self.scene.ranked else read_word
            word = read(self.text, self.at, self.scene)
        except NotHere as error:
            raise _Misread(f"at {shown(self._rest(), 40)}: {error}") from None
        if word is None:
            raise self._unknown()
        self.at, test = word
        self._take("")
        return test

    def _rest(self) -> str:
        return self.text[self.at :]

    def _unknown(self) -> _Misread:
        rest = self._rest()
        if not rest.strip():
            return _Misread("a hand is missing at the end of the line")
        piece = re.split(r",| or | and | except |\)", rest, maxsplit=1)[0].strip() or rest.strip()
        phrases = COMPARED_PHRASES if self.scene.ranked else PHRASES
        close = get_close_matches(piece, phrases, n=1, cutoff=0.4)
        hint = f"did you mean {close[0]!r}? " if close else ""
        examples = "'K5o+', 'a hidden pair' or 'fewer than 21 dealer outs'"
        if self.scene.ranked:
            examples = "'Q-6-4 or better', 'a pair of tens or better' or 'any ace'"
        return _Misread(
            f"{shown(piece, 40)} is not a hand that a strategy can name: {hint}"
            f"write, for instance, {examples}, with a comma between two of them "
            "(docs/strategies.md lists them all)"
        )
