"""Are the figures of two versions of Croupier the same, to the last digit?

Each version answers the same questions, through its command line: every paytable of every wager of
every bundled game, charts, prices of the shipped strategies, sessions, cards seen, and advice on
hands drawn from a seed. The answers are files, so the other version may be gone by then.

    python -m benchmarks.same_figures collect before     # with the tree before the change
    python -m benchmarks.same_figures collect after      # and after it
    python -m benchmarks.same_figures compare before after

A later version may add keys and answer what was refused. All else must be equal, or `compare` lists
it and ends with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

GAMES: Final = (
    *("md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235"),
    *("casino-holdem", "texas-holdem-bonus", "three-card-poker", "caribbean-stud"),
    *("let-it-ride", "mississippi-stud", "four-card-poker", "crazy-4-poker", "high-card-flush"),
)
SUITS: Final = "cdhs"
HANDS: Final = 12
"""Advice is asked for so many hands at each decision."""
PATIENCE: Final = 3600.0


def run(*words: str, cache: Path) -> Any:
    """What the command prints; an error is an answer too."""
    environment = {**os.environ, "CROUPIER_CACHE_DIR": str(cache)}
    program = [sys.executable, "-m", "croupier", *words, "--json"]
    done = subprocess.run(
        program, capture_output=True, env=environment, timeout=PATIENCE, check=False
    )
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"error": {"code": "crash", "message": done.stderr.decode()[-500:]}}


def questions(game: str, book: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """A name and a command for each question about a game."""
    yield "analyze", ["analyze", game, "--all"]
    yield "last", ["analyze", game, "--wager", "main", "--equal-actions", "last"]
    yield "players", ["analyze", game, "--others", "3", "--hands", "4"]
    yield "chart", ["strategy", "chart", game, "--values"]
    yield "prices", ["strategy", "compare", game]
    for decision in book["decisions"][1:]:
        name = decision["name"]
        yield f"chart-{name}", ["strategy", "chart", game, "--decision", name, "--values"]
    required = [n for n, wager in book["wagers"].items() if wager["role"] == "required"]
    stakes = [word for name in required for word in ("--stake", f"{name}=10")]
    yield "session", ["session", game, *stakes, "--rounds", "100", "--bankroll", "500"]
    optional = [n for n, wager in book["wagers"].items() if wager["role"] == "optional"]
    if optional:
        side = ["--stake", f"{optional[0]}=5"]
        yield "session-side", ["session", game, *stakes, *side, "--rounds", "50"]
    for reveal in book["reveals"]:
        if reveal["community"]:
            yield f"knows-{reveal['name']}", ["analyze", game, "--knows", f"{reveal['name']}=1"]
    if book["cards"]["dealer"]:
        yield "knows-dealer", ["analyze", game, "--knows", "dealer=1"]
    yield from advice(game, book)


def advice(game: str, book: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    chance = random.Random(f"advice {game}")
    deck = [rank + suit for rank in book["deck"]["ranks"] for suit in SUITS]
    for decision in book["decisions"]:
        own, shown, dealer = (
            decision[f"sees_{whose}"] for whose in ("player", "community", "dealer")
        )
        for number in range(HANDS):
            cards = chance.sample(deck, own + shown + dealer)
            words = ["advise", game, "--decision", decision["name"]]
            words += ["--cards", " ".join(cards[:own])]
            if shown:
                words += ["--community", " ".join(cards[own : own + shown])]
            if dealer:
                words += ["--dealer", " ".join(cards[own + shown :])]
            yield f"advise-{decision['name']}-{number}", words


def collect(folder: Path, games: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as cache:
        for game in games:
            book = run("rulebooks", "show", game, cache=Path(cache))[game]
            asked = list(questions(game, book))
            (folder / game).mkdir(parents=True, exist_ok=True)

            def answer(question: tuple[str, list[str]], game: str = game) -> None:
                name, words = question
                found = run(*words, cache=Path(cache))
                text = json.dumps(found, indent=1, sort_keys=True)
                (folder / game / f"{name}.json").write_text(text, "utf-8")

            answer(asked[0])  # the others find the solution in the cache
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(answer, asked[1:]))
            print(f"{game}: {len(asked)} questions", flush=True)


def differences(before: Any, after: Any, path: str) -> Iterator[str]:
    """Where the answers differ; a key that was added is no difference."""
    if isinstance(before, dict) and "error" in before and before != after:
        return  # what was refused may be answered now
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            if key in after:
                yield from differences(value, after[key], f"{path}.{key}")
            else:
                yield f"{path}.{key} is missing"
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{path}[{number}]")
    elif before != after:
        yield f"{path}: {str(before)[:80]} became {str(after)[:80]}"


def compare(before: Path, after: Path) -> int:
    count, found = 0, []
    for file in sorted(before.rglob("*.json")):
        count += 1
        name = str(file.relative_to(before).with_suffix(""))
        other = after / file.relative_to(before)
        if not other.exists():
            found.append(f"{name}: not asked")
            continue
        old, new = (json.loads(each.read_text("utf-8")) for each in (file, other))
        if "error" in old and "error" not in new:
            print(f"{name}: answered now")
        found += list(differences(old, new, name))
    print(*found[:200], sep="\n")
    print(f"{count} answers compared, {len(found)} differences")
    return int(bool(found))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_figures")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("collect")
    one.add_argument("folder", type=Path)
    one.add_argument("--game", action="append")
    two = commands.add_parser("compare")
    two.add_argument("before", type=Path)
    two.add_argument("after", type=Path)
    asked = parser.parse_args(arguments)
    if asked.command == "compare":
        return compare(asked.before, asked.after)
    collect(asked.folder, tuple(asked.game or GAMES))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
