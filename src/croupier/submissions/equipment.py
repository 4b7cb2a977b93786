"""Decks, shuffler and way of dealing, and the wagers they can serve."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rulebooks.rules import Rules
from croupier.submissions.findings import Finding, error, warning

__all__ = ["equipment_findings"]


def equipment_findings(rules: Rules) -> Iterator[Finding]:
    options = rules.options
    dealing = options.get("dealing")
    method = rules.book.dealing.get(str(dealing))
    if method is None:
        yield warning("options.dealing is left out: how are the cards dealt?")
    elif method.needs_shuffler and options.get("shuffler") is not True:
        yield error(
            f"dealing {method.title} needs an automated shuffling device: options.shuffler",
            method.needs_shuffler_clause,
        )
    order = method.variants.get(str(options.get("deal_order"))) if method is not None else None
    if order is not None and order.needs_shuffler and options.get("shuffler") is not True:
        yield error(
            f"the order {options['deal_order']} needs a shoe that reshuffles the cards: "
            "options.shuffler",
            order.clause,
        )
    if options.get("decks") == 2 and options.get("shuffler") is not True:
        yield error(
            "two decks may be used only with an automated shuffling device: options.shuffler",
            rules.book.decks_clause,
        )
    for name in sorted(rules.offered):
        yield from _served(rules, name)


def _served(rules: Rules, name: str) -> Iterator[Finding]:
    wager = rules.book.wagers[name]
    dealing = rules.options.get("dealing")
    if wager.dealt_by and dealing not in wager.dealt_by:
        now = "no way of dealing is stated" if dealing is None else f"they are dealt by {dealing}"
        yield error(
            f"{name} needs cards from {' or '.join(wager.dealt_by)}, but {now}",
            wager.dealt_by_clause,
        )
    for needed in wager.needs:
        role = rules.book.wagers[needed].role
        if role == "optional" and needed not in rules.offered:
            yield error(f"{name} needs {needed}, which is not offered", wager.needs_clause)
