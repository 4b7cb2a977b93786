"""An exercise: a scene, a question, either choices or an amount to type, and the correction.

The question goes to the student. The answer and its reasons stay on the server until they have
answered.
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


class NoDrill(CroupierError):
    """The rulebook has nothing that such an exercise could ask about."""

    code = "no_drill"


class SceneSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A betting position: cards as `As Kd`, wagers by title in dollars, the actions taken."""

    seat: int
    cards: str = ""
    wagers: dict[str, str] = {}
    said: tuple[str, ...] = ()
    asked: bool = False
    """Whether the question is about this seat."""


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """The table as shown. `told` holds what cannot be seen: who has done what."""

    game: str
    community: str = ""
    dealer: str = ""
    box: str = ""
    cards: str = ""
    """Cards without an owner, for exercises in reading a hand."""
    seats: tuple[SceneSeat, ...] = ()
    meters: dict[str, str] = {}
    told: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A possible answer: words, cards, or chips (the number of each denomination)."""

    words: str
    cards: str = ""
    chips: dict[str, int] = {}


class Question(msgspec.Struct, frozen=True):
    """The exercise as shown before the answer; nothing in it reveals the right choice. `rulebook`
    names the game with its paytables, `md-uth:trips=D`, if the question depends on them."""

    skill: str
    rulebook: str
    words: str
    scene: Scene
    choices: tuple[Choice, ...]
    typed: bool = False
    """The answer is an amount to type; there are no choices."""


class Correction(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reason for the answer. `lines` are the settlement lines in words; `wrong` has for each
    choice the reason why it is wrong, or is empty; `mistakes` has the reasons for wrong amounts, by
    cents."""

    words: str
    clause: str = ""
    gist: str = ""
    """What the clause is about."""
    lines: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    mistakes: dict[int, str] = {}


class Drill(msgspec.Struct, frozen=True):
    """An exercise with its answer: the index of a choice (`right`) or an amount (`cents`). The same
    skill, game, and seed make the same exercise."""

    seed: str
    question: Question
    answer: str
    """The answer in words."""
    right: int | None
    cents: int | None
    correction: Correction


class Option(NamedTuple):
    """A choice before shuffling, with the reason why it is wrong."""

    choice: Choice
    wrong: str = ""

    @classmethod
    def of(cls, words: str, wrong: str = "") -> Option:
        return cls(Choice(words), wrong)


class Asked(NamedTuple):
    """The material of an exercise: the question, the right choice, the wrong ones, and the
    reason."""

    words: str
    scene: Scene
    right: Option
    wrong: Sequence[Option]
    correction: Correction
    in_order: bool = False
    """Sort the choices by their words: `Yes` after `No`."""
    cents: int | None = None
    """The right answer if it is an amount to type."""


Maker: TypeAlias = Callable[[Rules, Draws], Asked]
"""Makes an exercise from a rulebook in force and random draws. Raises `NoDrill` if it cannot."""

MOST_CHOICES = 4


def mixed(material: Asked, draws: Draws) -> tuple[tuple[Choice, ...], int, tuple[str, ...]]:
    """Return the choices in the order shown, the index of the right one, and the reason why each is
    wrong."""
    wrong = [
        option for option in _different(material.wrong) if option.choice != material.right.choice
    ]
    if not wrong:
        raise NoDrill("there is nothing to choose from")
    chosen = [material.right, *draws.some(wrong, MOST_CHOICES - 1)]
    shown_so = draws.some(chosen, len(chosen))
    if material.in_order:
        shown_so = sorted(chosen, key=lambda option: option.choice.words)
    place = next(n for n, option in enumerate(shown_so) if option.choice == material.right.choice)
    return (
        tuple(option.choice for option in shown_so),
        place,
        tuple(option.wrong for option in shown_so),
    )


def _different(options: Iterable[Option]) -> list[Option]:
    options_by_key: dict[tuple[str, str, tuple[tuple[str, int], ...]], Option] = {}
    for option in options:
        key = (option.choice.words, option.choice.cards, tuple(sorted(option.choice.chips.items())))
        options_by_key.setdefault(key, option)
    return list(options_by_key.values())


def graded(drill: Drill, answer: object) -> bool:
    """Return whether the answer is right: the index of a choice, or an amount as typed. Anything
    else is refused and not counted."""
    if drill.cents is not None:
        if not isinstance(answer, str):
            raise BadRequest(f'{shown(answer)} is not an amount: send it as typed, "17.50"')
        return cents_typed(answer) == drill.cents
    count = len(drill.question.choices)
    if isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < count:
        raise BadRequest(f"{shown(answer)} is not one of the choices: answer 0 to {count - 1}")
    return answer == drill.right


def answer_in_words(drill: Drill, answer: int | str) -> str:
    """Return the given answer in words."""
    if isinstance(answer, int):
        return drill.question.choices[answer].words
    return dollars(cents_typed(answer))


def why_wrong(drill: Drill, answer: int | str) -> str:
    """Return why this answer is wrong; empty if there is no particular reason."""
    if isinstance(answer, int):
        reasons = drill.correction.wrong
        return reasons[answer] if reasons else ""
    return drill.correction.mistakes.get(cents_typed(answer), "")
