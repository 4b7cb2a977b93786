"""Findings of a check (an error breaks a rule; a warning is lawful but unwise), and the checks of
amounts and equipment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from croupier.money import dollars
from croupier.rounds.payout_limits import bound_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import PayoutLimit
from croupier.rulebooks.submission import Submission


class Finding(msgspec.Struct, frozen=True):
    """A problem that the check of a submission reports."""

    severity: Literal["error", "warning"]
    """`error` or `warning`."""
    clause: str | None
    """The clause that the finding is based on."""
    message: str
    """The problem, in one sentence."""


def error(message: str, clause: str | None = None) -> Finding:
    return Finding("error", clause or None, message)


def warning(message: str, clause: str | None = None) -> Finding:
    return Finding("warning", clause or None, message)


def limit_findings(rules: Rules, submission: Submission) -> Iterator[Finding]:
    """Yield the faults of the stated minimums and maximums: out of order, in conflict with each
    other, or on wagers without limits of their own."""
    for name, (low, high) in rules.limits.items():
        wager = rules.book.wagers[name]
        where = f"limits.{name}"
        if wager.role == "decided":
            yield error(f"{where}: its amount follows from another wager", wager.clause)
        if low is not None and low <= 0:
            yield error(f"{where}: a minimum is more than $0", wager.clause)
        if low is not None and high is not None and low > high:
            yield error(
                f"{where}: the minimum {dollars(low)} is above the maximum {dollars(high)}",
                wager.clause,
            )
        yield from _fixed_stakes(rules, name)
        if wager.equals and rules.limits.get(wager.equals, (low, high)) != (low, high):
            yield error(
                f"{where} and limits.{wager.equals} differ, but the two wagers must be equal",
                rules.book.required_clause,
            )
    yield from _minimum(rules, submission)


def _fixed_stakes(rules: Rules, name: str) -> Iterator[Finding]:
    low, high = rules.limits[name]
    for stake in rules.stakes.get(name, ()):
        if (low is not None and stake < low) or (high is not None and stake > high):
            yield error(
                f"limits.{name} shuts out the stake of {dollars(stake)} that it takes",
                rules.book.wagers[name].stakes_clause or rules.book.wagers[name].clause,
            )


def _minimum(rules: Rules, submission: Submission) -> Iterator[Finding]:
    stated = rules.options.get("minimum_wager")
    first = rules.required[0]
    low = rules.limits.get(first, (None, None))[0]
    if isinstance(stated, int) and low is not None and stated != low:
        yield error(
            f"options.minimum_wager is {dollars(stated)} but limits.{first}.minimum "
            f"{dollars(low)}: they say the same thing",
            rules.book.wagers[first].clause,
        )
    if stated is None and low is None and submission.limits:
        yield warning(f"limits.{first}.minimum is left out: the table has no minimum")


def payout_limit_findings(rules: Rules) -> Iterator[Finding]:
    for limit in rules.book.payout_limits:
        yield from _payout_limit(rules, limit)


def _payout_limit(rules: Rules, limit: PayoutLimit) -> Iterator[Finding]:
    stated = rules.options.get("payout_limit")
    if not isinstance(stated, int) or not limit.or_best_win:
        return
    if rules.minimum_wager is None:
        yield error(
            "options.minimum_wager must be stated with a payout limit: the limit is bound to what "
            "can be won at the minimum",
            limit.bound_clause,
        )
    bound = bound_of(limit, rules)
    shown = (
        f"{dollars(bound)} (the greater of {dollars(limit.amount * 100)} and the most one player "
        "can win in a round at the minimum wager)"
    )
    if limit.set_by == "at_least" and stated < bound:
        yield error(
            f"options.payout_limit is {dollars(stated)}, but must be at least {shown}",
            limit.bound_clause,
        )
    elif limit.set_by == "document" and stated != bound:
        yield error(
            f"options.payout_limit is {dollars(stated)}, but the document fixes it at {shown}",
            limit.bound_clause,
        )
    elif limit.set_by == "at_most" and stated > bound:
        yield error(
            f"options.payout_limit is {dollars(stated)}, but may not exceed {shown}",
            limit.bound_clause,
        )
    elif limit.set_by == "at_most" and stated < bound:
        yield warning(
            f"options.payout_limit is {dollars(stated)}, below {shown}: the document can be read "
            "to fix it at that sum",
            limit.bound_clause,
        )


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
