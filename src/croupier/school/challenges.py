"""The challenge: as many right answers as one can give in 60 seconds, by the server's clock."""

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
from croupier.school.progress_store import Kind, ProgressStore

__all__ = ["CHALLENGE", "Challenge", "ChallengeForm", "Challenges"]

MOST_RUNS: Final = 50


class Run(msgspec.Struct, frozen=True):
    """One challenge that is over."""

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
    """Of one person, one game and one kind of skills."""

    best: int = 0
    runs: tuple[Run, ...] = ()
    open: OpenRun | None = None


CHALLENGE: Final = Kind("dealer challenge", Challenge)


class ChallengeForm(msgspec.Struct, frozen=True):
    """`left`: seconds. `number` is the question's place, which goes back with the answer. When the
    time is up there is no question."""

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
    """What would have been right, in words."""
    correction: Correction | None = None


class Challenges:
    """Blocking: for a thread."""

    def __init__(self, store: ProgressStore, now: Callable[[], datetime] = clock.now) -> None:
        self._store = store
        self._now = now

    def begin(self, person: str, rulebook: str, kind: str = "") -> ChallengeForm:
        """A new one; one that was not finished is kept with what it has."""
        if not skills_for(rulebook, kind):
            raise BadRequest(f"{rulebook} has nothing to drill of the kind {shown(kind)}")
        now = self._now()

        def begun(found: Challenge | None) -> Challenge:
            found = _ended(found or Challenge())
            return replace(
                found, open=OpenRun(secrets.token_hex(8), secrets.token_hex(8), stamp(now))
            )

        made = self._store.change(person, CHALLENGE, _key(rulebook, kind), begun)
        return self._form(made, rulebook, kind, now)

    def answer(
        self, person: str, rulebook: str, kind: str, id_: str, number: int, choice: object
    ) -> ChallengeForm:
        """What comes after the 60 seconds counts no more, and ends it."""
        now = self._now()
        marked: list[tuple[Drill, bool]] = []

        def answered(found: Challenge | None) -> Challenge:
            run = found.open if found is not None else None
            if found is None or run is None or run.id != id_:
                raise Refusal("this challenge is over: begin another", code="already_answered")
            if number != run.answered:
                raise Refusal(
                    f"question {shown(number)} was answered already, or not asked yet: the next is "
                    f"{run.answered}",
                    code="already_answered",
                )
            if not 0 <= millis_between(run.began_at, now) <= challenge_rule().seconds * 1000:
                return _ended(found)
            drill = _question(run, rulebook, kind)
            is_right = graded(drill, choice)
            marked.append((drill, is_right))
            right = run.right + is_right
            run = replace(run, answered=run.answered + 1, right=right)
            return replace(found, open=run, best=max(found.best, right))

        made = self._store.change(person, CHALLENGE, _key(rulebook, kind), answered)
        form = self._form(made, rulebook, kind, now, id_)
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
        self, made: Challenge, rulebook: str, kind: str, now: datetime, id_: str = ""
    ) -> ChallengeForm:
        run = made.open
        if run is None:
            last = made.runs[-1]
            answered = last.right + last.wrong
            return ChallengeForm(id_, 0.0, answered, last.right, last.wrong, made.best, None)
        left = challenge_rule().seconds - millis_between(run.began_at, now) / 1000
        question = _question(run, rulebook, kind).question
        wrong = run.answered - run.right
        return ChallengeForm(
            run.id, max(0.0, round(left, 2)), run.answered, run.right, wrong, made.best, question
        )


def _key(rulebook: str, kind: str) -> str:
    return f"{game_named(rulebook)}/{kind or 'all'}"


def _question(run: OpenRun, rulebook: str, kind: str) -> Drill:
    seed = f"{run.seed}/{run.answered}"
    skill = Draws(f"croupier challenge 1\n{seed}").pick(skills_for(rulebook, kind))
    return draw_drill(skill, rulebook, seed)


def _ended(found: Challenge) -> Challenge:
    run = found.open
    if run is None:
        return found
    over = Run(run.began_at, run.right, run.answered - run.right)
    return replace(found, runs=(*found.runs, over)[-MOST_RUNS:], open=None)
