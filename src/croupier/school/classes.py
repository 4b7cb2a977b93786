"""Classes: a teacher sets a course for named people and sees each person's progress."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from croupier.errors import BadRequest, Refusal, shown, suggest
from croupier.ledger.entries import stamp
from croupier.runtime import clock
from croupier.school.drills.drawing import check_drillable
from croupier.school.drills.games import MOST_NAME, game_named
from croupier.school.progress_store import ProgressStore, RecordType

MOST_PEOPLE: Final = 200
MOST_COURSES: Final = 200

_Name = Annotated[str, Meta(min_length=1, max_length=60)]


class CourseRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A teacher's request for a course. `exam`: the course ends with an exam on these skills."""

    title: _Name
    rulebook: Annotated[str, Meta(min_length=1, max_length=MOST_NAME)]
    """`md-uth`, or with other paytables `md-uth:trips=D`."""
    skills: Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=40)]
    people: Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=MOST_PEOPLE)]
    exam: bool = True


class Course(msgspec.Struct, frozen=True):
    id: str
    title: str
    teacher: str
    rulebook: str
    skills: tuple[str, ...]
    people: tuple[str, ...]
    exam: bool
    set_at: str
    closed_at: str = ""


COURSE: Final = RecordType("dealer course", Course)


class Classes:
    """Courses of all teachers. Its methods block: call them in a thread."""

    def __init__(self, store: ProgressStore, now: Callable[[], datetime] = clock.now) -> None:
        self._store = store
        self._now = now

    def set_course(
        self, teacher: str, request: CourseRequest, known_people: Sequence[str] | None = None
    ) -> Course:
        """Create a course. Refused: a name without an account, a skill that the game does not
        have."""
        _check(request, known_people)
        if len(self.of_teacher(teacher)) >= MOST_COURSES:
            raise Refusal(f"{MOST_COURSES} classes are set already: close some", code="over_limit")
        course = Course(
            secrets.token_hex(4),
            request.title.strip(),
            teacher,
            game_named(request.rulebook),
            request.skills,
            request.people,
            request.exam,
            stamp(self._now()),
        )
        self._store.put(teacher, COURSE, course.id, course)
        return course

    def close(self, teacher: str, id_: str) -> Course:
        def closed(course: Course | None) -> Course:
            if course is None:
                raise _unknown(id_)
            return course if course.closed_at else replace(course, closed_at=stamp(self._now()))

        return self._store.change(teacher, COURSE, id_, closed)

    def of_teacher(self, teacher: str) -> list[Course]:
        return [kept.record for kept in self._store.of_person(teacher, COURSE)]

    def all_courses(self) -> list[Course]:
        return [kept.record for kept in self._store.of_everybody(COURSE)]

    def of_person(self, person: str) -> list[Course]:
        """Return the open courses that include this person."""
        return [
            course
            for course in self.all_courses()
            if person in course.people and not course.closed_at
        ]

    def course(self, id_: str) -> Course:
        course = next((candidate for candidate in self.all_courses() if candidate.id == id_), None)
        if course is None:
            raise _unknown(id_)
        return course


def _unknown(id_: str) -> Refusal:
    return Refusal(f"there is no class {shown(id_)}", code="nothing_there")


def _check(request: CourseRequest, known_people: Sequence[str] | None) -> None:
    if not request.title.strip():
        raise BadRequest("a class has a title")
    game_named(request.rulebook)
    for noun, names in (("skill", request.skills), ("person", request.people)):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise BadRequest(f"the {noun} {shown(twice)} is named twice")
    for skill in request.skills:
        check_drillable(skill, request.rulebook)
    for person in request.people:
        if known_people is not None and person not in known_people:
            raise suggest("person", person, known_people)
