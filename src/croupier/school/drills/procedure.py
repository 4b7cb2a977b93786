"""Procedure drills: the next step, who performs it, its clause, and its duties, at a real moment of
a table.

The list of the work that waits gives the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from croupier.rounds.declaration import ROLES
from croupier.rulebooks.duties import duties_of
from croupier.rulebooks.rules import Rules
from croupier.school.drills.clauses import clause_choices, gist_of
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Asked, Correction, NoDrill, Option
from croupier.school.drills.positions import Position, refused_now, scene_at, walk_drawn
from croupier.tables.step_duties import shown

_OURS: Final = ("enter_cards",)
"""Steps that our screens ask for and no document does."""


def next_step(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: what comes next?"""
    walked, at = _drawn(rules, draws)
    waiting = {step.label for step in at.steps}
    wrong: dict[str, Option] = {}
    for position in walked:
        label = position.steps[0].label
        if label in waiting or label in wrong or not position.is_due:
            continue
        refusal = refused_now(at, position.command, position.actor)
        if refusal is not None:
            wrong[label] = Option.of(label, _reason(refusal.message, refusal.clause))
    first = at.steps[0]
    correction = Correction(first.words, first.clause, gist_of(at.rules, first.clause))
    right = Option.of(first.label)
    return Asked("What comes next?", scene_at(at), right, list(wrong.values()), correction)


def who(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: who may do it?"""
    _, at = _drawn(rules, draws, group_of=lambda position: position.steps[0].by)
    step = at.steps[0]
    right = people_in_words(step.by)
    known = [people_in_words(by) for by in _KNOWN]
    wrong = [Option.of(words) for words in known if words != right]
    words = f"Next: “{step.label}”. Who does it?"
    explanation = f"{step.words} It is for {right[:1].lower()}{right[1:]}."
    correction = Correction(explanation, step.clause, gist_of(at.rules, step.clause))
    return Asked(words, scene_at(at), Option.of(right), wrong, correction)


def clause(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: which clause asks for it?"""
    walked, at = _drawn(rules, draws, lambda position: bool(position.steps[0].clause))
    step = at.steps[0]
    others = {moment.steps[0].clause for moment in walked if moment.steps[0].step != step.step}
    right, wrong = clause_choices(at.rules, step.clause, others)
    correction = Correction(step.words, step.clause, gist_of(at.rules, step.clause))
    words = f"Next: “{step.label}”. By which clause?"
    return Asked(words, scene_at(at), right, wrong, correction)


def duty(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: what does the document ask of the dealer in this step?"""
    _, at = _drawn(rules, draws, lambda position: bool(_duties(position)))
    step = at.steps[0]
    mine = _duties(at)
    chosen = draws.pick(sorted(mine))
    elsewhere = [
        position
        for position in duties_of(at.rules, role="dealer")
        if position.step not in (step.step, "report", "fold") and position.words not in mine
    ]
    wrong = [
        Option.of(position.words, f"That belongs to another step [{position.clause}].")
        for position in elsewhere
    ]
    correction = Correction(chosen, mine[chosen], gist_of(at.rules, mine[chosen]))
    words = f"Next: “{step.label}”. What belongs to it?"
    return Asked(words, scene_at(at), Option.of(chosen), wrong, correction)


# -- helpers --------------------------------------------------------------------------------------


def _drawn(
    rules: Rules,
    draws: Draws,
    fits: Callable[[Position], bool] = lambda _: True,
    group_of: Callable[[Position], object] = lambda position: position.steps[0].step,
) -> tuple[tuple[Position, ...], Position]:
    """Draw a moment of a table, every step equally likely."""
    walked = walk_drawn(rules, draws)
    kinds: dict[object, list[Position]] = {}
    for position in walked:
        if position.is_due and position.steps[0].step not in _OURS and fits(position):
            kinds.setdefault(group_of(position), []).append(position)
    if not kinds:
        raise NoDrill(f"no step of {rules.book.id} is of that kind")
    return walked, draws.pick(draws.pick(list(kinds.values())))


def _duties(at: Position) -> dict[str, str]:
    """Return the dealer's duties in the first step: words and clause."""
    duties = shown(at.steps[0], at.table, at.rules, "dealer")
    return {duty.words: duty.clause for duty in duties if duty.role == "dealer"}


_KNOWN: Final[tuple[tuple[str, ...], ...]] = (
    ("dealer",),
    ("floorperson", "operator"),
    ("dealer", "floorperson", "operator"),
    ("player", "dealer"),
    ("player",),
)
_PEOPLE: Final = {
    "dealer": "the dealer",
    "floorperson": "a floorperson",
    "player": "the player",
    "operator": "the operator",
}


def people_in_words(by: tuple[str, ...]) -> str:
    """Return who may do a step; an operator, who may do what a floorperson may, is named only for
    steps of their own."""
    named = [role for role in ROLES if role in by and (role != "operator" or by == ("operator",))]
    words = " or ".join(_PEOPLE[role] for role in named)
    return words[:1].upper() + words[1:]


def _reason(message: str, clause_: str | None) -> str:
    sentence = f"{message[:1].upper()}{message[1:]}"
    return f"{sentence} [{clause_}]" if clause_ else sentence
