"""The dealing school behind the pages: everything that blocks runs in threads of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import msgspec

from croupier.ledger.journal import Journal
from croupier.ledger.machine_key import machine_key
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.loader import load_rulebook
from croupier.school.assessments import Assessments
from croupier.school.challenges import Challenges
from croupier.school.classes import Classes, Course
from croupier.school.drills.drawing import skills_for
from croupier.school.drills.games import PaytableFamily, families_of, game_at_table
from croupier.school.drills.skills import (
    ChallengeRule,
    ExamRule,
    MasteryRule,
    Skill,
    challenge_rule,
    exam_rule,
    mastery_rule,
    skills,
)
from croupier.school.exams import Exams
from croupier.school.exercises import Exercises, Standing
from croupier.school.progress_store import ProgressStore
from croupier.tables.state import Table
from croupier.web.people import Person
from croupier.web.pools import Pool
from croupier.web.problems import Denied

__all__ = ["School", "SchoolForm", "may_read", "teacher"]

T = TypeVar("T")


class GameForm(msgspec.Struct, frozen=True):
    """`paytables`: where there is more than one to choose from, the first one is the usual."""

    rulebook: str
    title: str
    jurisdiction: str
    skills: tuple[str, ...]
    paytables: tuple[PaytableFamily, ...]


class TableGame(msgspec.Struct, frozen=True):
    """A table of the house, and its game with the paytables in force there: `md-uth:trips=D`."""

    table: str
    game: str


class SchoolForm(msgspec.Struct, frozen=True):
    """What can be drilled, and how far the asker has come."""

    games: tuple[GameForm, ...]
    tables: tuple[TableGame, ...]
    skills: tuple[Skill, ...]
    mastery: MasteryRule
    challenge: ChallengeRule
    exam: ExamRule
    standings: tuple[Standing, ...]
    courses: tuple[Course, ...]
    """Set for the asker, and not closed."""
    teaches: bool
    rehearses: bool
    """There are rehearsal tables, where the console is assessed."""


class School:
    def __init__(self, journal: Journal) -> None:
        self._pool = Pool("school", "exercises", 2, 60)
        self.store = ProgressStore(journal)
        self.exercises = Exercises(self.store)
        self.challenges = Challenges(self.store)
        self.exams = Exams(self.store, machine_key)
        self.classes = Classes(self.store)
        self.assessments = Assessments(self.store, journal)

    async def run(self, work: Callable[[], T]) -> T:
        return await self._pool.run(work)

    def form(
        self, person: Person | None, tables: Sequence[Table], *, rehearses: bool
    ) -> SchoolForm:
        """Blocking: for a thread."""
        name = person.name if person is not None else ""
        return SchoolForm(
            tuple(_game(book) for book in BUNDLED),
            tuple(_table_games(tables)),
            skills(),
            mastery_rule(),
            challenge_rule(),
            exam_rule(),
            tuple(self.exercises.standings(name)) if name else (),
            tuple(self.classes.of_person(name)) if name else (),
            person is not None and is_teacher(person),
            rehearses,
        )


def _game(rulebook: str) -> GameForm:
    book = load_rulebook(rulebook).default
    skilled = skills_for(rulebook)
    return GameForm(rulebook, book.title, book.jurisdiction, skilled, families_of(rulebook))


def _table_games(tables: Sequence[Table]) -> Iterator[TableGame]:
    """Of the tables that are open, one for each game and paytables. A table with a rulebook of its
    own is not drilled."""
    seen: set[tuple[str, str, str]] = set()
    played = {""}
    for table in tables:
        terms = table.rulebook, table.rulebook_text, table.submission
        if not table.is_open or terms in seen:
            continue
        seen.add(terms)
        game = game_at_table(*terms)
        if game not in played:
            played.add(game)
            yield TableGame(table.id, game)


def is_teacher(person: Person) -> bool:
    """Floorpersons and operators with an account: a guest has nobody to teach."""
    return person.role in ("floorperson", "operator") and not person.guest


def teacher(person: Person) -> Person:
    if not is_teacher(person):
        raise Denied(
            "a class is set by a floorperson or an operator who has an account", code="wrong_role"
        )
    return person


def may_read(person: Person, other: str, school: School) -> None:
    """One's own report; of the people in one's classes; an operator of everybody. Blocking."""
    if other == person.name:
        return
    teacher(person)
    if person.role == "operator":
        return
    if not any(other in one.people for one in school.classes.of_teacher(person.name)):
        raise Denied(f"{other[:60]} is in none of your classes", code="wrong_role")
