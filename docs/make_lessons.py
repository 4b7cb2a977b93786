"""Finds for every bundled game the deck of its lesson, and writes `web/tables/lessons.json`.

The learner says what is exactly best at every decision, by a clear margin, and wins against a
dealer who qualifies; where a game asks more than once, more than one answer is shown. Run
`python docs/make_lessons.py` from the project's folder after a change of rules or solvers.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import msgspec

from croupier.errors import Unsolvable
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.loader import load_rulebook
from croupier.runtime.player_questions import answer, question_for
from croupier.tables.state import Table
from croupier.web.tables.lessons import SEAT, Answer, LessonStep, play_lesson

FILE = Path(__file__).parents[1] / "src/croupier/web/tables/lessons.json"
CLEAR = Fraction(1, 10)
"""The least by which the best answer is better than the next, in units of a required wager."""
SEEDS = 2000


class TooClose(Exception):
    """A decision that teaches little."""


def best(table: Table) -> Answer:
    found = {said: Fraction(*value) for said, value in answer(question_for(table, SEAT)).items()}
    said, *others = sorted(found, key=lambda one: -found[one])
    if others and found[said] - found[others[0]] < CLEAR:
        raise TooClose
    return Answer(said, {one: str(value) for one, value in found.items()})


def teaches(played: list[LessonStep], answers: list[Answer], asked: int) -> bool:
    state = played[-1].view.round
    won = float(state.seats[0].net or 0) > 0
    last = answers[-1]
    pays = Fraction(last.values[last.action]) > 0
    return won and pays and state.qualifies is not False and len(answers) >= min(2, asked)


def search(rulebook: str) -> dict[str, object]:
    asked = len(load_rulebook(rulebook).default.decisions)
    for seed in range(SEEDS):
        answers: list[Answer] = []

        def say(table: Table, into: list[Answer] = answers) -> Answer:
            into.append(best(table))
            return into[-1]

        try:
            played = play_lesson(rulebook, seed, say)
        except TooClose:
            continue
        if teaches(played, answers, asked):
            return {"seed": seed, "answers": answers}
    raise SystemExit(f"{rulebook}: none of {SEEDS} decks teaches it")


def main(names: list[str]) -> None:
    found = msgspec.json.decode(FILE.read_bytes()) if FILE.exists() else {}
    for rulebook in names or BUNDLED:
        try:
            found[rulebook] = search(rulebook)
        except Unsolvable as error:
            print(f"{rulebook}: no lesson, {error}"[:200])
            continue
        print(f"{rulebook}: deck {found[rulebook]['seed']}")
    ordered = {name: found[name] for name in BUNDLED if name in found}
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
