"""Progress with a skill: the answers, their speed, and whether the skill is mastered.

The server takes the times. An answer counts once; an answer that seems to precede its question
counts as slow.
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
from croupier.school.progress_store import RecordType

MOST_ERRORS: Final = 60


class Exercise(msgspec.Struct, frozen=True):
    """An exercise that waits for its answer. The seed stays on the server."""

    id: str
    seed: str
    asked_at: str
    repeats: bool = False
    """Whether it was answered wrongly or slowly before."""


class Answered(msgspec.Struct, frozen=True):
    """`chosen`: the index of a choice, or -1 for a typed amount, which is in `said`. `in_time`:
    right, and within the skill's target time."""

    id: str
    seed: str
    at: str
    chosen: int
    is_right: bool
    millis: int
    in_time: bool
    said: str = ""


class SkillProgress(msgspec.Struct, frozen=True):
    """The progress of one person with one skill in one game."""

    done: int = 0
    right: int = 0
    in_time: int = 0
    millis: int = 0
    last: tuple[Answered, ...] = ()
    """The last answers, as many as the rule of mastery considers."""
    errors: tuple[str, ...] = ()
    """Seeds of exercises to repeat."""
    open: Exercise | None = None
    mastered_at: str = ""
    """When the skill was first mastered."""


SKILL: Final = RecordType("dealer skill", SkillProgress)


def skill_key(game: str, skill: str) -> str:
    """Return the storage key: payout skills by paytables, all others by rulebook."""
    return f"{game_for(skill, game)}/{skill}"


def good_of_last(progress: SkillProgress) -> int:
    """Return how many of the last answers were right and in time."""
    return sum(answer.in_time for answer in progress.last)


def is_mastered(progress: SkillProgress, rule: MasteryRule | None = None) -> bool:
    rule = rule or mastery_rule()
    return progress.done >= rule.exercises and good_of_last(progress) >= rule.right


def millis_between(asked_at: str, now: datetime) -> int:
    """Return the milliseconds from question to answer; negative if a clock was set back between
    them."""
    return round((now - datetime.fromisoformat(asked_at)).total_seconds() * 1000)


def after_answer(
    progress: SkillProgress, skill: str, answer: int | str, is_right: bool, now: datetime
) -> SkillProgress:
    """Return the progress after the answer to the open exercise. A wrong or slow exercise is
    repeated later."""
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
    others = tuple(seed_of_error for seed_of_error in errors if seed_of_error != seed)
    return others if in_time else (*others, seed)[-MOST_ERRORS:]
