"""Two people at once: is one command the same decision as another that was given just before?"""

from __future__ import annotations

from typing import Final

from croupier.rounds.declaration import Command, tag_of

__all__ = ["same_decision"]

_DECIDES: Final = {
    "validate_progressive": "the progressive",
    "refuse_progressive": "the progressive",
    "report": "the round",
    "void_round": "the round",
    "report_malfunction": "the device",
    "mark_out_of_order": "the device",
    "repair_device": "the device",
    "order_shuffle": "the deck",
    "order_recut": "the deck",
}
"""Commands that decide one question; any other decides its own."""

_ABOUT: Final = ("round", "seat", "player", "wager", "back", "step", "device", "number")
"""Fields that say what a decision is about."""


def same_decision(one: Command, other: Command) -> bool:
    """Of two such commands only the first was given with all that is known now: whoever gives the
    second looks again before he does. Reports count as one question whatever they are about, since
    the first may have made the hands void."""
    first, second = tag_of(one), tag_of(other)
    question = _DECIDES.get(first, first)
    if question != _DECIDES.get(second, second):
        return False
    return question == "the round" or _about(one, other)


def _about(one: Command, other: Command) -> bool:
    """Nothing that both name differs."""
    for name in _ABOUT:
        mine, others = getattr(one, name, None), getattr(other, name, None)
        if mine and others and mine != others:
            return False
    return True
