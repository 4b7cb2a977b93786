"""Challenges: as many right answers as possible in 60 seconds by the server's clock."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.errors import BadRequest, Refusal, shown
from croupier.ledger.entries import stamp
from croupier.runtime import clock
from croupier.school.drills.drawing import draw_drill, skills_for
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Correction, Drill, Question, graded
from croupier.school.drills.games import game_named
from croupier.school.drills.skills import challenge_rule
from croupier.school.mastery import millis_between
from croupier.school.progress_store import ProgressStore, RecordType

MOST_RUNS: Final = 50


class Run(msgspec.Struct, frozen=True):
    """A finished challenge."""

    at: str
    right: int
    wrong: int


class OpenRun(msgspec.Struct, frozen=True):
    id: str
    seed: str
    began_at: str
    answered: int = 0
    right: int = 0


class Challenge(msgspec.Struct, frozen=True):
    """The challenges of one person in one game and one subject."""

    best: int = 0
    runs: tuple[Run, ...] = ()
    open: OpenRun | None = None


CHALLENGE: Final = RecordType("dealer challenge", Challenge)


class ChallengeForm(msgspec.Struct, frozen=True):
    """`left`: seconds. `number` is the question's place, sent back with the answer. There is no
    question when the time is up."""

    id: str
    left: float
    number: int
    right: int
    wrong: int
    best: int
    question: Question | None
    was_right: bool | None = None
    right_choice: int | None = None
    answer: str = ""
    """The right answer, in words."""
    correction: Correction | None = None


class Challenges:
    """Challenges of all people. Its methods block: call them in a thread."""

    def __init__(self, store: ProgressStore, now: Callable[[], datetime] = clock.now) -> None:
        self._store = store
        self._now = now

    def begin(self, person: str, rulebook: str, subject: str = "") -> ChallengeForm:
        """Begin a new challenge; an unfinished one is stored with the answers it has."""
        if not skills_for(rulebook, subject):
            raise BadRequest(f"{rulebook} has nothing to drill of the kind {shown(subject)}")
        now = self._now()

        def begun(challenge: Challenge | None) -> Challenge:
            challenge = _ended(challenge or Challenge())
            return replace(
                challenge, open=OpenRun(secrets.token_hex(8), secrets.token_hex(8), stamp(now))
            )

        made = self._store.change(person, CHALLENGE, _key(rulebook, subject), begun)
        return self._form(made, rulebook, subject, now)

    def answer(
        self, person: str, rulebook: str, subject: str, id_: str, number: int, choice: object
    ) -> ChallengeForm:
        """Mark an answer. An answer after the 60 seconds does not count and ends the challenge."""
        now = self._now()
        marked: list[tuple[Drill, bool]] = []

        def answered(challenge: Challenge | None) -> Challenge:
            run = challenge.open if challenge is not None else None
            if challenge is None or run is None or run.id != id_:
                raise Refusal("this challenge is over: begin another", code="already_answered")
            if number != run.answered:
                raise Refusal(
                    f"question {shown(number)} was answered already, or not asked yet: the next is "
                    f"{run.answered}",
                    code="already_answered",
                )
            if not 0 <= millis_between(run.began_at, now) <= challenge_rule().seconds * 1000:
                return _ended(challenge)
            drill = _question(run, rulebook, subject)
            is_right = graded(drill, choice)
            marked.append((drill, is_right))
            right = run.right + is_right
            run = replace(run, answered=run.answered + 1, right=right)
            return replace(challenge, open=run, best=max(challenge.best, right))

        made = self._store.change(person, CHALLENGE, _key(rulebook, subject), answered)
        form = self._form(made, rulebook, subject, now, id_)
        if not marked:
            return form
        drill, was_right = marked[-1]
        return replace(
            form,
            was_right=was_right,
            right_choice=drill.right,
            answer=drill.answer,
            correction=drill.correction,
        )

    def _form(
        self, made: Challenge, rulebook: str, subject: str, now: datetime, id_: str = ""
    ) -> ChallengeForm:
        run = made.open
        if run is None:
            last = made.runs[-1]
            answered = last.right + last.wrong
            return ChallengeForm(id_, 0.0, answered, last.right, last.wrong, made.best, None)
        left = challenge_rule().seconds - millis_between(run.began_at, now) / 1000
        question = _question(run, rulebook, subject).question
        wrong = run.answered - run.right
        return ChallengeForm(
            run.id, max(0.0, round(left, 2)), run.answered, run.right, wrong, made.best, question
        )


def _key(rulebook: str, subject: str) -> str:
    return f"{game_named(rulebook)}/{subject or 'all'}"


def _question(run: OpenRun, rulebook: str, subject: str) -> Drill:
    seed = f"{run.seed}/{run.answered}"
    skill = Draws(f"croupier challenge 1\n{seed}").pick(skills_for(rulebook, subject))
    return draw_drill(skill, rulebook, seed)


def _ended(challenge: Challenge) -> Challenge:
    run = challenge.open
    if run is None:
        return challenge
    over = Run(run.began_at, run.right, run.answered - run.right)
    return replace(challenge, runs=(*challenge.runs, over)[-MOST_RUNS:], open=None)
