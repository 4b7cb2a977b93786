"""Which cards a wager is settled on."""

from __future__ import annotations

from croupier.rounds.paytable_lines import pattern_named
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Pattern, VersusPaytable

__all__ = ["lines_look_at", "looks_at"]


def looks_at(name: str, rules: Rules, place: str) -> bool:
    """Does the wager's settlement look at cards of this place (`community`, `dealer`)? A wager that
    is not settled by a paytable alone looks everywhere."""
    settles = rules.book.wagers[name].settles
    if not isinstance(settles, VersusPaytable):
        return True
    own = any(part.startswith(place) for part in rules.book.hands[settles.hand].cards)
    return own or lines_look_at(settles, rules, place)


def lines_look_at(settles: VersusPaytable, rules: Rules, place: str) -> bool:
    """Has the paytable in force a line that looks at cards of this place beside the hand's own?"""
    lines = rules.paytable(settles.paytable).lines
    named = {pattern for line in lines for pattern in line.covers or (line.hand,)}
    patterns = [pattern_named(pattern, rules.book.patterns) for pattern in named]
    return any(_pattern_looks_at(pattern, rules, place) for pattern in patterns)


def _pattern_looks_at(pattern: Pattern, rules: Rules, place: str) -> bool:
    hand = rules.book.hands.get(pattern.hand)
    if hand is not None and any(part.startswith(place) for part in hand.cards):
        return True
    return any(_pattern_looks_at(part, rules, place) for part in (*pattern.also, *pattern.unless))
