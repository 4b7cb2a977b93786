"""What the dealer is told with the step that is next: words and clauses, out of the rulebook.

The steps are commands that a named person gives, and the round waits for each of them; so what is
told here is done, or nothing goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rounds.dealing import dealing_in_force
from croupier.rounds.state import Round
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Guidance

__all__ = ["guidance", "guide_now"]

_AT = {
    "betting": "betting",
    "deciding": "ask",
    "revealing": "reveal",
    "showdown": "show",
    "settling": "settle",
    "collecting": "collect",
}


def guide_now(state: Round, rules: Rules) -> tuple[Guidance, ...]:
    """What to tell the dealer now."""
    if state.claim is not None:
        return guidance(rules, "validate")
    if state.phase == "closed":
        return guidance(rules, "deal" if state.counted else "count")
    found = guidance(rules, _AT.get(state.phase, ""))
    is_folding = state.phase in ("deciding", "revealing", "showdown", "settling")
    has_folded = is_folding and any(seat.folded for seat in state.seats)
    return (*found, *guidance(rules, "fold")) if has_folded else found


def guidance(rules: Rules, at: str) -> tuple[Guidance, ...]:
    """The words for a step under the way of dealing in force and the wagers on offer."""
    return tuple(_told(rules, at))


def _told(rules: Rules, at: str) -> Iterator[Guidance]:
    way = dealing_in_force(rules)
    ways = {name for name, found in rules.book.dealing.items() if found == way}
    for told in rules.book.guide:
        is_so = not told.dealing or told.dealing in ways
        is_offered = not told.needs_wager or told.needs_wager in rules.offered
        if told.at == at and is_so and is_offered:
            yield told
