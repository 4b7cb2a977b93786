"""What an exercise is: a scene, a question, choices of which one is right or an amount to type, and
the correction.

The question goes to the person who is asked. The answer and its reasons stay with the server until
he has answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from croupier.errors import BadRequest, CroupierError, shown
from croupier.money import dollars
from croupier.rulebooks.rules import Rules
from croupier.school.drills.amounts import cents_typed
from croupier.school.drills.draws import Draws

__all__ = [
    "Asked",
    "Choice",
    "Correction",
    "Drill",
    "Maker",
    "NoDrill",
    "Option",
    "Question",
    "Scene",
    "SceneSeat",
    "graded",
    "mixed",
    "told",
    "why_wrong",
]


class NoDrill(CroupierError):
    """The rulebook has nothing that such an exercise could ask about."""

    code = "no_drill"


class SceneSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A betting position: cards as `As Kd`, wagers by their titles in dollars, what was said."""

    seat: int
    cards: str = ""
    wagers: dict[str, str] = {}
    said: tuple[str, ...] = ()
    asked: bool = False
    """The question is about this seat."""


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lies on the table. `told` is what cannot be seen: who has done what."""

    game: str
    community: str = ""
    dealer: str = ""
    box: str = ""
    cards: str = ""
    """Cards of nobody in particular, where only a hand is to be read."""
    seats: tuple[SceneSeat, ...] = ()
    meters: dict[str, str] = {}
    told: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of the answers: in words, or as cards, or as chips (how many of each worth)."""

    words: str
    cards: str = ""
    chips: dict[str, int] = {}


class Question(msgspec.Struct, frozen=True):
    """What the person sees before the answer; nothing in it tells which one is right. `rulebook`
    names the game with its paytables, `md-uth:trips=D`, where the question hangs on them."""

    skill: str
    rulebook: str
    words: str
    scene: Scene
    choices: tuple[Choice, ...]
    typed: bool = False
    """The answer is an amount that is typed; there is nothing to choose from."""


class Correction(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why the answer is what it is. `lines` are the settlement lines, told; `wrong` says of every
    choice why it is not the answer, empty where there is nothing to say. `mistakes` says it of
    amounts, by cents."""

    words: str
    clause: str = ""
    gist: str = ""
    """What the clause is about."""
    lines: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    mistakes: dict[int, str] = {}


class Drill(msgspec.Struct, frozen=True):
    """An exercise with its answer: the place of a choice (`right`), or an amount (`cents`). The
    same skill, game and seed make the same exercise."""

    seed: str
    question: Question
    answer: str
    """In words."""
    right: int | None
    cents: int | None
    correction: Correction


class Option(NamedTuple):
    """A choice before the order is drawn, with the reason why it is wrong."""

    choice: Choice
    wrong: str = ""

    @classmethod
    def of(cls, words: str, wrong: str = "") -> Option:
        return cls(Choice(words), wrong)


class Asked(NamedTuple):
    """What a maker gives: the question, the right choice, the wrong ones, the reason."""

    words: str
    scene: Scene
    right: Option
    wrong: Sequence[Option]
    correction: Correction
    in_order: bool = False
    """The choices keep their order, by their words: `Yes` before `No`."""
    cents: int | None = None
    """The right answer, where it is an amount to type."""


Maker: TypeAlias = Callable[[Rules, Draws], Asked]
"""Makes an exercise out of a rulebook in force and chance. Raises `NoDrill` where there is none."""

MOST_CHOICES = 4


def mixed(asked: Asked, draws: Draws) -> tuple[tuple[Choice, ...], int, tuple[str, ...]]:
    """The choices in the order in which they are shown, the place of the right one, and why the
    others are wrong."""
    wrong = [one for one in _different(asked.wrong) if one.choice != asked.right.choice]
    if not wrong:
        raise NoDrill("there is nothing to choose from")
    chosen = [asked.right, *draws.some(wrong, MOST_CHOICES - 1)]
    shown_so = draws.some(chosen, len(chosen))
    if asked.in_order:
        shown_so = sorted(chosen, key=lambda one: one.choice.words)
    place = next(n for n, one in enumerate(shown_so) if one.choice == asked.right.choice)
    return tuple(one.choice for one in shown_so), place, tuple(one.wrong for one in shown_so)


def _different(options: Iterable[Option]) -> list[Option]:
    found: dict[tuple[str, str, tuple[tuple[str, int], ...]], Option] = {}
    for one in options:
        key = (one.choice.words, one.choice.cards, tuple(sorted(one.choice.chips.items())))
        found.setdefault(key, one)
    return list(found.values())


def graded(drill: Drill, answer: object) -> bool:
    """Is it right? The place of a choice, or an amount as it was typed; anything else is refused,
    and nothing is counted."""
    if drill.cents is not None:
        if not isinstance(answer, str):
            raise BadRequest(f'{shown(answer)} is no amount: send it as it is typed, "17.50"')
        return cents_typed(answer) == drill.cents
    count = len(drill.question.choices)
    if isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < count:
        raise BadRequest(f"{shown(answer)} is no choice: answer 0 to {count - 1}")
    return answer == drill.right


def told(drill: Drill, answer: int | str) -> str:
    """What was answered, in words."""
    if isinstance(answer, int):
        return drill.question.choices[answer].words
    return dollars(cents_typed(answer))


def why_wrong(drill: Drill, answer: int | str) -> str:
    """Of this answer; empty where there is nothing to say."""
    if isinstance(answer, int):
        reasons = drill.correction.wrong
        return reasons[answer] if reasons else ""
    return drill.correction.mistakes.get(cents_typed(answer), "")
