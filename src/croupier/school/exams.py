"""Dealers' exams: questions from a seed that the server keeps, no correction before the end, and a
certificate that anybody can recompute."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier import __version__
from croupier.errors import BadRequest, Refusal, shown
from croupier.ledger.entries import stamp
from croupier.ledger.signatures.machine_key import MachineKey
from croupier.money import format_cents
from croupier.rulebooks.kept_rules import reference_to
from croupier.runtime import clock
from croupier.school.certificates import (
    FORMAT,
    Certificate,
    Score,
    Unchecked,
    commitment_to,
    issue,
)
from croupier.school.drills.amounts import cents_typed
from croupier.school.drills.drawing import check_drillable, draw_drill, skills_for
from croupier.school.drills.drill import (
    Correction,
    Drill,
    Question,
    answer_in_words,
    graded,
    why_wrong,
)
from croupier.school.drills.games import game_named, rulebook_of
from croupier.school.drills.skills import exam_rule, skill_named
from croupier.school.mastery import millis_between
from croupier.school.progress_store import ProgressStore, RecordType

KIND: Final = "dealer exam"
DRILLS: Final = "2"
"""The version of the mapping from seeds to exercises; a change of that mapping changes it. In
version 2 amounts are typed."""
MOST_QUESTIONS: Final = 200
"""The most questions that a check deals again, so that a certificate cannot keep a machine busy."""
MOST_DIGITS: Final = 12


class Exam(msgspec.Struct, frozen=True):
    """`answers`: for each question the choice (1 is the first) or the typed amount, and the
    milliseconds taken."""

    id: str
    seed: str
    rulebook: str
    skills: tuple[str, ...]
    questions: int
    began_at: str
    asked_at: str
    answers: tuple[tuple[str, ...], ...] = ()
    ended_at: str = ""
    course: str = ""
    """The class that set it."""
    certificate: Certificate | None = None


EXAM: Final = RecordType("dealer exam", Exam)


class ExamAnswer(msgspec.Struct, frozen=True):
    """A wrongly answered question after the end: the given and the right answer in words; `why`
    explains the mistake."""

    question: Question
    said: str
    answer: str
    why: str
    seconds: float
    correction: Correction


class ExamForm(msgspec.Struct, frozen=True):
    """While the exam runs, the next question; at its end, the score and the wrong answers."""

    id: str
    rulebook: str
    number: int
    questions: int
    commitment: str
    question: Question | None
    score: Score | None = None
    wrong: tuple[ExamAnswer, ...] = ()
    hash: str = ""


class Exams:
    """Exams of all people. Its methods block: call them in a thread."""

    def __init__(
        self,
        store: ProgressStore,
        key: Callable[[], MachineKey],
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        self._store = store
        self._key = key
        self._now = now

    def begin(
        self, person: str, rulebook: str, skills: Sequence[str] = (), course: str = ""
    ) -> ExamForm:
        """Continue the unfinished exam or begin a new one, on all skills of the game if none is
        named."""
        rulebook, chosen = game_named(rulebook), _checked(rulebook, skills)
        now = stamp(self._now())
        for kept in self._store.of_person(person, EXAM):
            exam = kept.record
            if not exam.ended_at and (exam.rulebook, exam.skills) == (rulebook, chosen):
                return _form(exam)
        id_, seed = secrets.token_hex(8), secrets.token_hex(16)
        count = exam_rule().questions
        exam = Exam(id_, seed, rulebook, chosen, count, now, now, course=course)
        self._store.put(person, EXAM, id_, exam)
        return _form(exam)

    def answer(self, person: str, id_: str, number: int, choice: object) -> ExamForm:
        now = self._now()

        def answered(exam: Exam | None) -> Exam:
            if exam is None:
                raise Refusal(f"no exam {shown(id_)} is yours", code="nothing_there")
            if number != len(exam.answers) or exam.ended_at:
                raise Refusal(
                    f"question {shown(number)} was answered already, or not asked yet",
                    code="already_answered",
                )
            graded(_drill(exam, number), choice)
            assert isinstance(choice, int | str)
            millis = millis_between(exam.asked_at, now)
            if millis < 0:
                raise Refusal(
                    "the clock was set back: set it right; nothing was counted",
                    code="clock_set_back",
                )
            said = (_written(choice), str(millis))
            exam = replace(exam, answers=(*exam.answers, said), asked_at=stamp(now))
            if len(exam.answers) < exam.questions:
                return exam
            exam = replace(exam, ended_at=stamp(now))
            return replace(exam, certificate=_certified(exam, person, self._key()))

        return _form(self._store.change(person, EXAM, id_, answered))

    def look(self, person: str, id_: str) -> ExamForm:
        exam = self._store.get(person, EXAM, id_)
        if exam is None:
            raise Refusal(f"no exam {shown(id_)} is yours", code="nothing_there")
        return _form(exam)

    def certificate(self, person: str, id_: str) -> Certificate:
        exam = self._store.get(person, EXAM, id_)
        if exam is None or exam.certificate is None:
            raise Refusal("the exam has not ended: there is no certificate yet", code="not_now")
        return exam.certificate


def result_of(exam: Exam) -> Score:
    """Return the score of the answers."""
    right = in_time = 0
    for number, (choice, millis) in enumerate(exam.answers):
        drill = _drill(exam, number)
        is_right = graded(drill, _read(drill, choice))
        right += is_right
        in_time += is_right and int(millis) <= skill_named(drill.question.skill).seconds * 1000
    return {
        "questions": str(exam.questions),
        "right": str(right),
        "in_time": str(in_time),
        "passed": "yes" if right >= _needed(exam.questions) else "no",
    }


def recomputed(certificate: Certificate) -> Score:
    """Deal the exam again from its seed and mark its answers again."""
    terms = certificate.terms
    if terms.get("drills") != DRILLS:
        raise Unchecked(f"drills of form {terms.get('drills')!r}: this program has form {DRILLS}")
    rulebook = terms.get("rulebook", "")
    chosen = _checked(rulebook, tuple(terms.get("skills", "").split()))
    if terms.get("rules") != reference_to(rulebook_of(rulebook)):
        raise Unchecked(f"the rules of {rulebook} were others: this program cannot deal it again")
    if len(certificate.answers) > MOST_QUESTIONS:
        raise BadRequest(f"no exam has more than {MOST_QUESTIONS} questions")
    if terms.get("questions") != str(len(certificate.answers)):
        raise BadRequest(
            f"{len(certificate.answers)} answers to {terms.get('questions')} questions"
        )
    for said in certificate.answers:
        if len(said) != 2 or not _is_number(said[1]):
            raise BadRequest(
                f"{shown(said)} is not an answer: a choice or amount, and milliseconds"
            )
    return result_of(
        Exam(
            "",
            certificate.seed,
            rulebook,
            chosen,
            len(certificate.answers),
            certificate.began_at,
            certificate.ended_at,
            certificate.answers,
        )
    )


def _certified(exam: Exam, person: str, key: MachineKey) -> Certificate:
    terms = {
        "rulebook": exam.rulebook,
        "rules": reference_to(rulebook_of(exam.rulebook)),
        "skills": " ".join(exam.skills),
        "questions": str(exam.questions),
        "drills": DRILLS,
    }
    title = f"Dealing school, {exam.rulebook}: {exam.questions} questions"
    return issue(
        Certificate(
            FORMAT,
            KIND,
            title,
            person,
            exam.began_at,
            exam.ended_at,
            exam.seed,
            terms,
            exam.answers,
            result_of(exam),
            __version__,
        ),
        key,
    )


def _needed(questions: int) -> int:
    """Return the number of right answers to pass an exam of this length, rounded up."""
    rule = exam_rule()
    return -(-questions * rule.right // rule.questions)


def _checked(rulebook: str, skills: Sequence[str]) -> tuple[str, ...]:
    chosen = tuple(skills) or skills_for(rulebook)
    for skill in chosen:
        check_drillable(skill, rulebook)
    if len(set(chosen)) != len(chosen):
        raise BadRequest("a skill is named twice")
    return chosen


def _drill(exam: Exam, number: int) -> Drill:
    """Return the exercise of a question; skills take turns."""
    skill = exam.skills[number % len(exam.skills)]
    return draw_drill(skill, exam.rulebook, f"{exam.seed}/{number}")


def _written(answer: int | str) -> str:
    """Return an answer as a certificate has it: the number of the choice, or the amount with
    cents."""
    return str(answer + 1) if isinstance(answer, int) else format_cents(cents_typed(answer))


def _read(drill: Drill, text: str) -> int | str:
    if drill.question.typed:
        return text
    if not _is_number(text):
        raise BadRequest(f"{shown(text)} is not one of the choices")
    return int(text) - 1


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


def _form(exam: Exam) -> ExamForm:
    number = len(exam.answers)
    over = bool(exam.ended_at)
    return ExamForm(
        exam.id,
        exam.rulebook,
        number,
        exam.questions,
        commitment_to(exam.seed),
        None if over else _drill(exam, number).question,
        result_of(exam) if over else None,
        _wrong(exam) if over else (),
        exam.certificate.hash if exam.certificate is not None else "",
    )


def _wrong(exam: Exam) -> tuple[ExamAnswer, ...]:
    wrong_answers = []
    for number, (text, millis) in enumerate(exam.answers):
        drill = _drill(exam, number)
        answer = _read(drill, text)
        if not graded(drill, answer):
            seconds = round(int(millis) / 1000, 1)
            said = answer_in_words(drill, answer)
            why = why_wrong(drill, answer)
            wrong_answers.append(
                ExamAnswer(drill.question, said, drill.answer, why, seconds, drill.correction)
            )
    return tuple(wrong_answers)
