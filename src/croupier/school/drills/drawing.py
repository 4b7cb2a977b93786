"""An exercise from a skill, a rulebook and a seed: always the same one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from msgspec.structs import replace

from croupier.errors import suggest
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from croupier.school.drills import chips, hands, irregularities, payout, procedure
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Drill, Maker, NoDrill, Question, mixed
from croupier.school.drills.skills import skill_named, skills
from croupier.simulation.run_setting import with_progressive

__all__ = ["can_be_drilled", "check_drillable", "draw_drill", "rulebooks_for", "skills_for"]

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
def draw_drill(skill: str, rulebook: str, seed: str) -> Drill:
    """Refused where the rulebook has nothing that this skill could be drilled with."""
    check_drillable(skill, rulebook)
    rules, maker = _rules(rulebook), _MAKERS[skill]
    draws = Draws(f"croupier drill 1\n{skill}\n{rulebook}\n{seed}")
    reason = ""
    for _ in range(_TRIES):
        try:
            asked = maker(rules, draws)
            choices, right, wrong = mixed(asked, draws)
        except NoDrill as error:
            reason = error.message
            continue
        question = Question(skill, rulebook, asked.words, asked.scene, choices)
        return Drill(seed, question, right, replace(asked.correction, wrong=wrong))
    raise NoDrill(f"{skill} cannot be drilled with {rulebook}: {reason}")


def can_be_drilled(skill: str, rulebook: str) -> bool:
    """Some games have no dealer's hand, some no written irregularities."""
    try:
        check_drillable(skill, rulebook)
    except NoDrill:
        return False
    return True


def check_drillable(skill: str, rulebook: str) -> None:
    """Refused with the reason where the rulebook has nothing that this skill could ask about."""
    kind = skill_named(skill).kind
    rules = _rules(rulebook)
    reason = ""
    if kind == "irregularities" and not rules.book.irregularities:
        reason = f"no irregularity is written down for {rulebook}"
    if kind == "hands":
        reason = hands.undrillable(skill, rules)
    if reason:
        raise NoDrill(f"{skill} cannot be drilled with {rulebook}: {reason}")


def skills_for(rulebook: str, kind: str = "") -> tuple[str, ...]:
    return tuple(skill.id for skill in skills(kind) if can_be_drilled(skill.id, rulebook))


def rulebooks_for(skill: str) -> tuple[str, ...]:
    return tuple(book for book in BUNDLED if can_be_drilled(skill, book))


@cache
def _rules(rulebook: str) -> Rules:
    """Everything on offer, the first paytable of each."""
    if rulebook not in BUNDLED:
        raise suggest("rulebook", rulebook, BUNDLED)
    file = load_rulebook(rulebook)
    submission = with_progressive(Submission(), put_in_force(file, Submission()))
    return put_in_force(file, submission)
