"""The dealing school behind the pages. Everything that blocks runs in its own threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, TypeAlias, TypeVar

import msgspec
from litestar import Controller, MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody
from msgspec import Meta

from croupier.errors import Refusal
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.machine_key import machine_key
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.loader import load_rulebook
from croupier.school.assessments import AssessmentForm, Assessments, Noted
from croupier.school.certificates import text
from croupier.school.challenges import ChallengeForm, Challenges
from croupier.school.classes import Classes, Course, CourseRequest
from croupier.school.drills.drawing import skills_for
from croupier.school.drills.games import (
    MOST_NAME,
    PaytableFamily,
    families_of,
    game_at_table,
    rulebook_of,
)
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
from croupier.school.exams import ExamForm, Exams
from croupier.school.exercises import AskedExercise, Exercises, MarkedAnswer, Standing
from croupier.school.progress_store import ProgressStore
from croupier.school.reports import (
    ClassReport,
    PersonReport,
    class_csv,
    class_report,
    person_csv,
    person_report,
    report_pdf,
)
from croupier.tables.state import Table
from croupier.web.accounts.class_codes import ClassCode, ClassCodeRequest
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.people import Person
from croupier.web.accounts.trial import is_rehearsal
from croupier.web.server.pools import Pool
from croupier.web.server.problems import PROBLEMS, Denied, NotThere
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.tables.pit import Pit, ThePit
from croupier.web.tables.rehearsals import rehearsal_table

T = TypeVar("T")


class GameForm(msgspec.Struct, frozen=True):
    """A game of the school. `paytables` lists the wagers with several paytables, the usual one
    first."""

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
    """What can be drilled, and the asker's progress."""

    games: tuple[GameForm, ...]
    tables: tuple[TableGame, ...]
    skills: tuple[Skill, ...]
    mastery: MasteryRule
    challenge: ChallengeRule
    exam: ExamRule
    standings: tuple[Standing, ...]
    courses: tuple[Course, ...]
    """Open classes set for the asker."""
    teaches: bool
    rehearses: bool
    """There are rehearsal tables, where work at the console is assessed."""


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
        """Return the school as this person sees it. Blocking: call it in a thread."""
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


TheSchool: TypeAlias = NamedDependency[School]


def _game(rulebook: str) -> GameForm:
    book = load_rulebook(rulebook).default
    skilled = skills_for(rulebook)
    return GameForm(rulebook, book.title, book.jurisdiction, skilled, families_of(rulebook))


def _table_games(tables: Sequence[Table]) -> Iterator[TableGame]:
    """Yield one open table for each game and paytables. Tables with their own rulebook are not
    drilled."""
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
    """Return whether this person may teach: floorpersons and operators with an account, not
    guests."""
    return person.role in ("floorperson", "operator") and not person.guest


def teacher(person: Person) -> Person:
    if not is_teacher(person):
        raise Denied(
            "a class is set by a floorperson or an operator who has an account", code="wrong_role"
        )
    return person


def may_read(person: Person, name: str, school: School) -> None:
    """Refuse unless the report is the person's own or of somebody in their classes; operators may
    read all. Blocking."""
    if name == person.name:
        return
    teacher(person)
    if person.role == "operator":
        return
    if not any(name in course.people for course in school.classes.of_teacher(person.name)):
        raise Denied(f"{name[:60]} is in none of your classes", code="wrong_role")


_Name = Annotated[str, Meta(max_length=80)]
_Game = Annotated[str, Meta(max_length=MOST_NAME)]
_Answer = Annotated[int, Meta(ge=0, le=20)] | Annotated[str, Meta(max_length=60)]
"""The index of a choice, from 0, or an amount as typed, `"17.50"`."""
_Number = Annotated[int, Meta(ge=0, le=10_000)]


class _Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class AskForm(_Form, frozen=True):
    """A request for an exercise. `rulebook` is `md-uth` or, with other paytables, `md-uth:trips=D`.
    `skill` is one skill (`payout.amount`), a kind (`payout`), or empty for any. `errors`: only
    exercises answered wrong or slowly before."""

    rulebook: _Game
    skill: _Name = ""
    errors: bool = False


class AnswerForm(_Form, frozen=True):
    """An answer. `choice` is the index of a choice, from 0, or an amount as typed, `"17.50"`."""

    rulebook: _Game
    skill: _Name
    exercise: _Name
    choice: _Answer


class BeginChallengeForm(_Form, frozen=True):
    rulebook: _Game
    kind: _Name = ""


class ChallengeAnswerForm(_Form, frozen=True):
    rulebook: _Game
    challenge: _Name
    number: _Number
    choice: _Answer
    kind: _Name = ""


class BeginExamForm(_Form, frozen=True):
    """An exam to begin. `course` is the class that it is taken for, whose skills are then
    examined."""

    rulebook: _Game
    skills: Annotated[tuple[_Name, ...], Meta(max_length=40)] = ()
    course: _Name = ""


class ExamAnswerForm(_Form, frozen=True):
    number: _Number
    choice: _Answer


class BeginAssessmentForm(_Form, frozen=True):
    """An assessment to begin. `task` is deck, round or accident."""

    rulebook: _Game
    task: _Name


class ChosenStepForm(_Form, frozen=True):
    label: _Name


class ClassesForm(msgspec.Struct, frozen=True):
    """The classes that the asker has set, or all of them for an operator, and the people who can be
    named."""

    classes: tuple[Course, ...]
    people: tuple[str, ...]


class ClassCodesForm(msgspec.Struct, frozen=True):
    codes: tuple[ClassCode, ...]


def _person(request: AnyRequest) -> Person:
    return visit_of(request).signed_in()


class SchoolRoutes(Controller):
    path = "/api/v1/school"
    tags = ("school",)

    @get("/", summary="Skills, games, and how far you are", responses=PROBLEMS)
    async def school(self, request: AnyRequest, school: TheSchool, pit: ThePit) -> SchoolForm:
        person = visit_of(request).person
        tables = [served.table for served in pit.tables if not is_rehearsal(served.name)]
        demo = pit.settings.demo
        return await school.run(lambda: school.form(person, tables, rehearses=demo))

    # -- exercises ----------------------------------------------------------------------------

    @post("/exercises", status_code=200, summary="An exercise", responses=PROBLEMS)
    async def ask(
        self, request: AnyRequest, data: JSONBody[AskForm], school: TheSchool
    ) -> AskedExercise:
        """Return the exercise that waits for your answer, or a new one. The time runs from when it
        was first asked."""
        name = _person(request).name
        return await school.run(
            lambda: school.exercises.ask(name, data.rulebook, data.skill, errors=data.errors)
        )

    @post("/answers", status_code=200, summary="Answer an exercise", responses=PROBLEMS)
    async def answer(
        self, request: AnyRequest, data: JSONBody[AnswerForm], school: TheSchool
    ) -> MarkedAnswer:
        """Mark an answer at once, citing the clause. It counts only once."""
        name = _person(request).name
        answer = (data.rulebook, data.skill, data.exercise, data.choice)
        return await school.run(lambda: school.exercises.answer(name, *answer))

    @post("/challenges", status_code=201, summary="60 seconds", responses=PROBLEMS)
    async def challenge(
        self, request: AnyRequest, data: JSONBody[BeginChallengeForm], school: TheSchool
    ) -> ChallengeForm:
        name = _person(request).name
        return await school.run(lambda: school.challenges.begin(name, data.rulebook, data.kind))

    @post("/challenges/answers", status_code=200, summary="Answer in time", responses=PROBLEMS)
    async def challenge_answer(
        self, request: AnyRequest, data: JSONBody[ChallengeAnswerForm], school: TheSchool
    ) -> ChallengeForm:
        """Return the challenge with the next question, or without one if the time is up."""
        name = _person(request).name
        answer = (data.rulebook, data.kind, data.challenge, data.number, data.choice)
        return await school.run(lambda: school.challenges.answer(name, *answer))

    # -- exams --------------------------------------------------------------------------------

    @post("/exams", status_code=201, summary="Begin an exam", responses=PROBLEMS)
    async def begin_exam(
        self, request: AnyRequest, data: JSONBody[BeginExamForm], school: TheSchool
    ) -> ExamForm:
        """Begin an exam, or continue one that has not ended. `commitment` is the hash of its
        seed."""
        name = _person(request).name

        def begun() -> ExamForm:
            rulebook, skills = data.rulebook, data.skills
            if data.course:
                course = school.classes.course(data.course)
                if name not in course.people:
                    raise Denied("this class is not set for you", code="wrong_role")
                rulebook, skills = course.rulebook, course.skills
            return school.exams.begin(name, rulebook, skills, data.course)

        return await school.run(begun)

    @get("/exams/{exam:str}", summary="An exam of yours", responses=PROBLEMS)
    async def exam(self, request: AnyRequest, exam: NameInPath, school: TheSchool) -> ExamForm:
        name = _person(request).name
        return await school.run(lambda: school.exams.look(name, exam))

    @post("/exams/{exam:str}/answers", status_code=200, summary="Answer", responses=PROBLEMS)
    async def exam_answer(
        self,
        request: AnyRequest,
        exam: NameInPath,
        data: JSONBody[ExamAnswerForm],
        school: TheSchool,
    ) -> ExamForm:
        """Return the next question or, after the last one, the score and the mistakes."""
        name = _person(request).name
        return await school.run(lambda: school.exams.answer(name, exam, data.number, data.choice))

    @get("/exams/{exam:str}/certificate", summary="The certificate", responses=PROBLEMS)
    async def certificate(
        self, request: AnyRequest, exam: NameInPath, school: TheSchool
    ) -> Response[str]:
        """Return a certificate file, which `croupier certificate` can recompute on any machine."""
        name = _person(request).name
        certificate = await school.run(lambda: school.exams.certificate(name, exam))
        return _file(text(certificate), f"certificate-{certificate.hash[:16]}.json", MediaType.JSON)

    # -- classes ------------------------------------------------------------------------------

    @get("/classes", summary="Classes that you have set", responses=PROBLEMS)
    async def classes(self, request: AnyRequest, school: TheSchool, pit: ThePit) -> ClassesForm:
        person = teacher(_person(request))
        return await school.run(lambda: _classes(school, pit, person))

    @post("/classes", status_code=201, summary="Set a course", responses=PROBLEMS)
    async def set_course(
        self, request: AnyRequest, data: JSONBody[CourseRequest], school: TheSchool, pit: ThePit
    ) -> Course:
        """Set a class for people with an account. Only floorpersons and operators may set one."""
        person = teacher(_person(request))
        return await school.run(lambda: school.classes.set_course(person.name, data, _people(pit)))

    @post("/classes/{course:str}/close", status_code=200, summary="Close it", responses=PROBLEMS)
    async def close(self, request: AnyRequest, course: NameInPath, school: TheSchool) -> Course:
        person = teacher(_person(request))
        return await school.run(lambda: school.classes.close(person.name, course))

    @get("/classes/{course:str}", summary="A class and its results", responses=PROBLEMS)
    async def course(
        self, request: AnyRequest, course: NameInPath, school: TheSchool
    ) -> ClassReport:
        person = teacher(_person(request))
        return await school.run(lambda: _class_report(school, person, course))

    @get("/classes/{course:str}/{form:str}", summary="As a file", responses=PROBLEMS)
    async def course_file(
        self, request: AnyRequest, course: NameInPath, form: NameInPath, school: TheSchool
    ) -> Response[bytes] | Response[str]:
        """Return a class report as `report.pdf` or `report.csv`."""
        person = teacher(_person(request))
        report = await school.run(lambda: _class_report(school, person, course))
        return await _report_file(school, report, form, f"class-{course[:20]}")

    # -- class codes --------------------------------------------------------------------------

    @get("/codes", summary="Class codes that you have issued", responses=PROBLEMS)
    async def codes(self, request: AnyRequest, school: TheSchool, pit: ThePit) -> ClassCodesForm:
        person, codes = _teacher_of_guests(request, pit), pit.people.class_codes
        codes_now = await school.run(lambda: codes.of_teacher(person.name))
        return ClassCodesForm(tuple(codes_now))

    @post("/codes", status_code=201, summary="Issue a class code", responses=PROBLEMS)
    async def issue_code(
        self, request: AnyRequest, data: JSONBody[ClassCodeRequest], school: TheSchool, pit: ThePit
    ) -> ClassCode:
        """Issue a code. Guests who enter with it are counted one by one, not as one address. Only
        this response contains the code."""
        person, codes = _teacher_of_guests(request, pit), pit.people.class_codes
        return await school.run(lambda: codes.issue(person.name, data))

    @post("/codes/{code:str}/revoke", status_code=200, summary="Revoke it", responses=PROBLEMS)
    async def revoke_code(
        self, request: AnyRequest, code: NameInPath, school: TheSchool, pit: ThePit
    ) -> ClassCode:
        """Revoke the code whose id is `code`."""
        person, codes = _teacher_of_guests(request, pit), pit.people.class_codes
        return await school.run(lambda: codes.revoke(person.name, code))

    # -- reports ------------------------------------------------------------------------------

    @get("/people/{name:str}", summary="A person's report", responses=PROBLEMS)
    async def person(
        self, request: AnyRequest, name: NameInPath, school: TheSchool
    ) -> PersonReport:
        """Return a report: your own or, for teachers, that of a person in their classes."""
        person = _person(request)
        return await school.run(lambda: _person_report(school, person, name))

    @get("/people/{name:str}/{form:str}", summary="As a file", responses=PROBLEMS)
    async def person_file(
        self, request: AnyRequest, name: NameInPath, form: NameInPath, school: TheSchool
    ) -> Response[bytes] | Response[str]:
        """Return a person's report as `report.pdf` or `report.csv`."""
        person = _person(request)
        report = await school.run(lambda: _person_report(school, person, name))
        return await _report_file(school, report, form, "school-report")

    # -- the console --------------------------------------------------------------------------

    @post("/assessments", status_code=201, summary="Be assessed at work", responses=PROBLEMS)
    async def begin_assessment(
        self,
        request: AnyRequest,
        data: JSONBody[BeginAssessmentForm],
        school: TheSchool,
        pit: ThePit,
    ) -> AssessmentForm:
        """Open a rehearsal table of the demo, where you deal and say what comes next."""
        person = _dealer(_person(request))
        if not pit.settings.demo:
            raise Denied(
                "the console is assessed at rehearsal tables, which a demo server has: "
                "croupier serve --demo",
                code="not_now",
            )
        served = await rehearsal_table(pit, rulebook_of(data.rulebook), person)
        return await school.run(
            lambda: school.assessments.begin(person.name, served.table, data.task)
        )

    @get("/assessments/{id_:str}", summary="How it stands", responses=PROBLEMS)
    async def assessment(
        self,
        request: AnyRequest,
        id_: NameInPath,
        table: FromQuery[str],
        school: TheSchool,
        pit: ThePit,
    ) -> AssessmentForm:
        name = _person(request).name
        state = pit.table(table).table
        return await school.run(lambda: school.assessments.look(name, id_, state))

    @post("/assessments/{id_:str}/steps", status_code=200, summary="This next", responses=PROBLEMS)
    async def choose(
        self,
        request: AnyRequest,
        id_: NameInPath,
        table: FromQuery[str],
        data: JSONBody[ChosenStepForm],
        school: TheSchool,
        pit: ThePit,
    ) -> Noted:
        """Return whether this step comes next. A step that is not due is recorded with its
        clause."""
        person = _dealer(_person(request))
        state = pit.table(table).table
        return await school.run(
            lambda: school.assessments.choose(person.name, person.role, id_, state, data.label)
        )

    @post("/assessments/{id_:str}/finish", status_code=200, summary="Done", responses=PROBLEMS)
    async def finish(
        self,
        request: AnyRequest,
        id_: NameInPath,
        table: FromQuery[str],
        school: TheSchool,
        pit: ThePit,
    ) -> AssessmentForm:
        """Return everything done, forgotten and refused, and the score."""
        name = _person(request).name
        state = pit.table(table).table
        return await school.run(lambda: school.assessments.finish(name, id_, state))


def _teacher_of_guests(request: AnyRequest, pit: Pit) -> Person:
    person = teacher(_person(request))
    if not pit.settings.demo:
        raise Refusal("this server has no guests, so it has no class codes", code="no_guests")
    return person


def _dealer(person: Person) -> Person:
    if person.role != "dealer":
        raise Denied("the dealer's console is assessed: come in as a dealer", code="wrong_role")
    return person


def _people(pit: Pit) -> list[str]:
    return [row.name for row in pit.people.listed() if not row.disabled]


def _classes(school: School, pit: Pit, person: Person) -> ClassesForm:
    courses = school.classes.all_courses()
    if person.role != "operator":
        courses = [course for course in courses if course.teacher == person.name]
    return ClassesForm(tuple(courses), tuple(_people(pit)))


def _class_report(school: School, person: Person, id_: str) -> ClassReport:
    course = school.classes.course(id_)
    if person.role != "operator" and course.teacher != person.name:
        raise Denied("this class was set by somebody else", code="wrong_role")
    return class_report(school.store, course)


def _person_report(school: School, person: Person, name: str) -> PersonReport:
    may_read(person, name, school)
    return person_report(school.store, name)


async def _report_file(
    school: School, report: ClassReport | PersonReport, form: str, name: str
) -> Response[bytes] | Response[str]:
    if form == "report.csv":
        report_text = class_csv(report) if isinstance(report, ClassReport) else person_csv(report)
        return _file(report_text, f"{name}.csv", "text/csv")
    if form != "report.pdf":
        raise NotThere(f"there is no {form[:40]!r}: report.pdf or report.csv")
    made = await school.run(lambda: report_pdf(report))
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return Response(made, media_type="application/pdf", headers=headers)


def _file(text: str, name: str, form: str) -> Response[str]:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=form, headers=headers)
