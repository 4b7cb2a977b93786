"""The way of dealing under the rules in force, and its devices."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Dealing

AUTOMATED: Final = "automated_shoe"
"""The way of dealing that needs a dealing device."""

Need: TypeAlias = Literal[
    "shuffler", "counting_shuffler", "two_decks", "self_shuffling", "device", "electronic"
]
"""What a table must have for something to apply. `device`: a shuffler or an automated shoe;
`electronic`: the version with a dealer and no cards of paper."""


def dealing_in_force(rules: Rules) -> Dealing:
    """Return the way of dealing stated, or else the first possible one: it knows the order stated,
    and serves every wager on offer."""
    return rules.book.dealing[dealing_name(rules)]


def dealing_name(rules: Rules) -> str:
    """Return the rulebook's name of the way of dealing in force."""
    ways = rules.book.dealing
    stated, order = rules.options.get("dealing"), rules.options.get("deal_order")
    if stated is not None:
        return str(stated)
    can_be = [name for name, way in ways.items() if order is None or order in way.variants]
    bound = [by for name in rules.offered if (by := rules.book.wagers[name].dealt_by)]
    serving = [name for name in can_be if all(name in by for by in bound)]
    return (serving or can_be)[0]


def order_name(rules: Rules) -> str:
    """Return the order of dealing in force if the way of dealing has several, or else ""."""
    variants = dealing_in_force(rules).variants
    stated = rules.options.get("deal_order")
    return next(iter(variants), "") if stated is None or not variants else str(stated)


def needs_shuffler(rules: Rules) -> str:
    """Return the clause that demands a machine shuffle for the way of dealing in force, or ""."""
    way = dealing_in_force(rules)
    if way.needs_shuffler:
        return way.needs_shuffler_clause or way.clause
    order = way.variants.get(str(rules.options.get("deal_order")))
    return order.clause if order is not None and order.needs_shuffler else ""


def has_shuffler(rules: Rules) -> bool:
    return (
        rules.options.get("shuffler") is True
        or bool(needs_shuffler(rules))
        or shuffles_itself(rules)
    )


def shuffles_itself(rules: Rules) -> bool:
    """Return whether the automated shoe reshuffles and counts the cards."""
    return rules.options.get("self_shuffling") is True and dealing_name(rules) == AUTOMATED


def has(rules: Rules, need: Need) -> bool:
    """Return whether a table under these rules has this equipment, as long as everything works."""
    match need:
        case "shuffler":
            return has_shuffler(rules)
        case "counting_shuffler":
            counts = rules.options.get("shuffler_counts") is True
            return (counts and has_shuffler(rules)) or shuffles_itself(rules)
        case "two_decks":
            return rules.options.get("decks") == 2 and has_shuffler(rules)
        case "self_shuffling":
            return shuffles_itself(rules)
        case "device":
            return has_shuffler(rules) or dealing_name(rules) == AUTOMATED
        case "electronic":
            return rules.options.get("electronic_version") is True
