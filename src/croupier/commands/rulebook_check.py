"""`croupier rulebooks check`, `new` and `schema`: for people who write a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.table import Table

from croupier.commands.output import console, print_json, styled
from croupier.commands.strategy import working
from croupier.errors import BadData, BadRequest, CroupierError, Unsolvable, plain
from croupier.files import is_toml_file
from croupier.mathematics.questions.analysis import analyze, wagers_of
from croupier.mathematics.questions.callouts import all_order_warnings, warnings_of
from croupier.rounds.unwise import Unwise, unwise
from croupier.rulebooks.bundled import BUNDLED, read_template
from croupier.rulebooks.loader import RulebookFile, load_rulebook, open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission
from croupier.rulebooks.unused_tables import unused_tables
from croupier.simulation.comparing import Comparison, compare
from croupier.simulation.playing import RunTotals, play_stretch, prepare, stretches
from croupier.simulation.run_setting import setting_for

__all__ = ["run_check", "run_new", "run_schema"]


class _Played(NamedTuple):
    """The rounds that were dealt, beside the exact figures; or why none were."""

    rounds: int
    compared: tuple[Comparison, ...]
    problem: str = ""

    @property
    def is_off(self) -> bool:
        return any(one.is_too_far for one in self.compared)


def run_check(file: Path, *, rounds: int, as_json: bool) -> int:
    """0: it can be played; 1: something is wrong, or the engine and the solvers differ."""
    if not 0 <= rounds <= 1_000_000:
        raise BadRequest(f"--rounds {rounds}: 0 to 1,000,000")
    if not is_toml_file(str(file)):
        raise BadRequest(f"{plain(file, 200)}: a rulebook file ends in .toml")
    try:
        found = open_rulebook(str(file))
    except BadData as error:
        return _tell_mistakes(_listed(error, file), as_json=as_json)
    rules = put_in_force(found, Submission())
    advice = [*_of_file(found), *unwise(rules)]
    with working(f"dealing {rounds:,} rounds"):
        played = _play(str(file), rounds)
    if as_json:
        _print_json(advice, _warnings(rules, played), played)
    else:
        _print(found.default, advice, _warnings(rules, played), played)
    return 1 if played.is_off else 0


def _warnings(rules: Rules, played: _Played) -> list[str]:
    """A player's edge is known once the wagers are solved, which dealing rounds asks for."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for wager in wagers_of(rules.book) if played.rounds else ():
        with suppress(Unsolvable):
            found[wager] = {"": analyze(rules, wager)}
    return list(dict.fromkeys([*warnings_of(rules, found), *all_order_warnings(rules)]))


def _listed(error: CroupierError, file: Path) -> list[str]:
    text = error.message.removeprefix(f"{plain(file, 200)}: ")
    return [line.strip() for line in text.split("\n")]


def _tell_mistakes(mistakes: list[str], *, as_json: bool) -> int:
    if as_json:
        told: dict[str, object] = {"valid": False, "mistakes": mistakes, "unwise": []}
        print_json(told | {"warnings": [], "rounds": None})
        return 1
    count = f"{len(mistakes)} mistake{'' if len(mistakes) == 1 else 's'}"
    console().print(styled("[bold red]{count}[/]", count=count))
    for mistake in mistakes:
        console().print(f"  {mistake}", soft_wrap=True)
    return 1


def _of_file(found: RulebookFile) -> Iterator[Unwise]:
    """What the file leaves open, takes from others, or has for nobody."""
    book = found.default
    for place, words in unused_tables(found):
        yield Unwise(place, words)
    if book.id in BUNDLED and found.tree != load_rulebook(book.id).tree:
        yield Unwise(
            "id", f"{book.id!r} is a bundled game: take another id, or the two are mistaken"
        )
    hands = found.tree.get("hands", {})
    for name, hand in book.hands.items():
        if hand.ranking in ("two_card", "three_card") and "ace_low" not in hands.get(name, {}):
            straight = "A-2-3" if hand.ranking == "three_card" else "A-2"
            yield Unwise(
                f"hands.{name}",
                f"ace_low is left out, so {straight} is no straight: say `ace_low = true` or false",
            )
    rankings = found.tree.get("rankings", {})
    for name, ranking in book.rankings.items():
        if "straight" in " ".join(ranking.order) and "ace_low" not in rankings.get(name, {}):
            run = "-".join(("A", *book.deck.ranks[: ranking.size - 1]))
            yield Unwise(
                f"rankings.{name}",
                f"ace_low is left out, so {run} is a straight: say `ace_low = true` or false",
            )


def _play(name: str, rounds: int) -> _Played:
    if not rounds:
        return _Played(0, ())
    try:
        setting, rules = setting_for(name, strategy="optimal", seed="check")
        prepare(setting)
        tally = RunTotals()
        for stretch in stretches(rounds):
            tally.add(play_stretch(setting, stretch))
        return _Played(rounds, compare(tally, setting, rules))
    except CroupierError as error:
        return _Played(0, (), error.message)


def _print_json(advice: list[Unwise], warnings: list[str], played: _Played) -> None:
    compared = {
        one.wager: {"mean": one.mean, "error": one.error, "exact": one.exact, "z": one.z}
        for one in played.compared
    }
    rounds: dict[str, Any] = {"dealt": played.rounds, "wagers": compared}
    if played.problem:
        rounds["problem"] = played.problem
    print_json(
        {
            "valid": True,
            "mistakes": [],
            "unwise": [one._asdict() for one in advice],
            "warnings": warnings,
            "rounds": rounds,
        }
    )


def _print(book: Rulebook, advice: list[Unwise], warnings: list[str], played: _Played) -> None:
    out = console()
    out.print(styled("[bold green]{title} can be dealt and settled.[/]", title=book.title))
    if advice:
        out.print(styled("\n[bold]Is this meant?[/]"))
    for place, words in advice:
        out.print(f"  at {place}: {words}", soft_wrap=True)
    for warning in warnings:
        out.print(f"\nWarning: {warning}", soft_wrap=True)
    if played.problem:
        out.print(f"\nNo rounds were dealt: {played.problem}")
    if not played.compared:
        return
    out.print(f"\n{played.rounds:,} rounds by the engine, beside the exact figures:")
    grid = Table("wager", "mean", "exact", "z", box=None, padding=(0, 2, 0, 0))
    for one in played.compared:
        exact = "–" if one.exact is None else f"{one.exact:+.5f}"
        grid.add_row(
            one.wager, f"{one.mean:+.4f}", exact, "–" if one.z is None else f"{one.z:+.1f}"
        )
    out.print(grid)
    if played.is_off:
        words = "The engine and the exact figures differ: please report this file."
        out.print(styled("[bold red]{words}[/]", words=words))


def run_new(name: str, to: Path | None) -> int:
    """A commented file that can be played as it is."""
    if not name.replace("-", "").isalnum() or name != name.lower() or not name.isascii():
        raise BadRequest(f"{plain(name)}: a game's id has small letters, digits and hyphens")
    if name in BUNDLED:
        raise BadRequest(f"{name} is a bundled game: choose another id")
    path = to or Path(f"{name}.toml")
    title = name.replace("-", " ").title()
    text = read_template().replace('"NAME"', json.dumps(name)).replace("TITLE", title)
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise BadRequest(f"{plain(path, 200)} cannot be written: {error.strerror}") from None
    console().print(f"{path} is there. Next: croupier rulebooks check {path}")
    return 0


def run_schema() -> int:
    """For editors: names and types are checked while one writes."""
    schema = msgspec.json.schema(Rulebook, schema_hook=_anything)
    schema["title"] = "A rulebook of Croupier"
    print_json(schema)
    return 0


def _anything(_: type) -> dict[str, Any]:
    """A reading's choice may put any value in its place."""
    return {"description": "any value"}
