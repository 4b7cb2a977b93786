"""The wagers of the main game line by line, from the tables that `croupier analyze` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from croupier.reports.line_words import hand_words, line_words, pays_words, wager_words
from croupier.reports.mathematics_report.distributions import against
from croupier.reports.mathematics_report.record import DecisionShare, Exact, PaidLine
from croupier.rulebooks.rules import Rules

__all__ = ["decision_shares", "paid_lines"]


def paid_lines(rules: Rules, found: Mapping[str, Any]) -> Iterator[PaidLine]:
    """Every way in which each wager ends under the best play; `found` is the analysis."""
    total = sum(one["combinations"] for one in found["outcomes"])
    more = _units_more(rules, found, total)
    for name, part in found["line_tables"].items():
        for line in part["lines"]:
            family = line["paytable"] or ""
            chance, net = Fraction(line["combinations"], total), Fraction(line["net_exact"])
            yield PaidLine(
                wager=wager_words(rules.book, name),
                family=family,
                table=found["paytables"].get(family, ""),
                hand=line_words(rules.book, line),
                result=line["result"],
                units=line["units"],
                pays=pays_words(line),
                combinations=line["combinations"],
                probability=Exact.of(chance),
                net=Exact.of(net),
                contribution=Exact.of(net * chance),
                true_odds=against(chance),
                unit_more=more.get((family, line["hand"])),
            )


def _units_more(rules: Rules, found: Mapping[str, Any], total: int) -> dict[tuple[str, str], Exact]:
    """By line of the paytables that shape the game: a line is paid on the units bet, so a unit
    more on it is worth their mean."""
    printed = {
        (family, line.hand)
        for family, table in found["paytables"].items()
        for line in rules.paytable(family, table).lines
    }
    units: Counter[tuple[str, str]] = Counter()
    for part in found["line_tables"].values():
        for line in part["lines"]:
            if (line["paytable"], line["hand"]) in printed:
                units[line["paytable"], line["hand"]] += line["units"] * line["combinations"]
    return {line: Exact.of(Fraction(count, total)) for line, count in units.items()}


def decision_shares(rules: Rules, found: Mapping[str, Any]) -> Iterator[DecisionShare]:
    """Every action at every decision: how often it is taken and what it is worth."""
    total = sum(one["combinations"] for one in found["outcomes"])
    for name, actions in found["decision_tables"].items():
        for one in actions:
            value = one["expected_value_exact"]
            yield DecisionShare(
                decision=name.replace("_", " "),
                said=hand_words(rules.book, one["action"]).lower(),
                share=one["probability"],
                combinations=one["combinations"],
                probability=Exact.of(Fraction(one["combinations"], total)),
                value=None if value is None else Exact.of(Fraction(value)),
                contribution=Exact.of(Fraction(one["return_exact"])),
            )
