"""Dealers' exercises, counted once by the server's clock; mastery, challenge, exam, class."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.errors import BadRequest, CroupierError, Refusal
from croupier.ledger.journal import open_journal
from croupier.ledger.signatures.machine_key import MachineKey
from croupier.money import dollars, parse_cents
from croupier.school import exams as dealer_exams
from croupier.school.certificate_kinds import KINDS
from croupier.school.certificates import check, read, text
from croupier.school.challenges import CHALLENGE, Challenges
from croupier.school.classes import Classes, CourseRequest
from croupier.school.drills.drawing import draw_drill, skills_for
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Drill
from croupier.school.drills.skills import ExamRule, exam_rule, mastery_rule, skills
from croupier.school.exams import EXAM, Exams
from croupier.school.exercises import Exercises, MarkedAnswer
from croupier.school.mastery import SKILL, SkillProgress
from croupier.school.progress_store import ProgressStore
from croupier.school.reports import (
    class_csv,
    class_report,
    person_csv,
    person_report,
    report_pdf,
)

BOOK, NAME = "md-uth", "hands.qualifies"


class Watch:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def wait(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def store(tmp_path: Path, watch: Watch) -> Iterator[ProgressStore]:
    with open_journal(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        yield ProgressStore(journal, watch)


Answer = Callable[..., MarkedAnswer]


@pytest.fixture
def answer(store: ProgressStore, watch: Watch) -> Answer:
    """One exercise asked and answered, rightly unless told otherwise."""
    exercises = Exercises(store, watch)

    def answered(*, right: bool = True, seconds: float = 3, errors: bool = False) -> MarkedAnswer:
        asked = exercises.ask("Ann", BOOK, NAME, errors=errors)
        watch.wait(seconds)
        place = open_drill(store).right
        assert place is not None
        choice = place if right else (place + 1) % len(asked.question.choices)
        return exercises.answer("Ann", BOOK, NAME, asked.id, choice)

    return answered


def progress(store: ProgressStore) -> SkillProgress:
    return store.get("Ann", SKILL, f"{BOOK}/{NAME}") or SkillProgress()


def open_drill(store: ProgressStore) -> Drill:
    exercise = progress(store).open
    assert exercise is not None
    return draw_drill(NAME, BOOK, exercise.seed)


# -- the rule -------------------------------------------------------------------------------------


def test_every_skill_has_a_time_within_the_rule() -> None:
    least, most = mastery_rule().times
    assert (least, most) == (7, 12)
    assert all(least <= skill.seconds <= most for skill in skills())
    assert len(skills()) == 20
    rule = mastery_rule()
    assert (rule.exercises, rule.last, rule.right) == (50, 30, 27)


def test_mastered_after_50_exercises_with_27_of_the_last_30_in_time(answer: Answer) -> None:
    for _ in range(22):
        answer(right=False)
    for number in range(27):
        assert not answer().standing.mastered, number
    last = answer().standing  # the fiftieth
    assert last.done == 50
    assert last.good_of_last == 28
    assert last.mastered


def test_what_is_slow_is_no_mastery(answer: Answer) -> None:
    for _ in range(60):
        marked = answer(seconds=7.5)  # the skill allows 7
    assert marked.is_right
    assert not marked.in_time
    assert marked.standing.right == 60
    assert marked.standing.in_time == 0
    assert not marked.standing.mastered


def test_errors_are_asked_again_until_they_are_right_and_in_time(
    answer: Answer, store: ProgressStore
) -> None:
    answer(right=False)
    answer()
    assert len(progress(store).errors) == 1
    wrong = progress(store).errors[0]
    answer(errors=True, seconds=9)  # right, but slow
    assert progress(store).errors == (wrong,)
    assert answer(errors=True).in_time
    assert progress(store).errors == ()
    with pytest.raises(Refusal, match="nothing waits to be repeated"):
        answer(errors=True)


def test_no_hard_question_is_skipped_by_asking_for_another(
    store: ProgressStore, watch: Watch, answer: Answer
) -> None:
    exercises = Exercises(store, watch)
    first = exercises.ask("Ann", BOOK, NAME)
    watch.wait(5)
    again = exercises.ask("Ann", BOOK, NAME)
    assert (again.id, again.question) == (first.id, first.question)
    assert again.elapsed == 5
    answer(right=False, seconds=0)
    waiting = exercises.ask("Ann", BOOK, NAME)
    assert waiting.id != first.id
    exercises.ask("Ann", BOOK, NAME, errors=True)
    assert len(progress(store).errors) == 2, "what was put aside is asked again"


# -- bad input ------------------------------------------------------------------------------------


def test_an_exercise_counts_once(store: ProgressStore, watch: Watch) -> None:
    exercises = Exercises(store, watch)
    asked = exercises.ask("Ann", BOOK, NAME)
    exercises.answer("Ann", BOOK, NAME, asked.id, 0)
    before = progress(store)
    for id_, code in ((asked.id, "already_answered"), ("made-up", "nothing_there")):
        with pytest.raises(Refusal) as refused:
            exercises.answer("Ann", BOOK, NAME, id_, 1)
        assert refused.value.code == code
    with pytest.raises(Refusal, match="waits"):
        exercises.answer("Bob", BOOK, NAME, asked.id, 0)  # somebody else's
    assert progress(store) == before


@pytest.mark.parametrize("choice", [-1, 2, 10**12, True, "1", None, 1.0])
def test_nonsense_is_no_answer_and_nothing_is_counted(
    store: ProgressStore, watch: Watch, choice: object
) -> None:
    exercises = Exercises(store, watch)
    asked = exercises.ask("Ann", BOOK, NAME)
    with pytest.raises(BadRequest, match="not one of the choices"):
        exercises.answer("Ann", BOOK, NAME, asked.id, choice)
    assert progress(store).done == 0
    assert progress(store).open is not None


@pytest.mark.parametrize("back", [1, 60, 86_400])
def test_a_clock_set_back_makes_nobody_fast(
    store: ProgressStore, watch: Watch, back: float
) -> None:
    exercises = Exercises(store, watch)
    asked = exercises.ask("Ann", BOOK, NAME)
    watch.wait(-back)
    with pytest.raises(Refusal, match="clock was set back") as refused:
        exercises.answer("Ann", BOOK, NAME, asked.id, 0)
    assert refused.value.code == "clock_set_back"
    assert progress(store).done == 0


def test_a_typed_amount_that_is_nonsense_counts_nothing(store: ProgressStore, watch: Watch) -> None:
    exercises, skill = Exercises(store, watch), "payout.amount"
    asked = exercises.ask("Ann", "md-uth:trips=D", skill)
    assert asked.question.typed
    for nonsense in ("", "lots", "17,50", "1.005", 5, None):
        with pytest.raises(BadRequest):
            exercises.answer("Ann", "md-uth:trips=D", skill, asked.id, nonsense)
    kept = store.get("Ann", SKILL, f"md-uth:trips=D/{skill}")
    assert kept is not None
    assert kept.open is not None
    drill = draw_drill(skill, "md-uth:trips=D", kept.open.seed)
    marked = exercises.answer("Ann", "md-uth:trips=D", skill, asked.id, drill.answer)
    assert (marked.is_right, marked.answer, marked.why) == (True, drill.answer, "")
    kept = store.get("Ann", SKILL, f"md-uth:trips=D/{skill}")
    assert kept is not None
    assert (kept.done, kept.last[0].said, kept.last[0].chosen) == (1, drill.answer, -1)
    with pytest.raises(Refusal, match="nothing waits"):
        exercises.ask("Ann", "md-uth", skill, errors=True)


# -- the challenge --------------------------------------------------------------------------------


def test_a_challenge_counts_what_is_answered_within_60_seconds(
    store: ProgressStore, watch: Watch
) -> None:
    challenges = Challenges(store, watch)
    now = challenges.begin("Ann", BOOK, "hands")
    for _ in range(3):
        watch.wait(10)
        now = challenges.answer("Ann", BOOK, "hands", now.id, now.number, right_of(store))
    assert (now.right, now.wrong, now.best, now.left) == (3, 0, 3, 30.0)
    with pytest.raises(Refusal, match="answered already"):
        challenges.answer("Ann", BOOK, "hands", now.id, 0, 0)
    watch.wait(31)
    late = challenges.answer("Ann", BOOK, "hands", now.id, now.number, right_of(store))
    assert (late.question, late.right, late.best) == (None, 3, 3), "too late counts no more"
    with pytest.raises(Refusal, match="over"):
        challenges.answer("Ann", BOOK, "hands", now.id, now.number, 0)


def test_a_challenge_with_the_clock_set_back_ends(store: ProgressStore, watch: Watch) -> None:
    challenges = Challenges(store, watch)
    now = challenges.begin("Ann", BOOK, "hands")
    watch.wait(-1)
    late = challenges.answer("Ann", BOOK, "hands", now.id, now.number, 0)
    assert (late.question, late.right) == (None, 0)


def right_of(store: ProgressStore) -> int:
    found = store.get("Ann", CHALLENGE, f"{BOOK}/hands")
    assert found is not None
    assert found.open is not None
    seed = f"{found.open.seed}/{found.open.answered}"
    skill = Draws(f"croupier challenge 1\n{seed}").pick(skills_for(BOOK, "hands"))
    right = draw_drill(skill, BOOK, seed).right
    assert right is not None
    return right


# -- the exam -------------------------------------------------------------------------------------


@pytest.fixture
def exams(store: ProgressStore, watch: Watch) -> Exams:
    key = MachineKey(b"a key for tests".ljust(32))
    return Exams(store, lambda: key, watch)


def taken(exams: Exams, store: ProgressStore, watch: Watch, mistakes: int = 0) -> str:
    now = exams.begin("Ann", BOOK, ("hands.winner", "payout.fate"))
    id_ = now.id
    while now.question is not None:
        exam = store.get("Ann", EXAM, id_)
        assert exam is not None
        skill = exam.skills[now.number % 2]
        right = draw_drill(skill, BOOK, f"{exam.seed}/{now.number}").right
        assert right is not None
        watch.wait(4)
        choice = right if now.number >= mistakes else (right + 1) % 3
        now = exams.answer("Ann", id_, now.number, choice)
    return id_


@pytest.mark.parametrize(("mistakes", "passed"), [(4, "yes"), (5, "no")])
def test_an_exam_passes_with_90_percent_and_its_certificate_recomputes(
    exams: Exams, store: ProgressStore, watch: Watch, mistakes: int, passed: str
) -> None:
    id_ = taken(exams, store, watch, mistakes)
    found = exams.look("Ann", id_)
    assert found.score is not None
    assert found.score["passed"] == passed
    assert found.score["right"] == str(exam_rule().questions - mistakes)
    assert len(found.wrong) == mistakes
    certificate = read(text(exams.certificate("Ann", id_)).encode())
    verdict = check(certificate, KINDS)
    assert verdict.verdict == "valid"
    assert verdict.score == found.score


def test_a_forged_certificate_is_found_out(
    exams: Exams, store: ProgressStore, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer_exams, "exam_rule", lambda: ExamRule(10, 9))
    real = exams.certificate("Ann", taken(exams, store, watch, mistakes=3))
    forgeries = (
        replace(real, score={**real.score, "right": "10", "passed": "yes"}),
        replace(real, answers=(("1", "10"), *real.answers[1:])),
        replace(real, answers=(("9", "10"), *real.answers[1:])),
        replace(real, answers=(("-1", "-10"), *real.answers[1:])),
        replace(real, answers=real.answers[:-1]),
        replace(real, seed="another"),
        replace(real, person="Bob"),
        replace(real, terms={**real.terms, "skills": "hands.qualifies"}),
        replace(real, terms={**real.terms, "skills": "luck.luck"}),
        replace(real, signature="00"),
    )
    for forged in forgeries:
        verdict = check(forged, KINDS)
        assert verdict.verdict == "forged", forged.terms
        assert verdict.reasons


def test_in_an_exam_amounts_are_typed_to_the_cent(
    exams: Exams, store: ProgressStore, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer_exams, "exam_rule", lambda: ExamRule(3, 2))
    game, skill = "md-uth:trips=D", "payout.amount"
    now = exams.begin("Ann", game, (skill,))
    for place in range(3):
        exam = store.get("Ann", EXAM, now.id)
        assert exam is not None
        assert now.question is not None
        assert now.question.typed
        cents = draw_drill(skill, game, f"{exam.seed}/{place}").cents
        assert cents is not None
        for nonsense in ("", "lots", "1.234", 1, True, None, "9" * 5000):
            with pytest.raises(BadRequest):
                exams.answer("Ann", now.id, place, nonsense)
        watch.wait(2)
        said = dollars(cents + 1 if place == 0 else cents)
        now = exams.answer("Ann", now.id, place, said)
    assert now.score is not None
    assert (now.score["right"], now.score["passed"]) == ("2", "yes")
    assert [one.said for one in now.wrong] == [dollars(cents_of(now.wrong[0].answer) + 1)]
    real = exams.certificate("Ann", now.id)
    assert real.terms["rulebook"] == game
    assert check(read(text(real).encode()), KINDS).verdict == "valid"
    for answer in (("abc", "10"), ("1" * 5000, "10"), ("5", "1" * 5000), ("5",), ("5", "-1")):
        forged = replace(real, answers=(answer, *real.answers[1:]))
        assert check(forged, KINDS).verdict == "forged", answer
    many = replace(real, answers=real.answers * 100, terms={**real.terms, "questions": "300"})
    assert "more than 200" in check(many, KINDS).reasons[-1]


def cents_of(words: str) -> int:
    return parse_cents(words.replace("$", "").replace(",", ""))


def test_a_challenge_takes_typed_amounts_and_choices(store: ProgressStore, watch: Watch) -> None:
    challenges = Challenges(store, watch)
    now = challenges.begin("Ann", BOOK, "payout")
    run = store.get("Ann", CHALLENGE, f"{BOOK}/payout")
    assert run is not None
    assert run.open is not None
    asked = set()
    for number in range(200):  # until both kinds of question have come
        assert now.question is not None
        drill = draw_drill(now.question.skill, BOOK, f"{run.open.seed}/{number}")
        asked.add(drill.question.typed)
        with pytest.raises(BadRequest):
            challenges.answer("Ann", BOOK, "payout", now.id, number, [])
        now = challenges.answer("Ann", BOOK, "payout", now.id, number, _wrong(drill))
        assert (now.number, now.answer) == (number + 1, drill.answer)
        if len(asked) == 2:
            break
    assert asked == {False, True}


def _wrong(drill: Drill) -> object:
    if drill.right is None:
        return "0.01"
    return (drill.right + 1) % len(drill.question.choices)


def test_an_exam_answer_counts_once_and_in_order(
    exams: Exams, watch: Watch, store: ProgressStore
) -> None:
    now = exams.begin("Ann", BOOK, ("hands.winner",))
    assert exams.begin("Ann", BOOK, ("hands.winner",)).id == now.id, "the open one goes on"
    exams.answer("Ann", now.id, 0, 0)
    for number in (0, 2, 39):
        with pytest.raises(Refusal, match="answered already, or not asked yet"):
            exams.answer("Ann", now.id, number, 0)
    with pytest.raises(Refusal, match="no exam"):
        exams.answer("Bob", now.id, 1, 0)
    with pytest.raises(Refusal, match="not ended"):
        exams.certificate("Ann", now.id)
    watch.wait(-1)
    with pytest.raises(Refusal, match="clock"):
        exams.answer("Ann", now.id, 1, 0)
    exam = store.get("Ann", EXAM, now.id)
    assert exam is not None
    assert len(exam.answers) == 1


# -- classes and reports --------------------------------------------------------------------------


def test_a_teacher_sets_a_course_and_sees_the_results(
    store: ProgressStore, watch: Watch, answer: Answer
) -> None:
    classes = Classes(store, watch)
    asked = CourseRequest("Spring", BOOK, (NAME, "payout.odds"), ("Ann", "=Bob"))
    course = classes.set_course("Flo", asked, ["Ann", "=Bob", "Flo"])
    assert classes.of_person("Ann") == [course]
    answer()
    report = class_report(store, course)
    assert [one.person for one in report.people] == ["Ann", "=Bob"]
    assert report.people[0].skills[0].done == 1
    lines = class_csv(report).splitlines()
    assert len(lines) == 5
    assert lines[1].startswith(f"Ann,{BOOK},{NAME},")
    assert lines[3].startswith("'=Bob,"), "no formula for a spreadsheet"
    assert person_csv(person_report(store, "Ann")).splitlines()[1] == lines[1]
    for one in (report, person_report(store, "Ann")):
        assert report_pdf(one).startswith(b"%PDF")
    assert classes.close("Flo", course.id).closed_at
    assert classes.of_person("Ann") == []
    with pytest.raises(Refusal, match="no class"):
        classes.close("Eve", course.id)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"people": ("Eve",)}, "person"),
        ({"people": ("Ann", "Ann")}, "named twice"),
        ({"skills": ("payout.amuont",)}, "payout.amount"),
        ({"rulebook": "md-235", "skills": ("hands.winner",)}, "holds no hand"),
        ({"rulebook": "md-uht"}, "md-uth"),
        ({"title": "  "}, "title"),
    ],
)
def test_a_course_that_cannot_be_taken_is_refused(
    store: ProgressStore, changed: dict[str, object], reason: str
) -> None:
    asked = replace(CourseRequest("Spring", BOOK, (NAME,), ("Ann",)), **changed)
    with pytest.raises(CroupierError, match=reason):
        Classes(store).set_course("Flo", asked, ["Ann"])
    assert Classes(store).all_courses() == []
