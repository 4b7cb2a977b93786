"""Rulebooks of your own: a new file, its schema, and a check with dealt rounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from croupier.errors import BadData, BadRequest, CroupierError, Unsolvable, plain
from croupier.files import is_toml_file
from croupier.library.record import Record, check_count
from croupier.mathematics.questions.analysis import analyze, wagers_of
from croupier.mathematics.questions.callouts import all_order_warnings, warnings_of
from croupier.rounds.unwise import Unwise, unwise
from croupier.rulebooks.bundled import BUNDLED, read_template
from croupier.rulebooks.loader import RulebookFile, load_rulebook, open_rulebook, rulebook_text
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission
from croupier.rulebooks.unused_tables import unused_tables
from croupier.simulation.comparing import Comparison, compare
from croupier.simulation.playing import RunTotals, play_stretch, prepare, stretches
from croupier.simulation.run_setting import setting_for


class RulebookCheck(Record, frozen=True):
    """Mistakes and warnings about a rulebook file, and rounds beside the exact figures."""

    title: str
    """The game's name."""
    mistakes: tuple[str, ...]
    """Mistakes; if there are none, the game can be dealt and settled."""
    unwise: tuple[Unwise, ...] = ()
    """Places in the file that may not mean what the author intended."""
    warnings: tuple[str, ...] = ()
    """Paytables and figures that look wrong."""
    rounds: int = 0
    """The number of rounds played."""
    compared: tuple[Comparison, ...] = ()
    """Each wager beside its exact value."""
    problem: str = ""
    """Why no rounds were dealt."""

    @property
    def valid(self) -> bool:
        """Whether there are no mistakes."""
        return not self.mistakes

    @property
    def is_off(self) -> bool:
        """Whether the engine and the exact figures differ, which is a fault of Croupier."""
        return any(each.is_too_far for each in self.compared)

    def __bool__(self) -> bool:
        return self.valid and not self.is_off

    def to_dict(self) -> dict[str, Any]:
        compared = {
            each.wager: {"mean": each.mean, "error": each.error, "exact": each.exact, "z": each.z}
            for each in self.compared
        }
        rounds: dict[str, Any] = {"dealt": self.rounds, "wagers": compared}
        if self.problem:
            rounds["problem"] = self.problem
        return {
            "valid": self.valid,
            "mistakes": list(self.mistakes),
            "unwise": [each._asdict() for each in self.unwise],
            "warnings": list(self.warnings),
            "rounds": rounds if self.valid else None,
        }


def check_rulebook(file: str | Path, *, rounds: int = 10_000) -> RulebookCheck:
    """Check a rulebook file: all mistakes at once; if there are none, warnings, and `rounds` played
    by the engine beside the exact figures."""
    check_count("rounds", rounds, 1_000_000, 0)
    if not is_toml_file(str(file)):
        raise BadRequest(f"{plain(file, 200)}: a rulebook file ends in .toml")
    try:
        opened = open_rulebook(str(file))
    except BadData as error:
        text = error.message.removeprefix(f"{plain(file, 200)}: ")
        return RulebookCheck("", tuple([line.strip() for line in text.split("\n")]))
    rules = put_in_force(opened, Submission())
    dealt, compared, problem = _dealt(str(file), rounds)
    return RulebookCheck(
        opened.default.title,
        (),
        (*_open_questions(opened), *unwise(rules)),
        _warnings(rules, solves=bool(dealt)),
        dealt,
        compared,
        problem,
    )


def _open_questions(file: RulebookFile) -> Iterator[Unwise]:
    """Yield unused tables, a bundled game's id, and straights for which the file leaves the ace
    open."""
    book = file.default
    for place, words in unused_tables(file):
        yield Unwise(place, words)
    if book.id in BUNDLED and file.tree != load_rulebook(book.id).tree:
        yield Unwise(
            "id", f"{book.id!r} is a bundled game: take another id, or the two are mistaken"
        )
    hands = file.tree.get("hands", {})
    for name, hand in book.hands.items():
        if hand.ranking in ("two_card", "three_card") and "ace_low" not in hands.get(name, {}):
            straight = "A-2-3" if hand.ranking == "three_card" else "A-2"
            yield Unwise(
                f"hands.{name}",
                f"ace_low is left out, so {straight} is no straight: say `ace_low = true` or false",
            )
    rankings = file.tree.get("rankings", {})
    for name, ranking in book.rankings.items():
        if "straight" in " ".join(ranking.order) and "ace_low" not in rankings.get(name, {}):
            run = "-".join(("A", *book.deck.ranks[: ranking.size - 1]))
            yield Unwise(
                f"rankings.{name}",
                f"ace_low is left out, so {run} is a straight: say `ace_low = true` or false",
            )


def _dealt(name: str, rounds: int) -> tuple[int, tuple[Comparison, ...], str]:
    """Return the number of rounds dealt, the wagers beside their exact values, and why there are
    none."""
    if not rounds:
        return 0, (), ""
    try:
        setting, rules = setting_for(name, strategy="optimal", seed="check")
        prepare(setting)
        totals = RunTotals()
        for stretch in stretches(rounds):
            totals.add(play_stretch(setting, stretch))
        return rounds, compare(totals, setting, rules), ""
    except CroupierError as error:
        return 0, (), error.message


def _warnings(rules: Rules, *, solves: bool) -> tuple[str, ...]:
    """Return warnings about the paytables. A player's edge is reported only if `solves` is true."""
    figures: dict[str, dict[str, dict[str, Any]]] = {}
    for wager in wagers_of(rules.book) if solves else ():
        with suppress(Unsolvable):
            figures[wager] = {"": analyze(rules, wager)}
    return tuple(dict.fromkeys([*warnings_of(rules, figures), *all_order_warnings(rules)]))


def new_rulebook(name: str, to: str | Path | None = None) -> Path:
    """Write a commented rulebook file that can be played as it is, NAME.toml unless `to` names
    another, and return its path. An existing file is never overwritten."""
    if not name.replace("-", "").isalnum() or name != name.lower() or not name.isascii():
        raise BadRequest(f"{plain(name)}: a game's id has small letters, digits and hyphens")
    if name in BUNDLED:
        raise BadRequest(f"{name} is a bundled game: choose another id")
    path = Path(to) if to is not None else Path(f"{name}.toml")
    title = name.replace("-", " ").title()
    text = read_template().replace('"NAME"', json.dumps(name)).replace("TITLE", title)
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise BadRequest(f"{plain(path, 200)} cannot be written: {error.strerror}") from None
    return path


def rulebook_schema() -> dict[str, Any]:
    """Return the form of a rulebook file as JSON Schema, for editors."""
    schema = msgspec.json.schema(Rulebook, schema_hook=_any_value)
    schema["title"] = "A rulebook of Croupier"
    return schema


def _any_value(_: type) -> dict[str, Any]:
    """Allow any value in the place that a reading's choice sets."""
    return {"description": "any value"}


def rulebook_toml(rulebook: str | Path) -> str:
    """Return the text of a rulebook's file, which can be saved and used like any other."""
    return rulebook_text(str(rulebook))
