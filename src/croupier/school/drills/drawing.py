"""An exercise from a skill, a game, and a seed: the same inputs give the same exercise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from croupier.rulebooks.bundled import BUNDLED
from croupier.school.drills import chips, hands, irregularities, payout, procedure
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Asked, Drill, Maker, NoDrill, Question, mixed
from croupier.school.drills.games import game_for, paytables_in_words, rules_of_game
from croupier.school.drills.skills import skill_named, skills

_MAKERS: Final[Mapping[str, Maker]] = {
    "payout.fate": payout.fate,
    "payout.odds": payout.odds,
    "payout.amount": payout.amount,
    "payout.total": payout.total,
    "payout.chips": chips.chips,
    "payout.clause": payout.clause,
    "hands.category": hands.category,
    "hands.best": hands.best_cards,
    "hands.winner": hands.winner,
    "hands.qualifies": hands.qualifies,
    "hands.highest": hands.highest,
    "procedure.next": procedure.next_step,
    "procedure.who": procedure.who,
    "procedure.duty": procedure.duty,
    "procedure.clause": procedure.clause,
    "irregularities.happened": irregularities.happened,
    "irregularities.follows": irregularities.follows,
    "irregularities.deck": irregularities.deck,
    "irregularities.decides": irregularities.decides,
    "irregularities.clause": irregularities.clause,
}
_TRIES: Final = 25


@lru_cache(maxsize=256)
def draw_drill(skill: str, game: str, seed: str) -> Drill:
    """Draw an exercise. Refused if the rulebook has nothing to drill this skill with."""
    check_drillable(skill, game)
    game = game_for(skill, game)
    rules, maker = rules_of_game(game), _MAKERS[skill]
    draws = Draws(f"croupier drill 1\n{skill}\n{game}\n{seed}")
    reason = ""
    for _ in range(_TRIES):
        try:
            return _made(maker(rules, draws), skill, game, seed, draws)
        except NoDrill as error:
            reason = error.message
    raise NoDrill(f"{skill} cannot be drilled with {game}: {reason}")


def _made(made: Asked, skill: str, game: str, seed: str, draws: Draws) -> Drill:
    answer, scene = made.right.choice.words, made.scene
    paytables = paytables_in_words(game)
    if paytables:
        scene = replace(scene, told=(paytables, *scene.told))
    if made.cents is not None:
        question = Question(skill, game, made.words, scene, (), typed=True)
        return Drill(seed, question, answer, None, made.cents, made.correction)
    choices, right, wrong = mixed(made, draws)
    question = Question(skill, game, made.words, scene, choices)
    return Drill(seed, question, answer, right, None, replace(made.correction, wrong=wrong))


def can_be_drilled(skill: str, game: str) -> bool:
    """Return whether the game can drill this skill: some have no dealer's hand or no
    irregularities."""
    try:
        check_drillable(skill, game)
    except NoDrill:
        return False
    return True


def check_drillable(skill: str, game: str) -> None:
    """Refuse, with the reason, a skill that the rulebook has nothing to ask about."""
    subject = skill_named(skill).subject
    rules = rules_of_game(game)
    reason = ""
    if subject == "irregularities" and not rules.book.irregularities:
        reason = f"no irregularity is written down for {rules.book.id}"
    if subject == "hands":
        reason = hands.undrillable(skill, rules)
    if reason:
        raise NoDrill(f"{skill} cannot be drilled with {rules.book.id}: {reason}")


def skills_for(game: str, subject: str = "") -> tuple[str, ...]:
    return tuple(skill.id for skill in skills(subject) if can_be_drilled(skill.id, game))


def rulebooks_for(skill: str) -> tuple[str, ...]:
    return tuple(book for book in BUNDLED if can_be_drilled(skill, book))
