"""How far a person has come with a skill: what was answered, how fast, and whether it is mastered.

Times are taken by the server. An answer counts once; one that seems to come before its question
was asked counts as slow, never as fast.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.errors import Refusal
from croupier.ledger.entries import stamp
from croupier.school.drills.games import game_for
from croupier.school.drills.skills import MasteryRule, mastery_rule, skill_named
from croupier.school.progress_store import Kind

__all__ = [
    "SKILL",
    "Answered",
    "Exercise",
    "SkillProgress",
    "after_answer",
    "good_of_last",
    "is_mastered",
    "millis_between",
    "skill_key",
]

MOST_ERRORS: Final = 60


class Exercise(msgspec.Struct, frozen=True):
    """One that waits for its answer. The seed stays with the server."""

    id: str
    seed: str
    asked_at: str
    repeats: bool = False
    """It was answered wrongly, or slowly, before."""


class Answered(msgspec.Struct, frozen=True):
    """`chosen`: the place of a choice, -1 where an amount was typed, which is `said`. `in_time`:
    right, and within the time of the skill."""

    id: str
    seed: str
    at: str
    chosen: int
    is_right: bool
    millis: int
    in_time: bool
    said: str = ""


class SkillProgress(msgspec.Struct, frozen=True):
    """Of one person, one skill and one game."""

    done: int = 0
    right: int = 0
    in_time: int = 0
    millis: int = 0
    last: tuple[Answered, ...] = ()
    """The last so many as the rule looks at."""
    errors: tuple[str, ...] = ()
    """Seeds of exercises that are to be repeated."""
    open: Exercise | None = None
    mastered_at: str = ""
    """When the rule held for the first time."""


SKILL: Final = Kind("dealer skill", SkillProgress)


def skill_key(game: str, skill: str) -> str:
    """Where it is kept: payouts by their paytables, everything else by the rulebook alone."""
    return f"{game_for(skill, game)}/{skill}"


def good_of_last(progress: SkillProgress) -> int:
    """How many of the last answers were right and in time."""
    return sum(one.in_time for one in progress.last)


def is_mastered(progress: SkillProgress, rule: MasteryRule | None = None) -> bool:
    rule = rule or mastery_rule()
    return progress.done >= rule.exercises and good_of_last(progress) >= rule.right


def millis_between(asked_at: str, now: datetime) -> int:
    """From the question to the answer; below 0 where a clock was set back meanwhile."""
    return round((now - datetime.fromisoformat(asked_at)).total_seconds() * 1000)


def after_answer(
    progress: SkillProgress, skill: str, answer: int | str, is_right: bool, now: datetime
) -> SkillProgress:
    """With the open exercise answered. What was wrong or slow is asked again later."""
    exercise = progress.open
    if exercise is None:
        raise Refusal("no exercise waits for an answer", code="already_answered")
    millis = millis_between(exercise.asked_at, now)
    if millis < 0:
        raise Refusal(
            f"the clock was set back: this was asked at {exercise.asked_at}, and now it is "
            f"{stamp(now)}. Set the clock right; nothing was counted",
            code="clock_set_back",
        )
    in_time = is_right and millis <= skill_named(skill).seconds * 1000
    chosen, said = (answer, "") if isinstance(answer, int) else (-1, answer)
    answered = Answered(
        exercise.id, exercise.seed, stamp(now), chosen, is_right, millis, in_time, said
    )
    rule = mastery_rule()
    made = replace(
        progress,
        done=progress.done + 1,
        right=progress.right + is_right,
        in_time=progress.in_time + in_time,
        millis=progress.millis + millis,
        last=(*progress.last, answered)[-rule.last :],
        errors=_errors(progress.errors, exercise.seed, in_time),
        open=None,
    )
    if is_mastered(made, rule) and not made.mastered_at:
        made = replace(made, mastered_at=stamp(now))
    return made


def _errors(errors: tuple[str, ...], seed: str, in_time: bool) -> tuple[str, ...]:
    others = tuple(one for one in errors if one != seed)
    return others if in_time else (*others, seed)[-MOST_ERRORS:]
