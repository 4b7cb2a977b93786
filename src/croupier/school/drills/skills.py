"""The skills that are drilled, their target times, and when one is mastered: `skills.toml`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from croupier.errors import suggest
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.loader import parse_toml

__all__ = [
    "KINDS",
    "ChallengeRule",
    "ExamRule",
    "Kind",
    "MasteryRule",
    "Skill",
    "challenge_rule",
    "exam_rule",
    "mastery_rule",
    "skill_named",
    "skills",
]

Kind: TypeAlias = Literal["payout", "hands", "procedure", "irregularities"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


class Skill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`seconds`: how long a good dealer takes at most."""

    id: str
    title: str
    words: str
    seconds: int

    @property
    def kind(self) -> str:
        return self.id.partition(".")[0]


class MasteryRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of the `last` answers at least `right` are right and within the time, after `exercises`."""

    exercises: int
    last: int
    right: int
    times: tuple[int, int]


class ChallengeRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seconds: int


class ExamRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many questions, and so many right answers to pass."""

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


def skills(kind: str = "") -> tuple[Skill, ...]:
    """All of them, or those of a kind."""
    if kind and kind not in KINDS:
        raise suggest("kind of drill", kind, KINDS)
    return tuple(skill for skill in _file().skills if kind in ("", skill.kind))


def skill_named(name: str) -> Skill:
    found = {skill.id: skill for skill in skills()}
    if name not in found:
        raise suggest("skill", name, found)
    return found[name]


def mastery_rule() -> MasteryRule:
    return _file().mastery


def challenge_rule() -> ChallengeRule:
    return _file().challenge


def exam_rule() -> ExamRule:
    return _file().exam
