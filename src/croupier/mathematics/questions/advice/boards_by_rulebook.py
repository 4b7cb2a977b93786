"""Advice for a hold'em game in its rulebook's words: only what may be said at the decision put now.

Two decisions may come after the same cards. To decline the first leads to the second, so declining
is worth the best of what the second offers; a bet of the second cannot be said at the first.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.errors import BadCards, suggest
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solution_cache import solution_of
from croupier.mathematics.game.course import asked_decisions
from croupier.mathematics.questions.advice.boards import advise
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

__all__ = ["advise_holdem"]


def advise_holdem(rules: Rules, situation: Situation) -> Advice:
    game = game_of(rules)
    decision, later = _asked(rules, situation)
    solution = solution_of(rules, game) if len(situation.community) < 3 else None
    found = advise(game, situation.own, situation.community, solution).actions
    values = {said: found[f"{multiple}x"] for said, multiple in decision.bets.items()}
    values[decision.otherwise] = _declined(decision, later, found)
    return Advice(decision.name, values, max(values, key=lambda said: values[said]))


def _declined(
    decision: Decision, later: tuple[Decision, ...], found: dict[str, Fraction]
) -> Fraction:
    """What declining is worth: the best of the decisions that follow on the same cards."""
    last = later[-1] if later else decision
    bets = [found[f"{multiple}x"] for each in later for multiple in each.bets.values()]
    return max(found[last.otherwise], *bets) if bets else found[last.otherwise]


def _asked(rules: Rules, situation: Situation) -> tuple[Decision, tuple[Decision, ...]]:
    """The decision that is put now, and those that may follow it on the same cards."""
    book, own, shown = rules.book, len(situation.own), len(situation.community)
    asked = asked_decisions(book)
    if situation.decision and situation.decision not in {d.name for d in asked}:
        raise suggest("decision", situation.decision, [d.name for d in asked])
    here = [d for d in asked if d.sees_community == shown]
    names = [d.name for d in here]
    place = names.index(situation.decision) if situation.decision in names else 0
    if own != book.cards.player or not here or (situation.decision or names[0]) not in names:
        counts = ", ".join(dict.fromkeys(str(d.sees_community) for d in asked))
        raise BadCards(
            f"{own} own and {shown} community cards: a decision is taken on {book.cards.player} "
            f"own cards and {counts} community cards",
            clause=book.decisions[0].clause,
        )
    return here[place], tuple(here[place + 1 :])
