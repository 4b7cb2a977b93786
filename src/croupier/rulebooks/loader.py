"""Rulebook files: reading, checking, and applying the chosen readings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, Final

from croupier.errors import BadData, CroupierError, plain
from croupier.files import is_toml_file
from croupier.rulebooks.bundled import read_bundled
from croupier.rulebooks.decoding import MOST_TOLD, UNREADABLE, into_form, mended
from croupier.rulebooks.name_checks import unknown_names
from croupier.rulebooks.play_checks import unplayable
from croupier.rulebooks.readings import apply_readings, chosen_readings
from croupier.rulebooks.schema import Option, Rulebook, VersusDealer

_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_AFTER_FOLD: Final = ("after_fold", "after_fold_clause")


def contradictions(tree: Mapping[str, Any], book: Rulebook) -> Iterator[str]:
    """Yield each contradiction in a file that a person wrote, with its place: `tree` is the file as
    written, `book` the same as read.

    The file could still be read in one way, so journals that hold such a rulebook replay as before:
    only a file that is handed in is refused.
    """
    if _ID.fullmatch(book.id) is None:
        yield (
            f"at id: {book.id!r} is not an id: write lowercase letters and digits, with single "
            "dashes between them, as in 'my-game'"
        )
    yield from _two_rules_for_a_fold(tree, book)
    for name, option in book.options.items():
        yield from (f"at options.{name}.{problem}" for problem in _range_problems(option))


def _two_rules_for_a_fold(tree: Mapping[str, Any], book: Rulebook) -> Iterator[str]:
    """Yield each place that states the effect of a fold on a wager against the dealer, because
    `folded` already states it."""
    for name, wager in book.wagers.items():
        if not isinstance(wager.settles, VersusDealer):
            continue
        for field in _AFTER_FOLD:
            place = f"wagers.{name}.{field}"
            where = [place] if field in tree["wagers"][name] else []
            where += [
                f"readings.{reading}.choices.{choice}.set"
                for reading, terms in book.readings.items()
                for choice, meaning in terms.choices.items()
                if place in meaning.set
            ]
            for written in where:
                yield (
                    f"at {written}: {field} contradicts settles.folded, which says what a fold "
                    f"does to {name!r}: leave {field} out"
                )


def _range_problems(option: Option) -> Iterator[str]:
    least, most = option.least, option.most
    if least is not None and most is not None and least > most:
        yield f"least: {least} is more than most, {most}: nothing could be stated"


class RulebookFile:
    """A rulebook as written, from which the rulebook under any choice of readings is made."""

    def __init__(self, tree: dict[str, Any], source: str) -> None:
        patterns = tree.get("patterns", {})
        if isinstance(patterns, dict):
            tree = {**tree, "patterns": _common_patterns() | patterns}
        self.tree = tree
        """The tables as written, with the common patterns."""
        self._source = source
        self.default = self._convert(tree)
        self._read: dict[tuple[tuple[str, str], ...], Rulebook] = {}

    def under(self, readings: Mapping[str, str]) -> Rulebook:
        """Return the rulebook with these readings chosen, the first choice for those not named."""
        choices = chosen_readings(self.default.readings, readings)
        if not any(self.default.readings[name].choices[said].set for name, said in choices.items()):
            return self.default
        key = tuple(choices.items())
        if key not in self._read:
            try:
                tree = apply_readings(self.tree, self.default.readings, choices)
            except CroupierError as error:
                raise error.within(self._source) from None
            self._read[key] = self._convert(tree)
        return self._read[key]

    def _convert(self, tree: dict[str, Any]) -> Rulebook:
        try:
            rulebook = into_form(tree, Rulebook, self._source)
        except BadData as error:
            raise BadData("\n  ".join((error.message, *_other_problems(tree)))) from None
        problems = list(unknown_names(rulebook))
        problems += unplayable(rulebook, names_lead_nowhere=bool(problems))
        if problems:
            raise BadData(f"{self._source}: " + "\n  ".join(dict.fromkeys(problems)))
        return rulebook


def _other_problems(tree: dict[str, Any]) -> Iterator[str]:
    """Return what else is wrong in a file with the wrong form, apart from the bad places."""
    result = mended(tree, Rulebook)
    if result is None:
        return
    rulebook, places = result
    problems = [*unknown_names(rulebook), *unplayable(rulebook, names_lead_nowhere=True)]
    for problem in islice(dict.fromkeys(problems), MOST_TOLD):
        place = problem.removeprefix("at ").partition(": ")[0]
        if UNREADABLE not in problem and not place.startswith(places):
            yield problem


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file that somebody wrote."""
    return parse_toml(toml_text(path), plain(path, 200))


def toml_text(path: Path) -> str:
    """Return the tables of TOML text."""
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise BadData(f"{plain(path, 200)} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadData(f"{plain(path, 200)} cannot be read: it is not UTF-8 text") from None
    except ValueError as error:
        raise BadData(f"{plain(path, 200)} cannot be read: {error}") from None


def parse_toml(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise BadData(f"{source} is not TOML: {error}") from None
    except RecursionError:
        raise BadData(f"{source} is nested deeper than anything that is asked for") from None


@cache
def _common_patterns() -> dict[str, Any]:
    text = files(__package__).joinpath("patterns.toml").read_text("utf-8")
    return parse_toml(text, "patterns.toml")


@cache
def load_rulebook(name: str) -> RulebookFile:
    """Return a bundled rulebook by id."""
    source = f"{name}/game.toml"
    return RulebookFile(parse_toml(read_bundled(name, "game.toml"), source), source)


def open_rulebook(name: str) -> RulebookFile:
    """Return a bundled rulebook by id, or any rulebook by the path of its `.toml` file, or from
    standard input."""
    if not is_toml_file(name):
        return load_rulebook(name)
    path = Path(name)
    return rulebook_from(toml_text(path), plain(path, 200))


def rulebook_text(name: str) -> str:
    """Return the file of a bundled rulebook, or of any other by its path."""
    return toml_text(Path(name)) if is_toml_file(name) else read_bundled(name, "game.toml")


def rulebook_from(text: str, source: str) -> RulebookFile:
    """Return the rulebook in this text, checked under every choice of its readings."""
    file = RulebookFile(parse_toml(text, source), source)
    for reading, terms in file.default.readings.items():
        for choice in terms.choices:
            file.under({reading: choice})
    problems = list(contradictions(file.tree, file.default))
    if problems:
        raise BadData(f"{source}: " + "\n  ".join(problems))
    return file
