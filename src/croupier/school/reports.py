"""Reports on the progress of a person or a class: as data, as CSV, and as a sheet to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

import msgspec

from croupier.reports.exports import csv_line
from croupier.reports.sheets import Paper, printable, typeset
from croupier.school.assessments import ASSESSMENT, TASKS
from croupier.school.challenges import CHALLENGE
from croupier.school.classes import Course
from croupier.school.drills.skills import mastery_rule, skill_named, skills
from croupier.school.exams import EXAM
from croupier.school.exercises import Standing, standing_of
from croupier.school.mastery import SKILL, SkillProgress, skill_key
from croupier.school.progress_store import ProgressStore


class SkillRow(msgspec.Struct, frozen=True):
    """`target`: the skill's time limit in seconds; `seconds`: the mean time of the answers."""

    rulebook: str
    skill: str
    title: str
    target: int
    standing: Standing


class ExamRow(msgspec.Struct, frozen=True):
    id: str
    rulebook: str
    ended_at: str
    right: str
    questions: str
    in_time: str
    passed: bool
    hash: str
    course: str = ""


class ChallengeRow(msgspec.Struct, frozen=True):
    rulebook: str
    kind: str
    best: int
    runs: int


class AssessmentRow(msgspec.Struct, frozen=True):
    id: str
    rulebook: str
    task: str
    words: str
    began_at: str
    ended_at: str
    right: int
    mistakes: int


class PersonReport(msgspec.Struct, frozen=True):
    person: str
    mastered: int
    begun: int
    skills: tuple[SkillRow, ...]
    exams: tuple[ExamRow, ...]
    challenges: tuple[ChallengeRow, ...]
    assessments: tuple[AssessmentRow, ...]


class MemberRow(msgspec.Struct, frozen=True):
    """A member of a class: their progress in every skill of the course, and the best exam."""

    person: str
    mastered: int
    skills: tuple[Standing, ...]
    exam: ExamRow | None


class ClassReport(msgspec.Struct, frozen=True):
    course: Course
    titles: tuple[str, ...]
    """The titles of the skills of the course."""
    needed: int
    """How many of the last answers must be right and in time."""
    people: tuple[MemberRow, ...]


def person_report(store: ProgressStore, person: str) -> PersonReport:
    rows = tuple(_skill_rows(store, person))
    return PersonReport(
        person,
        sum(row.standing.mastered for row in rows),
        len(rows),
        rows,
        tuple(_exam_rows(store, person)),
        tuple(
            ChallengeRow(
                kept.key.partition("/")[0],
                kept.key.partition("/")[2],
                kept.record.best,
                len(kept.record.runs),
            )
            for kept in store.of_person(person, CHALLENGE)
        ),
        tuple(
            AssessmentRow(
                assessment.id,
                assessment.rulebook,
                assessment.task,
                TASKS[assessment.task],
                assessment.began_at,
                assessment.ended_at,
                sum(noted.kind == "right" for noted in assessment.noted),
                sum(noted.kind != "right" for noted in assessment.noted),
            )
            for assessment in (kept.record for kept in store.of_person(person, ASSESSMENT))
            if assessment.ended_at
        ),
    )


def class_report(store: ProgressStore, course: Course) -> ClassReport:
    return ClassReport(
        course,
        tuple(skill_named(skill).title for skill in course.skills),
        mastery_rule().right,
        tuple(_member(store, course, person) for person in course.people),
    )


def _member(store: ProgressStore, course: Course, person: str) -> MemberRow:
    progress = {kept.key: kept.record for kept in store.of_person(person, SKILL)}
    standings = tuple(
        standing_of(
            course.rulebook,
            skill,
            progress.get(skill_key(course.rulebook, skill), SkillProgress()),
        )
        for skill in course.skills
    )
    exams = [row for row in _exam_rows(store, person) if row.course == course.id]
    best = max(exams, key=lambda row: int(row.right), default=None)
    return MemberRow(person, sum(row.mastered for row in standings), standings, best)


def _skill_rows(store: ProgressStore, person: str) -> Iterator[SkillRow]:
    known = {skill.id: skill for skill in skills()}
    for kept in store.of_person(person, SKILL):
        rulebook, _, name = kept.key.partition("/")
        skill = known.get(name)
        if skill is not None and kept.record.done:
            standing = standing_of(rulebook, name, kept.record)
            yield SkillRow(rulebook, name, skill.title, skill.seconds, standing)


def _exam_rows(store: ProgressStore, person: str) -> Iterator[ExamRow]:
    for kept in store.of_person(person, EXAM):
        exam, certificate = kept.record, kept.record.certificate
        if certificate is None:
            continue
        score = certificate.score
        yield ExamRow(
            exam.id,
            exam.rulebook,
            exam.ended_at,
            score["right"],
            score["questions"],
            score["in_time"],
            score["passed"] == "yes",
            certificate.hash,
            exam.course,
        )


# -- CSV ------------------------------------------------------------------------------------------

_SKILL_COLUMNS = (
    *("person", "game", "skill", "title", "target_seconds", "exercises", "right", "in_time"),
    *("good_of_last_30", "mean_seconds", "mastered", "mastered_at", "to_repeat"),
)


def person_csv(report: PersonReport) -> str:
    """Return a line for every skill begun."""
    lines = [csv_line(_SKILL_COLUMNS)]
    lines += [_skill_line(report.person, row.title, row.standing) for row in report.skills]
    return "".join(lines)


def class_csv(report: ClassReport) -> str:
    """Return a line for every person and skill of the course."""
    lines = [csv_line(_SKILL_COLUMNS)]
    for member in report.people:
        for title, standing in zip(report.titles, member.skills, strict=True):
            lines.append(_skill_line(member.person, title, standing))
    return "".join(lines)


def _skill_line(person: str, title: str, standing: Standing) -> str:
    cells: Sequence[object] = (
        person,
        standing.rulebook,
        standing.skill,
        title,
        skill_named(standing.skill).seconds,
        standing.done,
        standing.right,
        standing.in_time,
        standing.good_of_last,
        standing.seconds,
        "yes" if standing.mastered else "no",
        standing.mastered_at,
        standing.errors,
    )
    return csv_line([str(cell) for cell in cells])


# -- PDF ------------------------------------------------------------------------------------------


def report_pdf(report: PersonReport | ClassReport, paper: Paper = "letter") -> bytes:
    template = files(__package__).joinpath("report.typ").read_bytes()
    subject = "class" if isinstance(report, ClassReport) else "person"
    content = {"kind": subject, "report": report, "rule": mastery_rule()}
    inputs = {
        "told": msgspec.json.encode(printable(msgspec.to_builtins(content))).decode(),
        "paper": {"letter": "us-letter", "a4": "a4"}[paper],
    }
    return typeset(template, inputs)
