"""The paytables of the main game line by line: in how many deals a line is paid, and its worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from croupier.mathematics.design.search import sensitivities
from croupier.mathematics.open_lines.open_table import OpenTable
from croupier.reports.mathematics_report.distributions import against
from croupier.reports.mathematics_report.record import Exact, PaidLine
from croupier.reports.phrases import called, sentence
from croupier.rulebooks.rules import Rules

__all__ = ["hand_called", "paid_lines"]


def paid_lines(rules: Rules, found: Mapping[str, Any]) -> Iterator[PaidLine]:
    """Of every table that shapes the main game, under the best play; `found` is its analysis."""
    total = sum(one["combinations"] for one in found["outcomes"])
    for family, table in found["paytables"].items():
        opened = OpenTable.of(rules, family, table, [])
        slopes = sensitivities(opened, "main")
        # A line is paid on one unit, so a unit more on it is worth the chance that it is paid.
        chances = slopes if slopes is not None else _held(rules, family, found["outcomes"], total)
        for line in opened.printed.lines:
            if line.hand not in chances:
                continue
            chance, worth = chances[line.hand], opened.worths[line.hand]
            yield PaidLine(
                family=family,
                table=table,
                hand=hand_called(rules, line.hand),
                pays=line.pays,
                combinations=int(chance * total),
                probability=Exact.of(chance),
                net=None if worth is None else Exact.of(worth),
                contribution=None if worth is None else Exact.of(worth * chance),
                true_odds=against(chance),
                unit_more=None if slopes is None else Exact.of(chance),
            )


def _held(
    rules: Rules, family: str, outcomes: list[dict[str, Any]], total: int
) -> dict[str, Fraction]:
    """Where the outcomes name the hand of each wager: how often one that the table pays is settled
    by each line."""
    paid = [
        name
        for name, wager in rules.book.wagers.items()
        if wager.role == "required" and getattr(wager.settles, "paytable", "") == family
    ]
    found: Counter[str] = Counter()
    for one in outcomes:
        hand = (one.get("hands") or {}).get(paid[-1]) if paid else None
        if hand is not None:
            found[hand] += one["combinations"]
    return {hand: Fraction(count, total) for hand, count in found.items()}


def hand_called(rules: Rules, hand: str) -> str:
    book = rules.book
    return sentence(called(hand, book) if hand in book.patterns else hand.replace("_", " "))
