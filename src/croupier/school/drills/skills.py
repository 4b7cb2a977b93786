"""Skills, their target times, and the rules of mastery and exams, from `skills.toml`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from croupier.errors import suggest
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.loader import parse_toml

RecordType: TypeAlias = Literal["payout", "hands", "procedure", "irregularities"]
KINDS: Final[tuple[RecordType, ...]] = get_args(RecordType)


class Skill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill. `seconds`: the target time of a good dealer."""

    id: str
    title: str
    words: str
    seconds: int

    @property
    def subject(self) -> str:
        return self.id.partition(".")[0]


class MasteryRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill is mastered if, after `exercises`, at least `right` of the `last` answers are right
    and in time."""

    exercises: int
    last: int
    right: int
    times: tuple[int, int]


class ChallengeRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seconds: int


class ExamRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of questions of an exam, and of right answers to pass."""

    questions: int
    right: int


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mastery: MasteryRule
    challenge: ChallengeRule
    exam: ExamRule
    skills: tuple[Skill, ...]


@cache
def _file() -> _File:
    text = files(__package__).joinpath("skills.toml").read_text("utf-8")
    return into_form(parse_toml(text, "skills.toml"), _File, "skills.toml")


def skills(subject: str = "") -> tuple[Skill, ...]:
    """Return all skills, or those of one subject."""
    if subject and subject not in KINDS:
        raise suggest("kind of drill", subject, KINDS)
    return tuple(skill for skill in _file().skills if subject in ("", skill.subject))


def skill_named(name: str) -> Skill:
    by_id = {skill.id: skill for skill in skills()}
    if name not in by_id:
        raise suggest("skill", name, by_id)
    return by_id[name]


def mastery_rule() -> MasteryRule:
    return _file().mastery


def challenge_rule() -> ChallengeRule:
    return _file().challenge


def exam_rule() -> ExamRule:
    return _file().exam
