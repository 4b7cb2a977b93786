"""Asking and marking exercises: the server keeps seed, time, and answer, and each answer counts
once.

All methods block: call them in a thread. Everything is stored in the progress store.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime

import msgspec
from msgspec.structs import replace

from croupier.errors import BadRequest, Refusal, shown
from croupier.ledger.entries import stamp
from croupier.runtime import clock
from croupier.school.drills.drawing import check_drillable, draw_drill, skills_for
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Correction, Question, graded, why_wrong
from croupier.school.drills.skills import skill_named
from croupier.school.mastery import (
    SKILL,
    Exercise,
    SkillProgress,
    after_answer,
    good_of_last,
    is_mastered,
    skill_key,
)
from croupier.school.progress_store import ProgressStore


class Standing(msgspec.Struct, frozen=True):
    """A person's progress with a skill in a game."""

    skill: str
    rulebook: str
    done: int
    right: int
    in_time: int
    good_of_last: int
    seconds: float
    """The mean time of all answers."""
    errors: int
    mastered: bool
    mastered_at: str = ""


class AskedExercise(msgspec.Struct, frozen=True):
    """`elapsed`: seconds since the question was first shown."""

    id: str
    question: Question
    title: str
    seconds: int
    elapsed: float
    repeats: bool
    standing: Standing


class MarkedAnswer(msgspec.Struct, frozen=True):
    """`right`: the index of the right choice, None for a typed amount; `answer`: the same in words.
    `why` explains the mistake in the given answer."""

    is_right: bool
    right: int | None
    answer: str
    why: str
    in_time: bool
    seconds: float
    correction: Correction
    standing: Standing


def standing_of(rulebook: str, skill: str, progress: SkillProgress) -> Standing:
    return Standing(
        skill,
        rulebook,
        progress.done,
        progress.right,
        progress.in_time,
        good_of_last(progress),
        round(progress.millis / 1000 / progress.done, 1) if progress.done else 0.0,
        len(progress.errors),
        is_mastered(progress),
        progress.mastered_at,
    )


class Exercises:
    def __init__(self, store: ProgressStore, now: Callable[[], datetime] = clock.now) -> None:
        self._store = store
        self._now = now

    def standings(self, person: str) -> list[Standing]:
        """Return the person's progress in every game and skill they have begun."""
        standings = []
        for kept in self._store.of_person(person, SKILL):
            rulebook, _, skill = kept.key.partition("/")
            standings.append(standing_of(rulebook, skill, kept.record))
        return standings

    def ask(
        self, person: str, rulebook: str, skill: str = "", *, errors: bool = False
    ) -> AskedExercise:
        """Return the waiting exercise or a new one. `skill` may be a subject, or empty for any;
        with `errors`, one answered wrongly or slowly before."""
        chosen = self._skill_with_errors(person, rulebook, skill) if errors else ""
        chosen = chosen or _one_skill(rulebook, skill)
        now = self._now()

        def opened(progress: SkillProgress | None) -> SkillProgress:
            progress = progress or SkillProgress()
            if progress.open is not None and (progress.open.repeats or not errors):
                return progress
            if progress.open is not None:  # what is put aside is asked again
                waiting = (*progress.errors, progress.open.seed)
                progress = replace(progress, errors=tuple(dict.fromkeys(waiting)))
            seed = progress.errors[0] if errors else secrets.token_hex(8)
            exercise = Exercise(secrets.token_hex(8), seed, stamp(now), errors)
            return replace(progress, open=exercise)

        made = self._store.change(person, SKILL, skill_key(rulebook, chosen), opened)
        exercise = made.open
        assert exercise is not None
        drill = draw_drill(chosen, rulebook, exercise.seed)
        asked_at = datetime.fromisoformat(exercise.asked_at)
        return AskedExercise(
            exercise.id,
            drill.question,
            skill_named(chosen).title,
            skill_named(chosen).seconds,
            max(0.0, round((now - asked_at).total_seconds(), 2)),
            exercise.repeats,
            standing_of(rulebook, chosen, made),
        )

    def answer(
        self, person: str, rulebook: str, skill: str, id_: str, choice: object
    ) -> MarkedAnswer:
        """Mark an answer and count it once. `choice`: the index of a choice, or an amount as
        typed."""
        skill_named(skill)
        now = self._now()
        seeds: list[str] = []

        def answered(progress: SkillProgress | None) -> SkillProgress:
            progress = progress or SkillProgress()
            seed = _seed_of(progress, id_)
            is_right = graded(draw_drill(skill, rulebook, seed), choice)
            assert isinstance(choice, int | str)
            seeds.append(seed)
            return after_answer(progress, skill, choice, is_right, now)

        made = self._store.change(person, SKILL, skill_key(rulebook, skill), answered)
        last, drill = made.last[-1], draw_drill(skill, rulebook, seeds[-1])
        assert isinstance(choice, int | str)
        return MarkedAnswer(
            last.is_right,
            drill.right,
            drill.answer,
            "" if last.is_right else why_wrong(drill, choice),
            last.in_time,
            round(last.millis / 1000, 2),
            drill.correction,
            standing_of(rulebook, skill, made),
        )

    def _skill_with_errors(self, person: str, rulebook: str, skill: str) -> str:
        """Return the skill with the most errors to repeat."""
        fitting = []
        for kept in self._store.of_person(person, SKILL):
            name = kept.key.partition("/")[2]
            is_here = name.startswith(skill) and kept.key == skill_key(rulebook, name)
            if is_here and kept.record.errors:
                fitting.append((len(kept.record.errors), name))
        if not fitting:
            raise Refusal("nothing waits to be repeated here: well done", code="nothing_there")
        return max(fitting)[1]


def _seed_of(progress: SkillProgress, id_: str) -> str:
    if progress.open is not None and progress.open.id == id_:
        return progress.open.seed
    if any(answer.id == id_ for answer in progress.last):
        raise Refusal(
            "this exercise was answered already: the first answer counts", code="already_answered"
        )
    raise Refusal(
        f"no exercise {shown(id_)} waits for an answer: ask for one", code="nothing_there"
    )


def _one_skill(rulebook: str, skill: str) -> str:
    """Resolve a skill by name; for a subject, or for none, pick any of its skills."""
    if "." in skill:
        check_drillable(skill, rulebook)
        return skill
    known = skills_for(rulebook, skill)
    if not known:
        raise BadRequest(f"{rulebook} has nothing to drill of the kind {shown(skill)}")
    return Draws(secrets.token_hex(8)).pick(known)
