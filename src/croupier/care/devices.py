"""Which devices shuffle, count and deal: those in the terms in force that still work."""

from __future__ import annotations

from croupier.care.state import Care
from croupier.rounds.dealing import dealing_in_force
from croupier.rulebooks.rules import Rules

__all__ = [
    "AUTOMATED",
    "can_machine_shuffle",
    "decks_allowed",
    "has_shuffler",
    "is_waived",
    "machine_counts",
    "needs_shuffler",
    "usable_ways",
    "way_in_force",
]

AUTOMATED = "automated_shoe"
"""The way of dealing that needs a device to deal."""


def way_in_force(rules: Rules) -> str:
    dealing = dealing_in_force(rules)
    return next(name for name, way in rules.book.dealing.items() if way is dealing)


def needs_shuffler(rules: Rules) -> str:
    """The clause that demands a machine shuffle for the way of dealing in force, or empty."""
    way = dealing_in_force(rules)
    if way.needs_shuffler:
        return way.needs_shuffler_clause or way.clause
    order = way.variants.get(str(rules.options.get("deal_order")))
    return order.clause if order is not None and order.needs_shuffler else ""


def has_shuffler(rules: Rules) -> bool:
    return (
        rules.options.get("shuffler") is True
        or bool(needs_shuffler(rules))
        or _shuffles_itself(rules)
    )


def _shuffles_itself(rules: Rules) -> bool:
    """The automated shoe reshuffles and counts the cards."""
    return rules.options.get("self_shuffling") is True and way_in_force(rules) == AUTOMATED


def can_machine_shuffle(care: Care, rules: Rules) -> bool:
    """The table has a shuffler, and it works."""
    return has_shuffler(rules) and "shuffler" not in care.devices


def machine_counts(care: Care, rules: Rules) -> bool:
    """A machine counts the deck with every shuffle."""
    counts = rules.options.get("shuffler_counts") is True or _shuffles_itself(rules)
    return counts and can_machine_shuffle(care, rules)


def is_waived(what: str, care: Care, rules: Rules) -> bool:
    """This step is not needed because the shoe reshuffles and counts the cards."""
    book = rules.book.care
    assert book is not None
    return (
        what in book.self_shuffling_waives
        and _shuffles_itself(rules)
        and can_machine_shuffle(care, rules)
    )


def decks_allowed(care: Care, rules: Rules) -> int:
    stated = rules.options.get("decks")
    return stated if isinstance(stated, int) and can_machine_shuffle(care, rules) else 1


def usable_ways(care: Care, rules: Rules) -> list[str]:
    """The other ways of dealing that are possible with the devices that work."""
    ways = []
    for name, way in rules.book.dealing.items():
        known = rules.options.get("shuffler") is True or name == care.usual
        if name == way_in_force(rules) or (name == AUTOMATED and "shoe" in care.devices):
            continue
        if not way.needs_shuffler or (known and "shuffler" not in care.devices):
            ways.append(name)
    return ways
