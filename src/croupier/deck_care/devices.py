"""Devices that shuffle, count and deal: those in the terms in force that still work."""

from __future__ import annotations

from croupier.deck_care.state import Care
from croupier.rulebooks.equipment import AUTOMATED, dealing_name, has_shuffler, shuffles_itself
from croupier.rulebooks.rules import Rules


def can_machine_shuffle(care: Care, rules: Rules) -> bool:
    """Return whether the table has a working shuffler."""
    return has_shuffler(rules) and "shuffler" not in care.devices


def machine_counts(care: Care, rules: Rules) -> bool:
    """Return whether a machine counts the deck with every shuffle."""
    counts = rules.options.get("shuffler_counts") is True or shuffles_itself(rules)
    return counts and can_machine_shuffle(care, rules)


def is_waived(step: str, care: Care, rules: Rules) -> bool:
    """Return whether this step is not needed because the shoe reshuffles and counts the cards."""
    book = rules.book.care
    assert book is not None
    return (
        step in book.self_shuffling_waives
        and shuffles_itself(rules)
        and can_machine_shuffle(care, rules)
    )


def decks_allowed(care: Care, rules: Rules) -> int:
    stated = rules.options.get("decks")
    return stated if isinstance(stated, int) and can_machine_shuffle(care, rules) else 1


def usable_ways(care: Care, rules: Rules) -> list[str]:
    """Return the other dealing methods that are possible with the devices that work."""
    ways = []
    for name, way in rules.book.dealing.items():
        known = rules.options.get("shuffler") is True or name == care.usual
        if name == dealing_name(rules) or (name == AUTOMATED and "shoe" in care.devices):
            continue
        if not way.needs_shuffler or (known and "shuffler" not in care.devices):
            ways.append(name)
    return ways
