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


def paid_lines(rules: Rules, figures: Mapping[str, Any]) -> Iterator[PaidLine]:
    """Yield every result of each wager under the best play; `figures` is the analysis."""
    total = sum(outcome["combinations"] for outcome in figures["outcomes"])
    more = _units_more(rules, figures, total)
    for name, part in figures["line_tables"].items():
        for line in part["lines"]:
            family = line["paytable"] or ""
            chance, net = Fraction(line["combinations"], total), Fraction(line["net_exact"])
            yield PaidLine(
                wager=wager_words(rules.book, name),
                family=family,
                table=figures["paytables"].get(family, ""),
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


def _units_more(
    rules: Rules, figures: Mapping[str, Any], total: int
) -> dict[tuple[str, str], Exact]:
    """Return the value of one more unit on each line of the paytables that shape the game: the mean
    number of units bet when it pays."""
    printed = {
        (family, line.hand)
        for family, table in figures["paytables"].items()
        for line in rules.paytable(family, table).lines
    }
    units: Counter[tuple[str, str]] = Counter()
    for part in figures["line_tables"].values():
        for line in part["lines"]:
            if (line["paytable"], line["hand"]) in printed:
                units[line["paytable"], line["hand"]] += line["units"] * line["combinations"]
    return {line: Exact.of(Fraction(count, total)) for line, count in units.items()}


def decision_shares(rules: Rules, figures: Mapping[str, Any]) -> Iterator[DecisionShare]:
    """Yield every action at every decision: its frequency and value."""
    total = sum(action["combinations"] for action in figures["outcomes"])
    for name, actions in figures["decision_tables"].items():
        for action in actions:
            value = action["expected_value_exact"]
            yield DecisionShare(
                decision=name.replace("_", " "),
                said=hand_words(rules.book, action["action"]).lower(),
                share=action["probability"],
                combinations=action["combinations"],
                probability=Exact.of(Fraction(action["combinations"], total)),
                value=None if value is None else Exact.of(Fraction(value)),
                contribution=Exact.of(Fraction(action["return_exact"])),
            )
